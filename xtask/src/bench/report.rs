//! The table: what was measured, what it should be, and whether it is.

use std::io::Write;

use anyhow::Result;

use super::Figures;

/// What a figure should be.
enum Target {
    /// Told for its own sake.
    None,
    AtMost(f64),
    AtLeast(f64),
    /// At most so many times the floor's.
    AtMostFloor(f64),
    /// At least this part of the floor's.
    AtLeastFloor(f64),
}

use Target::{AtLeast, AtLeastFloor, AtMost, AtMostFloor, None as Free};

/// Name of the figure, what it is, its target.
const SPEED: [(&str, &str, Target); 18] = [
    ("listed", "spawn to initialize and tools/list, ms", AtMostFloor(2.5)),
    ("first", "spawn to first result, ms", AtMostFloor(2.0)),
    ("early", "upstream requests before the first call", AtMost(0.0)),
    ("idle", "memory idle, MB", AtMost(15.0)),
    ("used", "memory after 1,000 calls, MB", AtMost(24.0)),
    ("crowded", "memory after 64 callers, MB", AtMost(24.0)),
    ("p50 1", "call at 1 caller, p50 ms", AtMostFloor(2.0)),
    ("p99 1", "call at 1 caller, p99 ms", AtMostFloor(2.5)),
    ("p50 16", "call at 16 callers, p50 ms", AtMostFloor(2.0)),
    ("p99 16", "call at 16 callers, p99 ms", AtMostFloor(2.5)),
    ("p50 64", "call at 64 callers, p50 ms", AtMostFloor(2.0)),
    ("p99 64", "call at 64 callers, p99 ms", AtMostFloor(2.5)),
    ("rate 1", "calls/s at 1 caller", Free),
    ("rate 64", "calls/s at 64 callers", AtLeastFloor(0.5)),
    ("slow", "calls/s at 64 callers, upstream waits 50 ms", AtLeast(1_000.0)),
    ("processor", "CPU seconds per 1,000 calls", AtMost(0.3)),
    ("requests", "upstream requests per call", AtMost(1.0)),
    // The first call opened one already.
    ("connections", "connections opened during 7,000 calls", AtMost(64.0)),
];

/// Sizes in tokens of four bytes.
const SIZES: [(&str, &str, Target); 5] = [
    ("tools shown", "tool list, shown to the model", AtMost(1_500.0)),
    ("tools whole", "tool list, whole answer", Free),
    ("one session", "largest example session", AtMost(840.0)),
    ("20 sessions", "20 sessions", AtMost(1_460.0)),
    ("20 catalog rows", "20 catalog rows", AtMost(1_440.0)),
];

/// The median of each figure.
pub(super) fn medians(rounds: &[Figures]) -> Figures {
    let names = rounds.first().into_iter().flat_map(|round| round.keys());
    names.map(|name| (name.clone(), median(rounds.iter().filter_map(|round| round.get(name))))).collect()
}

fn median<'a>(values: impl Iterator<Item = &'a f64>) -> f64 {
    let mut values: Vec<f64> = values.copied().collect();
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Prints both tables in Markdown.
pub(super) fn print(floor: &Figures, ours: &Figures, sizes: &Figures) -> Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "| What | Floor | Server | Target | Met |\n| --- | --- | --- | --- | --- |")?;
    for (name, what, target) in &SPEED {
        let (floor, value) = (of(floor, name), of(ours, name));
        let (told, met) = target.judged(value, floor);
        writeln!(out, "| {what} | {} | {} | {told} | {met} |", short(floor), short(value))?;
    }
    writeln!(out, "\n| What | Bytes | Tokens (bytes / 4) | Target | Met |\n| --- | --- | --- | --- | --- |")?;
    for (name, what, target) in &SIZES {
        let bytes = of(sizes, name);
        let (told, met) = target.judged(bytes / 4.0, f64::NAN);
        writeln!(out, "| {what} | {bytes} | {:.0} | {told} | {met} |", bytes / 4.0)?;
    }
    Ok(())
}

fn of(figures: &Figures, name: &str) -> f64 {
    figures.get(name).copied().unwrap_or(f64::NAN)
}

impl Target {
    /// The target in words, and whether it is met.
    fn judged(&self, value: f64, floor: f64) -> (String, &'static str) {
        let (told, met) = match self {
            Self::None => return (String::new(), ""),
            Self::AtMost(most) => (format!("at most {most}"), value <= *most),
            Self::AtLeast(least) => (format!("at least {least}"), value >= *least),
            Self::AtMostFloor(times) => (format!("at most {times}x floor"), value <= floor * times),
            Self::AtLeastFloor(part) => (format!("at least {part}x floor"), value >= floor * part),
        };
        (told, if met { "yes" } else { "no" })
    }
}

fn short(value: f64) -> String {
    if value.fract() == 0.0 || value >= 100.0 { format!("{value:.0}") } else { format!("{value:.2}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_inclusive_and_what_is_not_measured_meets_none() {
        let rows = [
            (AtMost(15.0), 15.0, 1.0, "yes"),
            (AtMost(15.0), 15.1, 1.0, "no"),
            (AtLeast(1_000.0), 999.0, 1.0, "no"),
            (AtMostFloor(2.0), 4.0, 2.0, "yes"),
            (AtMostFloor(2.0), 4.1, 2.0, "no"),
            (AtLeastFloor(0.5), 50.0, 100.0, "yes"),
            (AtLeastFloor(0.5), 49.0, 100.0, "no"),
            (AtMost(15.0), f64::NAN, 1.0, "no"),
            (Free, 1.0, 1.0, ""),
        ];
        for (target, value, floor, expected) in rows {
            assert_eq!(target.judged(value, floor).1, expected, "{value} beside {floor}");
        }
    }

    #[test]
    fn the_median_of_rounds_is_told_by_name() {
        let round = |value| Figures::from([("p50".to_owned(), value)]);
        assert_eq!(medians(&[round(9.0), round(1.0), round(2.0)]), round(2.0));
    }
}
