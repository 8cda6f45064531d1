//! Settings from text, and what stops a start.

use secrecy::ExposeSecret;

use super::*;
use crate::settings::confirm::ConfirmMode;
use crate::settings::layers::Origin;
use crate::settings::table::{
    ALLOWED_ORIGINS, ALLOWED_PROJECT_IDS, CONFIRM, CONFIRM_SECONDS, HTTP, PRESET, READ_ONLY_MODE, SCOPE,
    SCOPE_SUBGROUPS, TOKEN, TOKEN_COMMAND, TOKEN_FILE, USE_DUO, USE_GLAB,
};

/// The settings of these rows, a layer each, the one that counts first.
fn layered<const N: usize>(layers: [&[(&Setting, &str)]; N]) -> Result<Settings, String> {
    let origins = [Origin::Flags, Origin::Environment, Origin::Profile, Origin::File];
    let layer = |(origin, rows): (Origin, &[(&Setting, &str)])| {
        rows.iter().fold(Layer::new(origin), |layer, (setting, text)| layer.with(setting, text))
    };
    let layers = origins.into_iter().zip(layers).map(layer).collect();
    Settings::of(&Layers(layers)).map_err(|wrong| wrong.to_string())
}

fn read(rows: &[(&Setting, &str)]) -> Result<Settings, String> {
    layered([rows])
}

#[test]
fn nothing_set_means_gitlab_com_with_the_compact_tools_and_no_limits() {
    let settings = read(&[]).unwrap();
    assert_eq!(settings.instance.as_str(), "https://gitlab.com");
    assert_eq!(settings.surface, Surface::Compact);
    assert_eq!(settings.scope, Scope::default());
    assert_eq!(settings.timeout, Duration::from_secs(30));
    assert_eq!((settings.confirm.mode, settings.confirm.patience.as_secs()), (ConfirmMode::Approvals, 300));
    assert_eq!(settings.log, LogSettings { filter: None, format: LogFormat::Human });
    assert_eq!((settings.http, settings.certificates), (None, Certificates::default()));
    assert!(settings.token.is_none());
}

#[test]
fn blank_text_is_not_set() {
    let rows = [(&URL, ""), (&TOOLS, " "), (&ALLOWED_PROJECT_IDS, ""), (&READ_ONLY_MODE, ""), (&SCOPE, "")];
    assert_eq!(read(&rows).unwrap().scope, Scope::default());
}

#[test]
fn an_earlier_place_counts_and_a_later_one_fills_in() {
    let file: &[_] = &[(&URL, "https://file.example.test"), (&TIMEOUT_SECONDS, "7"), (&CONFIRM, "always")];
    let profile: &[_] = &[(&URL, "https://profile.example.test"), (&CONFIRM_SECONDS, "60")];
    let environment: &[_] = &[(&URL, "https://environment.example.test"), (&TOOLS, "gitlab")];
    let rows = [
        (layered([&[], &[], &[], file]), "https://file.example.test"),
        (layered([&[], &[], profile, file]), "https://profile.example.test"),
        (layered([&[], environment, profile, file]), "https://environment.example.test"),
        (layered([&[(&URL, "flag.example.test")], environment, profile, file]), "https://flag.example.test"),
    ];
    for (settings, expected) in rows {
        let settings = settings.unwrap();
        assert_eq!((settings.instance.as_str(), settings.timeout.as_secs()), (expected, 7));
        assert_eq!(settings.confirm.mode, ConfirmMode::Always);
    }
}

#[test]
fn a_wrong_value_that_does_not_count_is_wrong_all_the_same() {
    let wrong = layered([&[(&TOOLS, "gitlab")], &[], &[], &[(&TOOLS, "secret")]]).unwrap_err();
    assert_eq!(wrong, "`tools` in the settings file: accepted: compact, gitlab");
    let wrong = layered([&[], &[], &[(&TIMEOUT_SECONDS, "secret")], &[]]).unwrap_err();
    assert!(wrong.starts_with("`timeout_seconds` of the profile in the settings file: "), "{wrong}");
}

#[test]
fn policy_narrows() {
    let access = |use_duo: &str, read_only: &str| {
        read(&[(&USE_DUO, use_duo), (&READ_ONLY_MODE, read_only)]).unwrap().scope.access
    };
    use gitlab_duo_core::rules::policy::Access;
    assert_eq!(access("true", "false"), Access::Full);
    assert_eq!(access("", "TRUE"), Access::ReadOnly);
    assert_eq!(access("false", "true"), Access::Off);
    assert_eq!(access("0", "0"), Access::Off);
    let presets = [("developer", Access::Full), ("readonly", Access::ReadOnly), ("pm", Access::Off)];
    for (preset, expected) in presets {
        assert_eq!(read(&[(&PRESET, preset)]).unwrap().scope.access, expected);
        let narrower = read(&[(&PRESET, preset), (&READ_ONLY_MODE, "true")]).unwrap().scope.access;
        assert_eq!(narrower, expected.min(Access::ReadOnly));
    }
}

