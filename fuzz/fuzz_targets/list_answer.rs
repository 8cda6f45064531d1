//! The answer to a request for a page of sessions: its rows are bounded.

#![no_main]

use gitlab_duo_core::view::list::SessionRowView;
use gitlab_duo_core::view::text::Pen;
use gitlab_duo_fuzz::{check_refusal, check_view, instance};
use gitlab_duo_graphql::fuzzing::list_answer;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|body: &[u8]| {
    match list_answer(body) {
        Ok(page) => {
            let (instance, mut pen) = (instance(), Pen::default());
            for row in &page.rows {
                let view = SessionRowView::of(row, &instance, &mut pen);
                assert_eq!(view.workflow_id, row.id.to_string());
                check_view(&serde_json::to_value(&view).expect("a view can be written"));
            }
        }
        Err(error) => check_refusal(&error),
    }
});
