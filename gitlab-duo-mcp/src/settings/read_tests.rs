//! Settings from text, and what stops a start.

use super::*;
use secrecy::ExposeSecret;

fn read(change: impl FnOnce(&mut Flags)) -> Result<Settings, String> {
    let mut flags = Flags::default();
    change(&mut flags);
    Settings::read(&flags, None).map_err(|wrong| wrong.to_string())
}

fn value(settings: &Settings) -> Option<&str> {
    match &settings.token {
        Some(TokenSetting::Value(token)) => Some(token.expose_secret()),
        _ => None,
    }
}

fn text(value: &str) -> Option<String> {
    Some(value.to_owned())
}

#[test]
fn nothing_set_means_gitlab_com_with_the_compact_tools_and_no_limits() {
    let settings = read(|_| {}).unwrap();
    assert_eq!(settings.instance.as_str(), "https://gitlab.com");
    assert_eq!(settings.surface, Surface::Compact);
    assert_eq!(settings.scope, Scope::default());
    assert_eq!(settings.timeout, Duration::from_secs(30));
    assert!(settings.token.is_none());
}

#[test]
fn blank_text_is_not_set() {
    let settings = read(|flags| {
        flags.url = text("");
        flags.tools = text(" ");
        flags.allowed_project_ids = text("");
        flags.read_only_mode = text("");
        flags.scope = text("");
    });
    assert_eq!(settings.unwrap().scope, Scope::default());
}

#[test]
fn policy_narrows() {
    let access = |use_duo: &str, read_only: &str| {
        let settings = read(|flags| {
            flags.use_duo = text(use_duo);
            flags.read_only_mode = text(read_only);
        });
        settings.unwrap().scope.access
    };
    assert_eq!(access("true", "false"), Access::Full);
    assert_eq!(access("", "TRUE"), Access::ReadOnly);
    assert_eq!(access("false", "true"), Access::Off);
    assert_eq!(access("0", "0"), Access::Off);
    let settings = read(|flags| {
        flags.allowed_project_ids = text("4021, 17");
        flags.scope = text("acme/platform");
        flags.scope_subgroups = text("false");
    });
    let scope = settings.unwrap().scope;
    assert_eq!(scope.allowed_projects.map(|ids| ids.len()), Some(2));
    assert_eq!(scope.working.first().map(|working| working.subgroups), Some(Subgroups::LeftOut));
}

#[test]
fn a_wrong_setting_is_named_with_what_is_accepted_and_never_repeated() {
    let secret = "glpat-not-to-be-seen";
    type Change = fn(&mut Flags, String);
    let rows: [(Change, &str); 10] = [
        (|flags, value| flags.url = Some(format!("https://user:{value}@git.example.test")), "GITLAB_URL"),
        (|flags, value| flags.url = Some(format!("http://git.example.test/{value}")), "GITLAB_URL"),
        (|flags, value| flags.tools = Some(value), "GITLAB_DUO_TOOLS"),
        (|flags, value| flags.allow_http = Some(value), "GITLAB_ALLOW_HTTP"),
        (|flags, value| flags.timeout_seconds = Some(value), "GITLAB_TIMEOUT_SECONDS"),
        (|flags, value| flags.read_only_mode = Some(value), "GITLAB_READ_ONLY_MODE"),
        (|flags, value| flags.use_duo = Some(value), "USE_DUO"),
        (
            |flags, value| flags.allowed_project_ids = Some(format!("4021,{value}")),
            "GITLAB_ALLOWED_PROJECT_IDS",
        ),
        (|flags, value| flags.scope = Some(format!("{value}!")), "GITLAB_DUO_SCOPE"),
        (|flags, value| flags.scope_subgroups = Some(value), "GITLAB_DUO_SCOPE_SUBGROUPS"),
    ];
    for (change, setting) in rows {
        let refusal = read(|flags| change(flags, secret.to_owned())).unwrap_err();
        assert!(refusal.starts_with(setting), "{refusal}");
        assert!(!refusal.contains(secret) && !refusal.contains('\n'), "{refusal}");
    }
}

