//! Completion, in both generations.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use gitlab_duo_core::gateway::error::{GatewayError, Outcome};
use gitlab_duo_core::gateway::testing::MemoryGitLab;
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::model::ids::ProjectId;
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::model::status::Status;
use gitlab_duo_core::rules::policy::Access;
use gitlab_duo_mcp::server::{Server, ServerSettings};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::talk::{ERAS, Talk};
use crate::trouble::{Trouble, Troubled};
use crate::world::{NEWEST, gitlab, server, session, settings};

const SESSION: &str = "duo://sessions/{workflow_id}";
const TRANSCRIPT: &str = "duo://sessions/{workflow_id}/transcript";

fn prompt(name: &str) -> Value {
    json!({"type": "ref/prompt", "name": name})
}

fn template(uri: &str) -> Value {
    json!({"type": "ref/resource", "uri": uri})
}

async fn complete(talk: &mut Talk, of: Value, argument: &str, typed: &str, project: Option<&str>) -> Value {
    let mut params = json!({"ref": of, "argument": {"name": argument, "value": typed}});
    if let Some(project) = project {
        params["context"] = json!({"arguments": {"project_id": project}});
    }
    talk.result("completion/complete", params).await["completion"].clone()
}

fn with_scope(gitlab: &MemoryGitLab, scope: Scope) -> Server {
    Server::new(Arc::new(gitlab.clone()), settings(scope))
}

fn reads(gitlab: &MemoryGitLab) -> usize {
    gitlab.world().calls.iter().filter(|method| matches!(**method, "sessions" | "catalog_page")).count()
}

#[tokio::test]
async fn values_come_from_what_the_argument_means() {
    let run = || prompt("run_flow_and_follow");
    let waits = || prompt("answer_what_waits");
    let rows = [
        (template(SESSION), "workflow_id", "", None, json!(["75", "74", "73", "72"])),
        (template(TRANSCRIPT), "workflow_id", "74", None, json!(["74"])),
        (prompt("explain_failed_session"), "workflow_id", "7", None, json!(["75", "74", "73", "72"])),
        (prompt("explain_failed_session"), "workflow_id", "8", None, json!([])),
        (run(), "project_id", "ACME/", None, json!(["acme/api"])),
        (waits(), "project_id", "api", None, json!([])),
        (run(), "flow", "", Some("acme/api"), json!(["developer/v1"])),
        (run(), "flow", "fix", Some("4021"), json!([])),
        (run(), "flow", "FIX", None, json!(["fix_pipeline/v1"])),
        (run(), "flow", "dev", Some(""), json!(["developer/v1"])),
        (run(), "agent", "duo", Some("acme/api"), json!(["duo_planner/v1"])),
        (run(), "agent", "ci", None, json!(["ci_expert_agent/v1"])),
        (
            waits(),
            "status",
            "",
            None,
            json!(["input_required", "plan_approval_required", "tool_call_approval_required"]),
        ),
        (waits(), "status", "Plan", None, json!(["plan_approval_required"])),
        // Nothing can be known of these.
        (run(), "goal", "", None, json!([])),
        (prompt("fix_pipeline"), "url", "https", None, json!([])),
        // Nor of what is not there.
        (run(), "workflow_id", "", None, json!([])),
        (prompt("fix_everything"), "url", "", None, json!([])),
        (template(SESSION), "project_id", "", None, json!([])),
        (template("duo://projects/{project_id}"), "project_id", "", None, json!([])),
        (run(), "flow", "", Some("other/project"), json!([])),
        (run(), "flow", "", Some("no project"), json!([])),
    ];
    for era in ERAS {
        let mut talk = Talk::begin(server(&gitlab(NEWEST)), era).await;
        for (of, argument, typed, project, expected) in rows.clone() {
            let completion = complete(&mut talk, of.clone(), argument, typed, project).await;
            assert_eq!(completion["values"], expected, "{era:?} {of} {argument} {typed:?} {project:?}");
        }
    }
}

#[tokio::test]
async fn more_than_a_hundred_is_said() {
    for era in ERAS {
        let gitlab = gitlab(NEWEST);
        gitlab.world().sessions = (1..=150).rev().map(|id| session(id, Status::Running, &[])).collect();
        gitlab.world().page_info.has_next_page = Some(true);
        let mut talk = Talk::begin(server(&gitlab), era).await;
        let all = complete(&mut talk, template(SESSION), "workflow_id", "", None).await;
        assert_eq!((all["values"].as_array().unwrap().len(), &all["hasMore"]), (100, &json!(true)));
        assert_eq!(all.get("total"), None, "{era:?}: how many there are is not known");
        let status = complete(&mut talk, prompt("answer_what_waits"), "status", "", None).await;
        assert_eq!((&status["total"], &status["hasMore"]), (&json!(3), &json!(false)));
    }
}

