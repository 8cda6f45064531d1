//! Completion as a client asks for it.

use rmcp::RoleServer;
use rmcp::model::{CompleteRequestParams, CompleteResult, CompletionInfo, Reference};
use rmcp::service::RequestContext;

use gitlab_duo_core::model::error::DuoError;

use crate::completion::choose::{Chosen, choose};
use crate::completion::offer::{Circumstances, Subject, meaning};
use crate::limits::COMPLETION;
use crate::server::refusals::guarded;
use crate::server::state::{Server, ServerSettings};

impl Server {
    /// Values for what is being typed. Never an error: whoever types is not helped by one.
    pub(super) async fn completed(
        &self,
        request: &CompleteRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> CompleteResult {
        let chosen = guarded(self.chosen(request, context), COMPLETION, context).await;
        let chosen = chosen.inspect_err(|failure| tracing::debug!(%failure, "nothing can be offered"));
        let info = chosen.ok().and_then(|Chosen { values, total, has_more }| {
            CompletionInfo::with_pagination(values, total, has_more).ok()
        });
        CompleteResult::new(info.unwrap_or_default())
    }

    async fn chosen(
        &self,
        request: &CompleteRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<Chosen, DuoError> {
        let ServerSettings { instance, scope, clock, .. } = &*self.settings;
        let subject = match &request.r#ref {
            Reference::Prompt(prompt) => Subject::Prompt(&prompt.name),
            Reference::Resource(template) => Subject::Template(&template.uri),
            _ => return Ok(Chosen::default()),
        };
        let Some(meaning) = meaning(subject, &request.argument.name, scope) else {
            return Ok(Chosen::default());
        };
        let (cache, caller) = (&self.completions, self.callers.of(context));
        let around = Circumstances { cache, caller, scope, instance, now: clock() };
        let project = request.context.as_ref().and_then(|context| context.get_argument("project_id"));
        let candidates = around.candidates(meaning, project.map(String::as_str)).await?;
        Ok(choose(candidates, &request.argument.value))
    }
}
