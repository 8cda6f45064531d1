//! The settings file: what is taken from it, and what stops the start.

use std::ffi::OsString;
use std::path::Path;

use super::*;
use crate::settings::table::{ALLOWED_PROJECT_IDS, READ_ONLY_MODE, TIMEOUT_SECONDS, TOKEN_COMMAND, URL};

/// A directory of this test alone, gone with it.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("gitlab-duo-settings-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _gone = std::fs::remove_dir_all(&self.0);
    }
}

fn environment(rows: &[(&str, &Path)]) -> Environment {
    Environment::new(rows.iter().map(|(name, path)| (OsString::from(name), path.as_os_str().to_owned())))
}

/// What a file says, with a profile.
fn said(text: &str, profile: Option<&str>) -> Result<Vec<Layer>, String> {
    let directory = Directory::new(&format!("said-{:p}", text));
    let path = directory.file("settings.toml", text);
    layers(path.to_str(), profile, &Environment::default()).map_err(|wrong| wrong.to_string())
}

#[test]
fn values_are_taken_in_the_forms_of_toml() {
    let text = r#"
        url = "https://git.example.test"
        timeout_seconds = 12
        read_only_mode = true
        allowed_project_ids = [4021, "17"]
        token_command = ["pass", "show", "my token"]
    "#;
    let layers = said(text, None).unwrap();
    let [root] = layers.as_slice() else { panic!("one layer") };
    let rows = [
        (&URL, "https://git.example.test"),
        (&TIMEOUT_SECONDS, "12"),
        (&READ_ONLY_MODE, "true"),
        (&ALLOWED_PROJECT_IDS, "4021,17"),
        (&TOKEN_COMMAND, "pass show 'my token'"),
    ];
    for (setting, expected) in rows {
        assert_eq!(root.get(setting), Some(expected));
    }
}

#[test]
fn a_profile_comes_before_what_stands_outside() {
    let text = "url = 'a.test'\n[profile.work]\nurl = 'b.test'\n[profile.home]\n";
    let urls = |profile| {
        said(text, profile).map(|layers| {
            layers.iter().map(|layer| (layer.origin, layer.get(&URL).map(str::to_owned))).collect::<Vec<_>>()
        })
    };
    let root = (Origin::File, Some("a.test".to_owned()));
    assert_eq!(urls(None), Ok(vec![root.clone()]));
    assert_eq!(urls(Some("work")), Ok(vec![(Origin::Profile, Some("b.test".to_owned())), root]));
    let wrong = urls(Some("secret")).unwrap_err();
    assert_eq!(wrong, "GITLAB_DUO_PROFILE / --profile: accepted: home, work");
}

#[test]
fn what_is_wrong_is_named_and_no_value_repeated() {
    let rows = [
        ("tool = 'secret'", "`tool` in the settings file: no such setting; accepted: url, token, "),
        ("[profile.a]\ntool = 'secret'", "`tool` in a profile of the settings file: no such setting"),
        ("[profile.a]\nread_only_mode = 'x'\nprofile = 1", "`profile` in a profile of the settings file: "),
        ("config = 'secret'", "`config` in the settings file: no such setting"),
        ("profile = 'secret'", "`profile` in the settings file: accepted: tables"),
        ("profile.work = 'secret'", "`profile` in the settings file: accepted: tables"),
        ("url = 'a'\n\nread_only_mode = secret", "GITLAB_DUO_CONFIG / --config: line 3 of the settings file"),
        ("url = ['secret']", "`url` in the settings file: accepted: "),
        ("timeout_seconds = 1.5", "`timeout_seconds` in the settings file: accepted: "),
        ("read_only_mode = 1", "`read_only_mode` in the settings file: accepted: true, false"),
        ("allowed_project_ids = []", "`allowed_project_ids` in the settings file: accepted: "),
        ("allowed_project_ids = [[1]]", "`allowed_project_ids` in the settings file: accepted: "),
        ("glpat-secret = 1", "`(a name)` in the settings file: no such setting"),
        ("'a secret' = 1", "`(a name)` in the settings file: no such setting"),
    ];
    for (text, expected) in rows {
        let wrong = said(text, None).unwrap_err();
        assert!(wrong.starts_with(expected), "{wrong}");
        assert!(!wrong.contains("secret") && !wrong.contains('\n'), "{wrong}");
    }
}

#[test]
fn only_the_users_own_file_may_be_missing() {
    let directory = Directory::new("missing");
    let none = environment(&[("XDG_CONFIG_HOME", &directory.0)]);
    assert_eq!(layers(None, None, &none).unwrap().len(), 0);
    let named = directory.0.join("none.toml");
    let wrong = layers(named.to_str(), None, &none).unwrap_err().to_string();
    assert_eq!(wrong, "GITLAB_DUO_CONFIG / --config: there is no such file");
    let wrong = layers(None, Some("work"), &none).unwrap_err().to_string();
    assert!(wrong.starts_with("GITLAB_DUO_PROFILE / --profile: there is no settings file"), "{wrong}");
    let wrong = layers(directory.0.to_str(), None, &none).unwrap_err().to_string();
    assert!(wrong.starts_with("GITLAB_DUO_CONFIG / --config: the file cannot be read"), "{wrong}");
    let large = directory.file("large.toml", &"#".repeat(257 * 1_024));
    let wrong = layers(large.to_str(), None, &none).unwrap_err().to_string();
    assert!(wrong.ends_with("the file is larger than 256 KiB"), "{wrong}");
}

#[test]
fn the_users_own_file_is_found_and_a_named_one_replaces_it() {
    let directory = Directory::new("own");
    let own = directory.file("config/gitlab-duo/gitlab-duo.toml", "url = 'own.test'");
    let other = directory.file("other.toml", "url = 'other.test'");
    let configured = own.parent().unwrap().parent().unwrap();
    let home = directory.0.join("home");
    directory.file("home/.config/gitlab-duo/gitlab-duo.toml", "url = 'home.test'");
    let relative = Path::new("config");
    type Row<'a> = (&'a [(&'a str, &'a Path)], Option<&'a Path>, &'a str);
    let rows: [Row<'_>; 4] = [
        (&[("XDG_CONFIG_HOME", configured), ("HOME", &home)], None, "own.test"),
        (&[("HOME", &home)], None, "home.test"),
        (&[("XDG_CONFIG_HOME", relative), ("HOME", &home)], None, "home.test"),
        (&[("HOME", &home)], Some(&other), "other.test"),
    ];
    for (variables, named, expected) in rows {
        let named = named.and_then(Path::to_str);
        let layers = layers(named, None, &environment(variables)).unwrap();
        assert_eq!(layers.first().and_then(|layer| layer.get(&URL)), Some(expected));
    }
}

#[cfg(unix)]
#[test]
fn a_token_stands_only_in_a_file_that_nobody_else_can_read() {
    use std::os::unix::fs::PermissionsExt;
    let directory = Directory::new("private");
    let texts = ["token = 'glpat-secret'", "[profile.work]\ntoken = 'glpat-secret'"];
    for (text, name) in texts.into_iter().zip(["root.toml", "profile.toml"]) {
        let path = directory.file(name, text);
        let read = |mode| {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            layers(path.to_str(), None, &Environment::default()).map_err(|wrong| wrong.to_string())
        };
        for mode in [0o644, 0o640, 0o604, 0o620] {
            let wrong = read(mode).unwrap_err();
            assert!(wrong.starts_with("`token` ") && !wrong.contains("glpat"), "{mode:o}: {wrong}");
        }
        assert!(read(0o600).is_ok());
        assert!(read(0o400).is_ok());
    }
}
