//! URLs of pipelines and merge requests.

use gitlab_duo_core::model::ids::MergeRequestIid;
use gitlab_duo_core::model::instance::{InstanceUrl, PlainHttp};
use gitlab_duo_core::model::target::{TargetPage, TargetUrl, merge_request_of_ref};
use proptest::prelude::*;
use proptest::sample::select;

use crate::addresses::base;
use crate::projects::path;
use crate::texts::{odd_text, pieces};

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn tabs_queries_and_fragments_say_nothing(
        base in base(), path in path(), kind in select(vec!["pipelines", "merge_requests"]),
        number in 1_u64..=i64::MAX as u64,
        end in select(vec!["", "/", "/diffs", "/builds?x=1", "?a=/-/pipelines/9", "#note_1", "/failures#a/b"]),
        project_end in select(vec!["", ".git"]), in_capitals in any::<bool>(), around in select(vec!["", " ", "\n"]),
    ) {
        let instance = base.parsed();
        let host = if in_capitals { base.host.to_ascii_uppercase() } else { base.host.clone() };
        let url = base.text().replacen(&base.host, &host, 1);
        let canonical = format!("{instance}/{path}/-/{kind}/{number}");
        for project in [path.clone(), path.replace('/', "%2F")] {
            let text = format!("{around}{url}/{project}{project_end}/-/{kind}/{number}{end}{around}");
            let target = TargetUrl::parse(&text, &instance);
            prop_assert_eq!(target.map(|target| target.canonical(&instance)), Ok(canonical.clone()), "{}", text);
        }
    }

    #[test]
    fn a_page_elsewhere_is_no_target(path in path(), kind in select(vec!["pipelines", "merge_requests"])) {
        let instance = InstanceUrl::parse("https://git.example.test/sub", PlainHttp::LoopbackOnly).unwrap();
        let page = format!("{path}/-/{kind}/7");
        let texts = [
            format!("https://git.example.test/{page}"),
            format!("https://git.example.test/sub/../{page}"),
            format!("https://git.example.test/subway/{page}"),
            format!("http://git.example.test/sub/{page}"),
            format!("https://git.example.test:8443/sub/{page}"),
            format!("https://git.example.test.evil.test/sub/{page}"),
            format!("https://git.example.test@evil.test/sub/{page}"),
            format!("https://evil.test\\@git.example.test/sub/{page}"),
            format!("https://evil.test/https://git.example.test/sub/{page}"),
            format!("https://evil.test?https://git.example.test/sub/{page}"),
            format!("https://evil.test#@git.example.test/sub/{page}"),
            format!("https://user:s3cr3t@git.example.test/sub/{page}"),
            format!("/sub/{page}"),
            page.clone(),
        ];
        for text in texts {
            let target = TargetUrl::parse(&text, &instance);
            prop_assert!(target.is_err(), "{} is {:?}", text, target);
        }
    }

    #[test]
    fn a_canonical_url_is_its_own_target(text in prop_oneof![odd_text(), pieces(&[
        "https://git.example.test/sub", "https://other.example.test/sub", "/", "/-/", "acme", "api", "%2F", "%252F", "..", ".",
        "pipelines/", "merge_requests/", "7", "317", "0", "new", "/diffs", "?", "#", ".git", "@", "\\", "99999999999999999999",
    ]), "https://git\\.example\\.test/sub(/[a-z.%2F-]{1,6}){1,3}/-/(pipelines|merge_requests)/[0-9]{1,20}(/[a-z]{0,3})?"]) {
        let instance = InstanceUrl::parse("https://git.example.test/sub", PlainHttp::LoopbackOnly).unwrap();
        let Ok(target) = TargetUrl::parse(&text, &instance) else { return Ok(()) };
        prop_assert!(text.trim().starts_with("https://git.example.test/sub/"), "{}", text);
        let canonical = target.canonical(&instance);
        prop_assert_eq!(TargetUrl::parse(&canonical, &instance), Ok(target), "{}", canonical);
    }

    #[test]
    fn the_merge_request_of_a_ref_is_the_one_written(number in 1_u64..=i64::MAX as u64, text in odd_text()) {
        let written = MergeRequestIid::new(number);
        prop_assert_eq!(merge_request_of_ref(&format!("refs/merge-requests/{number}/head")), written);
        prop_assert_eq!(merge_request_of_ref(&format!("refs/heads/refs/merge-requests/{number}/head")), None);
        prop_assert_eq!(merge_request_of_ref(&text), None);
        prop_assert_eq!(TargetPage::MergeRequest(written.unwrap()).kind().name(), "merge_request");
    }
}
