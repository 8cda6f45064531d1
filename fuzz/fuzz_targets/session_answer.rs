//! The answer to a look-up of session 73: another session is never shown, and its view is bounded.

#![no_main]

use gitlab_duo_core::gateway::request::Lookup;
use gitlab_duo_core::model::ids::WorkflowId;
use gitlab_duo_core::view::session::SessionView;
use gitlab_duo_fuzz::{check_refusal, check_view, instance};
use gitlab_duo_graphql::fuzzing::session_answer;
use jiff::Timestamp;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|body: &[u8]| {
    let asked = WorkflowId::new(73).expect("an id");
    match session_answer(body, asked) {
        Ok(Lookup::Found(session)) => {
            assert_eq!(session.row.id, asked);
            let view = SessionView::of(&session, &instance(), Vec::new(), Timestamp::UNIX_EPOCH);
            check_view(&serde_json::to_value(&view).expect("a view can be written"));
        }
        Ok(_) => {}
        Err(error) => check_refusal(&error),
    }
});
