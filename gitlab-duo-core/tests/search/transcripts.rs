//! A transcript read page by page, while the session goes on.

use futures_util::FutureExt;
use gitlab_duo_core::actions::read_transcript::{ReadTranscript, read_transcript};
use gitlab_duo_core::gateway::testing::MemoryGitLab;
use gitlab_duo_core::model::ids::WorkflowId;
use gitlab_duo_core::model::instance::{InstanceUrl, PlainHttp};
use gitlab_duo_core::model::page::{Cursor, PageSize};
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::model::session::{History, Message, MessageKind, Session, SessionRow};
use proptest::prelude::*;

fn said(number: usize) -> Message {
    Message {
        kind: MessageKind::Agent,
        role: None,
        content: format!("message {number}"),
        status: None,
        tool: None,
        timestamp: None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn every_message_comes_once_and_new_ones_move_none(
        count in 0_usize..70, first in 1_u32..20, new in proptest::collection::vec(0_usize..4, 70),
    ) {
        let url = InstanceUrl::parse("https://git.example.test", PlainHttp::LoopbackOnly).unwrap();
        let gitlab = MemoryGitLab::new(url, "19.5.0-ee");
        let workflow_id = WorkflowId::new(7).unwrap();
        let history = History { messages: Some((1..=count).map(said).collect()), errors: Vec::new() };
        gitlab.world().sessions = vec![Session { history: Some(history), ..Session::bare(SessionRow::unknown(workflow_id)) }];
        let (mut seen, mut after, mut total) = (Vec::new(), None, count);
        for new in new {
            let first = PageSize::new(first).unwrap();
            let request = ReadTranscript { workflow_id, first, after: after.take() };
            let view = read_transcript(&gitlab, &Scope::default(), request).now_or_never().unwrap().unwrap();
            prop_assert_eq!(view.total, Some(total));
            let messages = view.messages.unwrap();
            prop_assert!(messages.len() <= first.rows() as usize);
            prop_assert!(messages.iter().map(|message| message.number).is_sorted());
            for message in messages.iter().rev() {
                let content = format!("message {}", message.number);
                prop_assert_eq!(message.content.value(), Some(content.as_str()));
                seen.push(message.number);
            }
            prop_assert_eq!(view.page_info.has_next_page, Some(view.page_info.end_cursor.is_some()));
            // The session goes on between two pages.
            if let Some(history) = &mut gitlab.world().sessions[0].history {
                history.messages.as_mut().unwrap().extend((total + 1..=total + new).map(said));
            }
            total += new;
            let Some(cursor) = view.page_info.end_cursor else { break };
            after = Some(Cursor::received(cursor));
        }
        prop_assert_eq!(seen, (1..=count).rev().collect::<Vec<_>>());
    }
}
