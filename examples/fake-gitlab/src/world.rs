//! What this GitLab contains: people, projects, the catalog, CI, and sessions that live along a script.

mod catalog;
mod ci;
pub(crate) mod demo;
mod legs;
mod links;
mod message;
mod people;
mod play;
mod project;
mod rules;
mod script;
mod session;
mod state;
mod tool_calls;

pub use catalog::{Agent, Consumer, Item, ItemKind, ItemVersion};
pub use ci::{MergeRequest, Pipeline};
pub use links::{Link, LinkTarget};
pub use message::Message;
pub use people::{Group, Token, TokenSpec, User};
pub use project::Project;
pub use script::{Act, Script, Step};
pub use session::{Session, status};
pub use state::{Settings, World};
pub use tool_calls::ToolCall;

pub(crate) use message::plan_steps;
pub(crate) use people::TokenState;
pub(crate) use rules::{Environment, PRIVILEGES, is_chat};
