//! The one table of settings: flags, the environment, the settings file and the documentation are
//! all made from it.

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Text, with the word that stands for it in a help text.
    Text(&'static str),
    /// `true` or `false`; as a flag alone it means `true`.
    Switch,
    /// A whole number, with the word that stands for it.
    Number(&'static str),
    /// Several entries, with commas between them; in the file an array as well.
    List(&'static str),
    /// The words of a command: a line as in a shell; in the file an array as well.
    Words(&'static str),
}

/// Where a setting can be given beside its environment variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Places {
    /// As a flag and in the settings file.
    FlagAndFile,
    /// As a flag: it decides what is read from the file.
    Flag,
    /// In the settings file: a flag would be seen by everyone who lists processes.
    File,
}

/// What a further place of the same setting does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The place that comes first counts.
    First,
    /// What the settings file refuses stays refused.
    Narrows,
}

/// One setting.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Its environment variable.
    pub variable: &'static str,
    /// How its value is written.
    pub form: Form,
    /// Where else it can be given.
    pub places: Places,
    /// What several places of it mean together.
    pub rule: Rule,
    /// The values that are accepted, as a refusal names them.
    pub accepted: &'static str,
    /// What counts when nothing is set; empty when that is nothing.
    pub default: &'static str,
    /// What it does, in one sentence.
    pub help: &'static str,
}

impl Setting {
    /// Its flag, as in `--allowed-project-ids`; none for what has no flag.
    #[must_use]
    pub fn flag(&self) -> Option<String> {
        (self.places != Places::File).then(|| format!("--{}", self.flag_name()))
    }

    /// Its key in the settings file, as in `allowed_project_ids`; none for what is not read there.
    #[must_use]
    pub fn key(&self) -> Option<String> {
        (self.places != Places::Flag).then(|| self.words().to_ascii_lowercase())
    }

    /// The flag without its dashes.
    pub(crate) fn flag_name(&self) -> String {
        self.words().to_ascii_lowercase().replace('_', "-")
    }

    /// What a refusal calls it when a flag or a variable is wrong.
    #[must_use]
    pub fn name(&self) -> String {
        match self.flag() {
            Some(flag) => format!("{} / {flag}", self.variable),
            None => self.variable.to_owned(),
        }
    }

    fn words(&self) -> &'static str {
        let prefixes = ["GITLAB_DUO_", "GITLAB_"];
        prefixes.iter().find_map(|prefix| self.variable.strip_prefix(prefix)).unwrap_or(self.variable)
    }
}

/// A constant for each setting, and the table of all of them.
macro_rules! settings {
    ($($name:ident: $variable:literal, $form:expr, $places:ident, $rule:ident, $accepted:literal, $default:literal, $help:literal;)*) => {
        $(
            #[doc = $help]
            pub const $name: Setting = Setting {
                variable: $variable,
                form: $form,
                places: Places::$places,
                rule: Rule::$rule,
                accepted: $accepted,
                default: $default,
                help: $help,
            };
        )*
        /// Every setting, in the order of the documentation.
        pub const TABLE: &[Setting] = &[$($name),*];
    };
}

