//! Rules about single files.

use super::sources::SourceFile;

/// Lines of a file above which it has two subjects.
const FILE_LINES: usize = 400;

/// Files that are too long.
pub(super) fn sizes(files: &[SourceFile]) -> Vec<String> {
    let lines = |file: &&SourceFile| file.text.lines().count();
    let long = files.iter().filter(|file| !file.is_generated()).filter(|file| lines(file) > FILE_LINES);
    long.map(|file| format!("{}: {} lines, at most {FILE_LINES}", file.path, lines(&file))).collect()
}

/// A word that may stand in certain files only.
struct Word {
    /// The word.
    word: &'static str,
    /// Where the rule holds: the beginning of the path.
    within: &'static str,
    /// Files that may hold it all the same: a beginning of the path each.
    but: &'static [&'static str],
    why: &'static str,
}

const WORDS: [Word; 13] = [
    core_word("std::fs", "core does no I/O"),
    core_word("std::net", "core does no I/O"),
    core_word("std::process", "core does no I/O"),
    core_word("std::env", "core does no I/O"),
    core_word("std::thread", "core does no I/O"),
    core_word("std::io", "core does no I/O"),
    core_word("SystemTime", "time is passed in"),
    core_word("Timestamp::now", "time is passed in"),
    core_word("Instant::now", "time is passed in"),
    core_word("println!", "core does no I/O"),
    Word {
        word: "Release::new(",
        within: "gitlab-duo-",
        but: &[
            "gitlab-duo-core/src/rules/",
            "gitlab-duo-graphql/src/generated/",
            "gitlab-duo-graphql/src/wire/tests",
        ],
        why: "a version number is written in `rules/gates.rs` and nowhere else",
    },
    Word {
        word: "gitlab_duo_graphql",
        within: "gitlab-duo-mcp/src/",
        but: &["gitlab-duo-mcp/src/main.rs"],
        why: "only `main.rs` names the adapter",
    },
    Word {
        word: "rmcp::",
        within: "gitlab-duo-mcp/src/",
        but: &[
            "gitlab-duo-mcp/src/http",
            "gitlab-duo-mcp/src/reply",
            "gitlab-duo-mcp/src/server",
            "gitlab-duo-mcp/src/tools",
        ],
        why: "rmcp's types stay in `http`, `server`, `reply` and `tools`",
    },
];

const fn core_word(word: &'static str, why: &'static str) -> Word {
    Word { word, within: "gitlab-duo-core/src/", but: &[], why }
}

/// Files that hold a word they may not hold.
pub(super) fn forbidden_words(files: &[SourceFile]) -> Vec<String> {
    WORDS.iter().flat_map(|rule| files.iter().filter_map(|file| rule.complaint(file))).collect()
}

impl Word {
    fn complaint(&self, file: &SourceFile) -> Option<String> {
        let applies = file.path.starts_with(self.within) && file.path.contains("/src/");
        let is_excepted = self.but.iter().any(|path| file.path.starts_with(path));
        if !applies || is_excepted {
            return None;
        }
        let line = file.product().lines().position(|line| holds(line, self.word))?;
        Some(format!("{}:{}: `{}`: {}", file.path, line + 1, self.word, self.why))
    }
}

/// Comments may name what the code may not use.
fn holds(line: &str, word: &str) -> bool {
    let is_comment = line.trim_start().starts_with("//");
    !is_comment && line.contains(word)
}

/// Dependencies that a crate may not have.
pub(super) fn manifests(manifests: &[SourceFile]) -> Vec<String> {
    let rules: [(&str, &[&str], &str); 3] = [
        (
            "gitlab-duo-core/Cargo.toml",
            &["reqwest", "rmcp", "graphql_client", "tokio", "hyper"],
            "core does no I/O",
        ),
        ("examples/fake-gitlab/Cargo.toml", &["gitlab-duo"], "the fake knows GitLab, not us"),
        (
            "xtask/Cargo.toml",
            &["gitlab-duo-graphql", "gitlab-duo-mcp"],
            "a stale generated file would stop its own repair",
        ),
    ];
    rules
        .iter()
        .flat_map(|(path, words, why)| {
            let text =
                manifests.iter().find(|file| file.path == *path).map_or("", |file| dependencies(&file.text));
            let found = words.iter().filter(move |word| text.lines().any(|line| line.starts_with(**word)));
            found.map(move |word| format!("{path}: depends on `{word}`: {why}"))
        })
        .collect()
}

/// The `[dependencies]` of a manifest.
fn dependencies(text: &str) -> &str {
    let after = text.split("[dependencies]").nth(1).unwrap_or_default();
    after.split("\n[").next().unwrap_or_default()
}