#[tokio::test]
async fn policy_decides_what_is_offered() {
    let allowed = |ids: &[u64]| Scope {
        allowed_projects: Some(ids.iter().filter_map(|id| ProjectId::new(*id)).collect()),
        ..Scope::default()
    };
    let with = |access| Scope { access, ..Scope::default() };
    let run = || prompt("run_flow_and_follow");
    let rows = [
        (allowed(&[4021, 7]), run(), "project_id", json!(["7", "4021", "acme/api"])),
        (allowed(&[7]), run(), "project_id", json!(["7"])),
        (allowed(&[7]), template(SESSION), "workflow_id", json!([])),
        (allowed(&[7]), run(), "flow", json!([])),
        (with(Access::ReadOnly), run(), "project_id", json!([])),
        (with(Access::ReadOnly), template(SESSION), "workflow_id", json!(["75", "74", "73", "72"])),
        (with(Access::Off), template(SESSION), "workflow_id", json!([])),
        (with(Access::Off), prompt("explain_failed_session"), "workflow_id", json!([])),
    ];
    for era in ERAS {
        for (scope, of, argument, expected) in rows.clone() {
            let is_off = scope.access == Access::Off;
            let gitlab = gitlab(NEWEST);
            let mut talk = Talk::begin(with_scope(&gitlab, scope.clone()), era).await;
            let completion = complete(&mut talk, of.clone(), argument, "", Some("acme/api")).await;
            assert_eq!(completion["values"], expected, "{era:?} {scope:?} {of} {argument}");
            assert!(!is_off || gitlab.world().calls.is_empty(), "{era:?}: nothing is asked");
        }
    }
}

#[tokio::test]
async fn what_was_read_is_used_for_thirty_seconds() {
    for era in ERAS {
        let gitlab = gitlab(NEWEST);
        let seconds = Arc::new(AtomicI64::new(0));
        let now = Arc::clone(&seconds);
        let clock =
            Arc::new(move || Timestamp::from_second(1_800_000_000 + now.load(Ordering::SeqCst)).unwrap());
        let settings = ServerSettings { clock, ..settings(Scope::default()) };
        let mut talk = Talk::begin(Server::new(Arc::new(gitlab.clone()), settings), era).await;
        let rows = [(0, 1), (15, 1), (29, 1), (30, 2), (59, 2), (60, 3)];
        for (second, expected) in rows {
            seconds.store(second, Ordering::SeqCst);
            for typed in ["", "7", "74"] {
                complete(&mut talk, template(SESSION), "workflow_id", typed, None).await;
            }
            complete(&mut talk, prompt("answer_what_waits"), "project_id", "", None).await;
            assert_eq!(reads(&gitlab), expected, "{era:?} after {second} seconds");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn whatever_fails_an_empty_list_is_the_answer() {
    let ask = |gitlab: MemoryGitLab| Server::new(Arc::new(gitlab), settings(Scope::default()));
    for era in ERAS {
        for kind in ErrorKind::ALL {
            let gitlab = gitlab(NEWEST);
            let failure = GatewayError::new(kind, "not now");
            gitlab.world().failures.push_back(("sessions", failure, Outcome::Refused));
            let mut talk = Talk::begin(ask(gitlab), era).await;
            let failed = complete(&mut talk, template(SESSION), "workflow_id", "", None).await;
            assert_eq!(failed["values"], json!([]), "{era:?} {kind:?}");
            // A failure is not kept.
            let well = complete(&mut talk, template(SESSION), "workflow_id", "73", None).await;
            assert_eq!(well["values"], json!(["73"]), "{era:?} {kind:?}");
        }
        let old = ask(gitlab("17.2.0-ee"));
        let without_token = Server::without_token(settings(Scope::default()));
        let troubled = |trouble| {
            let troubled = Troubled::new(&gitlab(NEWEST), "sessions", trouble);
            Server::new(Arc::new(troubled), settings(Scope::default()))
        };
        for server in [old, without_token, troubled(Trouble::Hang), troubled(Trouble::Panic)] {
            let mut talk = Talk::begin(server, era).await;
            let completion = complete(&mut talk, template(SESSION), "workflow_id", "", None).await;
            assert_eq!(completion, json!({"values": []}), "{era:?}");
        }
    }
}

#[tokio::test]
async fn parameters_that_cannot_be_read_are_refused() {
    for era in ERAS {
        let mut talk = Talk::begin(server(&gitlab(NEWEST)), era).await;
        for params in
            [json!({}), json!({"ref": {"type": "ref/tool"}, "argument": {"name": "a", "value": "b"}})]
        {
            assert_eq!(talk.error("completion/complete", params).await["code"], -32602, "{era:?}");
        }
    }
}
