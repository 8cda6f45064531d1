//! What registries are told of the server agrees with the workspace: its version, its name, its settings.

use std::fs;

use anyhow::{Context, Result};
use serde_json::Value;

use super::sources::root;

/// The files that speak of a release.
pub(super) struct Release {
    /// The version of the workspace.
    pub(super) version: String,
    /// The manifest of the MCP bundle.
    pub(super) manifest: Value,
    /// The entry for the registry of MCP servers.
    pub(super) entry: Value,
    /// What builds the container image.
    pub(super) dockerfile: String,
    /// The page with the table of the settings, which is made from code.
    pub(super) settings: String,
}

impl Release {
    pub(super) fn read() -> Result<Self> {
        let text = |path: &str| {
            fs::read_to_string(root().join(path)).with_context(|| format!("{path} cannot be read"))
        };
        let json = |path| serde_json::from_str(&text(path)?).with_context(|| format!("{path} is no JSON"));
        Ok(Self {
            version: workspace_version(&text("Cargo.toml")?).context("Cargo.toml has no version")?,
            manifest: json("packaging/mcpb/manifest.json")?,
            entry: json("packaging/server.json")?,
            dockerfile: text("packaging/Dockerfile")?,
            settings: text("docs/settings.md")?,
        })
    }
}

fn workspace_version(manifest: &str) -> Option<String> {
    let (_, package) = manifest.split_once("[workspace.package]")?;
    let line = package.lines().find_map(|line| line.strip_prefix("version = \""))?;
    Some(line.split('"').next()?.to_owned())
}

/// Where those files and the workspace say different things.
pub(super) fn disagreements(release: &Release) -> Vec<String> {
    let mut found = versions(release);
    found.extend(image_name(release));
    found.extend(described_settings(release));
    found.extend(bundle_settings(release));
    found
}

fn versions(release: &Release) -> Vec<String> {
    let version = release.version.as_str();
    let mut found = Vec::new();
    for (file, value) in [("mcpb/manifest.json", &release.manifest), ("server.json", &release.entry)] {
        if text(value, "version") != version {
            found.push(format!("packaging/{file}: version `{}`, not `{version}`", text(value, "version")));
        }
    }
    for package in packages(release) {
        let identifier = text(package, "identifier");
        let expected = match text(package, "registryType") {
            "oci" => identifier.ends_with(&format!(":{version}")),
            _ => {
                identifier.contains(&format!("/v{version}/")) && identifier.contains(&format!("-{version}-"))
            }
        };
        if !expected || package.get("version").is_some_and(|told| told != version) {
            found.push(format!("packaging/server.json: `{identifier}` is not of version `{version}`"));
        }
    }
    found
}

/// The registry looks for the name of the server in the image.
fn image_name(release: &Release) -> Option<String> {
    let label = format!("io.modelcontextprotocol.server.name=\"{}\"", text(&release.entry, "name"));
    (!release.dockerfile.contains(&label)).then(|| format!("packaging/Dockerfile: no label {label}"))
}

fn described_settings(release: &Release) -> Vec<String> {
    let told = packages(release).iter().filter_map(|package| package.get("environmentVariables"));
    let variables = told.filter_map(Value::as_array).flatten();
    variables.filter_map(|variable| described_wrongly(release, variable)).collect()
}

fn described_wrongly(release: &Release, variable: &Value) -> Option<String> {
    let name = text(variable, "name");
    let complain = |what: &str| Some(format!("packaging/server.json: `{name}` {what}"));
    let Some(meaning) = meaning(&release.settings, name) else {
        return complain("is no setting");
    };
    if text(variable, "description") != meaning {
        return complain(&format!("is described otherwise than in docs/settings.md: {meaning}"));
    }
    let is_marked = variable.get("isSecret") == Some(&Value::Bool(true));
    let is_filled = variable.get("value").or_else(|| variable.get("default")).is_some();
    if name.ends_with("TOKEN") && (!is_marked || is_filled) {
        return complain("is a secret: `isSecret`, and neither value nor default");
    }
    None
}

fn bundle_settings(release: &Release) -> Vec<String> {
    let variables = release.manifest.pointer("/server/mcp_config/env").and_then(Value::as_object);
    let names = variables.into_iter().flat_map(|variables| variables.keys());
    let unknown = names.filter(|name| meaning(&release.settings, name).is_none());
    unknown.map(|name| format!("packaging/mcpb/manifest.json: `{name}` is no setting")).collect()
}

/// What the table says that a setting does.
fn meaning<'a>(settings: &'a str, name: &str) -> Option<&'a str> {
    let row = settings.lines().find_map(|line| line.strip_prefix(&format!("| `{name}` | ")))?;
    let cell = row.strip_suffix(" |")?.rsplit(" | ").next()?;
    Some(cell.strip_suffix(" (narrows)").unwrap_or(cell))
}

fn packages(release: &Release) -> &[Value] {
    release.entry.get("packages").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value.get(field).and_then(Value::as_str).unwrap_or_default()
}
