//! The server: what MCP asks, answered by the tools. No macros, so that every answer is seen here.

mod callers;
mod clock;
mod completion;
mod early;
mod greeting;
mod guard;
mod instructions;
mod patience;
mod prompts;
mod resources;
pub mod stdio;
mod subscriptions;
mod watches;

pub use clock::Clock;

use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use gitlab_duo_core::gateway::writer::DuoWriter;
use gitlab_duo_core::model::error::{DuoError, ErrorKind};
use gitlab_duo_core::model::instance::InstanceUrl;
use gitlab_duo_core::model::scope::Scope;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, CustomRequest,
    CustomResult, ErrorCode, ErrorData, GetPromptRequestParams, GetPromptResponse, InitializeRequestParams,
    InitializeResult, JsonObject, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ServerConfig,
    SubscribeRequestParams, SubscriptionFilter, Tool, UnsubscribeRequestParams,
};
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::{RoleServer, ServerHandler};

use crate::arguments::call::Parsed;
use crate::arguments::door::Door;
use crate::arguments::loose::echo;
use crate::arguments::parse::parse;
use crate::caller::{Caller, CallerKey};
use crate::completion::cache::Cache;
use crate::detached::DetachedWrites;
use crate::in_flight::InFlight;
use crate::limits::{BESIDE_REQUEST, CALL};
use crate::reply::reply;
use crate::server::callers::Callers;
use crate::server::early::Early;
use crate::server::greeting::{config, in_revision};
use crate::server::guard::one_page;
use crate::server::patience::ClientPatience;
use crate::server::watches::Watches;
use crate::spec::surface::Surface;
use crate::tools::listing::{Called, called, listed, tool};
use crate::tools::revision::Revision;
use crate::tools::run::{Answer, run};

/// Methods that are served: malformed parameters of one of them are not an unknown method.
const METHODS: &[&str] = &[
    "completion/complete",
    "initialize",
    "ping",
    "prompts/get",
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/subscribe",
    "resources/templates/list",
    "resources/unsubscribe",
    "server/discover",
    "subscriptions/listen",
    "tools/call",
    "tools/list",
];

/// How a server behaves.
#[derive(Clone)]
pub struct ServerSettings {
    /// The GitLab that arguments with URLs are read against.
    pub instance: InstanceUrl,
    /// What the operator allows.
    pub scope: Scope,
    /// Which tools are offered.
    pub surface: Surface,
    /// The present time.
    pub clock: Clock,
}

impl fmt::Debug for ServerSettings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { instance, scope, surface, clock: _ } = self;
        formatter
            .debug_struct("ServerSettings")
            .field("instance", instance)
            .field("scope", scope)
            .field("surface", surface)
            .finish_non_exhaustive()
    }
}

/// An MCP server over one GitLab, for one caller or for those that the requests bring. Clones share
/// which writes are on their way, and what completion read a moment ago; no call leaves anything else behind.
#[derive(Clone)]
pub struct Server {
    callers: Callers,
    settings: Arc<ServerSettings>,
    call_bound: Duration,
    in_flight: InFlight,
    watches: Watches,
    completions: Cache,
}

impl Server {
    /// A server over a GitLab with one credential.
    #[must_use]
    pub fn new(gateway: Arc<dyn DuoWriter>, settings: ServerSettings) -> Self {
        Self::over(Callers::One(Some(Caller::new(gateway, CallerKey::default()))), settings)
    }

    /// A server without a token: every call is refused as `unauthorized`, with how to set one.
    #[must_use]
    pub fn without_token(settings: ServerSettings) -> Self {
        Self::over(Callers::One(None), settings)
    }

    /// A server whose every HTTP request brings its [`Caller`] in its extensions.
    #[must_use]
    pub fn for_callers(settings: ServerSettings) -> Self {
        Self::over(Callers::OfRequest, settings)
    }

    fn over(callers: Callers, settings: ServerSettings) -> Self {
        let in_flight = InFlight::default();
        let (watches, completions) = (Watches::default(), Cache::default());
        Self { callers, settings: Arc::new(settings), call_bound: CALL, in_flight, watches, completions }
    }

    /// The same server over a gateway whose single requests may take this long. A call is answered
    /// within 50 seconds, since many clients give up after a minute; whoever lets one request take
    /// longer than that has asked for longer calls, too.
    #[must_use]
    pub fn with_request_timeout(self, timeout: Duration) -> Self {
        Self { call_bound: timeout.saturating_add(BESIDE_REQUEST).max(CALL), ..self }
    }

