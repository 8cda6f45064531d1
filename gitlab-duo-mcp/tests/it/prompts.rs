//! Prompts, in both generations.

use std::sync::Arc;

use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::rules::policy::Access;
use gitlab_duo_mcp::server::Server;
use gitlab_duo_mcp::spec::surface::Surface;
use serde_json::{Value, json};

use crate::talk::{ERAS, Talk};
use crate::wire::{Wire, initialize, request};
use crate::world::{NEWEST, gitlab, server, server_of, settings};

const NAMES: [&str; 5] = [
    "fix_pipeline",
    "review_merge_request",
    "run_flow_and_follow",
    "explain_failed_session",
    "answer_what_waits",
];

fn with_access(access: Access) -> Server {
    Server::new(Arc::new(gitlab(NEWEST)), settings(Scope { access, ..Scope::default() }))
}

fn names(listed: &Value) -> Vec<&str> {
    listed["prompts"].as_array().unwrap().iter().map(|prompt| prompt["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn prompts_are_listed_as_far_as_policy_leaves_them() {
    for era in ERAS {
        for (access, expected) in [
            (Access::Full, &NAMES[..]),
            (Access::ReadOnly, &["explain_failed_session"][..]),
            (Access::Off, &[][..]),
        ] {
            let mut talk = Talk::begin(with_access(access), era).await;
            let listed = talk.result("prompts/list", json!({})).await;
            assert_eq!(names(&listed), expected, "{era:?} {access:?}");
            for name in NAMES {
                if expected.contains(&name) {
                    continue;
                }
                let error = talk.error("prompts/get", json!({"name": name})).await;
                assert_eq!(
                    (&error["code"], &error["data"]["kind"]),
                    (&json!(-32600), &json!("policy")),
                    "{era:?} {access:?} {name}: {error}"
                );
            }
        }
    }
}

#[tokio::test]
async fn a_listed_prompt_says_what_it_needs() {
    let required = [&["url"][..], &["url"], &["project_id", "goal"], &["workflow_id"], &[]];
    for era in ERAS {
        let mut talk = Talk::begin(with_access(Access::Full), era).await;
        let listed = talk.result("prompts/list", json!({})).await;
        for (prompt, required) in listed["prompts"].as_array().unwrap().iter().zip(required) {
            assert!(prompt["title"].is_string() && prompt["description"].is_string(), "{prompt}");
            assert_eq!(prompt["icons"][0]["mimeType"], "image/svg+xml");
            let arguments = prompt["arguments"].as_array().unwrap();
            assert!(arguments.iter().all(|argument| argument["description"].is_string()), "{prompt}");
            let needed = arguments.iter().filter(|argument| argument["required"] == true);
            let needed: Vec<_> = needed.map(|argument| argument["name"].as_str().unwrap()).collect();
            assert_eq!(needed, required, "{era:?} {prompt}");
        }
        let error = talk.error("prompts/list", json!({"cursor": "made up"})).await;
        assert_eq!(error["code"], -32602, "{era:?}");
    }
}

#[tokio::test]
async fn an_old_revision_gets_no_titles_and_icons() {
    for (version, has_title, has_icons) in
        [("2024-11-05", false, false), ("2025-06-18", true, false), ("2025-11-25", true, true)]
    {
        let mut wire = Wire::to(server(&gitlab(NEWEST)));
        wire.ask(initialize(json!(version))).await;
        let listed = wire.ask(request(2, "prompts/list", json!({}))).await;
        for prompt in listed["result"]["prompts"].as_array().unwrap() {
            let has = |name| prompt.get(name).is_some();
            assert_eq!((has("title"), has("icons")), (has_title, has_icons), "{version}: {prompt}");
        }
    }
}

#[tokio::test]
async fn a_prompt_is_one_message_in_the_names_of_the_surface_and_asks_gitlab_nothing() {
    let url = "https://git.example.test/acme/api/-/pipelines/5";
    for era in ERAS {
        for (surface, tool) in
            [(Surface::Compact, "manage_duo_session"), (Surface::GitLab, "start_duo_session")]
        {
            let gitlab = gitlab(NEWEST);
            let mut talk = Talk::begin(server_of(&gitlab, surface), era).await;
            let params = json!({"name": "fix_pipeline", "arguments": {"url": url}});
            let prompt = talk.result("prompts/get", params).await;
            let [message] = prompt["messages"].as_array().unwrap().as_slice() else { panic!("{prompt}") };
            assert_eq!((&message["role"], &message["content"]["type"]), (&json!("user"), &json!("text")));
            let text = message["content"]["text"].as_str().unwrap();
            assert!(
                text.contains(&format!("`{tool}`")) && text.contains(&format!("\"url\": \"{url}\"")),
                "{text}"
            );
            assert_eq!(gitlab.world().calls, [""; 0], "{era:?}");
        }
    }
}

#[tokio::test]
async fn a_prompt_needs_no_token() {
    for era in ERAS {
        let mut talk = Talk::begin(Server::without_token(settings(Scope::default())), era).await;
        talk.result("prompts/get", json!({"name": "answer_what_waits"})).await;
    }
}

#[tokio::test]
async fn what_cannot_be_made_is_refused_by_name() {
    let rows = [
        (json!({"name": "fix_everything"}), "`fix_pipeline`"),
        (json!({"name": "fix_pipeline"}), "`url` is missing"),
        (json!({"name": "fix_pipeline", "arguments": {"uri": "x"}}), "`uri` is no argument"),
        (json!({"name": "fix_pipeline", "arguments": {"url": 7}}), "`url` must be"),
        (json!({"name": "fix_pipeline", "arguments": "url"}), "parameters"),
        (json!({"name": 7}), "parameters"),
        (json!({}), "parameters"),
    ];
    for era in ERAS {
        for (params, expected) in &rows {
            let mut talk = Talk::begin(with_access(Access::Full), era).await;
            let error = talk.error("prompts/get", params.clone()).await;
            assert_eq!(error["code"], -32602, "{era:?} {params}: {error}");
            assert!(error["message"].as_str().unwrap().contains(expected), "{era:?} {params}: {error}");
        }
    }
}

#[tokio::test]
async fn the_longest_goal_fits() {
    for era in ERAS {
        for filling in ["\u{1f600}", "\"", "\\", "a\n"] {
            let goal = filling.repeat(4_000 / filling.chars().count());
            let arguments = json!({"project_id": "acme/api", "goal": goal, "flow": "developer/v1"});
            let mut talk = Talk::begin(with_access(Access::Full), era).await;
            let params = json!({"name": "run_flow_and_follow", "arguments": arguments});
            let size = talk.result("prompts/get", params).await.to_string().len();
            assert!(size <= 48 * 1_024, "{era:?} {filling:?}: {size}");
        }
    }
}
