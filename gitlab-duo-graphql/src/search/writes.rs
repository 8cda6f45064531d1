//! The answer to a write that was accepted: its session is named, or nobody is named.

use gitlab_duo_core::gateway::error::Outcome;
use gitlab_duo_core::model::ids::WorkflowId;
use proptest::prelude::*;

use crate::fuzzing::write_answer;
use crate::search::odd::{is_written, spoilt};
use crate::wire::write::named_session;

const ENTITY: &str = r#"{"id":750,"project_id":4021,"goal":"zqx","status":"created","workflow_definition":"developer/v1",
    "workload":{"id":"abc-123","message":"zqx no runner"}}"#;

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn an_accepted_start_is_never_another_session(answer in spoilt(ENTITY)) {
        match write_answer(answer.as_bytes(), None) {
            Ok(accepted) => prop_assert!(is_written(&answer, accepted.id.number()), "{} {}", accepted.id, answer),
            Err(error) => {
                prop_assert_eq!(error.outcome, Outcome::Accepted);
                prop_assert!(error.workflow_id.is_none_or(|id| is_written(&answer, id.number())), "{}", answer);
                prop_assert!(!error.error.message.contains("zqx"));
            }
        }
    }

    #[test]
    fn an_answer_about_another_session_is_no_answer(answer in spoilt(ENTITY), asked in 749_u64..752) {
        let asked = WorkflowId::new(asked);
        match write_answer(answer.as_bytes(), asked) {
            Ok(accepted) => prop_assert_eq!(Some(accepted.id), asked),
            Err(error) => prop_assert_eq!(error.workflow_id, asked),
        }
    }

    #[test]
    fn a_broken_off_start_still_names_its_session(
        id in 1_u64..=i64::MAX as u64, goal in any::<String>(), rest in proptest::collection::vec(any::<u8>(), 0..80),
    ) {
        let whole = format!("{{\"id\":{id},\"goal\":{}", serde_json::Value::from(goal));
        let end_of_id = whole.find(',').unwrap();
        for end in 0..=whole.len() {
            let named = named_session(&whole.as_bytes()[..end]).map(WorkflowId::number);
            prop_assert_eq!(named, (end > end_of_id).then_some(id), "{} of {}", end, whole);
        }
        let odd = [&whole.as_bytes()[..=end_of_id], &rest].concat();
        prop_assert_eq!(named_session(&odd).map(WorkflowId::number), Some(id));
    }
}
