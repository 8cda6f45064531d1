//! The server: what MCP asks, answered by the tools. No macros, so that every answer is seen here.

mod callers;
mod calls;
mod clock;
mod early;
mod guard;
mod instructions;
mod patience;
mod person;
mod state;
pub mod stdio;
mod tasks;

pub use clock::Clock;
pub use state::{Server, ServerSettings};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CancelTaskParams, CustomRequest, CustomResult, ErrorCode,
    ErrorData, GetTaskParams, GetTaskResult, Implementation, InitializeRequestParams, InitializeResult,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool, UpdateTaskParams,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};

use crate::arguments::loose::echo;
use crate::log::call::CallLog;
use crate::reply::reply;
use crate::server::calls::{Calling, Ended};
use crate::server::guard::guarded;
use crate::server::instructions::instructions;
use crate::server::tasks::Tasks;
use crate::tools::listing::{called, listed, tool};
use crate::tools::revision::Revision;

/// Methods that are served: malformed parameters of one of them are not an unknown method.
const METHODS: [&str; 8] = [
    "initialize",
    "ping",
    "server/discover",
    "tasks/cancel",
    "tasks/get",
    "tasks/update",
    "tools/call",
    "tools/list",
];

impl Server {
    fn tools(&self, revision: Revision) -> Vec<Tool> {
        listed(self.settings.surface, &self.settings.scope).map(|spec| tool(spec, revision)).collect()
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let name = Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        ServerConfig::new(ServerCapabilities::builder().enable_tools().enable_tasks().build())
            .with_server_info(name.with_title("GitLab Duo sessions"))
            .with_instructions(instructions(self.settings.surface))
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let mut result = self.negotiate_initialize(&request)?;
        // What was agreed counts from here on, not what was asked for.
        context.peer.set_peer_info(request.with_protocol_version(result.protocol_version.clone()));
        // Tasks came with the generation that has no handshake.
        result.capabilities.extensions = None;
        if !Revision::of_version(&result.protocol_version).has_structured() {
            result.server_info.title = None;
        }
        Ok(result)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if request.and_then(|page| page.cursor).is_some_and(|cursor| !cursor.is_empty()) {
            return Err(ErrorData::invalid_params(
                "this cursor is not one of ours: the list has one page",
                None,
            ));
        }
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
