//! Streamable HTTP: who may ask, with whose token, how much at once; what is asked is `server`'s matter.

mod admission;
mod door;
mod metadata;
mod options;
mod page;
mod ready;
mod router;
mod serve;
mod token;
mod upstream;

pub use options::HttpOptions;
pub use serve::serve_http;
pub use upstream::{Upstream, UpstreamParts};
