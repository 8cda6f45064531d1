//! What a command line asks the program to do.

/// One of the program's commands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Task {
    /// Serve: what is done without a command.
    #[default]
    Serve,
    /// Print the tool list of the configured surface.
    Tools {
        /// As a client receives it.
        json: bool,
    },
    /// Print a client's configuration, or merge it into the client's file.
    Setup {
        /// The client.
        client: Client,
        /// Whether the file is changed.
        write: bool,
    },
    /// Print the completions of a shell.
    Completions(Shell),
    /// Print the manual page.
    Man,
    /// Check what is configured against the GitLab.
    Doctor {
        /// A project to check as well.
        project: Option<String>,
        /// As one JSON object.
        json: bool,
    },
}

/// Declares an enum whose cases have names on the command line.
macro_rules! named {
    ($(#[$doc:meta])* $type:ident { $($(#[$case_doc:meta])* $case:ident = $name:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $type { $($(#[$case_doc])* $case),* }

        impl $type {
            /// Every case with its name.
            pub const ALL: &[(&'static str, Self)] = &[$(($name, Self::$case)),*];

            /// The case of this name.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, case)| *case)
            }
        }
    };
}

named! {
    /// An MCP client that can be set up.
    Client {
        /// Claude Code.
        ClaudeCode = "claude-code",
        /// Claude Desktop.
        ClaudeDesktop = "claude-desktop",
        /// Cursor.
        Cursor = "cursor",
        /// Visual Studio Code.
        VsCode = "vscode",
        /// Codex.
        Codex = "codex",
        /// Zed.
        Zed = "zed",
        /// The IDEs of JetBrains.
        JetBrains = "jetbrains",
    }
}

named! {
    /// A shell that completes our flags.
    Shell {
        /// Bash.
        Bash = "bash",
        /// Zsh.
        Zsh = "zsh",
        /// Fish.
        Fish = "fish",
        /// PowerShell.
        PowerShell = "powershell",
    }
}
