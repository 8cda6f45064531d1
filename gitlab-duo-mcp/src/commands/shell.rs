//! Completions and the manual page, from the description of the command line.

use std::io;

use clap_complete::aot;

use crate::commands::printed::Printed;
use crate::settings::command_line::command;
use crate::settings::task::Shell;

/// The completions of a shell.
#[must_use]
pub fn completions(shell: Shell) -> Printed {
    let shell = match shell {
        Shell::Bash => aot::Shell::Bash,
        Shell::Zsh => aot::Shell::Zsh,
        Shell::Fish => aot::Shell::Fish,
        Shell::PowerShell => aot::Shell::PowerShell,
    };
    let mut text = Vec::new();
    aot::generate(shell, &mut command(), "gitlab-duo-mcp", &mut text);
    Printed::out(String::from_utf8_lossy(&text))
}

/// The manual page.
///
/// # Errors
/// When the page cannot be made.
pub fn manual() -> io::Result<Printed> {
    let mut text = Vec::new();
    clap_mangen::Man::new(command()).render(&mut text)?;
    Ok(Printed::out(String::from_utf8_lossy(&text)))
}
