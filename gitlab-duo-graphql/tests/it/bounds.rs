//! Answers beyond the limit are named as what they are, and are not read to their end.

use fake_gitlab::Fault;
use gitlab_duo_core::gateway::reader::DuoReader;
use gitlab_duo_core::gateway::request::SessionQuery;
use gitlab_duo_core::model::error::ErrorKind;

use crate::setup::{client, fake};

#[tokio::test]
async fn an_answer_above_four_mib_is_too_large() {
    for fault in [Fault::huge(5), Fault::huge_chunked(5), Fault::huge_chunked(50), Fault::gzip_bomb(256)] {
        let fake = fake("19.5.0-ee").await;
        let gitlab = client(&fake);
        gitlab.instance().await.unwrap();
        fake.clear_log();
        fake.inject(fault.clone());
        let error = gitlab.sessions(&SessionQuery::default()).await.unwrap_err();
        assert_eq!((error.kind, fake.requests().len()), (ErrorKind::TooLarge, 1), "{fault:?}");
    }
}

#[tokio::test]
async fn an_answer_below_four_mib_is_read() {
    let fake = fake("19.5.0-ee").await;
    let padding = Fault::edit(|body| body["padding"] = "x".repeat(3 * 1024 * 1024).into());
    fake.inject(padding.on_graphql("duoWorkflowWorkflows"));
    assert!(!client(&fake).sessions(&SessionQuery::default()).await.unwrap().value.rows.is_empty());
}

#[tokio::test]
async fn an_answer_longer_than_announced_is_not_read_on() {
    let fake = fake("19.5.0-ee").await;
    fake.inject(Fault::more_than_announced(10_000, 50).on_graphql("duoWorkflowWorkflows"));
    let error = client(&fake).sessions(&SessionQuery::default()).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unreadable);
}
