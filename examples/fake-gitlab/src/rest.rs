//! REST under `/api/v4`.

mod access;
mod duo;
mod merge_requests;
mod metadata;
mod paging;
mod people;
mod pipelines;
mod projects;
mod refuse;
mod router;

pub(crate) use router::answer;
