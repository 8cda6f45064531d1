//! Changes of sessions, told to those who subscribed, in both generations.

use std::sync::Arc;
use std::time::Duration;

use gitlab_duo_core::gateway::error::{GatewayError, Outcome};
use gitlab_duo_core::gateway::testing::MemoryGitLab;
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::model::ids::ProjectId;
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::model::session::{CreatedNote, History, Links, MessageKind, Session};
use gitlab_duo_core::model::status::Status;
use gitlab_duo_core::rules::policy::Access;
use gitlab_duo_mcp::server::Server;
use serde_json::{Value, json};

use crate::talk::{ERAS, Era, Talk};
use crate::trouble::{Trouble, Troubled};
use crate::world::{NEWEST, gitlab, message, server, session, settings};

const RUNNING: &str = "duo://sessions/72";
const ENDED: &str = "duo://sessions/73";

/// Subscribes, and gives the id of the request that stays open for it.
async fn subscribe(talk: &mut Talk, era: Era, uris: &[&str]) -> u64 {
    match era {
        Era::Legacy => {
            for uri in uris {
                talk.result("resources/subscribe", json!({"uri": uri})).await;
            }
            0
        }
        Era::Modern => {
            let notifications = json!({"resourceSubscriptions": uris});
            let id = talk.send("subscriptions/listen", json!({"notifications": notifications})).await;
            let acknowledged = talk.told().await;
            assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
            id
        }
    }
}

/// What is refused: in the newer generation after it was acknowledged.
async fn refusal(talk: &mut Talk, era: Era, uri: &str) -> Value {
    match era {
        Era::Legacy => talk.error("resources/subscribe", json!({"uri": uri})).await,
        Era::Modern => {
            let notifications = json!({"resourceSubscriptions": [uri]});
            talk.error("subscriptions/listen", json!({"notifications": notifications})).await
        }
    }
}

fn looks(gitlab: &MemoryGitLab) -> usize {
    gitlab.world().calls.iter().filter(|method| **method == "session").count()
}

fn change(gitlab: &MemoryGitLab, id: u64, change: impl FnOnce(&mut Session)) {
    let mut world = gitlab.world();
    change(world.sessions.iter_mut().find(|session| session.row.id.number() == id).unwrap());
}

async fn pass(seconds: u64) {
    tokio::time::sleep(Duration::from_secs(seconds)).await;
}

/// Everything that the server says until it answers a ping or its like.
async fn unasked(talk: &mut Talk) -> Vec<Value> {
    talk.result("tools/list", json!({})).await;
    talk.untouched().to_vec()
}

fn note() -> Links<CreatedNote> {
    let note = CreatedNote { body: Some("Done".to_owned()), url: None };
    Links { items: vec![note], has_more: Some(false), hidden: 0 }
}

