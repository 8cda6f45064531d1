//! Where the log goes and what is let through.

use std::io::IsTerminal;

use tracing::Metadata;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, fmt};

use crate::log::audit;
use crate::settings::read::{LogFormat, LogSettings};
use crate::settings::table::LOG;
use crate::settings::wrong::WrongSetting;

/// What is logged when nothing is said.
const DEFAULT_FILTER: &str = "warn";
/// What the targets of our own crates begin with.
const OURS: &str = "gitlab_duo";

/// Begins the log of this process on standard error; standard output carries the protocol only.
/// `rust_log` is what the variable `RUST_LOG` says, which counts when our own setting says nothing.
///
/// # Errors
/// [`WrongSetting`] for a filter that cannot be read.
pub fn begin(log: &LogSettings, rust_log: Option<&str>) -> Result<(), WrongSetting> {
    let filter = filter(log.filter.as_deref(), rust_log)?;
    let lines = fmt::layer().with_writer(std::io::stderr);
    let lines = match log.format {
        LogFormat::Human => lines.with_ansi(std::io::stderr().is_terminal()).boxed(),
        LogFormat::Json => {
            lines.json().flatten_event(true).with_current_span(false).with_span_list(false).boxed()
        }
    };
    tracing_subscriber::registry().with(filter).with(lines.with_filter(filter_fn(is_ours))).init();
    Ok(())
}

fn filter(own: Option<&str>, rust_log: Option<&str>) -> Result<EnvFilter, WrongSetting> {
    let (setting, filter) = match (own, rust_log.filter(|text| !text.is_empty())) {
        (Some(filter), _) => (LOG.name(), filter),
        (None, Some(filter)) => ("RUST_LOG".to_owned(), filter),
        (None, None) => (LOG.name(), DEFAULT_FILTER),
    };
    let wrong = || WrongSetting::new(setting, format!("accepted: {}", LOG.accepted));
    let filter = EnvFilter::try_new(filter).map_err(|_| wrong())?;
    // Who did what is kept whatever else is wanted.
    let audit = format!("{}=info", audit::TARGET).parse();
    Ok(match audit {
        Ok(audit) => filter.add_directive(audit),
        Err(_) => filter,
    })
}

/// Libraries log whole messages and headers at their lower levels: goals, answers, sign-ins of proxies.
/// None of their lines is let through.
fn is_ours(metadata: &Metadata<'_>) -> bool {
    metadata.target().starts_with(OURS)
}
