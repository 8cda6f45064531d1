//! A session as a resource: its address, its text, and how its changes are noticed. Nothing is
//! listed: a list would cost a request to GitLab whenever a client connects. Templates and
//! completion are the way to a session.

pub(crate) mod look;
pub(crate) mod pace;
pub(crate) mod read;
pub(crate) mod template;
pub(crate) mod uri;
