//! The routes of Duo sessions.

mod consumer_start;
mod container;
mod create;
mod direct_start;
mod entity;
mod history;
mod params;
mod privileges;
mod refusals;
mod resume;
mod route;
mod target;
mod trace;
mod update;

pub(super) use route::route;
