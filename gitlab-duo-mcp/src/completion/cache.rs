//! What was read for completion, for a moment: each caller has its own, and nobody another's.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use gitlab_duo_core::model::error::DuoError;
use jiff::Timestamp;

use crate::caller::CallerKey;
use crate::completion::known::Known;
use crate::limits::{COMPLETION_ENTRIES, COMPLETION_SECONDS};

/// Whose values they are, and of what.
type Key = (CallerKey, String);
/// Filled by whoever comes first; the others wait for it. Empty after a failure.
type Place = Arc<tokio::sync::Mutex<Option<Arc<Known>>>>;

/// What was read. Clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cache(Arc<Mutex<BTreeMap<Key, Entry>>>);

#[derive(Debug)]
struct Entry {
    place: Place,
    since: Timestamp,
}

impl Cache {
    /// What is known under this key, read by `read` when nothing is, or nothing that is fresh.
    ///
    /// # Errors
    /// Those of `read`; a failure is not kept.
    pub(crate) async fn known(
        &self,
        caller: CallerKey,
        source: &str,
        now: Timestamp,
        read: impl Future<Output = Result<Known, DuoError>>,
    ) -> Result<Arc<Known>, DuoError> {
        let place = self.place((caller, source.to_owned()), now);
        let mut known = place.lock().await;
        if let Some(known) = &*known {
            return Ok(Arc::clone(known));
        }
        Ok(Arc::clone(known.insert(Arc::new(read.await?))))
    }

    fn place(&self, key: Key, now: Timestamp) -> Place {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.retain(|_, entry| is_fresh(entry.since, now));
        if !entries.contains_key(&key) && entries.len() >= COMPLETION_ENTRIES {
            let oldest = entries.iter().min_by_key(|(_, entry)| entry.since).map(|(key, _)| key.clone());
            oldest.and_then(|oldest| entries.remove(&oldest));
        }
        let entry = entries.entry(key).or_insert_with(|| Entry { place: Place::default(), since: now });
        Arc::clone(&entry.place)
    }
}

/// A clock that was set back makes nothing fresh.
fn is_fresh(since: Timestamp, now: Timestamp) -> bool {
    (0..COMPLETION_SECONDS).contains(&now.duration_since(since).as_secs()) && now >= since
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use gitlab_duo_core::model::error::ErrorKind;

    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + seconds).unwrap()
    }

    fn known(value: &str) -> Known {
        Known { workflow_ids: vec![value.to_owned()], ..Known::default() }
    }

    async fn ask(cache: &Cache, caller: &str, source: &str, seconds: i64, value: &str) -> String {
        let read = async { Ok(known(value)) };
        let known = cache.known(CallerKey::of(caller), source, at(seconds), read).await.unwrap();
        known.workflow_ids[0].clone()
    }

    #[tokio::test]
    async fn values_are_kept_for_thirty_seconds_and_for_their_caller_only() {
        let cache = Cache::default();
        assert_eq!(ask(&cache, "glpat-one", "sessions", 0, "one").await, "one");
        let rows = [
            ("glpat-one", "sessions", 29, "new", "one"),
            ("glpat-two", "sessions", 29, "two", "two"),
            ("glpat-one", "project 4021", 29, "other", "other"),
            ("glpat-one", "sessions", 30, "new", "new"),
            ("glpat-two", "sessions", 30, "new", "two"),
            // The clock was set back.
            ("glpat-one", "sessions", -5, "newest", "newest"),
        ];
        for (caller, source, seconds, value, expected) in rows {
            assert_eq!(
                ask(&cache, caller, source, seconds, value).await,
                expected,
                "{caller} {source} {seconds}"
            );
        }
    }

    #[tokio::test]
    async fn a_failure_is_not_kept() {
        let cache = Cache::default();
        let failure = async { Err(DuoError::new(ErrorKind::Network, "not now")) };
        assert!(cache.known(CallerKey::of("a"), "sessions", at(0), failure).await.is_err());
        assert_eq!(ask(&cache, "a", "sessions", 0, "well").await, "well");
    }

    #[tokio::test]
    async fn several_that_ask_at_once_share_one_read() {
        let (cache, reads) = (Cache::default(), AtomicUsize::new(0));
        let ask = || async {
            let read = async {
                reads.fetch_add(1, Ordering::SeqCst);
                tokio::task::yield_now().await;
                Ok(known("73"))
            };
            cache.known(CallerKey::of("a"), "sessions", at(0), read).await.unwrap()
        };
        let answers = futures_util::future::join_all((0..5).map(|_| ask())).await;
        assert!(answers.iter().all(|known| known.workflow_ids == ["73"]));
        assert_eq!(reads.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn it_is_bounded_and_the_oldest_goes_first() {
        let cache = Cache::default();
        for number in 0..100 {
            let source = format!("project {number}");
            ask(&cache, "a", &source, i64::from(number) / 10, "old").await;
        }
        assert_eq!(cache.0.lock().unwrap().len(), COMPLETION_ENTRIES);
        assert_eq!(ask(&cache, "a", "project 99", 10, "new").await, "old");
        assert_eq!(ask(&cache, "a", "project 0", 10, "new").await, "new");
    }
}
