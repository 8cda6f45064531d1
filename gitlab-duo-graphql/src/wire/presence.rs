//! Whether the instance is there at all, asked without a credential.

use crate::wire::connection::Shared;

impl Shared {
    /// Whether GitLab answers. A refusal is an answer; a fault of the server and silence are not.
    pub(crate) async fn is_answering(&self) -> bool {
        let asked = self.status_without_credential(self.address(&["api", "v4", "version"])).await;
        asked.is_some_and(|status| !status.is_server_error())
    }
}
