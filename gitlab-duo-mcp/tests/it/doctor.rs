//! The self-check, with the program itself against a GitLab over HTTP.

use fake_gitlab::{FakeGitLab, Fault, TokenSpec};
use serde_json::Value;

use crate::process::{Run, program, run};

async fn examined(settings: &[(&str, &str)], words: &[&str]) -> Run {
    let mut command = program(settings);
    command.arg("doctor").args(words);
    run(command, "", 0).await
}

/// What `--json` says: the state of a check, and whether it is a problem.
struct Report(Value);

impl Report {
    async fn of(settings: &[(&str, &str)], words: &[&str]) -> (Option<i32>, Self) {
        let run = examined(settings, &[&["--json"], words].concat()).await;
        let report = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{} {}", run.out, run.err));
        (run.code, Self(report))
    }

    fn check(&self, name: &str) -> &Value {
        let mut checks = self.0["checks"].as_array().unwrap().iter();
        checks.find(|check| check["name"] == name).unwrap_or_else(|| panic!("{name} in {}", self.0))
    }

    fn state(&self, name: &str) -> Option<bool> {
        self.check(name)["state"].as_bool()
    }

    fn problems(&self) -> Vec<&str> {
        let checks = self.0["checks"].as_array().unwrap().iter();
        let problems = checks.filter(|check| !check["next_step"].is_null());
        problems.map(|check| check["name"].as_str().unwrap()).collect()
    }
}

#[tokio::test]
async fn a_sound_setting_has_no_problem() {
    let fake = FakeGitLab::builder().with_example_sessions().start().await.unwrap();
    let settings = [("GITLAB_URL", fake.url()), ("GITLAB_TOKEN", fake.token())];
    let (code, report) = Report::of(&settings, &["--project", "example-group/backend"]).await;
    // The fake lives at a time of its own: its clock is not ours.
    let problems: Vec<_> = report.problems().into_iter().filter(|name| *name != "clock").collect();
    assert_eq!(problems, Vec::<&str>::new(), "{}", report.0);
    assert_eq!(code, Some(i32::from(!report.problems().is_empty())));
    for name in [
        "gitlab_answers",
        "version",
        "token_accepted",
        "token_scopes",
        "policy_writing",
        "project",
        "project_runner_available",
        "gate_read_sessions",
        "gate_answer_approval",
    ] {
        assert_eq!(report.state(name), Some(true), "{name}: {}", report.check(name));
    }
    assert_eq!((report.state("tls"), report.state("proxy")), (Some(false), Some(false)));
    assert_eq!(fake.writes().len(), 0);
}

#[tokio::test]
async fn problems_come_with_what_to_do_and_the_exit_code() {
    let fake = FakeGitLab::builder().with_example_sessions().start().await.unwrap();
    fake.add_token(TokenSpec::new("browsing-token", 88, &["read_api"]));
    let settings = [("GITLAB_URL", fake.url()), ("GITLAB_TOKEN", "browsing-token")];
    let (code, report) = Report::of(&settings, &["--project", "example-group/no-runner"]).await;
    assert_eq!(code, Some(1));
    for name in ["token_scopes", "project_runner_available"] {
        assert_eq!(report.state(name), Some(false), "{}", report.check(name));
        assert!(report.problems().contains(&name));
    }
    let human = examined(&settings, &[]).await;
    assert!(human.out.contains("no       token_scopes: read_api\n         next: "), "{}", human.out);
    assert!(!human.out.contains("browsing-token"), "{}", human.out);
}

#[tokio::test]
async fn an_older_gitlab_is_told_by_its_gates() {
    let fake = FakeGitLab::builder().version("18.7.2-ee").start().await.unwrap();
    let (_, report) = Report::of(&[("GITLAB_URL", fake.url()), ("GITLAB_TOKEN", fake.token())], &[]).await;
    assert_eq!(report.check("version")["detail"], "18.7.2-ee");
    assert_eq!((report.state("gate_start_consumer"), report.state("gate_stop")), (Some(true), Some(false)));
    assert!(!report.problems().contains(&"gate_stop"));
}

#[tokio::test]
async fn what_cannot_be_known_is_unknown() {
    let (code, none) = Report::of(&[], &[]).await;
    assert_eq!((code, none.problems()), (Some(1), vec!["token"]));
    assert_eq!((none.state("gitlab_answers"), none.state("clock"), none.state("tls")), (None, None, None));
    let nobody = [("GITLAB_URL", "http://127.0.0.1:9"), ("GITLAB_TOKEN", "glpat-example")];
    let (code, nobody) = Report::of(&nobody, &["--project", "4021"]).await;
    assert_eq!((code, nobody.problems()), (Some(1), vec!["gitlab_answers"]));
    assert_eq!(nobody.state("token_accepted"), None);
    let fake = FakeGitLab::start().await.unwrap();
    let (code, refused) =
        Report::of(&[("GITLAB_URL", fake.url()), ("GITLAB_TOKEN", "glpat-wrong")], &[]).await;
    assert_eq!((code, refused.state("token_accepted")), (Some(1), Some(false)));
    fake.inject(Fault::not_found().on_path("personal_access_tokens").always());
    let (_, oauth) = Report::of(&[("GITLAB_URL", fake.url()), ("GITLAB_TOKEN", fake.token())], &[]).await;
    assert_eq!((oauth.state("token_scopes"), oauth.state("token_kind")), (None, None));
    assert!(!oauth.problems().contains(&"token_scopes"));
}

#[tokio::test]
async fn a_project_that_the_settings_refuse_is_not_looked_into() {
    let fake = FakeGitLab::builder().with_example_sessions().start().await.unwrap();
    let settings = [
        ("GITLAB_URL", fake.url()),
        ("GITLAB_TOKEN", fake.token()),
        ("GITLAB_ALLOWED_PROJECT_IDS", "4030"),
        ("GITLAB_READ_ONLY_MODE", "true"),
    ];
    let (_, report) = Report::of(&settings, &["--project", "4021"]).await;
    assert_eq!((report.state("project_allowed"), report.state("policy_writing")), (Some(false), Some(false)));
    assert!(report.problems().contains(&"project_allowed"));
    assert!(!report.problems().contains(&"policy_writing"), "it is what was wanted");
    assert!(!fake.requests().iter().any(|request| request.path.contains("graphql")), "nothing more is read");
    let (_, only) = Report::of(&settings, &[]).await;
    assert_eq!(only.state("project_runner_available"), Some(false), "the only allowed one is looked at");
}

#[tokio::test]
async fn a_proxy_is_named_without_its_sign_in() {
    let fake = FakeGitLab::start().await.unwrap();
    let through = fake.url().replace("http://", "http://worker:ProxyPassQpLmZw@");
    let settings =
        [("GITLAB_URL", "http://git.localhost:9"), ("GITLAB_TOKEN", fake.token()), ("HTTP_PROXY", &through)];
    let (_, report) = Report::of(&settings, &[]).await;
    assert_eq!(report.state("proxy"), Some(true));
    assert_eq!(report.check("proxy")["detail"], format!("requests go through {}", fake.url()));
    assert_eq!(report.state("gitlab_answers"), Some(true));
    assert!(!report.0.to_string().contains("ProxyPass") && !report.0.to_string().contains("worker"));
}

#[tokio::test]
async fn wrong_settings_have_an_exit_code_of_their_own() {
    for words in [&["--project", "not a project!"][..], &["--timeout-seconds", "0"]] {
        let run = examined(&[("GITLAB_TOKEN", "glpat-example")], words).await;
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{words:?}");
    }
}
