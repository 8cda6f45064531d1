//! The server as MCP bundles, one for each platform, and its entry for the registry of MCP servers.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use object::{Architecture, BinaryFormat, Object};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::clients::{install_from_npm, root, succeed};

/// The packer of those who define the format; it checks the manifest too.
const PACKER: &str = "@anthropic-ai/mcpb@2.1.2";
const PROGRAM: &str = "gitlab-duo-mcp";

/// Packs each program into `target/bundle`, and writes the registry's entry with their checksums there.
///
/// # Errors
/// A file that is no program of a known platform, two for the same one, or a manifest that the packer refuses.
pub(crate) fn run(binaries: &[PathBuf]) -> Result<()> {
    let home = root().join("target/bundle");
    let packer = packer(&home.join("packer"))?;
    let mut checksums: Vec<(String, String)> = Vec::new();
    for binary in binaries {
        let bundle = pack(binary, &home, &packer)?;
        let bytes = fs::read(home.join(&bundle))?;
        ensure!(checksums.iter().all(|(name, _)| *name != bundle), "two programs for {bundle}");
        let checksum = hex(&Sha256::digest(&bytes));
        eprintln!("target/bundle/{bundle}: {} bytes, SHA-256 {checksum}", bytes.len());
        checksums.push((bundle, checksum));
    }
    let entry = with_checksums(read(&root().join("packaging/server.json"))?, &checksums)?;
    fs::write(home.join("server.json"), pretty(&entry)?).context("the registry's entry cannot be written")
}

/// Installs the packer when it is missing.
fn packer(home: &Path) -> Result<PathBuf> {
    let packer = home.join("node_modules/.bin/mcpb");
    if !packer.is_file() {
        fs::create_dir_all(home)?;
        install_from_npm(home, PACKER)?;
    }
    Ok(packer)
}

/// Packs one program, and gives the name of the bundle.
fn pack(binary: &Path, home: &Path, packer: &Path) -> Result<String> {
    let bytes = fs::read(binary).with_context(|| format!("{} cannot be read", binary.display()))?;
    let platform = Platform::of(&bytes).with_context(|| format!("{}: unknown platform", binary.display()))?;
    let manifest = for_platform(read(&root().join("packaging/mcpb/manifest.json"))?, platform)?;
    let version = text(&manifest, "/version")?;
    let bundle = format!("{PROGRAM}-{version}-{}-{}.mcpb", platform.system, platform.machine);

    let content = home.join("content");
    if content.exists() {
        fs::remove_dir_all(&content)?;
    }
    fs::create_dir_all(content.join("server"))?;
    fs::write(content.join("manifest.json"), pretty(&manifest)?)?;
    let program = content.join(text(&manifest, "/server/entry_point")?);
    fs::write(&program, bytes)?;
    make_executable(&program)?;
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        fs::copy(root().join(licence), content.join(licence))?;
    }
    succeed(Command::new(packer).arg("pack").arg(&content).arg(home.join(&bundle)))?;
    Ok(bundle)
}

/// A file that was downloaded may have lost its mode, and the packer keeps what it finds.
fn make_executable(program: &Path) -> Result<()> {
    #[cfg(unix)]
    fs::set_permissions(program, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    let _ = program;
    Ok(())
}

/// What a program runs on.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Platform {
    /// Its name in the names of files.
    system: &'static str,
    machine: &'static str,
    /// Its name in a manifest.
    declared: &'static str,
    /// What the names of its programs end with.
    suffix: &'static str,
}

impl Platform {
    /// Asks the program itself, since a bundle for the wrong platform would fail only at its user's.
    fn of(program: &[u8]) -> Option<Self> {
        let program = object::File::parse(program).ok()?;
        let (system, declared, suffix) = match program.format() {
            BinaryFormat::Elf => ("linux", "linux", ""),
            BinaryFormat::MachO => ("macos", "darwin", ""),
            BinaryFormat::Pe => ("windows", "win32", ".exe"),
            _ => return None,
        };
        let machine = match program.architecture() {
            Architecture::X86_64 => "x86_64",
            Architecture::Aarch64 => "aarch64",
            _ => return None,
        };
        Some(Self { system, machine, declared, suffix })
    }
}

