//! Tasks of this workspace: `cargo xtask <task>`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod bench;
mod bundle;
mod ci;
mod clients;
mod codegen;
mod conformance;
mod fuzz;
mod packages;
mod public_api;
mod tables;
mod tidy;

#[derive(Parser)]
#[command(name = "xtask", about = "Tasks of this workspace", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Write `gitlab-duo-graphql/src/generated/` from `schema/`.
    Codegen {
        /// Change nothing: fail when a committed file differs from what would be written.
        #[arg(long)]
        check: bool,
    },
    /// Write the tables of the README that are made from code.
    Tables {
        /// Change nothing: fail when the README differs from what would be written.
        #[arg(long)]
        check: bool,
    },
    /// Check the rules of this repository: layers, circles, sizes, words, what registries are told.
    Tidy,
    /// Converse through the official Inspector and the official SDKs of Python and TypeScript (needs npm and python3).
    Clients,
    /// Run the official conformance suite of the protocol over HTTP (needs npm).
    Conformance,
    /// Measure the program in release beside the least that a server can do (needs Linux).
    Bench {
        /// Rounds of which the medians are told.
        #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
        rounds: u32,
        /// Cargo's profile to build with; `profiling` is for a profiler that watches.
        #[arg(long, default_value = "release")]
        profile: String,
    },
    /// Search with every fuzz target of `fuzz/` for inputs that break something.
    Fuzz {
        /// Seconds for each target.
        #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
        seconds: u32,
    },
    /// Write `public-api.txt` of the two library crates: every item that other programs can use.
    PublicApi {
        /// Change nothing: fail when a crate shows something else than its committed list.
        #[arg(long)]
        check: bool,
    },
    /// Pack the crates that are published, without sending them anywhere.
    Packages,
    /// Pack programs as MCP bundles into `target/bundle`, with the entry for the registry of servers (needs npm).
    Bundle {
        /// A built `gitlab-duo-mcp`; may be given once for each platform.
        #[arg(long = "binary", value_name = "PATH", required = true)]
        binaries: Vec<PathBuf>,
    },
    /// Run what is run before a change lands.
    Ci,
}

fn main() -> ExitCode {
    if let Some(code) = public_api::stood_in() {
        return if code == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    let result = match Arguments::parse().task {
        Task::Codegen { check: true } => codegen::check(),
        Task::Codegen { check: false } => codegen::write(),
        Task::Tables { check: true } => tables::check(),
        Task::Tables { check: false } => tables::write(),
        Task::Tidy => tidy::check(),
        Task::Clients => clients::run(),
        Task::Conformance => conformance::run(),
        Task::Bench { rounds, profile } => bench::run(rounds, &profile),
        Task::Fuzz { seconds } => fuzz::run(seconds),
        Task::PublicApi { check: true } => public_api::check(),
        Task::PublicApi { check: false } => public_api::write(),
        Task::Packages => packages::check(),
        Task::Bundle { binaries } => bundle::run(&binaries),
        Task::Ci => ci::run(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}
