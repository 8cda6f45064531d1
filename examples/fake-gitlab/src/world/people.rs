//! Users, their tokens and the groups they work in.

/// Somebody who signs in, or a service account.
#[derive(Clone, Debug)]
pub struct User {
    /// Number of the user.
    pub id: i64,
    /// Name in URLs and mentions.
    pub username: String,
    /// Name for people.
    pub name: String,
    /// Whether this is a service account.
    pub bot: bool,
    /// False makes GitLab refuse Duo with a request to verify the identity.
    pub identity_verified: bool,
}

impl User {
    /// An ordinary person.
    pub fn new(id: i64, username: &str, name: &str) -> Self {
        Self { id, username: username.to_owned(), name: name.to_owned(), bot: false, identity_verified: true }
    }

    /// A service account.
    pub fn service_account(id: i64, username: &str) -> Self {
        Self { bot: true, ..Self::new(id, username, "Duo service account") }
    }
}

/// A token to add to a running instance.
#[derive(Clone, Debug)]
pub struct TokenSpec {
    /// The secret that clients send.
    pub value: String,
    /// Number of the user it belongs to.
    pub user: i64,
    /// Scopes such as `api`, `read_api`, `ai_features`, `ai_workflows`, `mcp`.
    pub scopes: Vec<String>,
}

impl TokenSpec {
    /// A token of that user with these scopes.
    pub fn new(value: &str, user: i64, scopes: &[&str]) -> Self {
        let scopes = scopes.iter().map(|scope| (*scope).to_owned()).collect();
        Self { value: value.to_owned(), user, scopes }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenState {
    Valid,
    Expired,
    Revoked,
}

/// A token that the instance knows.
#[derive(Clone)]
pub struct Token {
    pub(crate) value: String,
    pub(crate) user: i64,
    pub(crate) scopes: Vec<String>,
    pub(crate) state: TokenState,
}

impl Token {
    /// Number of the user it belongs to.
    pub fn user(&self) -> i64 {
        self.user
    }

    /// Whether one of these scopes was granted.
    pub fn has_any(&self, scopes: &[&str]) -> bool {
        self.scopes.iter().any(|scope| scopes.contains(&scope.as_str()))
    }
}

impl From<TokenSpec> for Token {
    fn from(spec: TokenSpec) -> Self {
        Self { value: spec.value, user: spec.user, scopes: spec.scopes, state: TokenState::Valid }
    }
}

/// A group or subgroup.
#[derive(Clone, Debug)]
pub struct Group {
    /// Number of the group.
    pub id: i64,
    /// Path from the top-level group down, with slashes.
    pub full_path: String,
    /// Name for people.
    pub name: String,
    /// Group above, if any.
    pub parent: Option<i64>,
}

impl Group {
    /// A group at that path.
    pub fn new(id: i64, full_path: &str, name: &str, parent: Option<i64>) -> Self {
        Self { id, full_path: full_path.to_owned(), name: name.to_owned(), parent }
    }

    /// Last part of the path.
    pub fn path(&self) -> &str {
        self.full_path.rsplit('/').next().unwrap_or_default()
    }
}
