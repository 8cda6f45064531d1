//! Who calls: a way to GitLab with one credential, and a mark that keeps callers apart.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, LazyLock};

use gitlab_duo_core::gateway::writer::DuoWriter;
use sha2::{Digest, Sha256};

/// A caller: its way to GitLab. Clones are the same caller.
#[derive(Clone)]
pub struct Caller {
    pub(crate) gateway: Arc<dyn DuoWriter>,
    pub(crate) key: CallerKey,
    pub(crate) seal: Seal,
}

/// Bytes of a seal.
const SEAL_BYTES: usize = 32;

/// Seals what travels through a client and comes back. The same for one credential in every
/// process, so that any replica can read what another one has sealed; nobody without the
/// credential can make one.
#[derive(Clone)]
pub(crate) struct Seal(pub(crate) [u8; SEAL_BYTES]);

/// Tells callers apart without keeping their credential: two credentials never have the same key,
/// and nothing about a credential can be learnt from its key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallerKey([u64; 2]);

/// Two keyed hashes, drawn anew in each process: 128 bits that nobody outside can aim at.
static HASHERS: LazyLock<[RandomState; 2]> = LazyLock::new(|| [RandomState::new(), RandomState::new()]);

impl CallerKey {
    /// The key of a credential.
    #[must_use]
    pub fn of(credential: &str) -> Self {
        Self(HASHERS.each_ref().map(|hasher| hasher.hash_one(credential)))
    }
}

impl Caller {
    /// The caller with this credential, which `gateway` carries.
    #[must_use]
    pub fn of(gateway: Arc<dyn DuoWriter>, credential: &str) -> Self {
        let mut hasher = Sha256::new();
        hasher.update(b"gitlab-duo-mcp: seal of a caller\0");
        hasher.update(credential.as_bytes());
        Self { gateway, key: CallerKey::of(credential), seal: Seal(hasher.finalize().into()) }
    }

    /// The only caller of this process.
    #[must_use]
    pub fn only(gateway: Arc<dyn DuoWriter>) -> Self {
        // Drawn anew in each process, as the keys of its hash maps are.
        let drawn = format!("{:?}", [(); 4].map(|()| RandomState::new().hash_one(())));
        Self::of(gateway, &drawn)
    }
}

impl fmt::Debug for Caller {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Caller").field("key", &self.key).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_belongs_to_one_credential() {
        assert_eq!(CallerKey::of("glpat-one"), CallerKey::of("glpat-one"));
        assert_ne!(CallerKey::of("glpat-one"), CallerKey::of("glpat-two"));
        assert_ne!(CallerKey::of(""), CallerKey::default());
    }
}
