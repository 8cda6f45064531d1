//! Many callers at once: nobody sees what is another's, and nobody's answer is lost.

use fake_gitlab::{FakeGitLab, TokenSpec, world::User};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::peer::{Peer, Reply, options, upstream};
use crate::wire::call;

const CLIENTS: i64 = 64;
const PEOPLE: i64 = 8;
const CALLS: i64 = 4;
/// The first of the example sessions that are given away, one to each person.
const SESSION: i64 = 730;

fn token(person: i64) -> String {
    format!("glpat-person-{person}")
}

/// A GitLab where each person has a token and one session with a goal of their own.
async fn gitlab() -> FakeGitLab {
    let fake = FakeGitLab::builder().with_example_sessions().start().await.unwrap();
    let ids: Vec<i64> =
        fake.state(|world| world.sessions.keys().copied().filter(|id| *id >= SESSION).collect());
    for (person, id) in (0..PEOPLE).zip(ids) {
        let user = 7_000 + person;
        fake.state(|world| {
            world.users.insert(user, User::new(user, &format!("person{person}"), "Person"));
            let session = world.session_mut(id).unwrap();
            (session.user, session.goal) = (user, format!("the secret of person {person}"));
        });
        fake.add_token(TokenSpec::new(&token(person), user, &["api"]));
    }
    fake
}

fn list(id: i64) -> Value {
    call(id.unsigned_abs(), "browse_duo_sessions", json!({"action": "list"}))
}

fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or("VmRSS: unknown");
    line.split_whitespace().skip(1).collect::<Vec<_>>().join(" ")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_answer_crosses_tokens_and_none_is_lost() {
    let fake = gitlab().await;
    let peer = std::sync::Arc::new(Peer::of(&fake).await);
    let before = memory();
    let mut clients = JoinSet::new();
    for client in 0..CLIENTS {
        let peer = std::sync::Arc::clone(&peer);
        clients.spawn(async move {
            let person = client % PEOPLE;
            for number in 0..CALLS {
                let id = client * CALLS + number;
                let reply: Reply = peer.post(&token(person), &[], &list(id)).await;
                let message = reply.message();
                assert_eq!(message["id"], id, "{reply:?}");
                let sessions = message["result"]["structuredContent"]["sessions"].as_array();
                let sessions = sessions.unwrap_or_else(|| panic!("{reply:?}"));
                let goals: Vec<_> =
                    sessions.iter().map(|session| session["goal"].as_str().unwrap()).collect();
                assert_eq!(goals, [format!("the secret of person {person}")]);
            }
            CALLS
        });
    }
    let answered: i64 = clients.join_all().await.into_iter().sum();
    assert_eq!(answered, CLIENTS * CALLS);
    let asked = fake.requests().len();
    println!(
        "{CLIENTS} clients, {PEOPLE} tokens, {answered} calls, {asked} requests to GitLab over {} connections; resident before {before}, after {}",
        fake.connections(),
        memory()
    );
}

#[tokio::test]
async fn beyond_the_bound_a_request_is_sent_away_until_there_is_room() {
    let fake = gitlab().await;
    let mut options = options();
    options.requests = 1;
    let peer = Peer::with(upstream(&fake), options).await;
    // Its body does not arrive: the request takes the only place.
    let mut slow = super::slow::begun(&peer, &token(0), 5).await;
    let refused = loop {
        let reply = peer.post(&token(1), &[], &list(1)).await;
        if reply.status == 503 {
            break reply;
        }
        tokio::task::yield_now().await;
    };
    assert_eq!(refused.header("retry-after"), Some("1"));
    slow.finish().await;
    loop {
        let reply = peer.post(&token(1), &[], &list(1)).await;
        if reply.status == 200 {
            break;
        }
        assert_eq!(reply.status, 503);
        tokio::task::yield_now().await;
    }
}
