//! The program: settings in, a server over standard streams until the input ends, or over HTTP until it is told to end.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use gitlab_duo_core::gateway::reader::DuoReader;
use gitlab_duo_core::gateway::writer::DuoWriter;
use gitlab_duo_core::model::project::ProjectRef;
use gitlab_duo_graphql::builder::{BuildError, Builder};
use gitlab_duo_graphql::facts::TokenFacts;
use gitlab_duo_graphql::gateway::GitLab;
use gitlab_duo_graphql::token::{Remembered, StaticToken, TokenCommand, TokenFile};
use gitlab_duo_mcp::caller::Caller;
use gitlab_duo_mcp::commands::doctor::{self, Outside};
use gitlab_duo_mcp::commands::printed::Printed;
use gitlab_duo_mcp::commands::setup::{self, Entry, SetupError};
use gitlab_duo_mcp::commands::{shell, tools};
use gitlab_duo_mcp::http::{HttpOptions, Upstream, UpstreamParts, serve_http};
use gitlab_duo_mcp::log;
use gitlab_duo_mcp::server::stdio::serve_stdio;
use gitlab_duo_mcp::server::{Server, ServerSettings};
use gitlab_duo_mcp::settings::command_line::{self, Asked};
use gitlab_duo_mcp::settings::environment::Environment;
use gitlab_duo_mcp::settings::http::HttpSettings;
use gitlab_duo_mcp::settings::layers::Layers;
use gitlab_duo_mcp::settings::read::{Settings, layers};
use gitlab_duo_mcp::settings::table::{CA_FILE, CLIENT_CERT_FILE, CLIENT_KEY_FILE, Setting, URL};
use gitlab_duo_mcp::settings::task::{Client, Task};
use gitlab_duo_mcp::settings::token::TokenSetting;
use gitlab_duo_mcp::settings::wrong::WrongSetting;
use jiff::Timestamp;
use secrecy::ExposeSecret;
use tokio::net::TcpListener;
#[cfg(unix)]
use tokio::signal::unix::{SignalKind, signal};

/// Prints the token that `glab` has stored for a host, which follows.
const GLAB: [&str; 5] = ["glab", "config", "get", "token", "--host"];
/// Variables that `glab` would answer with instead of its stored login.
const GLAB_TOKENS: [&str; 3] = ["GITLAB_TOKEN", "GITLAB_ACCESS_TOKEN", "OAUTH_TOKEN"];
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
    let (task, flags) = match command_line::read(std::env::args_os())? {
        Asked::Run(run) => *run,
        Asked::Help(text) => return Ok(show(&text)),
    };
    let environment = Environment::new(std::env::vars_os());
    match task {
        Task::Completions(shell) => return Ok(print(&shell::completions(shell))),
        Task::Man => {
            return Ok(shell::manual().map_or_else(|error| failed(&error.to_string()), |page| print(&page)));
        }
        _ => {}
    }
    let layers = layers(flags, &environment)?;
    let settings = Settings::of(&layers)?;
    log::output::begin(&settings.log, std::env::var("RUST_LOG").ok().as_deref())?;
    tell_places_of_panics();
    Ok(match task {
        Task::Tools { json: false } => print(&tools::human(settings.surface, &settings.scope)),
        Task::Tools { json: true } => print(&tools::json(settings.surface, &settings.scope)),
        Task::Setup { client, write } => set_up(client, write, &environment, &layers, &settings),
        Task::Doctor { project, json } => examine(&settings, project.as_deref(), json)?,
        Task::Serve | Task::Completions(_) | Task::Man => match settings.http.clone() {
            Some(http) => serve_over_http(settings, &http)?,
            None => serve(server(settings)?),
        },
    })
}