#[tokio::test(start_paused = true)]
async fn every_change_that_matters_is_told_and_nothing_else() {
    type Change = fn(&mut Session);
    let newest = |session: &mut Session| {
        let messages = Some(vec![message(MessageKind::Agent, "Half done.", "null")]);
        session.history = Some(History { messages, errors: Vec::new() });
    };
    let rows: [(&str, &str, Change, bool); 7] = [
        ("status", RUNNING, |session| session.row.status = Some(Status::Paused), true),
        ("pending input", RUNNING, |session| session.row.status = Some(Status::InputRequired), true),
        ("end", RUNNING, |session| session.row.status = Some(Status::Finished), true),
        ("newest message", RUNNING, newest, true),
        ("newest message", "duo://sessions/72/transcript", newest, true),
        ("created", RUNNING, |session| session.created.notes = Some(note()), true),
        (
            "the time of the last change",
            RUNNING,
            |session| session.row.updated_at = Some("2026-10-20T11:59:00Z".parse().unwrap()),
            false,
        ),
    ];
    for era in ERAS {
        for (case, uri, alter, is_told) in rows {
            let gitlab = gitlab(NEWEST);
            let mut talk = Talk::begin(server(&gitlab), era).await;
            let id = subscribe(&mut talk, era, &[uri]).await;
            pass(120).await;
            assert_eq!(unasked(&mut talk).await, Vec::<Value>::new(), "{era:?} {case}: nothing has changed");
            change(&gitlab, 72, alter);
            pass(30).await;
            if !is_told {
                assert_eq!(unasked(&mut talk).await, Vec::<Value>::new(), "{era:?} {case}");
                continue;
            }
            let told = talk.told().await;
            assert_eq!(
                (&told["method"], &told["params"]["uri"]),
                (&json!("notifications/resources/updated"), &json!(uri)),
                "{era:?} {case}"
            );
            if era == Era::Modern {
                let of = &told["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"];
                assert_eq!(of, &json!(id), "{told}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn looks_are_never_closer_than_five_seconds_and_grow_rare() {
    for era in ERAS {
        let gitlab = gitlab(NEWEST);
        let mut talk = Talk::begin(server(&gitlab), era).await;
        subscribe(&mut talk, era, &[RUNNING]).await;
        pass(1).await;
        let counts = [3, 2, 26, 300, 3_600].map(|seconds| (seconds, looks(&gitlab)));
        let mut seen = Vec::new();
        for (seconds, _) in counts {
            let before = looks(&gitlab);
            pass(seconds).await;
            seen.push(looks(&gitlab) - before);
        }
        // After 5, 12.5 and 23.75 seconds, then every 30 at the most.
        assert_eq!(seen, [0, 1, 2, 10, 120], "{era:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn after_the_end_there_is_a_last_notice_and_no_further_look() {
    for era in ERAS {
        let gitlab = gitlab(NEWEST);
        let mut talk = Talk::begin(server(&gitlab), era).await;
        let id = subscribe(&mut talk, era, &[RUNNING, ENDED]).await;
        change(&gitlab, 72, |session| session.row.status = Some(Status::Failed));
        assert_eq!(talk.told().await["params"]["uri"], RUNNING, "{era:?}");
        if era == Era::Modern {
            let end = talk.answer(id).await;
            assert!(end.get("result").is_some(), "the request ends with its sessions: {end}");
        }
        let before = looks(&gitlab);
        pass(3_600).await;
        assert_eq!(looks(&gitlab), before, "{era:?}");
        assert_eq!(unasked(&mut talk).await, Vec::<Value>::new(), "{era:?}: one last notice");
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_is_looked_at_once_the_client_has_left_or_wants_no_more() {
    #[derive(Debug, Clone, Copy)]
    enum Leaving {
        Unsubscribes,
        Cancels,
        Disconnects,
    }
    let rows = [
        (Era::Legacy, Leaving::Unsubscribes),
        (Era::Legacy, Leaving::Disconnects),
        (Era::Modern, Leaving::Cancels),
        (Era::Modern, Leaving::Disconnects),
    ];
    for (era, leaving) in rows {
        let gitlab = gitlab(NEWEST);
        let mut talk = Talk::begin(server(&gitlab), era).await;
        let id = subscribe(&mut talk, era, &[RUNNING]).await;
        pass(60).await;
        assert!(looks(&gitlab) > 3, "{era:?} {leaving:?}: it was watched");
        match leaving {
            Leaving::Unsubscribes => {
                for _ in 0..2 {
                    talk.result("resources/unsubscribe", json!({"uri": RUNNING})).await;
                }
            }
            Leaving::Cancels => {
                talk.cancel(id).await;
                talk.result("tools/list", json!({})).await;
            }
            Leaving::Disconnects => {
                talk.end().await;
                pass(1).await;
            }
        }
        let before = looks(&gitlab);
        pass(3_600).await;
        assert_eq!(looks(&gitlab), before, "{era:?} {leaving:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn twice_the_same_resource_is_watched_once() {
    for era in ERAS {
        let gitlab = gitlab(NEWEST);
        let mut talk = Talk::begin(server(&gitlab), era).await;
        subscribe(&mut talk, era, &[RUNNING, RUNNING, RUNNING]).await;
        pass(1).await;
        assert_eq!(looks(&gitlab), 1, "{era:?}");
        change(&gitlab, 72, |session| session.row.status = Some(Status::Paused));
        pass(60).await;
        assert_eq!(unasked(&mut talk).await.len(), 1, "{era:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_connection_watches_thirty_two_resources_and_another_one_its_own() {
    let gitlab = gitlab(NEWEST);
    gitlab.world().sessions.extend((100..140).map(|id| session(id, Status::Running, &[])));
    let uris: Vec<_> = (100..140).map(|id| format!("duo://sessions/{id}")).collect();
    let server = server(&gitlab);
    let mut legacy = Talk::begin(server.clone(), Era::Legacy).await;
    for uri in &uris[..32] {
        legacy.result("resources/subscribe", json!({"uri": uri})).await;
    }
    let error = refusal(&mut legacy, Era::Legacy, &uris[32]).await;
    assert_eq!((&error["code"], &error["data"]["kind"]), (&json!(-32602), &json!("invalid_arguments")));
    // The same one again takes no place, and a place that is given back can be taken.
    legacy.result("resources/subscribe", json!({"uri": uris[0]})).await;
    legacy.result("resources/unsubscribe", json!({"uri": uris[0]})).await;
    pass(1).await;
    legacy.result("resources/subscribe", json!({"uri": uris[32]})).await;
    // So can that of a session that has ended.
    change(&gitlab, 101, |session| session.row.status = Some(Status::Stopped));
    assert_eq!(legacy.told().await["params"]["uri"], uris[1].as_str());
    pass(1).await;
    legacy.result("resources/subscribe", json!({"uri": uris[33]})).await;

    change(&gitlab, 101, |session| session.row.status = Some(Status::Running));
    let mut modern = Talk::begin(server, Era::Modern).await;
    let notifications = json!({"resourceSubscriptions": uris});
    modern.send("subscriptions/listen", json!({"notifications": notifications})).await;
    let acknowledged = modern.told().await;
    let accepted = acknowledged["params"]["notifications"]["resourceSubscriptions"].as_array().unwrap();
    assert_eq!(accepted.len(), 32, "{acknowledged}");
    pass(1).await;
    let error = refusal(&mut modern, Era::Modern, RUNNING).await;
    assert_eq!((&error["code"], &error["data"]["kind"]), (&json!(-32602), &json!("invalid_arguments")));
}

#[tokio::test(start_paused = true)]
async fn what_may_not_be_read_is_not_watched() {
    let allowed = Scope { allowed_projects: Some([ProjectId::new(1).unwrap()].into()), ..Scope::default() };
    let off = Scope { access: Access::Off, ..Scope::default() };
    for era in ERAS {
        let missing = if era == Era::Legacy { -32002 } else { -32602 };
        let rows = [
            (Some(Scope::default()), "duo://sessions/4711", missing, "not_found"),
            (Some(Scope::default()), "https://git.example.test/", missing, "not_found"),
            (Some(allowed.clone()), RUNNING, -32600, "policy"),
            (Some(off.clone()), RUNNING, -32600, "policy"),
            (None, RUNNING, -32600, "unauthorized"),
        ];
        for (scope, uri, code, kind) in rows {
            let gitlab = gitlab(NEWEST);
            let server = match scope {
                Some(scope) => Server::new(Arc::new(gitlab.clone()), settings(scope)),
                None => Server::without_token(settings(Scope::default())),
            };
            let mut talk = Talk::begin(server, era).await;
            let error = refusal(&mut talk, era, uri).await;
            assert_eq!(
                (&error["code"], &error["data"]["kind"]),
                (&json!(code), &json!(kind)),
                "{era:?} {uri}"
            );
            let before = gitlab.world().calls.len();
            pass(600).await;
            assert_eq!(gitlab.world().calls.len(), before, "{era:?} {uri}: nothing is watched");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn one_that_cannot_be_read_does_not_end_the_others() {
    let gitlab = gitlab(NEWEST);
    let mut talk = Talk::begin(server(&gitlab), Era::Modern).await;
    subscribe(&mut talk, Era::Modern, &["duo://sessions/4711", "nonsense", RUNNING]).await;
    pass(60).await;
    change(&gitlab, 72, |session| session.row.status = Some(Status::Paused));
    assert_eq!(talk.told().await["params"]["uri"], RUNNING);
}

#[tokio::test(start_paused = true)]
async fn a_failure_that_passes_is_waited_for_and_one_that_stays_is_told() {
    let failure = |kind, seconds| {
        let mut failure = GatewayError::new(kind, "not now");
        failure.retry_after_seconds = seconds;
        ("session", failure, Outcome::Refused)
    };
    for era in ERAS {
        let gitlab = gitlab(NEWEST);
        let mut talk = Talk::begin(server(&gitlab), era).await;
        subscribe(&mut talk, era, &[RUNNING]).await;
        pass(1).await;
        gitlab.world().failures.push_back(failure(ErrorKind::RateLimited, Some(200)));
        pass(5).await;
        assert_eq!(looks(&gitlab), 2, "{era:?}");
        pass(198).await;
        assert_eq!(looks(&gitlab), 2, "{era:?}: as long as GitLab asked for");
        pass(2).await;
        assert_eq!(looks(&gitlab), 3, "{era:?}");
        assert_eq!(
            unasked(&mut talk).await,
            Vec::<Value>::new(),
            "{era:?}: nothing is known to have changed"
        );
        gitlab.world().failures.push_back(failure(ErrorKind::Forbidden, None));
        assert_eq!(talk.told().await["params"]["uri"], RUNNING, "{era:?}: a read tells the refusal");
        let before = looks(&gitlab);
        pass(3_600).await;
        assert_eq!(looks(&gitlab), before, "{era:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_panic_while_looking_is_survived() {
    for era in ERAS {
        let troubled = Troubled::new(&gitlab(NEWEST), "session", Trouble::Panic);
        let mut talk = Talk::begin(Server::new(Arc::new(troubled), settings(Scope::default())), era).await;
        let error = refusal(&mut talk, era, RUNNING).await;
        assert_eq!(error["data"]["kind"], "server", "{error}");
        assert!(!error.to_string().contains("glpat"), "{error}");
    }
}

#[tokio::test]
async fn a_method_of_the_other_generation_is_unknown() {
    let rows = [
        (Era::Legacy, "subscriptions/listen", json!({"notifications": {}})),
        (Era::Modern, "resources/subscribe", json!({"uri": RUNNING})),
        (Era::Modern, "resources/unsubscribe", json!({"uri": RUNNING})),
    ];
    for (era, method, params) in rows {
        let mut talk = Talk::begin(server(&gitlab(NEWEST)), era).await;
        assert_eq!(talk.error(method, params).await["code"], -32601, "{era:?} {method}");
        // What no longer exists is unknown whatever is sent with it; what exists later is only misused.
        let misused = if era == Era::Modern { -32601 } else { -32602 };
        assert_eq!(talk.error(method, json!({"uri": 7})).await["code"], misused, "{era:?} {method}");
    }
}
