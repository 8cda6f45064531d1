//! The program: settings in, a server over standard input and output until the input ends.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;

use gitlab_duo_core::gateway::writer::DuoWriter;
use gitlab_duo_graphql::gateway::GitLab;
use gitlab_duo_graphql::token::{Remembered, StaticToken, TokenCommand, TokenFile};
use gitlab_duo_mcp::server::stdio::serve_stdio;
use gitlab_duo_mcp::server::{Server, ServerSettings};
use gitlab_duo_mcp::settings::confirm::Confirm;
use gitlab_duo_mcp::settings::flags::{Asked, Flags};
use gitlab_duo_mcp::settings::read::{DEFAULT_LOG, Settings, TokenSetting};
use gitlab_duo_mcp::settings::wrong::WrongSetting;
use jiff::Timestamp;
use secrecy::ExposeSecret;
use tracing_subscriber::EnvFilter;

/// The exit code of a start that a setting prevents.
const WRONG_SETTING: u8 = 2;

fn main() -> ExitCode {
    match start() {
        Ok(code) => code,
        Err(wrong) => {
            complain(&wrong.to_string());
            ExitCode::from(WRONG_SETTING)
        }
    }
}

fn start() -> Result<ExitCode, WrongSetting> {
    let flags = match Flags::read(std::env::args_os())? {
        Asked::Serve(flags) => flags,
        Asked::Help(text) => return Ok(show(&text)),
    };
    let settings = Settings::read(&flags, token()?.as_deref())?;
    log_to_stderr(settings.log.as_deref())?;
    let server = server(settings)?;
    Ok(serve(server))
}

fn token() -> Result<Option<String>, WrongSetting> {
    match std::env::var("GITLAB_TOKEN") {
        Ok(token) => Ok(Some(token)),
        Err(std::env::VarError::NotPresent) => Ok(None),
        Err(std::env::VarError::NotUnicode(_)) => {
            Err(WrongSetting::new("GITLAB_TOKEN", "it holds characters that no token has: copy it again"))
        }
    }
}

fn server(settings: Settings) -> Result<Server, WrongSetting> {
    let timeout = settings.timeout;
    let gateway = settings.token.as_ref().map(|token| gateway(&settings, token)).transpose()?;
    let settings = ServerSettings {
        instance: settings.instance,
        scope: settings.scope,
        surface: settings.surface,
        confirm: Confirm::default(),
        clock: Arc::new(Timestamp::now),
    };
    let server = match gateway {
        Some(gateway) => Server::new(gateway, settings),
        None => Server::without_token(settings),
    };
    Ok(server.with_request_timeout(timeout))
}

/// The way to a real GitLab. Nothing is sent before the first call.
fn gateway(settings: &Settings, token: &TokenSetting) -> Result<Arc<dyn DuoWriter>, WrongSetting> {
    let builder = GitLab::builder(settings.instance.clone()).timeout(settings.timeout);
    let builder = match token {
        TokenSetting::Value(token) => builder.token(StaticToken::new(token.expose_secret())),
        TokenSetting::File(path) => builder.token(Remembered::new(TokenFile::new(path))),
        TokenSetting::Command(words) => match TokenCommand::new(words.iter().cloned()) {
            Some(command) => builder.token(Remembered::new(command)),
            None => builder,
        },
    };
    let gitlab = builder.build();
    gitlab
        .map(|gitlab| Arc::new(gitlab) as Arc<dyn DuoWriter>)
        .map_err(|error| WrongSetting::new("the connection to GitLab", error.to_string()))
}

/// Serves until standard input ends. The runtime is not waited for: a read of standard input that
/// never ends, or a request in flight, must not keep the process alive.
fn serve(server: Server) -> ExitCode {
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return failed(&error.to_string()),
    };
    let served = runtime.block_on(serve_stdio(server));
    runtime.shutdown_background();
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error.to_string()),
    }
}

fn failed(why: &str) -> ExitCode {
    complain(why);
    ExitCode::FAILURE
}

/// Standard output carries the protocol only, so everything else goes to standard error.
fn log_to_stderr(filter: Option<&str>) -> Result<(), WrongSetting> {
    let (setting, filter) = match (filter, std::env::var("RUST_LOG").ok().filter(|text| !text.is_empty())) {
        (Some(filter), _) => ("GITLAB_DUO_LOG / --log", filter.to_owned()),
        (None, Some(filter)) => ("RUST_LOG", filter),
        (None, None) => ("GITLAB_DUO_LOG / --log", DEFAULT_LOG.to_owned()),
    };
    let accepted =
        "accepted: a level (error, warn, info, debug, trace) or filters like `gitlab_duo_mcp=debug`";
    let filter = EnvFilter::try_new(filter).map_err(|_| WrongSetting::new(setting, accepted))?;
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .init();
    // A panic's own words may hold what it worked on: only its place is told.
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "a part of this program failed inside");
    }));
    Ok(())
}

/// Help goes where people look for it; a closed output is no reason to fail.
fn show(text: &str) -> ExitCode {
    match std::io::stdout().write_all(text.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn complain(line: &str) {
    let line = line.replace(['\n', '\r'], " ");
    // Without a standard error there is nobody to tell.
    let _unheard = writeln!(std::io::stderr(), "gitlab-duo-mcp: {line}");
}
