//! Which token scopes open which field: both the field and the type it leads to must be open.

use crate::auth::Viewer;

const DEFAULT: &[&str] = &["api", "read_api"];
const WITH_WORKFLOWS: &[&str] = &["api", "read_api", "ai_workflows"];
const WITH_BOTH: &[&str] = &["api", "read_api", "ai_features", "ai_workflows"];

/// Whether that viewer may read the field. Without a viewer nothing is refused here.
pub(super) fn admit(viewer: Option<&Viewer>, type_name: &str, field: &str, target: &str) -> bool {
    let Some(viewer) = viewer else { return true };
    let root_is_open = match type_name {
        "Query" => viewer.has_any(WITH_WORKFLOWS),
        "Mutation" => viewer.has_any(&["api", "ai_features", "ai_workflows"]),
        _ => true,
    };
    root_is_open && viewer.has_any(of_field(type_name, field)) && viewer.has_any(of_type(target))
}

fn of_field(type_name: &str, field: &str) -> &'static [&'static str] {
    match (type_name, field) {
        ("Query", "project" | "currentUser" | "namespace" | "note") => WITH_WORKFLOWS,
        ("Query", "duoWorkflowWorkflows" | "duoWorkflowBranches" | "aiFlowsMetadata") => WITH_BOTH,
        ("Query", "gitlabCreditsAvailable" | "gitlabCreditsUnavailableReason") => WITH_BOTH,
        ("Query", "duoDefaultNamespaceCandidates") => WITH_BOTH,
        ("Mutation", "aiDuoWorkflowCreate") => &["api", "ai_features"],
        ("Mutation", _) => &["api"],
        (
            "Project",
            "id" | "name" | "fullPath" | "webUrl" | "description" | "group" | "namespace" | "pipeline",
        ) => WITH_WORKFLOWS,
        ("Project", "duoWorkflowStatusCheck") => WITH_WORKFLOWS,
        ("DuoWorkflow", "name") => DEFAULT,
        ("DuoWorkflow", "webUrl") => WITH_WORKFLOWS,
        (
            "DuoWorkflowEvent",
            "workflowStatus" | "executionStatus" | "workflowGoal" | "workflowDefinition",
        ) => DEFAULT,
        ("MergeRequest", "id" | "title" | "state" | "webUrl") => WITH_WORKFLOWS,
        ("Pipeline", "id" | "iid" | "sha" | "ref" | "status" | "name" | "createdAt") => WITH_WORKFLOWS,
        ("WorkItem" | "Note" | "AiNamespaceSettings" | "UserCore" | "CurrentUser", _) => WITH_WORKFLOWS,
        ("DuoWorkflow" | "DuoWorkflowEvent" | "DuoMessage" | "PageInfo" | "DuoWorkflowPermissions", _) => {
            WITH_BOTH
        }
        (name, _) if name.starts_with("DuoWorkflow") => WITH_BOTH,
        _ => DEFAULT,
    }
}

fn of_type(name: &str) -> &'static [&'static str] {
    match name {
        "Project"
        | "Namespace"
        | "Group"
        | "MergeRequest"
        | "Pipeline"
        | "WorkItem"
        | "Note"
        | "UserCore"
        | "CurrentUser"
        | "AiNamespaceSettings" => WITH_WORKFLOWS,
        // The type of a message keeps the default though its fields are open.
        "DuoMessage" => DEFAULT,
        name if name.starts_with("Ai") && !name.ends_with("ID") && !name.ends_with("Payload") => DEFAULT,
        _ => WITH_BOTH,
    }
}
