//! A page of agents and flows, as text.

use gitlab_duo_core::model::catalog::ItemFilter;
use gitlab_duo_core::view::catalog::{CatalogItemView, CatalogView, EligibilityView};

use crate::text::lines::{Lines, inline};

/// The page: one line per row, with its selector.
pub(crate) fn tell(view: &CatalogView) -> String {
    let mut lines = Lines::default();
    let count = view.items.len();
    lines.say(&format!(
        "{count} agents and flows of {} on this page; names and descriptions are text from GitLab.",
        inline(&view.project)
    ));
    let shown = view.items.iter().take_while(|item| lines.row(&row(item))).count();
    if shown < count {
        lines.say(&format!("{} more rows are in the structured result.", count - shown));
    }
    eligibility(&view.eligibility, &mut lines);
    lines.page_end(&view.page_info);
    lines.close(&view.hints, &view.unavailable)
}

fn row(item: &CatalogItemView) -> String {
    let name = item.name.value().map_or_else(|| "(name unknown)".to_owned(), inline);
    let item_type = item.item_type.value().map_or_else(|| "unknown type".to_owned(), item_type);
    let startable = match (item.can_start_session, &item.why_not) {
        (Some(true), _) => "can be started".to_owned(),
        (Some(false), Some(why)) => format!("cannot be started: {why}"),
        (Some(false), None) => "cannot be started".to_owned(),
        (None, Some(why)) => format!("may be startable: {why}"),
        (None, None) => "may be startable".to_owned(),
    };
    let url = item.requires_url.map_or_else(String::new, |page| format!("; needs the url of a {page}"));
    format!("{name} ({item_type}){}: {startable}{url}", selector(item))
}

/// A type that is known by its name, a new one quoted.
fn item_type(name: &str) -> String {
    if ItemFilter::NAMES.contains(&name) { name.to_owned() } else { inline(name) }
}

fn selector(item: &CatalogItemView) -> String {
    let selectors = [("flow", &item.flow), ("agent", &item.agent), ("consumer_id", &item.consumer_id)];
    let given = selectors.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
    given.map(|(name, value)| format!(", {name} {}", inline(value))).collect()
}

/// Names only what stands in the way: the rest is in the structured result.
fn eligibility(facts: &EligibilityView, lines: &mut Lines) {
    let wanted = [
        ("duo_features_enabled", facts.duo_features_enabled),
        ("agent_platform_enabled", facts.agent_platform_enabled),
        ("remote_flows_enabled", facts.remote_flows_enabled),
        ("foundational_flows_enabled", facts.foundational_flows_enabled),
        ("minimum_access", facts.minimum_access),
        ("runner_available", facts.runner_available),
        ("credits_available", facts.credits_available),
    ];
    let missing = wanted.into_iter().filter(|(_, fact)| *fact == Some(false)).map(|(name, _)| name);
    let archived = (facts.archived == Some(true)).then_some("the project is archived");
    let obstacles: Vec<_> = missing.chain(archived).collect();
    if !obstacles.is_empty() {
        lines.say(&format!("Sessions may not run here; not given: {}.", obstacles.join(", ")));
    }
}
