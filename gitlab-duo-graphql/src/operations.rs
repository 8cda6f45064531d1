//! One file per request to GitLab: variables out, the call, answer in. They do not use one another; what several
//! of them share stands in `parts`.

pub(crate) mod catalog_consumer;
pub(crate) mod catalog_page;
pub(crate) mod eligibility;
pub(crate) mod find_project;
pub(crate) mod foundational_agents;
pub(crate) mod get_session;
pub(crate) mod list_sessions;
pub(crate) mod merge_requests;
pub(crate) mod parts;
pub(crate) mod pipelines;
pub(crate) mod send_input;
pub(crate) mod session_project;
pub(crate) mod start_session;
pub(crate) mod stop_session;
pub(crate) mod token_facts;
