//! The friendly way in: [`Duo`](duo::Duo), whose methods are the abilities, with policy, gates and paging.
//!
//! It works over any [`DuoReader`](crate::gateway::reader::DuoReader) or
//! [`DuoWriter`](crate::gateway::writer::DuoWriter): the real GitLab of `gitlab-duo-graphql`, or the one in memory.
//! Its methods call the functions of [`actions`](crate::actions), which can be called directly as well.

mod context;
pub mod duo;
mod following;
mod paging;
pub mod project_name;
pub mod start;
pub mod stream;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
