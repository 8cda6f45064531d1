//! Names of projects: many spellings, one project.

use gitlab_duo_core::model::instance::{InstanceUrl, PlainHttp};
use gitlab_duo_core::model::project::{ProjectPath, ProjectRef};
use proptest::prelude::*;

use crate::addresses::base;
use crate::texts::{odd_text, pieces};

/// A path as GitLab allows it.
pub(crate) fn path() -> impl Strategy<Value = String> {
    let segment = "[a-zA-Z0-9_]([a-zA-Z0-9_.-]{0,8}[a-zA-Z0-9_])?"
        .prop_filter("GitLab does not give these", |name: &String| {
            !name.ends_with(".git") && !name.ends_with(".atom")
        });
    proptest::collection::vec(segment, 2..5).prop_map(|segments| segments.join("/"))
}

fn instance() -> InstanceUrl {
    InstanceUrl::parse("https://git.example.test/sub", PlainHttp::LoopbackOnly).unwrap()
}

/// Texts that come close to naming a project.
fn nearly() -> impl Strategy<Value = String> {
    prop_oneof![
        odd_text(),
        pieces(&[
            "acme",
            "api",
            "/",
            "/",
            "%2F",
            "%2f",
            "%252F",
            ".",
            "..",
            ".git",
            "-",
            "/-/",
            "git@git.example.test:",
            "https://git.example.test/sub/",
            "https://git.example.test/",
            "ssh://git@git.example.test/",
            "?",
            "#",
            " ",
            "4711",
            "api/v4/projects/",
            "ä",
            "@",
            ":",
            "\\",
            "gid://gitlab/Project/",
        ]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn every_spelling_of_a_path_is_one_project(path in path(), base in base()) {
        let instance = base.parsed();
        let (url, host) = (base.text(), &base.host);
        let encoded = path.replace('/', "%2F");
        let spellings = [
            path.clone(),
            encoded.clone(),
            path.replace('/', "%2f"),
            path.replacen('/', "%2F", 1),
            format!(" {path}\n"),
            format!("/{path}/"),
            format!("{path}.git"),
            format!("{url}/{path}"),
            format!("{url}/{path}/"),
            format!("{url}/{encoded}"),
            format!("{url}/{path}.git"),
            format!("{url}/{path}/-/merge_requests/7"),
            format!("{url}/{path}/-/tree/main?ref=x#L1"),
            format!("{url}/{path}?tab=a/b#c"),
            format!("{url}/api/v4/projects/{encoded}"),
            format!("{url}/api/v4/projects/{encoded}/pipelines/1"),
            format!("{}/{path}", url.replacen(host.as_str(), &host.to_ascii_uppercase(), 1)),
            format!("git@{host}:{path}.git"),
            format!("git@{}:{path}", host.to_ascii_uppercase()),
            format!("ssh://git@{host}/{path}.git"),
            format!("ssh://git@{}:2222/{path}", host.to_ascii_uppercase()),
        ];
        let expected = ProjectRef::Path(ProjectPath::parse(&path).unwrap());
        for text in spellings {
            prop_assert_eq!(ProjectRef::parse(&text, &instance), Ok(expected.clone()), "{:?}", text);
        }
    }

    #[test]
    fn digits_are_an_id(number in 1_u64..=i64::MAX as u64, base in base()) {
        let instance = base.parsed();
        let by_api = format!("{}/api/v4/projects/{number}", base.text());
        for text in [number.to_string(), format!(" {number} "), format!("gid://gitlab/Project/{number}"), by_api] {
            let project = ProjectRef::parse(&text, &instance);
            prop_assert!(matches!(project, Ok(ProjectRef::Id(id)) if id.number() == number), "{}", text);
        }
    }

    #[test]
    fn what_names_a_project_names_the_same_one_again(text in nearly()) {
        let instance = instance();
        let Ok(project) = ProjectRef::parse(&text, &instance) else { return Ok(()) };
        prop_assert_eq!(ProjectRef::parse(&project.to_string(), &instance), Ok(project.clone()));
        if let ProjectRef::Path(path) = &project {
            let segments: Vec<_> = path.as_str().split('/').collect();
            prop_assert!(segments.len() > 1, "{}", path);
            prop_assert!(segments.iter().all(|segment| !matches!(*segment, "" | "." | ".." | "-")), "{}", path);
            prop_assert!(!path.as_str().contains(['%', '?', '#', '\\', ' ']), "{}", path);
            if path.as_str().is_ascii() && !path.as_str().starts_with("api/v4/projects/") {
                let page = format!("{instance}/{path}");
                prop_assert_eq!(ProjectRef::parse(&page, &instance), Ok(project.clone()), "{}", page);
            }
        }
    }

    #[test]
    fn another_host_is_no_project_here(path in path()) {
        let instance = instance();
        let texts = [
            format!("https://git.example.test/{path}"),
            format!("https://git.example.test/subway/{path}"),
            format!("https://other.example.test/sub/{path}"),
            format!("https://git.example.test.evil.test/sub/{path}"),
            format!("https://git.example.test@evil.test/sub/{path}"),
            format!("https://git.example.test:444/sub/{path}"),
            format!("http://git.example.test/sub/{path}"),
            format!("git@evil.test:{path}"),
            format!("ssh://git@evil.test/{path}"),
        ];
        for text in texts {
            prop_assert!(ProjectRef::parse(&text, &instance).is_err(), "{}", text);
        }
    }

    #[test]
    fn a_refusal_repeats_no_credential(path in path(), user in "[a-z0-9]{0,6}:?") {
        let instance = instance();
        let texts = [
            format!("https://{user}s3cr3t@git.example.test/sub/{path}"),
            format!("https://{user}s3cr3t@other.example.test/{path}.git"),
            format!("ssh://{user}s3cr3t@other.example.test/{path}.git"),
            format!("HTTPS://{user}s3cr3t@git.example.test/sub/{path}?x=@"),
            format!("https://other.example.test/{path}?private_token=s3cr3t"),
            format!("https://other.example.test/{path}#access_token=s3cr3t"),
            format!("{user}s3cr3t@git.example.test:{path}"),
            format!("https:/{user}s3cr3t@git.example.test/{path}"),
        ];
        for text in texts {
            if let Err(error) = ProjectRef::parse(&text, &instance) {
                prop_assert!(!format!("{error} {error:?}").contains("s3cr3t"), "{} gives {}", text, error);
            }
        }
    }

    #[test]
    fn a_path_is_bounded(chars in 990_usize..1_010, width in proptest::sample::select(vec!["a", "ä", "中"])) {
        prop_assert_eq!(ProjectPath::parse(&width.repeat(chars)).is_ok(), chars <= 1_000);
    }
}
