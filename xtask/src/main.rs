//! Tasks of this workspace: `cargo xtask <task>`.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod codegen;

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
}

fn main() -> ExitCode {
    let result = match Arguments::parse().task {
        Task::Codegen { check: true } => codegen::check(),
        Task::Codegen { check: false } => codegen::write(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}
