//! Prints a client's configuration, or merges it into the client's file.

use std::path::{Path, PathBuf};

use crate::commands::printed::Printed;
use crate::commands::setup::client::{ClientSpec, TokenReference, path, spec};
use crate::commands::setup::entry::Entry;
use crate::commands::setup::file::{SetupError, read, replace};
use crate::commands::setup::merge::{alone, merged};
use crate::settings::environment::Environment;
use crate::settings::task::Client;

/// The configuration, and what to do with it.
#[must_use]
pub fn print(client: Client, entry: &Entry, environment: &Environment) -> Printed {
    let spec = spec(client);
    let place = path(client, environment).map_or_else(String::new, |path| format!(" ({})", path.display()));
    let note = format!(
        "Add this to the configuration of {}{place}, or run this command again with --write.\n{}",
        spec.name,
        next_steps(&spec, entry)
    );
    Printed { out: alone(&spec, entry), note }
}

/// Merges the configuration into the client's file.
///
/// # Errors
/// [`SetupError`]; nothing was changed then.
pub fn write(client: Client, entry: &Entry, environment: &Environment) -> Result<Printed, SetupError> {
    let spec = spec(client);
    let path = path(client, environment).ok_or(SetupError::NoHome)?;
    let before = read(&path)?.unwrap_or_default();
    let after = merged(&before, &spec, entry)
        .map_err(|_| SetupError::Unreadable(path.clone(), alone(&spec, entry)))?;
    if after == before {
        return Ok(Printed::out(format!("{} is set up already; nothing was changed.\n", path.display())));
    }
    let backup = replace(&path, &after)?;
    let out = format!("{}\n{}", changed(&path, backup), next_steps(&spec, entry));
    Ok(Printed::out(out))
}

fn changed(path: &Path, backup: Option<PathBuf>) -> String {
    let path = path.display();
    match backup {
        Some(backup) => format!("{path} is changed; what it held is in {}.", backup.display()),
        None => format!("{path} is new."),
    }
}

fn next_steps(spec: &ClientSpec, entry: &Entry) -> String {
    let token = if entry.needs_token() { token_step(spec.token) } else { "" };
    format!("{token}Then {}.\n", spec.then)
}

/// Ends with a line end.
fn token_step(reference: TokenReference) -> &'static str {
    match reference {
        TokenReference::Text(_) | TokenReference::PassedOn => {
            "No token is written there: set GITLAB_TOKEN in the environment that starts the client, or set up again with --token-file PATH.\n"
        }
        TokenReference::Input(_) => {
            "No token is written there: the client asks for it once and keeps it safe.\n"
        }
        TokenReference::None => {
            "No token is written there, and this client cannot refer to a variable: put the token into a file that only you can read, and set up again with --token-file PATH.\n"
        }
    }
}
