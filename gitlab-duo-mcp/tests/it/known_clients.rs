//! The limits of well-known clients, as `docs/clients.md` tells them with their sources, against both surfaces.

use gitlab_duo_mcp::spec::surface::Surface;
use serde_json::{Value, json};

use crate::client::Client;
use crate::world::{NEWEST, gitlab, server_of};

/// The name that our instructions give the server; clients write it before the name of each tool.
const SERVER: &str = "gitlab-duo";

/// What a client is known to refuse; none where nothing is known.
struct Limits {
    client: &'static str,
    /// What the client writes before and between the names of server and tool.
    prefix: &'static str,
    between: &'static str,
    /// Most characters of all of that.
    name_chars: Option<usize>,
    /// Most tools of all servers together.
    tools: Option<usize>,
    /// Most characters of a result.
    result_chars: Option<usize>,
    /// Whether a union at the root of an input schema fails the whole request.
    refuses_root_unions: bool,
}

const CLIENTS: [Limits; 6] = [
    Limits {
        client: "Claude Code",
        prefix: "mcp__",
        between: "__",
        name_chars: Some(64),
        tools: None,
        result_chars: Some(50_000),
        refuses_root_unions: true,
    },
    Limits {
        client: "Cursor",
        prefix: "",
        between: ":",
        name_chars: Some(59),
        tools: None,
        result_chars: None,
        refuses_root_unions: false,
    },
    Limits {
        client: "VS Code",
        prefix: "mcp_",
        between: "_",
        name_chars: Some(64),
        tools: Some(128),
        result_chars: None,
        refuses_root_unions: false,
    },
    Limits {
        client: "Codex",
        prefix: "mcp__",
        between: "__",
        name_chars: Some(64),
        tools: None,
        result_chars: None,
        refuses_root_unions: false,
    },
    Limits {
        client: "Gemini CLI",
        prefix: "mcp_",
        between: "_",
        name_chars: Some(63),
        tools: None,
        result_chars: None,
        refuses_root_unions: false,
    },
    Limits {
        client: "a client that keeps to the specification",
        prefix: "",
        between: "",
        name_chars: Some(128),
        tools: None,
        result_chars: None,
        refuses_root_unions: false,
    },
];

/// Bytes of any result, which are at least its characters.
const RESULT_BYTES: usize = 48 * 1_024;

async fn tools(surface: Surface) -> Vec<Value> {
    let client = Client::new(server_of(&gitlab(NEWEST), surface)).await;
    client.tools().iter().map(|tool| json!(tool)).collect()
}

#[tokio::test]
async fn every_surface_stays_within_the_limits_of_every_client() {
    for surface in [Surface::Compact, Surface::GitLab] {
        let tools = tools(surface).await;
        for limits in &CLIENTS {
            let client = limits.client;
            // Other servers need room, too.
            assert!(limits.tools.is_none_or(|most| tools.len() * 10 < most), "{client}");
            assert!(limits.result_chars.is_none_or(|most| RESULT_BYTES <= most), "{client}");
            for tool in &tools {
                let name = tool["name"].as_str().unwrap();
                let whole = format!("{}{SERVER}{}{name}", limits.prefix, limits.between);
                assert!(limits.name_chars.is_none_or(|most| whole.len() <= most), "{client}: {whole}");
                let unions =
                    ["oneOf", "anyOf", "allOf"].iter().any(|word| tool["inputSchema"].get(word).is_some());
                assert!(!limits.refuses_root_unions || !unions, "{client}: {name}");
            }
        }
        // The pattern that OpenAI's and Anthropic's services check: no dots, though MCP allows them.
        let is_plain = |c: char| c.is_ascii_lowercase() || c == '_';
        assert!(tools.iter().all(|tool| tool["name"].as_str().unwrap().chars().all(is_plain)));
    }
}

#[test]
fn every_client_of_the_table_is_documented() {
    let page = include_str!("../../../docs/clients.md");
    for limits in &CLIENTS[..5] {
        assert!(page.contains(&format!("| {} |", limits.client)), "{}", limits.client);
    }
}