fn set_up(
    client: Client,
    write: bool,
    environment: &Environment,
    layers: &Layers,
    settings: &Settings,
) -> ExitCode {
    let (program, directory) = match (std::env::current_exe(), std::env::current_dir()) {
        (Ok(program), Ok(directory)) => (program, directory),
        (Err(error), _) | (_, Err(error)) => return failed(&error.to_string()),
    };
    let entry = Entry::new(&program, &directory, layers, settings);
    if !write {
        return print(&setup::print(client, &entry, environment));
    }
    match setup::write(client, &entry, environment) {
        Ok(printed) => print(&printed),
        Err(error) => {
            if let SetupError::Unreadable(_, text) = &error {
                print(&Printed::out(text.clone()));
            }
            failed(&error.to_string())
        }
    }
}

/// Exit codes: 0 when nothing is wrong, 1 for problems.
fn examine(settings: &Settings, project: Option<&str>, json: bool) -> Result<ExitCode, WrongSetting> {
    let read = |text| ProjectRef::parse(text, &settings.instance);
    let project = project.map(read).transpose().map_err(|_| {
        WrongSetting::new("--project", "accepted: the id, path or address of a project of this GitLab")
    })?;
    let gitlab = client(settings, settings.token.as_ref())?;
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else {
        return Ok(failed("the program could not begin to work"));
    };
    let checks = runtime.block_on(async {
        let facts = if settings.token.is_some() { gitlab.token_facts().await.ok() } else { None };
        let TokenFacts { scopes, expires_on, answered_at, .. } = facts.unwrap_or_default();
        let now = Timestamp::now();
        let outside = Outside { scopes, expires_on, answered_at, proxy: gitlab.proxy(), now };
        let reader = settings.token.is_some().then_some(&gitlab as &dyn DuoReader);
        doctor::examine(settings, reader, &outside, project).await
    });
    let (text, problems) = doctor::told(&checks, json);
    let shown = show(&text);
    Ok(if problems == 0 { shown } else { ExitCode::FAILURE })
}

fn server(settings: Settings) -> Result<Server, WrongSetting> {
    let timeout = settings.timeout;
    let gateway = settings.token.as_ref().map(|token| gateway(&settings, token)).transpose()?;
    let settings = server_settings(settings);
    let server = match gateway {
        Some(gateway) => Server::new(gateway, settings),
        None => Server::without_token(settings),
    };
    Ok(server.with_request_timeout(timeout))
}

fn server_settings(settings: Settings) -> ServerSettings {
    ServerSettings {
        instance: settings.instance,
        scope: settings.scope,
        surface: settings.surface,
        confirm: settings.confirm,
        clock: Arc::new(Timestamp::now),
    }
}

/// One client for all callers: they share connections and what is known of the instance, and nothing
/// that depends on who asks.
fn upstream(settings: &Settings, http: &HttpSettings) -> Result<Upstream, WrongSetting> {
    let own = settings.token.as_ref().filter(|_| http.share_token);
    let builder = builder(settings)?;
    let builder = if let Some(token) = own { with_token(builder, token) } else { builder };
    let gitlab = builder.build().map_err(|error| wrong_connection(&error))?;
    let (shared, probed) = (gitlab.clone(), gitlab.clone());
    Ok(Upstream::new(UpstreamParts {
        instance: settings.instance.clone(),
        with_token: Arc::new(move |token| {
            Arc::new(gitlab.with_token(StaticToken::new(token.expose_secret())))
        }),
        shared: own.map(|_| Caller::only(Arc::new(shared))),
        is_answering: Arc::new(move || {
            let gitlab = probed.clone();
            Box::pin(async move { gitlab.is_answering().await })
        }),
        clock: Arc::new(Timestamp::now),
    }))
}

/// Serves over HTTP until the process is told to end.
fn serve_over_http(settings: Settings, http: &HttpSettings) -> Result<ExitCode, WrongSetting> {
    let (upstream, options) = (upstream(&settings, http)?, HttpOptions::of(http));
    let (timeout, address) = (settings.timeout, http.address);
    let server = Server::for_callers(server_settings(settings)).with_request_timeout(timeout);
    Ok(in_runtime(async move {
        let listener = TcpListener::bind(address).await?;
        // Whoever asked for any free port learns here which one it is.
        complain(&format!("MCP is served at http://{}/mcp", listener.local_addr()?));
        serve_http(listener, server, options, upstream, told_to_end()).await
    }))
}

