//! Fuzzing: every target of `fuzz/`, each for some seconds.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

/// The program that builds and runs the targets.
const CARGO_FUZZ: &str = "cargo-fuzz@0.13.2";
/// Each target of `fuzz/fuzz_targets` with its dictionary.
const TARGETS: [(&str, &str); 6] = [
    ("session_answer", "json"),
    ("list_answer", "json"),
    ("catalog_answer", "json"),
    ("error_body", "json"),
    ("urls", "urls"),
    ("clean_and_clip", "texts"),
];
/// Seconds after which one input counts as endless.
const INPUT_SECONDS: u32 = 10;

/// Builds every target and runs each for `seconds`, from the committed corpus and what earlier runs added below
/// `target/fuzz`.
///
/// No sanitizer: there is no unsafe code of ours that one could watch.
///
/// # Errors
/// What does not install or build; for inputs that break a target the commands to see it again.
pub(crate) fn run(seconds: u32) -> Result<()> {
    let mut format = Command::new("cargo");
    format.current_dir(root()).args(["fmt", "--manifest-path", "fuzz/Cargo.toml", "--check"]);
    ensure!(format.status()?.success(), "run `cargo fmt --manifest-path fuzz/Cargo.toml`");
    let program = install()?;
    let cargo_fuzz = |task: &str| {
        let mut command = Command::new(&program);
        // The coverage flags of the compiler are not stable.
        command.current_dir(root()).env("RUSTC_BOOTSTRAP", "1").env("RUST_BACKTRACE", "0").args([
            task,
            "--sanitizer",
            "none",
        ]);
        command.args(["--target-dir", "target/fuzz"]);
        command
    };
    ensure!(cargo_fuzz("build").status()?.success(), "the fuzz targets do not build");
    let mut broken = Vec::new();
    for (target, dictionary) in TARGETS {
        let [found, artifacts] = ["corpus", "artifacts"].map(|kind| format!("target/fuzz/{kind}/{target}"));
        std::fs::create_dir_all(root().join(&found))?;
        std::fs::create_dir_all(root().join(&artifacts))?;
        eprint!("{target}, {seconds} seconds: ");
        let output = cargo_fuzz("run")
            .args([target, &found, &format!("fuzz/corpus/{target}"), "--"])
            .arg(format!("-max_total_time={seconds}"))
            .arg(format!("-timeout={INPUT_SECONDS}"))
            .arg(format!("-artifact_prefix={artifacts}/"))
            .arg(format!("-dict=fuzz/dictionaries/{dictionary}.dict"))
            .args(["-verbosity=0", "-print_final_stats=1"])
            .output()?;
        let told = String::from_utf8_lossy(&output.stderr);
        if output.status.success() {
            let inputs = told.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
            eprintln!("{} inputs, none breaks it", inputs.unwrap_or("some").trim());
        } else {
            eprintln!("{told}");
            broken.push(reproduction(target, &artifacts)?);
        }
    }
    if broken.is_empty() {
        return Ok(());
    }
    bail!(
        "fuzzing broke {} of {} targets; see it again by:\n{}",
        broken.len(),
        TARGETS.len(),
        broken.join("\n")
    )
}

/// The command that runs a target on the input that broke it last.
fn reproduction(target: &str, artifacts: &str) -> Result<String> {
    let files = std::fs::read_dir(root().join(artifacts))?.collect::<Result<Vec<_>, _>>()?;
    let newest = files.iter().max_by_key(|file| file.metadata().and_then(|data| data.modified()).ok());
    let input = newest.map(|file| format!(" {artifacts}/{}", file.file_name().display())).unwrap_or_default();
    Ok(format!(
        "RUSTC_BOOTSTRAP=1 target/tools/bin/cargo-fuzz run --sanitizer none --target-dir target/fuzz {target}{input}"
    ))
}

/// Installs the program below `target/tools` when it is missing there.
fn install() -> Result<PathBuf> {
    let tools = root().join("target/tools");
    let program = tools.join("bin/cargo-fuzz");
    if !program.is_file() {
        let install = ["install", "--quiet", "--debug", "--locked", CARGO_FUZZ, "--root"];
        let status = Command::new("cargo").args(install).arg(&tools).current_dir(root()).status();
        let status = status.context("`cargo` does not run")?;
        ensure!(
            status.success(),
            "`{CARGO_FUZZ}` does not install: run `cargo install --locked {CARGO_FUZZ}`"
        );
    }
    Ok(program)
}

fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_has_its_place() {
        let listed = |folder: &str| -> Vec<String> {
            let files = std::fs::read_dir(root().join("fuzz").join(folder)).unwrap();
            let mut names: Vec<_> = files
                .map(|file| file.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
                .collect();
            names.sort();
            names
        };
        let mut names: Vec<_> = TARGETS.iter().map(|(target, _)| (*target).to_owned()).collect();
        names.sort();
        assert_eq!(listed("fuzz_targets"), names);
        assert_eq!(listed("corpus"), names);
        let dictionaries = listed("dictionaries");
        assert!(TARGETS.iter().all(|(_, dictionary)| dictionaries.iter().any(|name| name == dictionary)));
    }
}
