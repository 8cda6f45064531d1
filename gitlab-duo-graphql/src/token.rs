//! Where the token comes from. No part of one is ever in `Debug` output, errors or logs.

mod command;
mod file;
mod remembered;
mod source;

pub use command::TokenCommand;
pub use file::TokenFile;
pub use remembered::{Remembered, TokenFetch};
pub use source::{NoToken, StaticToken, TokenError, TokenSource};