async fn told_to_end() {
    #[cfg(unix)]
    if let Ok(mut terminate) = signal(SignalKind::terminate()) {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = tokio::signal::ctrl_c() => {}
        }
        return;
    }
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// The way to a real GitLab. Nothing is sent before the first call.
fn gateway(settings: &Settings, token: &TokenSetting) -> Result<Arc<dyn DuoWriter>, WrongSetting> {
    Ok(Arc::new(client(settings, Some(token))?))
}

fn client(settings: &Settings, token: Option<&TokenSetting>) -> Result<GitLab, WrongSetting> {
    let builder = builder(settings)?;
    let builder = match token {
        Some(token) => with_token(builder, token),
        None => builder,
    };
    builder.build().map_err(|error| wrong_connection(&error))
}

/// A client with the certificates of the settings, still without a token.
fn builder(settings: &Settings) -> Result<Builder, WrongSetting> {
    let mut builder = GitLab::builder(settings.instance.clone()).timeout(settings.timeout);
    if let Some(path) = &settings.certificates.ca {
        builder = builder.ca_bundle(&read_file(&CA_FILE, path)?);
    }
    if let Some((certificate, key)) = &settings.certificates.client {
        let certificate = read_file(&CLIENT_CERT_FILE, certificate)?;
        builder = builder.client_certificate(&certificate, &read_file(&CLIENT_KEY_FILE, key)?);
    }
    Ok(builder)
}

fn with_token(builder: Builder, token: &TokenSetting) -> Builder {
    match token {
        TokenSetting::Value(token) => builder.token(StaticToken::new(token.expose_secret())),
        TokenSetting::File(path) => builder.token(Remembered::new(TokenFile::new(path))),
        TokenSetting::Command(words) => with_command(builder, TokenCommand::new(words.iter().cloned())),
        TokenSetting::Glab(host) => {
            let words = GLAB.into_iter().chain([host.as_str()]).map(str::to_owned);
            let command = TokenCommand::new(words);
            with_command(builder, command.map(|command| command.hiding(GLAB_TOKENS.map(str::to_owned))))
        }
    }
}

fn with_command(builder: Builder, command: Option<TokenCommand>) -> Builder {
    match command {
        Some(command) => builder.token(Remembered::new(command)),
        None => builder,
    }
}

fn read_file(setting: &Setting, path: &Path) -> Result<Vec<u8>, WrongSetting> {
    std::fs::read(path).map_err(|error| {
        let why = format!("the file cannot be read: {}; accepted: {}", error.kind(), setting.accepted);
        WrongSetting::new(setting.name(), why)
    })
}

fn wrong_connection(error: &BuildError) -> WrongSetting {
    let setting = match error {
        BuildError::CaBundle => CA_FILE.name(),
        BuildError::ClientCertificate => format!("{}, {}", CLIENT_CERT_FILE.name(), CLIENT_KEY_FILE.name()),
        BuildError::Url => URL.name(),
        _ => "the connection to GitLab".to_owned(),
    };
    WrongSetting::new(setting, error.to_string())
}

/// Serves until standard input ends. The runtime is not waited for: a read of standard input that
/// never ends, or a request in flight, must not keep the process alive.
fn serve(server: Server) -> ExitCode {
    in_runtime(serve_stdio(server))
}

fn in_runtime(serving: impl Future<Output = io::Result<()>>) -> ExitCode {
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return failed(&error.to_string()),
    };
    let served = runtime.block_on(serving);
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

/// A panic's own words may hold what it worked on: only its place is told.
fn tell_places_of_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "a part of this program failed inside");
    }));
}

fn print(printed: &Printed) -> ExitCode {
    // Without a standard error there is nobody to tell.
    let _unheard = std::io::stderr().write_all(printed.note.as_bytes());
    show(&printed.out)
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