    fn tools(&self, revision: Revision) -> Vec<Tool> {
        listed(self.settings.surface, &self.settings.scope).map(|spec| tool(spec, revision)).collect()
    }

    async fn answer(
        &self,
        called: Called,
        arguments: &JsonObject,
        gateway: Option<&DetachedWrites>,
        caller: CallerKey,
        patience: &ClientPatience,
    ) -> Result<Result<Answer, DuoError>, Early> {
        let (parsed, gateway) = match self.admitted(&called, arguments, gateway, caller) {
            Ok(admitted) => admitted,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let bound = self.call_bound.saturating_add(parsed.call.wait());
        let (surface, scope) = (called.spec.surface, &self.settings.scope);
        let outcome = tokio::time::timeout(bound, run(parsed, surface, gateway, scope, patience));
        outcome.await.map_err(|_| Early::TookTooLong)
    }

    fn admitted<'a>(
        &self,
        called: &Called,
        arguments: &JsonObject,
        gateway: Option<&'a DetachedWrites>,
        caller: CallerKey,
    ) -> Result<(Parsed, &'a DetachedWrites), DuoError> {
        let ServerSettings { instance, scope, clock, .. } = &*self.settings;
        if called.spec.hints.read_only {
            scope.admit_browsing()?
        } else {
            scope.admit_writing()?
        }
        let gateway = gateway.ok_or_else(no_token)?;
        let parsed = parse(called.spec, arguments, called.fixed, &Door { instance, scope, now: clock() })?;
        gateway.hold(self.in_flight.begin(caller, &parsed.call)?);
        Ok((parsed, gateway))
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Server").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        config(self.settings.surface)
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let mut result = self.negotiate_initialize(&request)?;
        // What was agreed counts from here on, not what was asked for.
        context.peer.set_peer_info(request.with_protocol_version(result.protocol_version.clone()));
        in_revision(&mut result, &context);
        Ok(result)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        one_page(request)?;
        Ok(ListToolsResult::with_all_items(self.tools(Revision::of(&context))))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.tools(Revision::Structured).into_iter().find(|tool| tool.name == name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let called =
            called(self.settings.surface, &request.name).ok_or_else(|| self.unknown_tool(&request.name))?;
        let arguments = request.arguments.unwrap_or_default();
        let caller = self.callers.of(&context);
        let key = caller.as_ref().map(|caller| caller.key).unwrap_or_default();
        let gateway = caller.map(|caller| DetachedWrites::new(caller.gateway));
        // A panic must neither leave the caller without an answer nor tell what it was about.
        let patience = ClientPatience::of(&context, Arc::clone(&self.settings.clock));
        let work = self.answer(called, &arguments, gateway.as_ref(), key, &patience);
        let work = AssertUnwindSafe(work).catch_unwind();
        let ended = tokio::select! {
            outcome = work => outcome.unwrap_or(Err(Early::Panicked)),
            () = context.ct.cancelled() => Err(Early::Withdrawn),
        };
        let has_written = gateway.as_ref().is_some_and(DetachedWrites::has_begun);
        let outcome = ended.unwrap_or_else(|early| Err(early.refusal(has_written)));
        Ok(reply(outcome, Revision::of(&context)).into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Ok(self.completed(&request, &context).await)
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        self.prompt_list(request, &context)
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        self.prompt(request)
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Self::resource_list(request)
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        self.template_list(request, &context)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        self.resource(request, &context).await
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.subscribed(request, context).await
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.unsubscribed(&request)
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(self.accepted(requested))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        self.listened(context).await
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if METHODS.contains(&request.method.as_str()) {
            let message = format!("the parameters of `{}` cannot be read", request.method);
            return Err(ErrorData::invalid_params(message, None));
        }
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, echo(&request.method), None))
    }
}

impl Server {
    fn unknown_tool(&self, name: &str) -> ErrorData {
        let known = listed(self.settings.surface, &self.settings.scope).map(|spec| echo(spec.name));
        let known = known.reduce(|all, name| format!("{all}, {name}"));
        let known =
            known.map_or_else(|| "there is none at all".to_owned(), |known| format!("there is: {known}"));
        ErrorData::invalid_params(format!("there is no tool {}; {known}", echo(name)), None)
    }
}

fn no_token() -> DuoError {
    DuoError::new(ErrorKind::Unauthorized, "no GitLab token is set, so nothing was sent").with_next_step(
        "set the environment variable GITLAB_TOKEN of this server to a personal access token with the scope `api` (`read_api` for browsing only) and restart it",
    )
}
