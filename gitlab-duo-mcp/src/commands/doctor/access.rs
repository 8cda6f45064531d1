//! The token and the policy: what may be done.

use gitlab_duo_core::gateway::error::ReadError;
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::model::instance::Instance;
use gitlab_duo_core::model::scope::{Scope, Subgroups};
use gitlab_duo_core::rules::policy::Access;
use jiff::civil::Date;

use crate::commands::doctor::check::Check;
use crate::settings::token::TokenSetting;

/// Days before its end that a token is worth a word.
const EXPIRES_SOON_DAYS: i32 = 7;

/// Where the token comes from, and whether GitLab takes it.
pub(super) fn token(place: Option<&TokenSetting>, found: Option<&Result<Instance, ReadError>>) -> Vec<Check> {
    let place = match place {
        None => {
            return vec![
                Check::no("token", "none is set")
                    .but("set GITLAB_TOKEN, GITLAB_TOKEN_FILE, GITLAB_TOKEN_COMMAND or GITLAB_USE_GLAB"),
            ];
        }
        Some(TokenSetting::Value(_)) => "it is set as a value",
        Some(TokenSetting::File(_)) => "it comes from a file",
        Some(TokenSetting::Command(_)) => "it comes from a command",
        Some(TokenSetting::Glab(_)) => "it comes from the login of `glab`",
    };
    let accepted = match found {
        Some(Ok(_)) => Check::yes("token_accepted", "GitLab takes it"),
        Some(Err(error)) if error.kind == ErrorKind::Unauthorized => {
            Check::no("token_accepted", error.to_string()).but(error.kind.next_step())
        }
        Some(Err(_)) | None => Check::unknown("token_accepted", "GitLab did not say"),
    };
    vec![Check::yes("token", place), accepted]
}

/// What GitLab tells about the token. Only tokens of its own kind, not those of OAuth, are told about.
pub(super) fn scopes(scopes: Option<&[String]>, access: Access) -> Vec<Check> {
    let Some(scopes) = scopes else {
        let why = "GitLab tells it for personal, project and group access tokens only";
        return vec![Check::unknown("token_kind", why), Check::unknown("token_scopes", why)];
    };
    let has = |name: &str| scopes.iter().any(|scope| scope == name);
    let detail = scopes.join(", ");
    let check = match access {
        _ if has("api") => Check::yes("token_scopes", detail),
        Access::Full if has("read_api") => {
            Check::no("token_scopes", detail).but("to start, answer and stop sessions use a token with the scope `api`, or set GITLAB_READ_ONLY_MODE=true")
        }
        _ if has("read_api") => Check::yes("token_scopes", detail),
        _ => Check::no("token_scopes", detail).but("use a token with the scope `api`, or `read_api` to browse only"),
    };
    vec![Check::yes("token_kind", "a personal, project or group access token"), check]
}

pub(super) fn expiry(expires_on: Option<&str>, today: Date) -> Check {
    let day = expires_on.and_then(|text| text.parse::<Date>().ok());
    let Some(day) = day else {
        return Check::unknown("token_lasts", "GitLab names no day on which it expires");
    };
    let left = today.until(day).map(|span| span.get_days()).unwrap_or(i32::MAX);
    let detail = format!("it expires on {day}");
    if left > EXPIRES_SOON_DAYS {
        Check::yes("token_lasts", detail)
    } else {
        Check::no("token_lasts", detail).but("make a new token before that day")
    }
}

/// What the operator's settings leave.
pub(super) fn policy(scope: &Scope) -> Vec<Check> {
    let browsing = match scope.access {
        Access::Off => Check::no("policy_browsing", "everything is switched off")
            .but("if that is not meant, look at USE_DUO and GITLAB_DUO_PRESET"),
        _ => Check::yes("policy_browsing", "sessions may be browsed"),
    };
    let writing = match scope.access {
        Access::Full => Check::yes("policy_writing", "sessions may be started, answered and stopped"),
        _ => Check::no("policy_writing", "nothing may be started, answered or stopped"),
    };
    vec![browsing, writing, projects(scope)]
}

fn projects(scope: &Scope) -> Check {
    let mut limits = Vec::new();
    if let Some(ids) = &scope.allowed_projects {
        let ids: Vec<_> = ids.iter().map(ToString::to_string).collect();
        let ids = if ids.is_empty() { "none".to_owned() } else { ids.join(", ") };
        limits.push(format!("allowed ids: {ids}"));
    }
    limits.extend(scope.working.iter().map(|working| {
        let subgroups = if working.subgroups == Subgroups::LeftOut { ", without subgroups" } else { "" };
        format!("within {}{subgroups}", working.path)
    }));
    if limits.is_empty() {
        return Check::yes("policy_all_projects", "every project that GitLab shows");
    }
    let check = Check::no("policy_all_projects", limits.join("; "));
    let is_empty = scope.allowed_projects.as_ref().is_some_and(|ids| ids.is_empty());
    if is_empty {
        check.but("the lists of allowed projects have no project in common: correct one of them")
    } else {
        check
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_judged_by_what_is_allowed_here() {
        let rows: [(&[&str], Access, Option<bool>); 6] = [
            (&["api"], Access::Full, Some(true)),
            (&["read_api"], Access::Full, Some(false)),
            (&["read_api"], Access::ReadOnly, Some(true)),
            (&["read_user"], Access::ReadOnly, Some(false)),
            (&[], Access::Full, Some(false)),
            (&["read_user", "api"], Access::Full, Some(true)),
        ];
        for (names, access, expected) in rows {
            let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
            let checks = scopes(Some(&names), access);
            let check = checks.last().unwrap();
            assert_eq!(
                (check.state, check.next_step.is_some()),
                (expected, expected == Some(false)),
                "{names:?}"
            );
        }
        assert!(
            scopes(None, Access::Full).iter().all(|check| check.state.is_none() && check.next_step.is_none())
        );
    }

    #[test]
    fn a_token_that_ends_soon_is_a_problem() {
        let today = jiff::civil::date(2026, 10, 20);
        let state = |text: Option<&str>| expiry(text, today).state;
        assert_eq!(state(Some("2027-10-01")), Some(true));
        assert_eq!(state(Some("2026-10-28")), Some(true));
        assert_eq!(state(Some("2026-10-27")), Some(false));
        assert_eq!(state(Some("2026-01-01")), Some(false));
        assert_eq!((state(None), state(Some("soon"))), (None, None));
    }
}
