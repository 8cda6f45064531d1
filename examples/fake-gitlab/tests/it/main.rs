//! The fake GitLab, asked over HTTP like any other.

mod client;
mod cursors;
mod faults;
mod graphql;
mod places;
mod start;
mod stories;
mod tokens;
mod versions;
mod writes;
