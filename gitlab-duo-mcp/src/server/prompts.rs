//! Prompts as a client asks for them.

use rmcp::RoleServer;
use rmcp::model::{
    ErrorData, GetPromptRequestParams, GetPromptResponse, GetPromptResult, ListPromptsResult,
    PaginatedRequestParams, Prompt, PromptArgument, PromptMessage, Role,
};
use rmcp::service::RequestContext;

use gitlab_duo_core::model::error::DuoError;

use crate::arguments::loose::echo;
use crate::prompts::arguments::read;
use crate::prompts::calls::Calls;
use crate::prompts::listing::{admit, listed, named};
use crate::prompts::spec::{Need, PromptSpec};
use crate::server::refusals::{one_page, refused};
use crate::server::state::Server;
use crate::tools::icon::icons;
use crate::tools::revision::Revision;

impl Server {
    pub(super) fn prompt_list(
        &self,
        request: Option<PaginatedRequestParams>,
        context: &RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        one_page(request)?;
        let revision = Revision::of(context);
        let prompts = listed(&self.settings.scope).map(|spec| prompt(spec, revision));
        Ok(ListPromptsResult::with_all_items(prompts.collect()))
    }

    /// Makes a prompt. Nothing is asked of GitLab: its first call does that.
    pub(super) fn prompt(&self, request: GetPromptRequestParams) -> Result<GetPromptResponse, ErrorData> {
        let spec = named(&request.name).ok_or_else(|| refused(&self.unknown_prompt(&request.name)))?;
        let text = self.prompt_text(spec, &request).map_err(|refusal| refused(&refusal))?;
        let message = PromptMessage::new_text(Role::User, text);
        Ok(GetPromptResult::new(vec![message]).with_description(spec.description).into())
    }

    fn prompt_text(&self, spec: &PromptSpec, request: &GetPromptRequestParams) -> Result<String, DuoError> {
        admit(spec, &self.settings.scope)?;
        let arguments = request.arguments.clone().unwrap_or_default();
        let given = read(spec, &arguments, &self.settings.instance)?;
        Ok((spec.text)(&Calls::of(self.settings.surface), &given))
    }

    fn unknown_prompt(&self, name: &str) -> DuoError {
        let known: Vec<_> = listed(&self.settings.scope).map(|spec| echo(spec.name)).collect();
        let known = if known.is_empty() { "none at all".to_owned() } else { known.join(", ") };
        DuoError::invalid(format!("there is no prompt {}; there is {known}", echo(name)))
    }
}

fn prompt(spec: &PromptSpec, revision: Revision) -> Prompt {
    let arguments = spec.arguments.iter().map(|argument| {
        PromptArgument::new(argument.name)
            .with_description(argument.description)
            .with_required(argument.need == Need::Required)
    });
    let mut prompt = Prompt::new(spec.name, Some(spec.description), Some(arguments.collect()));
    prompt.title = revision.has_structured().then(|| spec.title.to_owned());
    prompt.icons = icons(revision);
    prompt
}
