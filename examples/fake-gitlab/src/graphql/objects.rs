//! Objects of the world as GraphQL shows them, and references between them.

mod consumer;
mod gid;
mod item;
mod links;
mod message;
mod people;
mod pipeline;
mod place;
mod refer;
mod session;

pub(super) use gid::{gid, integer};
pub(super) use item::{agent, version};
pub(super) use refer::{followed, reference};
pub(super) use session::environment;
