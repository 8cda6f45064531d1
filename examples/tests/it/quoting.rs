//! Foreign text in an exported transcript stays text.

use fake_gitlab::FakeGitLab;
use fake_gitlab::world::Message;
use gitlab_duo_core::model::ids::WorkflowId;
use proptest::prelude::{ProptestConfig, proptest};

use crate::export_transcript::exported;
use crate::support::Stage;

const SESSION: i64 = 733;

/// The export of a session whose texts are all `text`.
async fn export(stage: &Stage, text: &str) -> String {
    stage.embedded.as_ref().unwrap().state(|world| {
        let session = world.sessions.get_mut(&SESSION).unwrap();
        for place in [&mut session.title, &mut session.summary] {
            *place = Some(text.to_owned());
        }
        session.goal = text.to_owned();
        for message in session.messages.iter_mut().flatten() {
            text.clone_into(&mut message.content);
        }
    });
    exported(&stage.duo(), WorkflowId::new(733).unwrap()).await.unwrap()
}

async fn stage() -> Stage {
    Stage::on(FakeGitLab::builder().with_example_sessions()).await.unwrap()
}

/// The lines outside of blocks, as a reader of Markdown sees them.
fn outside(page: &str) -> Vec<&str> {
    let mut fence: Option<usize> = None;
    let mut lines = Vec::new();
    for line in page.lines() {
        let backticks = line.len() - line.trim_start_matches('`').len();
        match fence {
            // Only a line of nothing but at least as many backticks ends a block.
            Some(length) => {
                let indented = line.trim_start_matches(' ');
                let closing = indented.trim_end_matches(' ');
                if line.len() - indented.len() < 4
                    && closing.len() >= length
                    && closing.bytes().all(|byte| byte == b'`')
                {
                    fence = None;
                }
            }
            None if backticks >= 3 => fence = Some(backticks),
            None => lines.push(line),
        }
    }
    assert_eq!(fence, None, "a block is left open:\n{page}");
    lines
}

/// The skeleton of the page: what is ours, without what stands in code.
fn skeleton(page: &str) -> Vec<String> {
    let without_code = |line: &&str| line.split('`').next().unwrap_or_default().to_owned();
    outside(page).iter().filter(|line| !line.is_empty()).map(without_code).collect()
}

#[tokio::test]
async fn every_message_is_exported_in_order() {
    let stage = stage().await;
    let page = exported(&stage.duo(), WorkflowId::new(733).unwrap()).await.unwrap();
    let total = stage
        .embedded
        .as_ref()
        .unwrap()
        .state(|world| world.sessions[&SESSION].messages.as_ref().map_or(0, Vec::len));
    let numbers: Vec<_> = outside(&page).into_iter().filter(|line| line.starts_with("### ")).collect();
    assert_eq!(numbers.len(), total);
    assert!(numbers.iter().zip(1..).all(|(line, number)| line.starts_with(&format!("### {number}: "))));
    assert!(page.starts_with("# Session 733\n\n- Title: ` Repair failing unit tests `\n"), "{page}");
}

#[tokio::test]
async fn a_long_transcript_is_exported_whole() {
    let stage = stage().await;
    stage.embedded.as_ref().unwrap().state(|world| {
        let session = world.sessions.get_mut(&SESSION).unwrap();
        let one: Message = session.messages.as_ref().unwrap()[0].clone();
        session.messages = Some(vec![Message { content: "word ".repeat(1_000), ..one }; 250]);
    });
    let page = exported(&stage.duo(), WorkflowId::new(733).unwrap()).await.unwrap();
    assert_eq!(page.matches("word").count(), 250_000);
}

#[tokio::test]
async fn a_missing_history_is_said_to_be_missing() {
    let page = exported(&stage().await.duo(), WorkflowId::new(730).unwrap()).await.unwrap();
    assert!(page.contains("unknown, not empty") && !page.contains("###"), "{page}");
}

#[tokio::test]
async fn text_cannot_leave_its_place() {
    let stage = stage().await;
    let plain = skeleton(&export(&stage, "plain").await);
    let rows = [
        "```\n# Mine\n```",
        "``````\n<script>alert(1)</script>",
        "   ```\n[click](https://evil.example.com)",
        "` # inline `` ` ```",
        "\n\n# Heading\n\n- item",
        "![picture](https://evil.example.com/x.png)",
        "~~~\n# Mine",
        "\r# Mine\r\n```\r\n",
    ];
    for text in rows {
        let page = export(&stage, text).await;
        assert_eq!(skeleton(&page), plain, "{text:?}:\n{page}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn no_text_changes_the_skeleton(text in "[`~#<>a \n\r\t\\[\\]()!*_-]{1,60}") {
        // Blanks alone are told as such, in a line of its own.
        proptest::prop_assume!(!text.trim().is_empty());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let stage = stage().await;
            let plain = skeleton(&export(&stage, "plain").await);
            let page = export(&stage, &text).await;
            assert_eq!(skeleton(&page), plain, "{text:?}:\n{page}");
        });
    }
}
