//! GraphQL at `/api/graphql`: real documents, checked and executed against the played schema.

mod catalog;
mod check;
#[cfg(test)]
mod completeness;
mod computed;
mod context;
mod document;
mod endpoint;
mod errors;
mod execute;
mod global_ids;
mod introduced;
mod mutations;
mod node;
mod objects;
mod pages;
mod query;
mod schemas;
mod scopes;
mod sessions;
mod weight;

pub(crate) use document::root_fields;
pub(crate) use endpoint::answer;
pub(crate) use schemas::Schemas;
