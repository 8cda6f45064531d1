//! The command line: a flag for each row of the table, and the commands.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Command};

use crate::settings::layers::{Layer, Origin};
use crate::settings::table::{Form, Setting, TABLE};
use crate::settings::task::{Client, Shell, Task};
use crate::settings::wrong::WrongSetting;

const ABOUT: &str = "Serves GitLab Duo Agent Platform sessions to an AI client over MCP";
const LONG_ABOUT: &str = "Serves GitLab Duo Agent Platform sessions to an AI client over MCP (standard input and output).

The token is read from the environment variable GITLAB_TOKEN, or from a file or command. Without one the server starts, lists its tools, and says in every call how to set one.

Flags count before environment variables, and those before the settings file (gitlab-duo.toml).";

/// What a command line asks for.
#[derive(Debug)]
pub enum Asked {
    /// To do something, with the settings among the flags.
    Run(Box<(Task, Layer)>),
    /// To be told how; the text is for standard output.
    Help(String),
}

/// The description of the command line.
#[must_use]
pub fn command() -> Command {
    Command::new("gitlab-duo-mcp")
        .version(env!("CARGO_PKG_VERSION"))
        .about(ABOUT)
        .long_about(LONG_ABOUT)
        .max_term_width(100)
        .disable_help_subcommand(true)
        .args(TABLE.iter().filter(|setting| setting.flag().is_some()).map(argument))
        .subcommands(subcommands())
}

fn subcommands() -> [Command; 6] {
    let json = || Arg::new("json").long("json").action(ArgAction::SetTrue);
    let one_of = |id: &'static str, names: Vec<&'static str>| {
        Arg::new(id).required(true).value_name(id.to_ascii_uppercase()).value_parser(names)
    };
    [
        Command::new("serve").about("Serve; what is done without a command"),
        Command::new("tools")
            .about("Print the tool list of the configured surface")
            .arg(json().help("As a client receives it")),
        Command::new("setup")
            .about("Print a client's configuration, or merge it into the client's file")
            .arg(one_of("client", names(Client::ALL)).help("The client"))
            .arg(
                Arg::new("write")
                    .long("write")
                    .action(ArgAction::SetTrue)
                    .help("Change the client's file; what it held is kept beside it"),
            ),
        Command::new("completions")
            .about("Print the completions of a shell")
            .arg(one_of("shell", names(Shell::ALL)).help("The shell")),
        Command::new("man").about("Print the manual page"),
        Command::new("doctor")
            .about("Check the settings against the GitLab, and say what to do about each problem")
            .arg(Arg::new("project").long("project").value_name("PROJECT").help("A project to check as well"))
            .arg(json().help("As one JSON object")),
    ]
}

fn names<T>(all: &[(&'static str, T)]) -> Vec<&'static str> {
    all.iter().map(|(name, _)| *name).collect()
}

fn argument(setting: &Setting) -> Arg {
    let argument = Arg::new(setting.variable).long(setting.flag_name()).global(true).help(help(setting));
    match setting.form {
        Form::Switch => argument.value_name("true|false").num_args(0..=1).default_missing_value("true"),
        Form::Text(word) | Form::Number(word) | Form::List(word) | Form::Words(word) => {
            argument.value_name(word)
        }
    }
}

fn help(setting: &Setting) -> String {
    let mut help = setting.help.to_owned();
    if !setting.default.is_empty() {
        help.push_str(&format!(" [default: {}]", setting.default));
    }
    help.push_str(&format!(" [env: {}]", setting.variable));
    help
}

/// Reads a command line, program name first.
///
/// # Errors
/// [`WrongSetting`] for a flag or command that does not exist or lacks its value.
pub fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Asked, WrongSetting> {
    match command().try_get_matches_from(arguments) {
        Ok(matches) => Ok(Asked::Run(Box::new((task(&matches)?, layer(&matches))))),
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            Ok(Asked::Help(error.render().to_string()))
        }
        Err(error) => Err(wrong_flag(&error)),
    }
}

fn layer(matches: &ArgMatches) -> Layer {
    let matches = matches.subcommand().map_or(matches, |(_, matches)| matches);
    let mut layer = Layer::new(Origin::Flags);
    for setting in TABLE.iter().filter(|setting| setting.flag().is_some()) {
        if let Some(text) = matches.get_one::<String>(setting.variable) {
            layer.set(setting, text);
        }
    }
    layer
}

fn task(matches: &ArgMatches) -> Result<Task, WrongSetting> {
    let Some((name, matches)) = matches.subcommand() else { return Ok(Task::Serve) };
    let text = |id: &str| matches.get_one::<String>(id).map(String::as_str);
    Ok(match name {
        "tools" => Task::Tools { json: matches.get_flag("json") },
        "setup" => Task::Setup {
            client: text("client").and_then(Client::named).ok_or_else(not_a_command)?,
            write: matches.get_flag("write"),
        },
        "completions" => Task::Completions(text("shell").and_then(Shell::named).ok_or_else(not_a_command)?),
        "man" => Task::Man,
        "doctor" => {
            Task::Doctor { project: text("project").map(str::to_owned), json: matches.get_flag("json") }
        }
        _ => Task::Serve,
    })
}

fn not_a_command() -> WrongSetting {
    let names: Vec<_> = command().get_subcommands().map(Command::get_name).map(str::to_owned).collect();
    let accepted =
        format!("accepted: flags and one of the commands {}: `--help` lists them", names.join(", "));
    WrongSetting::new("the command line", accepted)
}

/// clap would print several lines and the word itself, which may be a token.
fn wrong_flag(error: &clap::Error) -> WrongSetting {
    let named = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(text)) => text.split(['=', ' ']).next(),
        Some(ContextValue::Strings(texts)) => texts.first().map(String::as_str),
        _ => None,
    };
    let (flag, place) =
        (named.filter(|name| is_flag(name)), named.filter(|name| ["<CLIENT>", "<SHELL>"].contains(name)));
    match (flag, place, error.kind()) {
        (Some("--token"), ..) => WrongSetting::new(
            "--token",
            "no such flag: the token is set in the environment variable GITLAB_TOKEN, or by --token-file or --token-command",
        ),
        (Some(name), _, ErrorKind::UnknownArgument) => {
            WrongSetting::new(name, "no such flag: `--help` lists them")
        }
        (Some(name), _, ErrorKind::ArgumentConflict) => WrongSetting::new(name, "give it once"),
        (Some(name), _, ErrorKind::InvalidUtf8) => WrongSetting::new(name, "the value is not UTF-8 text"),
        (Some(name), ..) => WrongSetting::new(name, "its value is missing or cannot be read"),
        (None, Some("<CLIENT>"), _) => one_of("setup", &names(Client::ALL)),
        (None, Some(_), _) => one_of("completions", &names(Shell::ALL)),
        (None, None, _) => not_a_command(),
    }
}

