//! The version of the instance: read at the first need, once.

use std::sync::atomic::Ordering;

use gitlab_duo_core::gateway::error::ReadError;
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::model::instance::Instance;
use gitlab_duo_core::rules::gates::Support;
use gitlab_duo_core::rules::version::GitLabVersion;
use serde::Deserialize;

use crate::scalars::Text;
use crate::wire::connection::Wire;

#[derive(Deserialize)]
struct Metadata {
    version: Option<Text>,
}

impl Wire {
    /// The instance and what it can do.
    pub(crate) async fn instance(&self) -> Result<Instance, ReadError> {
        let version = self.version().await?;
        Ok(Instance { url: self.shared.url.clone(), support: Support::of(version) })
    }

    async fn version(&self) -> Result<GitLabVersion, ReadError> {
        let memory = &self.shared.version;
        if let Some(version) = memory.known.get() {
            return Ok(version.clone());
        }
        let failures = memory.failures.load(Ordering::Acquire);
        let mut last_failure = memory.reading.lock().await;
        if let Some(version) = memory.known.get() {
            return Ok(version.clone());
        }
        if let Some(failure) = last_failure.as_ref()
            && memory.failures.load(Ordering::Acquire) != failures
        {
            return Err(failure.clone());
        }
        match self.read_version().await {
            Ok(version) => Ok(memory.known.get_or_init(|| version).clone()),
            Err(failure) => {
                *last_failure = Some(failure.clone());
                memory.failures.fetch_add(1, Ordering::AcqRel);
                Err(failure)
            }
        }
    }

    /// `/metadata`, or `/version` where that is not served. An answer without a version is one: unknown.
    async fn read_version(&self) -> Result<GitLabVersion, ReadError> {
        let metadata = self.metadata("metadata").await;
        let is_missing = matches!(&metadata, Ok(None))
            || matches!(&metadata, Err(error) if error.kind == ErrorKind::NotFound);
        let metadata = if is_missing { self.metadata("version").await? } else { metadata? };
        let version = metadata.and_then(|metadata| metadata.version);
        let version = version.map_or_else(GitLabVersion::unknown, |text| GitLabVersion::read(text.as_str()));
        tracing::debug!(%version, "the version of the instance is known");
        Ok(version)
    }

    async fn metadata(&self, name: &'static str) -> Result<Option<Metadata>, ReadError> {
        self.get_json(name, self.rest_address(&[name])).await
    }
}