settings! {
    URL: "GITLAB_URL", Form::Text("URL"), FlagAndFile, First,
        "the address of a GitLab, without credentials; plain http for this host only",
        "https://gitlab.com",
        "Address of the GitLab";
    TOKEN: "GITLAB_TOKEN", Form::Text("TOKEN"), File, First,
        "a token without blanks; in the file only when nobody else can read that file",
        "",
        "The token; never a flag, which everyone on the machine could read";
    TOKEN_FILE: "GITLAB_TOKEN_FILE", Form::Text("PATH"), FlagAndFile, First,
        "a path",
        "",
        "File that holds the token; read again after GitLab refused it";
    TOKEN_COMMAND: "GITLAB_TOKEN_COMMAND", Form::Words("COMMAND"), FlagAndFile, First,
        "a program and its arguments, with quotes closed",
        "",
        "Command that prints the token, run without a shell; run again after GitLab refused it";
    USE_GLAB: "GITLAB_USE_GLAB", Form::Switch, FlagAndFile, First,
        "true, false",
        "false",
        "Take the token from the login that `glab` has stored for the host";
    CA_FILE: "GITLAB_CA_FILE", Form::Text("PATH"), FlagAndFile, First,
        "a file with certificates in PEM form",
        "",
        "Certificates of CAs to trust beside those of the system";
    CLIENT_CERT_FILE: "GITLAB_CLIENT_CERT_FILE", Form::Text("PATH"), FlagAndFile, First,
        "a file with a certificate in PEM form, together with its key",
        "",
        "Certificate to show to the GitLab";
    CLIENT_KEY_FILE: "GITLAB_CLIENT_KEY_FILE", Form::Text("PATH"), FlagAndFile, First,
        "a file with a private key in PEM form, together with its certificate",
        "",
        "Private key of that certificate";
    TIMEOUT_SECONDS: "GITLAB_TIMEOUT_SECONDS", Form::Number("SECONDS"), FlagAndFile, First,
        "whole seconds from 1 to 300",
        "30",
        "Seconds that one request to GitLab may take";
    ALLOW_HTTP: "GITLAB_ALLOW_HTTP", Form::Switch, FlagAndFile, First,
        "true, false",
        "false",
        "Send the token over plain http to hosts other than this one";
    TOOLS: "GITLAB_DUO_TOOLS", Form::Text("SURFACE"), FlagAndFile, First,
        "compact, gitlab",
        "compact",
        "Set of tools: compact, or gitlab (the names of GitLab's own server)";
    CONFIRM: "GITLAB_DUO_CONFIRM", Form::Text("WHEN"), FlagAndFile, First,
        "approvals, always, never",
        "approvals",
        "When a person is asked first: before approvals and stops where the client can ask, before every write or not at all without it, or never";
    CONFIRM_SECONDS: "GITLAB_DUO_CONFIRM_SECONDS", Form::Number("SECONDS"), FlagAndFile, First,
        "whole seconds from 1 to 3600",
        "300",
        "Seconds that a person may take to answer; after them nothing is sent";
    USE_DUO: "USE_DUO", Form::Switch, FlagAndFile, Narrows,
        "true, false",
        "true",
        "Whether there are tools at all";
    READ_ONLY_MODE: "GITLAB_READ_ONLY_MODE", Form::Switch, FlagAndFile, Narrows,
        "true, false",
        "false",
        "Only browse: nothing is started, answered or stopped";
    ALLOWED_PROJECT_IDS: "GITLAB_ALLOWED_PROJECT_IDS", Form::List("IDS"), FlagAndFile, Narrows,
        "numeric project ids with commas between them, as in `4021,4022`",
        "",
        "The only projects allowed; a single one is also the default project";
    SCOPE: "GITLAB_DUO_SCOPE", Form::Text("PATH"), FlagAndFile, Narrows,
        "the full path of a project or group, as in `acme/platform`",
        "",
        "Full path of the project or group to stay within";
    SCOPE_SUBGROUPS: "GITLAB_DUO_SCOPE_SUBGROUPS", Form::Switch, FlagAndFile, Narrows,
        "true, false",
        "true",
        "Whether projects of subgroups belong to the scope";
    PRESET: "GITLAB_DUO_PRESET", Form::Text("NAME"), FlagAndFile, Narrows,
        "developer, senior-dev, team-lead, devops, gitlab-com, admin, full-access, readonly, junior-dev, pm, code-reviewer, ci, security",
        "",
        "A named set of permissions: all of it, browsing only, or off";
    HTTP: "GITLAB_DUO_HTTP", Form::Text("ADDRESS"), FlagAndFile, First,
        "an IP address with a port, or a port alone for this host only, as in `127.0.0.1:8080`",
        "",
        "Serve Streamable HTTP at this address instead of standard input and output";
    ALLOWED_ORIGINS: "GITLAB_DUO_ALLOWED_ORIGINS", Form::List("ORIGINS"), FlagAndFile, First,
        "origins with commas between them, as in `https://app.example.com`",
        "",
        "Web origins that may call over HTTP, beside those of this host";
    ALLOWED_HOSTS: "GITLAB_DUO_ALLOWED_HOSTS", Form::List("HOSTS"), FlagAndFile, First,
        "host names with commas between them, with or without a port",
        "",
        "Names under which the HTTP server may be called, beside those of this host";
    HTTP_SHARE_TOKEN: "GITLAB_DUO_HTTP_SHARE_TOKEN", Form::Switch, FlagAndFile, First,
        "true, false; true only with an address of this host",
        "false",
        "Let callers over HTTP without a token of their own use the server's";
    CONFIG: "GITLAB_DUO_CONFIG", Form::Text("PATH"), Flag, First,
        "the path of a readable TOML file",
        "gitlab-duo/gitlab-duo.toml in the user's configuration directory",
        "The settings file";
    PROFILE: "GITLAB_DUO_PROFILE", Form::Text("NAME"), Flag, First,
        "the name of a `[profile.NAME]` of the settings file",
        "",
        "Profile of the settings file, for one of several GitLabs";
    LOG: "GITLAB_DUO_LOG", Form::Text("FILTER"), FlagAndFile, First,
        "a level (error, warn, info, debug, trace) or filters like `gitlab_duo_mcp=debug`",
        "RUST_LOG, or warn",
        "Log filter for standard error";
    LOG_FORMAT: "GITLAB_DUO_LOG_FORMAT", Form::Text("FORMAT"), FlagAndFile, First,
        "human, json",
        "human",
        "Form of the log: lines for people, or a JSON object per line";
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use gitlab_duo_core::rules::policy::{POLICIES, PRESETS};

    use super::*;
    use crate::spec::surface::Surface;

    #[test]
    fn flags_and_keys_are_the_words_of_the_variable() {
        let rows = [
            (URL, Some("--url"), Some("url")),
            (TOKEN, None, Some("token")),
            (ALLOWED_PROJECT_IDS, Some("--allowed-project-ids"), Some("allowed_project_ids")),
            (USE_DUO, Some("--use-duo"), Some("use_duo")),
            (HTTP_SHARE_TOKEN, Some("--http-share-token"), Some("http_share_token")),
            (CONFIG, Some("--config"), None),
        ];
        for (setting, flag, key) in rows {
            assert_eq!((setting.flag().as_deref(), setting.key().as_deref()), (flag, key));
        }
    }

    #[test]
    fn every_setting_stands_there_once_under_each_of_its_names() {
        let names = |name: fn(&Setting) -> Option<String>| TABLE.iter().filter_map(name).collect::<Vec<_>>();
        for names in [names(|s| Some(s.variable.to_owned())), names(Setting::flag), names(Setting::key)] {
            assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{names:?}");
        }
    }

    #[test]
    fn what_is_accepted_is_what_the_code_knows() {
        assert_eq!(PRESET.accepted, PRESETS.map(|preset| preset.name).join(", "));
        assert_eq!(TOOLS.accepted, Surface::NAMES.join(", "));
        let narrowing: Vec<_> =
            TABLE.iter().filter(|s| s.rule == Rule::Narrows).map(|s| s.variable).collect();
        assert_eq!(narrowing, POLICIES.map(|policy| policy.setting));
    }
}
