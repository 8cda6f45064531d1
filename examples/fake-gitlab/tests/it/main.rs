//! The fake GitLab, asked over HTTP like any other.
//!
//! The modules are marked as tests so that the lints know their helpers for what they are.

#[cfg(test)]
mod client;
#[cfg(test)]
mod cursors;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod graphql;
#[cfg(test)]
mod places;
#[cfg(test)]
mod start;
#[cfg(test)]
mod stories;
#[cfg(test)]
mod tokens;
#[cfg(test)]
mod versions;
#[cfg(test)]
mod writes;