#[test]
fn a_wrong_setting_is_named_with_what_is_accepted_and_never_repeated() {
    let secret = "glpat-not-to-be-seen";
    let rows = [
        (&URL, format!("https://user:{secret}@git.example.test")),
        (&URL, format!("http://git.example.test/{secret}")),
        (&TOKEN, format!("{secret} two")),
        (&TOKEN_COMMAND, format!("pass '{secret}")),
        (&SCOPE, format!("{secret}!")),
        (&ALLOWED_PROJECT_IDS, format!("4021,{secret}")),
        (&HTTP, secret.to_owned()),
        (&ALLOWED_ORIGINS, secret.to_owned()),
    ];
    let words = [
        &TOOLS,
        &ALLOW_HTTP,
        &TIMEOUT_SECONDS,
        &READ_ONLY_MODE,
        &USE_DUO,
        &SCOPE_SUBGROUPS,
        &PRESET,
        &CONFIRM,
        &CONFIRM_SECONDS,
        &USE_GLAB,
        &LOG_FORMAT,
    ];
    let words = words.map(|setting| (setting, secret.to_owned()));
    for (setting, value) in rows.into_iter().chain(words) {
        let refusal = read(&[(setting, &value)]).unwrap_err();
        assert!(refusal.starts_with(&setting.name()), "{refusal}");
        assert!(!refusal.contains(secret) && !refusal.contains('\n'), "{refusal}");
    }
}

#[test]
fn values_at_the_edge_are_refused() {
    for ids in ["4021,", ",", "0", "acme/api", "4021;4022", "-1", "gid://gitlab/Project/4021"] {
        assert!(read(&[(&ALLOWED_PROJECT_IDS, ids)]).is_err(), "{ids}");
    }
    for seconds in ["0", "301", "1.5", "-1", "30s"] {
        assert!(read(&[(&TIMEOUT_SECONDS, seconds)]).is_err(), "{seconds}");
    }
    assert_eq!(
        read(&[(&TOOLS, "all")]).unwrap_err(),
        "GITLAB_DUO_TOOLS / --tools: accepted: compact, gitlab"
    );
    assert_eq!(read(&[(&TOOLS, "gitlab")]).unwrap().surface, Surface::GitLab);
}

#[test]
fn a_token_is_trimmed_and_shown_nowhere() {
    let settings = read(&[(&TOKEN, " glpat-example\n")]).unwrap();
    let Some(TokenSetting::Value(token)) = &settings.token else { panic!("a token") };
    assert_eq!(token.expose_secret(), "glpat-example");
    assert!(!format!("{settings:?}").contains("glpat"));
    assert!(!format!("{:?}", Layer::new(Origin::File).with(&TOKEN, "glpat-example")).contains("glpat"));
}

#[test]
fn a_token_comes_from_one_place_of_the_first_layer_that_names_one() {
    let place = |settings: Result<Settings, String>| {
        settings.map(|settings| match settings.token {
            None => "none".to_owned(),
            Some(TokenSetting::Value(token)) => format!("value {}", token.expose_secret()),
            Some(TokenSetting::File(path)) => format!("file {}", path.display()),
            Some(TokenSetting::Command(words)) => format!("command {words:?}"),
            Some(TokenSetting::Glab(host)) => format!("glab {host}"),
        })
    };
    let ok = |text: &str| Ok(text.to_owned());
    assert_eq!(place(read(&[])), ok("none"));
    assert_eq!(place(read(&[(&TOKEN_FILE, "/run/token")])), ok("file /run/token"));
    let quoted = [(&TOKEN_COMMAND, "pass show 'my token'")];
    assert_eq!(place(read(&quoted)), ok(r#"command ["pass", "show", "my token"]"#));
    let glab = [(&USE_GLAB, "true"), (&URL, "https://git.example.test:8443/gitlab")];
    assert_eq!(place(read(&glab)), ok("glab git.example.test"));
    let file: &[_] = &[(&TOKEN_FILE, "/run/token")];
    assert_eq!(place(layered([&[], &[(&TOKEN, "a")], file])), ok("value a"));
    assert_eq!(place(layered([file, &[(&TOKEN, "a")]])), ok("file /run/token"));
    assert_eq!(
        place(layered([&[(&USE_GLAB, "false")], &[(&USE_GLAB, "true")], &[], file])),
        ok("file /run/token")
    );
    for rows in [
        [(&TOKEN, "glpat-a"), (&TOKEN_FILE, "/run/token")],
        [(&TOKEN_FILE, "/run/token"), (&TOKEN_COMMAND, "pass")],
        [(&TOKEN, "glpat-a"), (&USE_GLAB, "true")],
    ] {
        let wrong = read(&rows).unwrap_err();
        let names_both = rows.iter().all(|(setting, _)| wrong.contains(setting.variable));
        assert!(names_both && !wrong.contains("glpat") && !wrong.contains("/run"), "{wrong}");
    }
}

#[test]
fn a_client_certificate_comes_with_its_key() {
    let both = [(&CLIENT_CERT_FILE, "/c.pem"), (&CLIENT_KEY_FILE, "/k.pem"), (&CA_FILE, "/ca.pem")];
    let expected = Certificates {
        ca: Some(PathBuf::from("/ca.pem")),
        client: Some((PathBuf::from("/c.pem"), PathBuf::from("/k.pem"))),
    };
    assert_eq!(read(&both).unwrap().certificates, expected);
    let wrong = |row| read(&[row]).unwrap_err();
    assert!(wrong((&CLIENT_CERT_FILE, "/c.pem")).starts_with("GITLAB_CLIENT_KEY_FILE"));
    assert!(wrong((&CLIENT_KEY_FILE, "/k.pem")).starts_with("GITLAB_CLIENT_CERT_FILE"));
}
