//! What a command has to say.

/// Text for the two streams. What goes to standard output can be piped somewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Printed {
    /// For standard output.
    pub out: String,
    /// For people, on standard error.
    pub note: String,
}

impl Printed {
    /// Text for standard output alone.
    #[must_use]
    pub fn out(text: impl Into<String>) -> Self {
        Self { out: text.into(), note: String::new() }
    }
}
