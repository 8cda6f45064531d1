//! HTTP on the wire: the listener, connections, the log, and bodies that do what faults say.

mod answer;
mod body;
mod connection;
mod gzip;
mod log;
mod outside;
mod server;
mod service;

pub(crate) use answer::{Answer, Request};
pub(crate) use gzip::bomb;
pub(crate) use log::Log;
pub use log::{LoggedRequest, Outcome};
pub(crate) use server::{Server, serve};
