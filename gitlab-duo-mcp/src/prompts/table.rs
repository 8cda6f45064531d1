//! Every prompt.

use gitlab_duo_core::model::selector::TargetKind;

use crate::prompts::spec::{Effect, Meaning, Need, PromptArgument, PromptSpec};
use crate::prompts::texts;

/// The prompts, in the order of the list.
pub(crate) static PROMPTS: [PromptSpec; 5] = [
    PromptSpec {
        name: "fix_pipeline",
        title: "Fix this pipeline",
        description: "Lets GitLab Duo repair a failed CI/CD pipeline, and follows the session to its merge request.",
        effect: Effect::Writes,
        arguments: &[PromptArgument {
            name: "url",
            meaning: Meaning::Page(TargetKind::Pipeline),
            need: Need::Required,
            description: "URL of the pipeline, as in https://gitlab.example.com/group/project/-/pipelines/1.",
        }],
        alternatives: &[],
        text: texts::fix_pipeline,
    },
    PromptSpec {
        name: "review_merge_request",
        title: "Review this merge request",
        description: "Lets GitLab Duo review a merge request, and follows the session to its comments.",
        effect: Effect::Writes,
        arguments: &[PromptArgument {
            name: "url",
            meaning: Meaning::Page(TargetKind::MergeRequest),
            need: Need::Required,
            description: "URL of the merge request, as in https://gitlab.example.com/group/project/-/merge_requests/1.",
        }],
        alternatives: &[],
        text: texts::review_merge_request,
    },
    PromptSpec {
        name: "run_flow_and_follow",
        title: "Run a flow and follow it",
        description: "Starts a GitLab Duo flow or agent in a project, follows it, and shows what it asks and what it made.",
        effect: Effect::Writes,
        arguments: &[
            PromptArgument {
                name: "project_id",
                meaning: Meaning::Project,
                need: Need::Required,
                description: "Project: numeric id, full path (group/project) or URL.",
            },
            PromptArgument {
                name: "goal",
                meaning: Meaning::Goal,
                need: Need::Required,
                description: "What the session shall do, at most 4,000 characters.",
            },
            PromptArgument {
                name: "flow",
                meaning: Meaning::Flow,
                need: Need::Optional,
                description: "Foundational flow, as in developer/v1. Without flow and agent you choose from what the project offers.",
            },
            PromptArgument {
                name: "agent",
                meaning: Meaning::Agent,
                need: Need::Optional,
                description: "Foundational agent, as in duo_planner/v1, instead of flow.",
            },
        ],
        alternatives: &["flow", "agent"],
        text: texts::run_flow_and_follow,
    },
    PromptSpec {
        name: "explain_failed_session",
        title: "Explain why a session failed",
        description: "Reads a GitLab Duo session and its messages, and explains what went wrong. Changes nothing.",
        effect: Effect::Reads,
        arguments: &[PromptArgument {
            name: "workflow_id",
            meaning: Meaning::Session,
            need: Need::Required,
            description: "Id of the session, as in 73.",
        }],
        alternatives: &[],
        text: texts::explain_failed_session,
    },
    PromptSpec {
        name: "answer_what_waits",
        title: "Answer what waits for me",
        description: "Shows what your GitLab Duo sessions wait for, one by one, and sends what you decide.",
        effect: Effect::Writes,
        arguments: &[
            PromptArgument {
                name: "project_id",
                meaning: Meaning::Project,
                need: Need::Optional,
                description: "Only sessions of this project: numeric id, full path or URL. Default: all.",
            },
            PromptArgument {
                name: "status",
                meaning: Meaning::WaitingStatus,
                need: Need::Optional,
                description: "Only sessions that wait for this: input_required, plan_approval_required or tool_call_approval_required. Default: all three.",
            },
        ],
        alternatives: &[],
        text: texts::answer_what_waits,
    },
];
