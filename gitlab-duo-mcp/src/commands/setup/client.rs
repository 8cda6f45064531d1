//! The clients: where their configuration is, in which form, and how it refers to a token. The
//! sources are named in docs/clients.md.

use std::path::PathBuf;

use crate::settings::environment::Environment;
use crate::settings::task::Client;

/// The form of a client's configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// JSON as the standard has it, servers under this key.
    Json(&'static str),
    /// JSON with comments and trailing commas, servers under this key.
    JsonWithComments(&'static str),
    /// TOML, servers as tables below this one.
    Toml(&'static str),
}

/// How a client's configuration refers to a token that it does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenReference {
    /// By this text in place of the value, which the client replaces.
    Text(&'static str),
    /// By an input that the client asks for once and keeps safe.
    Input(&'static str),
    /// By naming the variable among those that are passed on.
    PassedOn,
    /// Not at all.
    None,
}

/// A client as it is set up.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClientSpec {
    pub(super) name: &'static str,
    pub(super) form: Form,
    pub(super) token: TokenReference,
    /// What an entry says of its transport; none when the client does not ask.
    pub(super) transport: Option<&'static str>,
    /// What is done after the configuration has changed.
    pub(super) then: &'static str,
}

pub(super) fn spec(client: Client) -> ClientSpec {
    let servers = Form::Json("mcpServers");
    match client {
        Client::ClaudeCode => ClientSpec {
            name: "Claude Code",
            form: servers,
            token: TokenReference::Text("${GITLAB_TOKEN:-}"),
            transport: Some("stdio"),
            then: "restart Claude Code; `/mcp` shows the server",
        },
        Client::ClaudeDesktop => ClientSpec {
            name: "Claude Desktop",
            form: servers,
            token: TokenReference::None,
            transport: None,
            then: "quit Claude Desktop and start it again",
        },
        Client::Cursor => ClientSpec {
            name: "Cursor",
            form: servers,
            token: TokenReference::Text("${env:GITLAB_TOKEN}"),
            transport: None,
            then: "reload the window of Cursor",
        },
        Client::VsCode => ClientSpec {
            name: "VS Code",
            form: Form::JsonWithComments("servers"),
            token: TokenReference::Input("gitlab-token"),
            transport: Some("stdio"),
            then: "run `MCP: List Servers` in VS Code and start the server",
        },
        Client::Codex => ClientSpec {
            name: "Codex",
            form: Form::Toml("mcp_servers"),
            token: TokenReference::PassedOn,
            transport: None,
            then: "start Codex again; `/mcp` shows the server",
        },
        Client::Zed => ClientSpec {
            name: "Zed",
            form: Form::JsonWithComments("context_servers"),
            token: TokenReference::None,
            transport: None,
            then: "look at the server in the settings of Zed's agent",
        },
        Client::JetBrains => ClientSpec {
            name: "JetBrains",
            form: servers,
            token: TokenReference::None,
            transport: None,
            then: "Junie reads this file; for AI Assistant paste the same text into Settings | Tools | AI Assistant | Model Context Protocol",
        },
    }
}

/// The client's file for this user; none when the environment does not say where the user is.
pub(super) fn path(client: Client, environment: &Environment) -> Option<PathBuf> {
    let home = || {
        let home = environment.get(if cfg!(windows) { "USERPROFILE" } else { "HOME" });
        home.map(PathBuf::from).filter(|path| path.is_absolute())
    };
    let applications = || applications(environment, home()?);
    Some(match client {
        Client::ClaudeCode => home()?.join(".claude.json"),
        Client::ClaudeDesktop => applications()?.join("Claude/claude_desktop_config.json"),
        Client::Cursor => home()?.join(".cursor/mcp.json"),
        Client::VsCode => applications()?.join("Code/User/mcp.json"),
        Client::Codex => match environment.get("CODEX_HOME") {
            Some(codex) => PathBuf::from(codex).join("config.toml"),
            None => home()?.join(".codex/config.toml"),
        },
        Client::Zed if cfg!(windows) => applications()?.join("Zed/settings.json"),
        Client::Zed => configuration(environment, home()?).join("zed/settings.json"),
        Client::JetBrains => home()?.join(".junie/mcp/mcp.json"),
    })
}

/// Where desktop programs keep their settings.
fn applications(environment: &Environment, home: PathBuf) -> Option<PathBuf> {
    if cfg!(windows) {
        return environment.get("APPDATA").map(PathBuf::from);
    }
    Some(if cfg!(target_os = "macos") {
        home.join("Library/Application Support")
    } else {
        configuration(environment, home)
    })
}

fn configuration(environment: &Environment, home: PathBuf) -> PathBuf {
    let set = environment.get("XDG_CONFIG_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    set.unwrap_or_else(|| home.join(".config"))
}
