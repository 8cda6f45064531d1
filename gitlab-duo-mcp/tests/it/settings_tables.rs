//! The tables of settings in the documentation are those of the code. `cargo xtask tables` writes
//! them by running this test with `UPDATE_TABLES` set.

use std::path::{Path, PathBuf};

use gitlab_duo_mcp::settings::table::{Form, Rule, Setting, TABLE};

/// What most people set; the README shows these.
const SHOWN: [&str; 4] = ["GITLAB_URL", "GITLAB_TOKEN", "GITLAB_TOKEN_FILE", "GITLAB_DUO_TOOLS"];

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)
}

fn full() -> String {
    let rows: String = TABLE.iter().map(full_row).collect();
    format!(
        "| Variable | Flag | Key in the file | Accepted | Default | What it does |\n| --- | --- | --- | --- | --- | --- |\n{rows}"
    )
}

fn full_row(setting: &Setting) -> String {
    let code = |name: Option<String>| name.map_or_else(|| "none".to_owned(), |name| format!("`{name}`"));
    let more = match setting.form {
        Form::List(_) => "; in the file also an array",
        Form::Words(_) => "; in the file also an array of words",
        _ => "",
    };
    let narrows = if setting.rule == Rule::Narrows { " (narrows)" } else { "" };
    format!(
        "| `{}` | {} | {} | {}{more} | {} | {}{narrows} |\n",
        setting.variable,
        code(setting.flag()),
        code(setting.key()),
        setting.accepted,
        setting.default,
        setting.help
    )
}

fn short() -> String {
    let shown = TABLE.iter().filter(|setting| SHOWN.contains(&setting.variable));
    let row = |setting: &Setting| {
        let default =
            if setting.default.is_empty() { String::new() } else { format!("; default {}", setting.default) };
        format!("| `{}` | {}{default} |\n", setting.variable, setting.help)
    };
    let rows: String = shown.map(row).collect();
    format!("| Setting | Meaning |\n| --- | --- |\n{rows}")
}

fn renewed(text: &str, table: &str) -> String {
    let begin = "<!-- settings: made by `cargo xtask tables` -->\n";
    let end = "<!-- end of settings -->";
    let (before, rest) = text.split_once(begin).expect("the mark before the settings");
    let (_, after) = rest.split_once(end).expect("the mark after the settings");
    format!("{before}{begin}{table}{end}{after}")
}

#[test]
fn settings_tables_are_those_of_the_code() {
    for (name, table) in [("docs/settings.md", full()), ("README.md", short())] {
        let text = std::fs::read_to_string(path(name)).unwrap();
        let renewed = renewed(&text, &table);
        if std::env::var_os("UPDATE_TABLES").is_some() {
            std::fs::write(path(name), &renewed).unwrap();
        }
        let now = std::fs::read_to_string(path(name)).unwrap();
        assert!(now == renewed, "the settings of {name} are stale: run `cargo xtask tables`");
    }
}
