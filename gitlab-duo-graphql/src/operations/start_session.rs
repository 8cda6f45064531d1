//! Starts a session in CI: `POST /ai/duo_workflows/workflows` (REST; GraphQL starts nothing in CI).

use gitlab_duo_core::gateway::error::WriteError;
use gitlab_duo_core::gateway::request::{Accepted, CONTEXT_VERSION, ContextEntry, Run, StartRequest};
use http::Method;
use serde_json::{Map, Value, json};

use super::parts::accepted;
use crate::wire::connection::Wire;

/// Starts. One request, never sent again.
pub(crate) async fn start_session(wire: &Wire, request: &StartRequest) -> Result<Accepted, WriteError> {
    let segments = ["ai", "duo_workflows", "workflows"];
    let answer =
        wire.write(&wire.rest_request("start_session", Method::POST, &segments, &body(request))).await?;
    accepted::read(&answer, None)
}

/// Without `start_workflow` GitLab creates no session, or one that never runs.
fn body(request: &StartRequest) -> Value {
    let mut body = Map::new();
    body.insert("project_id".to_owned(), json!(request.project.to_string()));
    body.insert("goal".to_owned(), json!(request.goal));
    body.insert("start_workflow".to_owned(), json!(true));
    match &request.run {
        Run::Consumer(id) => {
            body.insert("ai_catalog_item_consumer_id".to_owned(), json!(id.number()));
        }
        Run::Agent(agent) => {
            body.insert("workflow_definition".to_owned(), json!(agent.as_str()));
            body.insert("environment".to_owned(), json!("ambient"));
        }
    }
    if let Some(target) = &request.target {
        body.insert("source_branch".to_owned(), json!(target.source_branch));
        let reviewed = target.merge_request.as_ref().filter(|_| target.is_review);
        body.extend(reviewed.map(|reviewed| ("merge_request_id".to_owned(), json!(reviewed.iid.number()))));
        let context: Vec<Value> = target.additional_context().iter().map(entry).collect();
        if !context.is_empty() {
            body.insert("additional_context".to_owned(), Value::Array(context));
        }
    }
    Value::Object(body)
}

fn entry(entry: &ContextEntry) -> Value {
    json!({"Category": entry.category, "Content": entry.content, "metadata": {"version": CONTEXT_VERSION}})
}

#[cfg(test)]
mod tests {
    use gitlab_duo_core::gateway::request::{StartTarget, TargetMergeRequest};
    use gitlab_duo_core::model::ids::{ConsumerId, MergeRequestIid, ProjectId, UserId};
    use gitlab_duo_core::model::selector::AgentReference;

    use super::*;

    fn request(run: Run, goal: &str, target: Option<StartTarget>) -> StartRequest {
        StartRequest { project: ProjectId::new(4021).unwrap(), run, goal: goal.to_owned(), target }
    }

    fn target(is_review: bool) -> StartTarget {
        StartTarget {
            source_branch: "feature/rounding".to_owned(),
            merge_request: Some(TargetMergeRequest {
                iid: MergeRequestIid::new(317).unwrap(),
                url: "https://git.example.test/acme/api/-/merge_requests/317".to_owned(),
                author: UserId::new(88),
            }),
            pipeline_source: (!is_review).then(|| "merge_request_event".to_owned()),
            is_review,
        }
    }

    #[test]
    fn a_consumer_is_sent_with_nothing_else() {
        let run = Run::Consumer(ConsumerId::new(9_007_199_254_740_993).unwrap());
        let expected = json!({"project_id": "4021", "ai_catalog_item_consumer_id": 9_007_199_254_740_993_u64,
            "goal": "tidy up", "start_workflow": true});
        assert_eq!(body(&request(run, "tidy up", None)), expected);
    }

    #[test]
    fn an_agent_runs_in_the_ambient_environment() {
        let run = Run::Agent(AgentReference::new("duo_planner/v1").unwrap());
        let expected = json!({"project_id": "4021", "workflow_definition": "duo_planner/v1", "environment": "ambient",
            "goal": "plan", "start_workflow": true});
        assert_eq!(body(&request(run, "plan", None)), expected);
    }

    #[test]
    fn a_pipeline_carries_its_context_as_text() {
        let run = Run::Consumer(ConsumerId::new(725).unwrap());
        let body =
            body(&request(run, "https://git.example.test/acme/api/-/pipelines/50512", Some(target(false))));
        assert_eq!(body["source_branch"], "feature/rounding");
        assert_eq!(body.get("merge_request_id"), None);
        let entries = body["additional_context"].as_array().unwrap();
        let content = |index: usize| -> Value {
            serde_json::from_str(entries[index]["Content"].as_str().unwrap()).unwrap()
        };
        assert_eq!(
            (&entries[0]["Category"], &entries[1]["Category"]),
            (&json!("merge_request"), &json!("pipeline"))
        );
        assert_eq!(content(0)["author_id"], "88");
        assert_eq!(content(1), json!({"source_branch": "feature/rounding", "source": "merge_request_event"}));
        assert_eq!(entries[0]["metadata"], json!({"version": "1.0.0"}));
    }

    #[test]
    fn a_review_names_its_merge_request_by_number() {
        let run = Run::Consumer(ConsumerId::new(718).unwrap());
        let expected = json!({"project_id": "4021", "ai_catalog_item_consumer_id": 718, "goal": "317",
            "source_branch": "feature/rounding", "start_workflow": true, "merge_request_id": 317});
        assert_eq!(body(&request(run, "317", Some(target(true)))), expected);
    }
}