fn one_of(command: &str, names: &[&str]) -> WrongSetting {
    WrongSetting::new(command, format!("accepted: {}", names.join(", ")))
}

fn is_flag(name: &str) -> bool {
    let words = name.strip_prefix("--");
    words.is_some_and(|words| words.len() <= 40 && words.chars().all(|c| c.is_ascii_lowercase() || c == '-'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::table::{READ_ONLY_MODE, TOOLS, URL};

    fn run(words: &[&str]) -> Result<(Task, Layer), String> {
        let words = std::iter::once("gitlab-duo-mcp").chain(words.iter().copied());
        match read(words.map(OsString::from)).map_err(|wrong| wrong.to_string())? {
            Asked::Run(run) => Ok(*run),
            Asked::Help(text) => Err(text),
        }
    }

    #[test]
    fn the_description_is_sound_and_names_every_setting() {
        command().debug_assert();
        let help = run(&["--help"]).unwrap_err();
        for setting in TABLE {
            assert!(help.contains(setting.variable), "{}", setting.variable);
        }
    }

    #[test]
    fn flags_count_before_and_after_a_command() {
        for words in [["--tools=gitlab", "tools"], ["tools", "--tools=gitlab"]] {
            let (task, layer) = run(&words).unwrap();
            assert_eq!((task, layer.get(&TOOLS)), (Task::Tools { json: false }, Some("gitlab")));
        }
        let (task, layer) = run(&["--read-only-mode", "--url", "git.example.test"]).unwrap();
        assert_eq!(task, Task::Serve);
        assert_eq!((layer.get(&READ_ONLY_MODE), layer.get(&URL)), (Some("true"), Some("git.example.test")));
    }

    #[test]
    fn commands_are_read_with_what_belongs_to_them() {
        let task = |words: &[&str]| run(words).map(|(task, _)| task);
        assert_eq!(task(&["serve"]), Ok(Task::Serve));
        assert_eq!(task(&["setup", "zed", "--write"]), Ok(Task::Setup { client: Client::Zed, write: true }));
        assert_eq!(task(&["completions", "fish"]), Ok(Task::Completions(Shell::Fish)));
        assert_eq!(task(&["man"]), Ok(Task::Man));
        let doctor = Task::Doctor { project: Some("acme/api".to_owned()), json: true };
        assert_eq!(task(&["doctor", "--project", "acme/api", "--json"]), Ok(doctor));
    }

    #[test]
    fn a_wrong_word_is_answered_with_what_is_accepted_and_never_repeated() {
        let rows: [(&[&str], &str); 7] = [
            (&["setup", "glpat-secret"], "setup: accepted: claude-code, "),
            (&["setup"], "setup: accepted: claude-code, "),
            (&["completions", "secret"], "completions: accepted: bash, "),
            (&["secret"], "the command line: accepted: flags and one of the commands serve, tools, setup, "),
            (&["tools", "secret"], "the command line: "),
            (&["--tool=secret"], "--tool: no such flag"),
            (&["--url", "a", "--url", "secret"], "--url: give it once"),
        ];
        for (words, expected) in rows {
            let wrong = run(words).unwrap_err();
            assert!(wrong.starts_with(expected), "{wrong}");
            assert!(!wrong.contains("secret") && !wrong.contains('\n'), "{wrong}");
        }
    }
}
