//! The command line and the environment, still as text.

use clap::Parser;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::settings::wrong::WrongSetting;

/// Serves GitLab Duo Agent Platform sessions to an AI client over MCP (standard input and output).
///
/// The token is read from the environment variable GITLAB_TOKEN, or from a file or command. Without
/// one the server starts, lists its tools, and says in every call how to set one.
#[derive(Clone, Debug, Default, Parser)]
#[command(name = "gitlab-duo-mcp", version, max_term_width = 100)]
pub struct Flags {
    /// Address of the GitLab [default: that of gitlab.com]
    #[arg(long, value_name = "URL", env = "GITLAB_URL", hide_env_values = true)]
    pub url: Option<String>,

    /// File that holds the token; read again after GitLab refused it
    #[arg(long, value_name = "PATH", env = "GITLAB_TOKEN_FILE", hide_env_values = true)]
    pub token_file: Option<String>,

    /// Command that prints the token, run without a shell; run again after GitLab refused it
    #[arg(long, value_name = "COMMAND", env = "GITLAB_TOKEN_COMMAND", hide_env_values = true)]
    pub token_command: Option<String>,

    /// Set of tools: compact, or gitlab (the names of GitLab's own server) [default: compact]
    #[arg(long, value_name = "SURFACE", env = "GITLAB_DUO_TOOLS", hide_env_values = true)]
    pub tools: Option<String>,

    /// Log filter for standard error, as in `info` or `gitlab_duo_mcp=debug` [default: RUST_LOG, or warn]
    #[arg(long, value_name = "FILTER", env = "GITLAB_DUO_LOG", hide_env_values = true)]
    pub log: Option<String>,

    /// Send the token over plain http to hosts other than this one
    #[arg(long, value_name = "true|false", num_args = 0..=1, default_missing_value = "true", env = "GITLAB_ALLOW_HTTP", hide_env_values = true)]
    pub allow_http: Option<String>,

    /// Seconds that one request to GitLab may take, 1 to 300 [default: 30]
    #[arg(long, value_name = "SECONDS", env = "GITLAB_TIMEOUT_SECONDS", hide_env_values = true)]
    pub timeout_seconds: Option<String>,

    /// Only browse: nothing is started, answered or stopped
    #[arg(long, value_name = "true|false", num_args = 0..=1, default_missing_value = "true", env = "GITLAB_READ_ONLY_MODE", hide_env_values = true)]
    pub read_only_mode: Option<String>,

    /// Whether there are tools at all [default: true]
    #[arg(long, value_name = "true|false", num_args = 0..=1, default_missing_value = "true", env = "USE_DUO", hide_env_values = true)]
    pub use_duo: Option<String>,

    /// The only projects allowed: numeric ids with commas; a single one is also the default project
    #[arg(long, value_name = "IDS", env = "GITLAB_ALLOWED_PROJECT_IDS", hide_env_values = true)]
    pub allowed_project_ids: Option<String>,

    /// Full path of the project or group to stay within
    #[arg(long, value_name = "PATH", env = "GITLAB_DUO_SCOPE", hide_env_values = true)]
    pub scope: Option<String>,

    /// Whether projects of subgroups belong to the scope [default: true]
    #[arg(long, value_name = "true|false", num_args = 0..=1, default_missing_value = "true", env = "GITLAB_DUO_SCOPE_SUBGROUPS", hide_env_values = true)]
    pub scope_subgroups: Option<String>,

    /// A named set of permissions: all of it, browsing only, or off [default: all of it]
    #[arg(long, value_name = "NAME", env = "GITLAB_DUO_PRESET", hide_env_values = true)]
    pub preset: Option<String>,
}

/// What a command line asks for.
#[derive(Debug)]
pub enum Asked {
    /// To serve.
    Serve(Box<Flags>),
    /// To be told how; the text is for standard output.
    Help(String),
}

impl Flags {
    /// Reads a command line, program name first, and the environment behind it.
    ///
    /// # Errors
    /// [`WrongSetting`] for a flag that does not exist or lacks its value.
    pub fn read(arguments: impl IntoIterator<Item = std::ffi::OsString>) -> Result<Asked, WrongSetting> {
        match Self::try_parse_from(arguments) {
            Ok(flags) => Ok(Asked::Serve(Box::new(flags))),
            Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
                Ok(Asked::Help(error.render().to_string()))
            }
            Err(error) => Err(wrong_flag(&error)),
        }
    }
}

/// clap would print several lines and the word itself, which may be a token.
fn wrong_flag(error: &clap::Error) -> WrongSetting {
    let named = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(text)) => text.split(['=', ' ']).next().filter(|name| is_flag(name)),
        _ => None,
    };
    match (named, error.kind()) {
        (Some("--token"), _) => WrongSetting::new(
            "--token",
            "no such flag: the token is set in the environment variable GITLAB_TOKEN, or by --token-file or --token-command",
        ),
        (Some(name), ErrorKind::UnknownArgument) => {
            WrongSetting::new(name, "no such flag: `--help` lists them")
        }
        (Some(name), ErrorKind::ArgumentConflict) => WrongSetting::new(name, "give it once"),
        (Some(name), ErrorKind::InvalidUtf8) => WrongSetting::new(name, "the value is not UTF-8 text"),
        (Some(name), _) => WrongSetting::new(name, "its value is missing or cannot be read"),
        (None, _) => WrongSetting::new("the command line", "only flags are accepted: `--help` lists them"),
    }
}

fn is_flag(name: &str) -> bool {
    let words = name.strip_prefix("--");
    words.is_some_and(|words| words.len() <= 40 && words.chars().all(|c| c.is_ascii_lowercase() || c == '-'))
}
