//! Properties of whatever GitLab, or something in its place, may answer; tried on answers that chance spoils.

mod answers;
mod headers;
mod odd;
mod refusals;
mod writes;
