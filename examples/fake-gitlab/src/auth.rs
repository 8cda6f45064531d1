//! Who asks: the token of a request and what it may do.

use crate::world::{TokenState, World};

/// Somebody who signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Viewer {
    pub(crate) user: i64,
    pub(crate) scopes: Vec<String>,
}

impl Viewer {
    pub(crate) fn has_any(&self, scopes: &[&str]) -> bool {
        self.scopes.iter().any(|scope| scopes.contains(&scope.as_str()))
    }
}

/// What the headers of a request say about who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Caller {
    Anonymous,
    Known(Viewer),
    Unknown,
    Expired,
    Revoked,
}

impl Caller {
    pub(crate) fn viewer(&self) -> Option<&Viewer> {
        match self {
            Self::Known(viewer) => Some(viewer),
            _ => None,
        }
    }
}

/// Finds the caller by `PRIVATE-TOKEN` or `Authorization: Bearer`.
pub(crate) fn caller(world: &World, headers: &[(String, String)]) -> Caller {
    let Some(secret) = secret(headers) else { return Caller::Anonymous };
    match world.tokens.iter().find(|token| token.value == secret) {
        None => Caller::Unknown,
        Some(token) => match token.state {
            TokenState::Valid => Caller::Known(Viewer { user: token.user, scopes: token.scopes.clone() }),
            TokenState::Expired => Caller::Expired,
            TokenState::Revoked => Caller::Revoked,
        },
    }
}

fn secret(headers: &[(String, String)]) -> Option<&str> {
    let value = |name: &str| headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    value("private-token").or_else(|| {
        let (scheme, secret) = value("authorization")?.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then_some(secret.trim())
    })
}
