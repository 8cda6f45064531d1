//! Ids, cursors, statuses.

use gitlab_duo_core::model::ids::{ConsumerId, ProjectId, WorkflowId};
use gitlab_duo_core::model::page::{Cursor, PageInfo, PageSize};
use gitlab_duo_core::model::status::{Status, StatusGroup};
use gitlab_duo_core::view::page::PageInfoView;
use proptest::prelude::*;
use proptest::sample::select;

use crate::texts::{odd_text, pieces};

const EDGES: [u64; 8] = [
    0,
    1,
    9_007_199_254_740_993,
    i64::MAX as u64 - 1,
    i64::MAX as u64,
    i64::MAX as u64 + 1,
    u64::MAX - 1,
    u64::MAX,
];

fn number() -> impl Strategy<Value = u64> {
    prop_oneof![select(&EDGES[..]), any::<u64>(), 0_u64..5]
}

fn id_like() -> impl Strategy<Value = String> {
    prop_oneof![
        odd_text(),
        pieces(&[
            "gid://gitlab/",
            "Project",
            "/",
            "0",
            "7",
            "99999999999",
            "-",
            "+",
            ".",
            "e",
            " ",
            "٣",
            "\u{200b}"
        ]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn a_number_is_an_id_from_one_to_the_largest_signed_one(number in number(), zeros in 0_usize..4) {
        let is_id = (1..=i64::MAX as u64).contains(&number);
        let expected = is_id.then_some(number);
        prop_assert_eq!(WorkflowId::new(number).map(WorkflowId::number), expected);
        let spellings = [
            number.to_string(),
            format!(" {}{number}\n", "0".repeat(zeros)),
            format!("gid://gitlab/Ai::DuoWorkflows::Workflow/{number}"),
            format!("gid://gitlab/Ai::Catalog::ItemConsumer/{number}"),
        ];
        for text in spellings {
            prop_assert_eq!(WorkflowId::parse(&text).ok().map(WorkflowId::number), expected, "{}", text);
        }
        for text in [format!("-{number}"), format!("+{number}"), format!("{number}.0"), format!("gid://gitlab/{number}")] {
            prop_assert!(ConsumerId::parse(&text).is_err(), "{}", text);
        }
    }

    #[test]
    fn an_id_is_never_another_number_than_the_one_written(text in id_like()) {
        match ProjectId::parse(&text) {
            Ok(id) => {
                let digits = text.trim().rsplit('/').next().unwrap_or_default();
                prop_assert_eq!(digits.trim_start_matches('0'), id.to_string());
                prop_assert_eq!(ProjectId::parse(&id.to_string()), Ok(id));
            }
            Err(error) => prop_assert!(error.to_string().chars().count() < 200),
        }
    }

    #[test]
    fn a_cursor_comes_back_byte_for_byte(text in odd_text(), has_next_page in any::<Option<bool>>()) {
        let end_cursor = Some(Cursor::received(text.as_str()));
        let view = PageInfoView::from(PageInfo { has_next_page, end_cursor });
        let written = serde_json::to_string(&view).unwrap();
        let read: serde_json::Value = serde_json::from_str(&written).unwrap();
        prop_assert_eq!(read["endCursor"].as_str(), Some(text.as_str()));
        prop_assert_eq!(read["hasNextPage"].as_bool(), has_next_page);
    }

    #[test]
    fn a_page_has_one_to_a_hundred_rows(rows in prop_oneof![any::<u32>(), 0_u32..120]) {
        let size = PageSize::new(rows).map(PageSize::rows);
        prop_assert_eq!(size, (1..=100).contains(&rows).then_some(rows));
    }

    #[test]
    fn a_known_status_is_read_in_any_spelling(
        (name, status) in select(Status::known()), flips in any::<u64>(), around in select(vec!["", " ", "\n"]),
    ) {
        let flip = |(place, c): (usize, char)| match flips >> (place % 32) & 1 {
            1 if c == '_' => ' ',
            1 => c.to_ascii_uppercase(),
            _ => c,
        };
        let text: String = name.chars().enumerate().map(flip).collect();
        prop_assert_eq!(Status::read(&format!("{around}{text}{around}")), status.clone());
    }

    #[test]
    fn an_unknown_status_stays_visible_and_promises_nothing(
        text in prop_oneof![odd_text(), pieces(&["input", "_", " ", "required", "RUNNING", "stopped", "2"])],
    ) {
        let status = Status::read(&text);
        prop_assert_eq!(Status::read(status.name()), status.clone());
        if let Status::Other(name) = &status {
            prop_assert_eq!(name.as_str(), text.trim());
            prop_assert_eq!((status.is_terminal(), status.group(), status.poll_after_seconds()), (None, None, None));
        }
        let group = StatusGroup::read(&text);
        prop_assert_eq!(StatusGroup::read(group.name()), group);
    }
}
