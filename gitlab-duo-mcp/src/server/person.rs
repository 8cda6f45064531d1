//! A person who decides: how one is asked in each generation of the protocol, and what counts as a yes.

use std::collections::BTreeMap;
use std::time::Duration;

use gitlab_duo_core::model::error::{DuoError, ErrorKind};
use gitlab_duo_core::model::seen::Seen;
use jiff::Timestamp;
use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ElicitRequest, ElicitRequestParams, ElicitResult,
    ElicitationAction, ElicitationSchema, InputRequest, InputRequiredResult, RequestStateCodec, SealOptions,
};
use rmcp::service::{Peer, RequestContext};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::caller::Seal;
use crate::tools::decide::Question;
use crate::tools::revision::Revision;

/// The name of the question among the input that a client is asked for.
const QUESTION: &str = "confirm";

/// How the user of a client can be asked.
pub(super) enum Means {
    /// By a request to the client, which is waited for.
    Request(Peer<RoleServer>),
    /// By a result that asks the client to call again with the answer.
    CallAgain,
    /// Not at all.
    None,
}

impl Means {
    pub(super) fn of(context: &RequestContext<RoleServer>) -> Self {
        if !can_show_forms(context.client_capabilities().as_ref()) {
            return Self::None;
        }
        match context.protocol_version() {
            Some(version) if !version.has_initialize() => Self::CallAgain,
            Some(version) if Revision::of_version(&version).has_structured() => {
                Self::Request(context.peer.clone())
            }
            // Older revisions have no such request, whatever the client says.
            _ => Self::None,
        }
    }
}

/// Whether a client can show its user a form. One that names no kind of form means this one.
pub(super) fn can_show_forms(capabilities: Option<&ClientCapabilities>) -> bool {
    let elicitation = capabilities.and_then(|capabilities| capabilities.elicitation.as_ref());
    elicitation.is_some_and(|forms| forms.form.is_some() || forms.url.is_none())
}

/// Asks by a request and waits for a yes.
///
/// # Errors
/// `declined` for everything that is no explicit yes.
pub(super) async fn ask(
    peer: &Peer<RoleServer>,
    question: &Question,
    patience: Duration,
) -> Result<(), DuoError> {
    let asked = peer.create_elicitation_with_timeout(form(&question.text), Some(patience));
    match asked.await {
        Ok(answer) => yes(&answer),
        Err(rmcp::ServiceError::Timeout { .. }) => Err(unanswered(patience)),
        Err(_) => Err(declined("the client could not ask the person")),
    }
}

/// What a client has been asked, as it travels through the client and comes back.
#[derive(Debug, Serialize, Deserialize)]
struct Asked {
    seen: Option<String>,
    /// Seconds since 1970.
    asked_at: i64,
}

/// A question that is answered by calling again: sealed, so that an answer fits one write of one
/// caller, what was shown, and a time.
pub(super) struct Round<'a> {
    pub(super) seal: &'a Seal,
    pub(super) write: &'a str,
    pub(super) now: Timestamp,
    pub(super) patience: Duration,
}

impl Round<'_> {
    /// The result that asks.
    ///
    /// # Errors
    /// `declined` when the question cannot be sealed.
    pub(super) fn ask(&self, question: &Question) -> Result<InputRequiredResult, DuoError> {
        let asked =
            Asked { seen: question.seen.as_ref().map(ToString::to_string), asked_at: self.now.as_second() };
        let asked = serde_json::to_vec(&asked).map_err(|_| declined("the question cannot be written"))?;
        let state =
            self.codec()?.seal_with(&asked, &SealOptions::new().associated_data(self.write.as_bytes()));
        let request = InputRequest::Elicitation(ElicitRequest::new(form(&question.text)));
        let requests = BTreeMap::from([(QUESTION.to_owned(), request)]);
        Ok(InputRequiredResult::new(Some(requests), Some(state)))
    }

    /// What the person has decided about; none when this call is no answer to a question of ours.
    ///
    /// # Errors
    /// `declined` for everything that is no explicit yes in time.
    pub(super) fn answer(&self, request: &CallToolRequestParams) -> Result<Option<Yes>, DuoError> {
        let answer = request.input_responses.as_ref().and_then(|answers| answers.get(QUESTION));
        let (Some(answer), Some(state)) = (answer, &request.request_state) else { return Ok(None) };
        let data = self.write.as_bytes();
        // Sealed for something else, or by somebody else: the person is asked again.
        let Ok(opened) = self.codec()?.open_with(state, data) else { return Ok(None) };
        let Ok(asked) = serde_json::from_slice::<Asked>(&opened) else { return Ok(None) };
        let waited = self.now.as_second().saturating_sub(asked.asked_at);
        if u64::try_from(waited).is_ok_and(|waited| waited > self.patience.as_secs()) {
            return Err(unanswered(self.patience));
        }
        let answer = serde_json::from_value(answer.clone());
        yes(&answer.map_err(|_| declined("the client's answer cannot be read"))?)?;
        Ok(Some(Yes { seen: asked.seen.as_deref().and_then(Seen::parse) }))
    }

    fn codec(&self) -> Result<RequestStateCodec, DuoError> {
        RequestStateCodec::try_new(self.seal.0.to_vec())
            .map_err(|_| declined("the question cannot be sealed"))
    }
}

/// A yes, and the mark of what it is about.
#[derive(Debug)]
pub(super) struct Yes {
    pub(super) seen: Option<Seen>,
}

/// A form without fields: to accept it is the yes.
fn form(text: &str) -> ElicitRequestParams {
    ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: text.to_owned(),
        requested_schema: ElicitationSchema::new(BTreeMap::new()),
    }
}

/// Whether an answer is an explicit yes. A form that some client adds fields to may say no in them.
fn yes(answer: &ElicitResult) -> Result<(), DuoError> {
    match &answer.action {
        ElicitationAction::Accept if !says_no(answer.content.as_ref()) => Ok(()),
        ElicitationAction::Accept | ElicitationAction::Decline => Err(declined("the person said no")),
        _ => Err(declined("the person dismissed the question")),
    }
}

fn says_no(content: Option<&Value>) -> bool {
    let fields = content.and_then(Value::as_object);
    fields.is_some_and(|fields| fields.values().any(|value| value == &Value::Bool(false)))
}

/// Nothing was sent, and why.
pub(super) fn declined(why: &str) -> DuoError {
    DuoError::new(ErrorKind::Declined, format!("{why}, so nothing was sent"))
}

fn unanswered(patience: Duration) -> DuoError {
    declined(&format!("the person did not answer within {} seconds", patience.as_secs()))
}