/// The manifest of the bundle for one platform.
fn for_platform(mut manifest: Value, platform: Platform) -> Result<Value> {
    set(&mut manifest, "/compatibility/platforms", json!([platform.declared]))?;
    for place in ["/server/entry_point", "/server/mcp_config/command"] {
        let named = format!("{}{}", text(&manifest, place)?, platform.suffix);
        set(&mut manifest, place, Value::from(named))?;
    }
    Ok(manifest)
}

/// The entry with the checksum of each bundle that was packed; the other bundles are left out, since a
/// client could not tell whether it got the right file.
fn with_checksums(mut entry: Value, checksums: &[(String, String)]) -> Result<Value> {
    let packages = entry.get_mut("packages").and_then(Value::as_array_mut).context("no packages")?;
    packages.retain_mut(|package| {
        let Some(package) = package.as_object_mut() else { return false };
        let field = |name| package.get(name).and_then(Value::as_str).unwrap_or_default();
        if field("registryType") != "mcpb" {
            return true;
        }
        let file = field("identifier").rsplit('/').next().unwrap_or_default();
        let Some((_, checksum)) = checksums.iter().find(|(bundle, _)| bundle == file) else { return false };
        package.insert("fileSha256".to_owned(), Value::from(checksum.as_str()));
        true
    });
    Ok(entry)
}

fn read(path: &Path) -> Result<Value> {
    let text = fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is no JSON", path.display()))
}

fn pretty(value: &Value) -> Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

fn text(value: &Value, place: &str) -> Result<String> {
    let found = value.pointer(place).and_then(Value::as_str);
    Ok(found.with_context(|| format!("no text at {place}"))?.to_owned())
}

fn set(value: &mut Value, place: &str, new: Value) -> Result<()> {
    *value.pointer_mut(place).with_context(|| format!("nothing at {place}"))? = new;
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_tells_its_platform_and_a_text_has_none() {
        let this = fs::read(std::env::current_exe().unwrap()).unwrap();
        let platform = Platform::of(&this).unwrap();
        assert_eq!((platform.system, platform.machine), (std::env::consts::OS, std::env::consts::ARCH));
        assert_eq!(Platform::of(b"#!/bin/sh\n"), None);
    }

    #[test]
    fn the_manifest_names_the_program_as_its_platform_does() {
        let manifest = json!({
            "compatibility": { "platforms": ["darwin", "linux", "win32"] },
            "server": { "entry_point": "server/p", "mcp_config": { "command": "${__dirname}/server/p" } },
        });
        let windows = Platform { system: "windows", machine: "x86_64", declared: "win32", suffix: ".exe" };
        let expected = json!({
            "compatibility": { "platforms": ["win32"] },
            "server": {
                "entry_point": "server/p.exe",
                "mcp_config": { "command": "${__dirname}/server/p.exe" },
            },
        });
        assert_eq!(for_platform(manifest, windows).unwrap(), expected);
    }

    #[test]
    fn only_packed_bundles_are_told_and_each_with_its_checksum() {
        let entry = json!({ "packages": [
            { "registryType": "oci", "identifier": "example.com/a:1" },
            { "registryType": "mcpb", "identifier": "https://example.com/a.mcpb" },
            { "registryType": "mcpb", "identifier": "https://example.com/b.mcpb" },
        ] });
        let checksums = [("b.mcpb".to_owned(), hex(&[0, 255]))];
        let expected = json!({ "packages": [
            { "registryType": "oci", "identifier": "example.com/a:1" },
            { "registryType": "mcpb", "identifier": "https://example.com/b.mcpb", "fileSha256": "00ff" },
        ] });
        assert_eq!(with_checksums(entry, &checksums).unwrap(), expected);
    }
}
