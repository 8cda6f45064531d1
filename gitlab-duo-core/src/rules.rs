//! The rules that hold everywhere: limits, versions, gates, and how text is cut.

pub mod clean;
pub mod clip;
pub mod gates;
pub mod limits;
pub mod policy;
pub mod version;