#[test]
fn values_at_the_edge_are_refused() {
    for ids in ["4021,", ",", "0", "acme/api", "4021;4022", "-1", "gid://gitlab/Project/4021"] {
        assert!(read(|flags| flags.allowed_project_ids = text(ids)).is_err(), "{ids}");
    }
    for seconds in ["0", "301", "1.5", "-1", "30s"] {
        assert!(read(|flags| flags.timeout_seconds = text(seconds)).is_err(), "{seconds}");
    }
    let refusal = read(|flags| flags.tools = text("all")).unwrap_err();
    assert_eq!(refusal, "GITLAB_DUO_TOOLS / --tools: accepted: compact, gitlab");
    assert_eq!(read(|flags| flags.tools = text("gitlab")).unwrap().surface, Surface::GitLab);
}

#[test]
fn a_token_is_trimmed_and_shown_nowhere() {
    let settings = Settings::read(&Flags::default(), Some(" glpat-example\n")).unwrap();
    assert_eq!(value(&settings), Some("glpat-example"));
    assert!(!format!("{settings:?}").contains("glpat"));
    let refusal = Settings::read(&Flags::default(), Some("glpat-example two")).unwrap_err().to_string();
    assert!(!refusal.contains("glpat"), "{refusal}");
}

#[test]
fn a_preset_is_one_layer_and_the_narrowest_layer_counts() {
    let access = |preset: &str, read_only: Option<&str>, use_duo: Option<&str>| {
        let flags = Flags {
            preset: Some(preset.to_owned()),
            read_only_mode: read_only.map(str::to_owned),
            use_duo: use_duo.map(str::to_owned),
            ..Flags::default()
        };
        Settings::read(&flags, None).map(|settings| settings.scope.access).map_err(|wrong| wrong.to_string())
    };
    assert_eq!(access("developer", None, None), Ok(Access::Full));
    assert_eq!(access("readonly", None, None), Ok(Access::ReadOnly));
    assert_eq!(access("developer", Some("true"), None), Ok(Access::ReadOnly));
    assert_eq!(access("pm", Some("false"), Some("true")), Ok(Access::Off));
    assert_eq!(access("admin", Some("true"), Some("false")), Ok(Access::Off));
    let wrong = access("root", None, None).unwrap_err();
    assert!(wrong.contains("GITLAB_DUO_PRESET") && wrong.contains("full-access"), "{wrong}");
}

#[test]
fn a_token_comes_from_one_place_only() {
    let from = |token: Option<&str>, file: &str, command: &str| {
        let flags = Flags { token_file: text(file), token_command: text(command), ..Flags::default() };
        Settings::read(&flags, token).map(|settings| settings.token).map_err(|wrong| wrong.to_string())
    };
    assert!(matches!(from(None, "", ""), Ok(None)));
    assert!(matches!(from(Some("glpat-a"), "", ""), Ok(Some(TokenSetting::Value(_)))));
    assert!(
        matches!(from(None, "/run/token", ""), Ok(Some(TokenSetting::File(path))) if path.as_os_str() == "/run/token")
    );
    let Ok(Some(TokenSetting::Command(words))) = from(None, "", "pass show 'my token'") else {
        panic!("a command")
    };
    assert_eq!(words, ["pass", "show", "my token"]);
    for wrong in [
        from(Some("glpat-a"), "/run/token", ""),
        from(None, "/run/token", "pass"),
        from(None, "", "pass 'open"),
    ] {
        let wrong = wrong.unwrap_err();
        assert!(
            wrong.contains("GITLAB_TOKEN_COMMAND") && !wrong.contains("glpat") && !wrong.contains("pass"),
            "{wrong}"
        );
    }
}
