//! The server: what MCP asks, answered by the tools. No macros, so that every answer is seen here.

mod callers;
mod calls;
mod clock;
mod completion;
mod early;
mod greeting;
mod guard;
mod instructions;
mod patience;
mod person;
mod prompts;
mod refusals;
mod resources;
mod state;
pub mod stdio;
mod subscriptions;
mod tasks;
mod watches;

pub use clock::{Clock, Pause};
pub use state::{Server, ServerSettings};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CancelTaskParams, CompleteRequestParams, CompleteResult,
    CustomRequest, CustomResult, ErrorCode, ErrorData, GetPromptRequestParams, GetPromptResponse,
    GetTaskParams, GetTaskResult, InitializeRequestParams, InitializeResult, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ServerConfig, SubscribeRequestParams,
    SubscriptionFilter, Tool, UnsubscribeRequestParams, UpdateTaskParams,
};
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::{RoleServer, ServerHandler};

use crate::arguments::loose::echo;
use crate::log::call::CallLog;
use crate::reply::reply;
use crate::server::calls::{Calling, Ended};
use crate::server::greeting::{config, in_revision};
use crate::server::guard::guarded;
use crate::server::refusals::one_page;
use crate::server::tasks::Tasks;
use crate::tools::listing::{called, listed, tool};
use crate::tools::revision::Revision;

/// Methods that are served: malformed parameters of one of them are not an unknown method.
const METHODS: [&str; 17] = [
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
    "tasks/cancel",
    "tasks/get",
    "tasks/update",
    "tools/call",
    "tools/list",
];
/// Those of them that ended with the handshake: afterwards they are unknown methods.
const OF_SESSIONS: [&str; 3] = ["initialize", "resources/subscribe", "resources/unsubscribe"];

impl Server {
    fn tools(&self, revision: Revision) -> Vec<Tool> {
        listed(self.settings.surface, &self.settings.scope).map(|spec| tool(spec, revision)).collect()
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
        self.tools(Revision::Icons).into_iter().find(|tool| tool.name == name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let called =
            called(self.settings.surface, &request.name).ok_or_else(|| self.unknown_tool(&request.name))?;
        let caller = self.callers.of(&context);
        let revision = Revision::of(&context);
        let log = CallLog::begin(called.spec, request.arguments.as_ref());
        let calling = Calling::new(self, called, &request, &context, caller.as_ref());
        let ended = guarded(&context, calling.ended()).await;
        let ended = ended.map_err(|halt| halt.refusal(calling.has_written()));
        let (outcome, structured) = match &ended {
            Ok(Ended::Answer(answer)) => ("ok", Some(&answer.structured)),
            Ok(Ended::Ask(_)) => ("asked", None),
            Ok(Ended::Task(_)) => ("task", None),
            Err(refusal) => (refusal.kind.name(), None),
        };
        log.ended(outcome, structured);
        Ok(match ended {
            Ok(Ended::Answer(answer)) => reply(Ok(answer), revision).into(),
            Ok(Ended::Ask(asking)) => asking.into(),
            Ok(Ended::Task(task)) => task.into(),
            Err(refusal) => reply(Err(refusal), revision).into(),
        })
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

    async fn get_task(
        &self,
        request: GetTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        Tasks::of(self, &context)?.get(&request.task_id).await
    }

    async fn update_task(
        &self,
        request: UpdateTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Tasks::of(self, &context)?.update(&request.task_id, &request.input_responses).await
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Tasks::of(self, &context)?.cancel(&request.task_id).await
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = request.method.as_str();
        let has_handshake = context.protocol_version().is_none_or(|version| version.has_initialize());
        if METHODS.contains(&method) && (has_handshake || !OF_SESSIONS.contains(&method)) {
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
