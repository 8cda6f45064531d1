//! The commands beside serving. Each returns what is printed; none of them writes to a stream.

pub mod doctor;
pub mod printed;
pub mod setup;
pub mod shell;
pub mod tools;
