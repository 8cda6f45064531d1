//! Whether the server can do its work: asked of GitLab seldom, and by one at a time.

use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use fake_gitlab::{FakeGitLab, Fault};
use jiff::Timestamp;

use super::peer::{Peer, options, upstream};

#[tokio::test]
async fn it_follows_gitlab_with_a_delay() {
    let fake = FakeGitLab::start().await.unwrap();
    let seconds = Arc::new(AtomicI64::new(1_800_000_000));
    let told = Arc::clone(&seconds);
    let mut parts = upstream(&fake);
    parts.clock = Arc::new(move || Timestamp::from_second(told.load(Ordering::SeqCst)).unwrap());
    let peer = Peer::with(parts, options()).await;
    // Seconds that pass, whether GitLab is up, and what is answered.
    let story = [(0, true, 200), (9, false, 200), (1, false, 503), (9, true, 503), (1, true, 200)];
    for (passed, is_up, status) in story {
        seconds.fetch_add(passed, Ordering::SeqCst);
        fake.clear_faults();
        if !is_up {
            fake.inject(Fault::html_502().always());
        }
        let reply = peer.ask("GET /readyz", &[("host", "10.0.0.7")], "").await;
        assert_eq!(reply.status, status, "after {passed} s, up: {is_up}");
    }
    assert_eq!(fake.requests().len(), 3);
    let is_bare = |name| fake.requests().iter().all(|request| request.header(name).is_none());
    assert!(is_bare("authorization") && is_bare("private-token"));
}

#[tokio::test]
async fn those_who_ask_together_share_one_question() {
    let fake = FakeGitLab::start().await.unwrap();
    let asked = Arc::new(AtomicUsize::new(0));
    let (answer, waiting) = tokio::sync::oneshot::channel::<()>();
    let waiting = Mutex::new(Some(waiting));
    let counted = Arc::clone(&asked);
    let mut parts = upstream(&fake);
    parts.is_answering = Arc::new(move || {
        counted.fetch_add(1, Ordering::SeqCst);
        let waiting = waiting.lock().unwrap().take();
        Box::pin(async move {
            if let Some(waiting) = waiting {
                waiting.await.unwrap();
            }
            true
        })
    });
    let peer = Peer::with(parts, options()).await;
    let answered = async {
        while asked.load(Ordering::SeqCst) == 0 {
            tokio::task::yield_now().await;
        }
        answer.send(()).unwrap();
    };
    let ask = || peer.ask("GET /readyz", &[], "");
    let (first, second, third, ()) = tokio::join!(ask(), ask(), ask(), answered);
    assert_eq!([first.status, second.status, third.status], [200; 3]);
    assert_eq!(asked.load(Ordering::SeqCst), 1);
}
