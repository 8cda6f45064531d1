//! What a session runs, as a caller names it: exactly one of a flow, a consumer, an agent.

use std::fmt;

use crate::model::ids::{CatalogItemId, ConsumerId};

/// The reference of a foundational flow, as in `developer/v1`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FlowReference(String);

/// The reference of a foundational agent with its version, as in `duo_planner/v1`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentReference(String);

macro_rules! reference {
    ($name:ident) => {
        impl $name {
            /// Takes a reference; none when the text is empty.
            #[must_use]
            pub fn new(text: &str) -> Option<Self> {
                let text = text.trim();
                (!text.is_empty()).then(|| Self(text.to_owned()))
            }

            /// The text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&self.0)
            }
        }
    };
}

reference!(FlowReference);
reference!(AgentReference);

/// The page whose URL a flow works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TargetKind {
    /// A pipeline.
    Pipeline,
    /// A merge request.
    MergeRequest,
}

impl TargetKind {
    /// The name in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pipeline => "pipeline",
            Self::MergeRequest => "merge_request",
        }
    }
}

/// The flow that repairs a pipeline; its goal is the pipeline's URL.
pub const FIX_PIPELINE: &str = "fix_pipeline/v1";
/// The flow that reviews a merge request; its goal is the merge request's number.
pub const CODE_REVIEW: &str = "code_review/v1";

/// Flows that GitLab itself provides for general use (GitLab 19.5). A project may offer fewer, or others.
pub const WELL_KNOWN_FLOWS: [&str; 7] = [
    "developer/v1",
    FIX_PIPELINE,
    CODE_REVIEW,
    "convert_to_gl_ci/v1",
    "sast_fp_detection/v1",
    "resolve_sast_vulnerability/v1",
    "secrets_fp_detection/v1",
];
/// Agents that GitLab itself provides for general use (GitLab 19.5). A project may offer fewer, or others.
pub const WELL_KNOWN_AGENTS: [&str; 5] = [
    "duo_planner/v1",
    "security_analyst_agent/v1",
    "analytics_agent/v1",
    "ci_expert_agent/v1",
    "support_assistant/v1",
];

/// The `workflowDefinition` of every custom flow, which alone does not tell them apart.
pub const CUSTOM_FLOW: &str = "ai_catalog_agent";

/// Agents that only answer in an interactive chat, never as sessions in CI (GitLab 19.3).
const CHAT_ONLY: [&str; 2] = ["chat", "agentic_chat/v1"];

impl FlowReference {
    /// The page that this flow works on; none for flows with a free goal.
    #[must_use]
    pub fn target(&self) -> Option<TargetKind> {
        match self.0.as_str() {
            FIX_PIPELINE => Some(TargetKind::Pipeline),
            CODE_REVIEW => Some(TargetKind::MergeRequest),
            _ => None,
        }
    }
}

impl AgentReference {
    /// Whether this is a default entry of Duo Chat, which never runs as a session.
    #[must_use]
    pub fn is_chat(&self) -> bool {
        CHAT_ONLY.contains(&self.0.as_str())
    }

    /// Whether a caller's `text` means this agent: its reference with or without the version.
    #[must_use]
    pub fn answers_to(&self, text: &Self) -> bool {
        self == text || self.0.split_once('/').is_some_and(|(name, _)| name == text.0)
    }
}

/// What to run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Selector {
    /// A foundational flow, resolved to the project's consumer of it.
    Flow(FlowReference),
    /// A flow that is enabled in the project.
    Consumer(ConsumerId),
    /// The consumer that a project has of a catalog item. Only for flows that are not GitLab's own.
    CatalogItem(CatalogItemId),
    /// A foundational agent.
    Agent(AgentReference),
}
