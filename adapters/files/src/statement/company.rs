//! Whose statement it is, of which days, and what the company states of itself.

use domain::{Attribution, ClosedPart, YearStart};
use ports::inbound::Statement;

use super::readable::{Row, Section, Shown};
use super::{CLAIM, ShownStatement};
use crate::counted::counted;

const NOT_STATED: Shown = Shown::Absent("not stated");

/// The name of the company that reports.
pub(super) fn name(shown: ShownStatement<'_>) -> String {
    let query = &shown.found.query;
    query.stated.company.as_ref().unwrap_or(&query.company).to_string()
}

/// What is known before any figure.
pub(super) fn company(shown: ShownStatement<'_>) -> Section {
    let found = shown.found;
    let stated = &found.query.stated;
    let consolidation = stated.consolidation.map_or(NOT_STATED, |approach| Shown::text(approach.name()));
    let boundary = stated.boundary.as_ref().map_or(NOT_STATED, Shown::text);
    let spread = match found.query.attribution {
        Attribution::Start => "Each activity counts wholly in the year in which it begins.",
        Attribution::Daily => {
            "Each activity is spread evenly over its days; those of the categories 2, 5, 11 and 12 of scope 3 count wholly in the \
             year in which they begin."
        }
    };
    let unit = match shown.look.decimals {
        None => format!("{} of CO2 equivalent, to the last digit", shown.look.unit.code()),
        Some(digits) => format!(
            "{} of CO2 equivalent; each amount is rounded to {} after the point, totals by themselves: rounded rows need not add up",
            shown.look.unit.code(),
            counted(digits.into(), "digit", "digits")
        ),
    };
    let rows = [
        ("Reporting company", Shown::text(name(shown))),
        ("Period", Shown::text(format_args!("{} to {}, {}", found.first, found.last, kind(found)))),
        ("Consolidation approach", consolidation),
        ("Boundary", boundary),
        ("State of the period", Shown::text(state(found))),
        ("Attribution", Shown::text(spread)),
        ("Unit", Shown::Text(unit)),
        ("Revision", Shown::text(format_args!("change {} of epoch {}", found.revision.number, found.revision.epoch))),
        ("What this is", Shown::text(CLAIM)),
    ];
    let outdated = outdated(found.outdated).map(|sentence| ("Outdated", Shown::Text(sentence)));
    let rows =
        rows.into_iter().chain(outdated).map(|(name, value)| Row::new(vec![Shown::text(name), value], Vec::new()));
    Section { sheet: "Statement", heading: String::new(), rows: rows.collect(), ..Section::default() }
}

/// How many activities count with figures that are outdated, and what mends it.
fn outdated(count: u64) -> Option<String> {
    let mend = "tonne recalculate --outdated --dry-run shows what becomes of it";
    let activities = counted(count, "activity has", "activities have");
    (count > 0).then(|| format!("{activities} a CO2e that is outdated: {mend}"))
}

fn kind(found: &Statement) -> String {
    let start = found.query.year_start;
    if start == YearStart::default() {
        "a calendar year".to_owned()
    } else {
        format!("a fiscal year, which begins on {start} (month, day)")
    }
}

fn state(found: &Statement) -> String {
    let digests: Vec<String> = found
        .periods
        .iter()
        .filter(|period| period.view.period.value.org.is_none())
        .map(|period| format!("sha256 {}", period.view.period.value.frozen.digest()))
        .collect();
    match found.coverage {
        ClosedPart::Open => "open: figures of it may still change".to_owned(),
        ClosedPart::Partly => {
            format!("closed in part: figures of other days may still change ({})", digests.join(", "))
        }
        ClosedPart::Closed => format!("closed; the frozen report has the digest {}", digests.join(", ")),
    }
}
