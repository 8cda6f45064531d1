//! Looks at everything, in the order in which one thing needs the other.

use gitlab_duo_core::gateway::reader::DuoReader;
use gitlab_duo_core::model::project::ProjectRef;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::commands::doctor::check::Check;
use crate::commands::doctor::{access, instance, project};
use crate::settings::read::Settings;

/// What is known beside the port: about the token, the way, and the time.
#[derive(Clone, Debug)]
pub struct Outside {
    /// The token's scopes; none when GitLab did not tell.
    pub scopes: Option<Vec<String>>,
    /// The day the token expires on, as `2027-10-01`; none when GitLab did not tell.
    pub expires_on: Option<String>,
    /// GitLab's clock in seconds since 1970; none when it did not tell.
    pub answered_at: Option<u64>,
    /// The proxy on the way, without its sign-in.
    pub proxy: Option<String>,
    /// The present time by our own clock, from just after GitLab told its.
    pub now: Timestamp,
}

/// Looks at everything. `reader` is none when there is no token: then GitLab is not asked. Without
/// `asked` the only allowed project is looked at, if there is one.
pub async fn examine(
    settings: &Settings,
    reader: Option<&dyn DuoReader>,
    outside: &Outside,
    asked: Option<ProjectRef>,
) -> Vec<Check> {
    let found = match reader {
        Some(reader) => Some(reader.instance().await),
        None => None,
    };
    let is_usable = matches!(found, Some(Ok(_)));
    let mut checks = vec![Check::yes("address", settings.instance.as_str())];
    checks.extend(instance::version(found.as_ref()));
    checks.push(instance::tls(&settings.instance, is_usable));
    checks.push(instance::proxy(outside.proxy.as_deref()));
    checks.push(instance::clock(outside.answered_at, outside.now.as_second()));
    checks.extend(access::token(settings.token.as_ref(), found.as_ref()));
    if is_usable {
        let today = TimeZone::UTC.to_datetime(outside.now).date();
        checks.extend(access::scopes(outside.scopes.as_deref(), settings.scope.access));
        checks.push(access::expiry(outside.expires_on.as_deref(), today));
    }
    checks.extend(access::policy(&settings.scope));
    if let (Some(reader), true, Some(project)) = (reader, is_usable, asked.or_else(|| only_project(settings)))
    {
        checks.extend(project::project(reader, &settings.scope, &project).await);
    }
    checks
}

fn only_project(settings: &Settings) -> Option<ProjectRef> {
    let mut ids = settings.scope.allowed_projects.iter().flatten();
    match (ids.next(), ids.next()) {
        (Some(id), None) => Some(ProjectRef::Id(*id)),
        _ => None,
    }
}
