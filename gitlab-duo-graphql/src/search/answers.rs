//! GraphQL answers in which something is not as it should be.

use gitlab_duo_core::gateway::error::ReadError;
use gitlab_duo_core::gateway::request::Lookup;
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::model::ids::{ConsumerId, MergeRequestIid, ProjectId, WorkflowId};
use gitlab_duo_core::model::page::Cursor;
use proptest::prelude::*;
use serde_json::Value;

use crate::fuzzing::{catalog_answer, list_answer, session_answer};
use crate::search::odd::{is_written, odd, spoilt};

const SESSION: &str = include_str!("../../../fuzz/corpus/session_answer/full.json");
const LIST: &str = include_str!("../../../fuzz/corpus/list_answer/page.json");
const CATALOG: &str = include_str!("../../../fuzz/corpus/catalog_answer/page.json");

fn asked() -> WorkflowId {
    WorkflowId::new(73).unwrap()
}

/// A refusal of ours: of a known kind, in a sentence of ours.
fn check_error(error: &ReadError) -> Result<(), TestCaseError> {
    use ErrorKind::{Forbidden, InvalidArguments, NotFound, RateLimited, Server, Unreadable};
    let kinds = [Forbidden, InvalidArguments, NotFound, RateLimited, Server, Unreadable];
    prop_assert!(kinds.contains(&error.kind), "{:?}", error);
    prop_assert!(!error.message.is_empty() && !error.message.contains("zqx"), "{:?}", error);
    prop_assert!(error.gitlab_message.as_ref().is_none_or(|words| words.chars().count() <= 4_000));
    Ok(())
}

fn check_written(answer: &str, numbers: impl IntoIterator<Item = u64>) -> Result<(), TestCaseError> {
    for number in numbers {
        prop_assert!(is_written(answer, number), "{} is not in {}", number, answer);
    }
    Ok(())
}

fn check_cursor(answer: &str, cursor: Option<&Cursor>) -> Result<(), TestCaseError> {
    let Some(cursor) = cursor else { return Ok(()) };
    // Deeper than is read as a whole; the reader only passes over what it does not want.
    let Ok(answer) = serde_json::from_str::<Value>(answer) else { return Ok(()) };
    let lists = ["duoWorkflowWorkflows", "aiCatalogConfiguredItems"];
    let written = lists.iter().find_map(|list| answer.pointer(&format!("/data/{list}/pageInfo/endCursor")));
    prop_assert_eq!(written.and_then(Value::as_str), Some(cursor.as_str()));
    Ok(())
}

fn check_session(answer: &str) -> Result<(), TestCaseError> {
    match session_answer(answer.as_bytes(), asked()) {
        Ok(Lookup::Found(session)) => {
            prop_assert_eq!(session.row.id, asked());
            let created = &session.created;
            let requests = created.merge_requests.iter().flat_map(|links| &links.items);
            let items = created.work_items.iter().flat_map(|links| &links.items);
            check_written(answer, requests.filter_map(|request| request.iid.map(MergeRequestIid::number)))?;
            check_written(answer, items.filter_map(|item| item.iid))?;
            check_written(answer, [73].into_iter().chain(session.row.project.id.map(ProjectId::number)))
        }
        Ok(_) => Ok(()),
        Err(error) => check_error(&error),
    }
}

fn check_list(answer: &str) -> Result<(), TestCaseError> {
    match list_answer(answer.as_bytes()) {
        Ok(page) => {
            check_written(answer, page.rows.iter().map(|row| row.id.number()))?;
            let projects = page.rows.iter().filter_map(|row| row.project.id.map(ProjectId::number));
            check_written(answer, projects)?;
            check_cursor(answer, page.page_info.end_cursor.as_ref())
        }
        Err(error) => check_error(&error),
    }
}

fn check_catalog(answer: &str) -> Result<(), TestCaseError> {
    match catalog_answer(answer.as_bytes()) {
        Ok(page) => {
            check_written(answer, page.rows.iter().filter_map(|row| row.id.map(ConsumerId::number)))?;
            check_cursor(answer, page.page_info.end_cursor.as_ref())
        }
        Err(error) => check_error(&error),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn a_spoilt_session_is_read_or_refused(answer in spoilt(SESSION)) {
        check_session(&answer)?;
    }

    #[test]
    fn a_spoilt_id_is_never_another_id(id in odd(), project in odd(), list_id in odd(), consumer in odd()) {
        let session = SESSION.replace(r#""gid://gitlab/Ai::DuoWorkflows::Workflow/73""#, &id);
        check_session(&session.replace(r#""gid://gitlab/Project/4021""#, &project))?;
        check_list(&LIST.replace("74", &list_id).replace("4711", &project))?;
        check_catalog(&CATALOG.replace(r#""gid://gitlab/Ai::Catalog::ItemConsumer/91""#, &consumer))?;
    }

    #[test]
    fn a_spoilt_list_is_read_or_refused(answer in spoilt(LIST)) {
        check_list(&answer)?;
    }

    #[test]
    fn a_spoilt_catalog_is_read_or_refused(answer in spoilt(CATALOG)) {
        check_catalog(&answer)?;
    }

    #[test]
    fn a_cut_answer_is_refused(cut in any::<proptest::sample::Index>()) {
        for whole in [SESSION, LIST, CATALOG] {
            let whole = whole.trim_end();
            let part = &whole.as_bytes()[..cut.index(whole.len())];
            let refusals = [session_answer(part, asked()).err(), list_answer(part).err(), catalog_answer(part).err()];
            for error in refusals {
                prop_assert_eq!(error.map(|error| error.kind), Some(ErrorKind::Unreadable));
            }
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200), text in odd()) {
        for body in [bytes.as_slice(), text.as_bytes()] {
            for error in [session_answer(body, asked()).err(), list_answer(body).err(), catalog_answer(body).err()] {
                check_error(&error.unwrap())?;
            }
        }
    }
}
