//! A report that is broken down, to be read by people: the columns that say something, names instead of uuids, the length
//! of a bar for each row, and what has to be known about it.

use domain::{Attribution, Total, Totals};
use ports::inbound::{Breakdown, BreakdownBy, BreakdownRow, Label};

use super::figures::{FIGURES, Figure, FigureKind};
use super::{Look, days};

/// A report to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Readable {
    /// Its days.
    pub days: String,
    /// The days that it is compared with.
    pub compared: Option<String>,
    /// The headings, those of the labels first.
    pub headings: Vec<String>,
    /// How many of the columns are labels.
    pub labels: usize,
    /// The rows, cell by cell.
    pub rows: Vec<Vec<String>>,
    /// How long each row's bar is, in `bar_parts`-th parts of the longest; negative for removals.
    pub bars: Vec<i128>,
    /// What the rows add up to.
    pub total: Vec<String>,
    /// What has to be known about it.
    pub notes: Vec<String>,
}

/// The report, to be read; the longest bar has so many parts.
#[must_use]
pub fn readable(found: &Breakdown, look: Look, bar_parts: i64) -> Readable {
    let shown: Vec<&Figure> = FIGURES.iter().filter(|figure| is_needed(found, figure)).collect();
    let others: Vec<&Figure> = FIGURES.iter().filter(|figure| is_needed_of_the_other(found, figure)).collect();
    let mut headings: Vec<String> = found.query.by.iter().map(|by| by.word().to_owned()).collect();
    let labels = headings.len();
    let unit = look.unit.code();
    headings.extend(shown.iter().map(|figure| match figure.kind {
        FigureKind::Count => figure.heading.to_owned(),
        FigureKind::Amount => format!("{} ({unit})", figure.heading),
    }));
    if look.percent_decimals.is_some() {
        headings.push("share (%)".to_owned());
    }
    if found.compared.is_some() {
        headings.extend([format!("compared ({unit})"), format!("difference ({unit})")]);
        if look.percent_decimals.is_some() {
            headings.push("change (%)".to_owned());
        }
        headings.extend(others.iter().map(|figure| match figure.kind {
            FigureKind::Count => format!("compared {}", figure.heading),
            FigureKind::Amount => format!("compared {} ({unit})", figure.heading),
        }));
    }
    let whole = &found.whole.totals;
    let cells = |totals: &Totals, before: Option<&Totals>| figures((&shown, &others), (totals, before), whole, look);
    let rows = found.rows.iter().map(|row| {
        let names = found.query.by.iter().zip(&row.labels).map(|(by, label)| name(*by, label));
        names.chain(cells(&row.totals, row.compared.as_ref())).collect()
    });
    let total = (0..labels).map(|at| if at == 0 { "total".to_owned() } else { String::new() });
    let before = found.compared.map(|whole| whole.totals);
    let span = |whole: ports::inbound::Whole| match (whole.first, whole.last) {
        (Some(first), Some(last)) => format!("{first} to {last}"),
        _ => "no activities".to_owned(),
    };
    Readable {
        days: days(found),
        compared: found.compared.map(span),
        labels,
        rows: rows.collect(),
        bars: bars(&found.rows, bar_parts),
        total: total.chain(cells(whole, before.as_ref())).collect(),
        notes: notes(found, look),
        headings,
    }
}

fn figures(
    (shown, others): (&[&Figure], &[&Figure]),
    (own, before): (&Totals, Option<&Totals>),
    whole: &Totals,
    look: Look,
) -> Vec<String> {
    let mut cells: Vec<String> = shown.iter().map(|figure| (figure.show)(own, look)).collect();
    if look.percent_decimals.is_some() {
        cells.push(look.share(own, whole).unwrap_or_default());
    }
    if let Some(before) = before {
        cells.extend([look.amount(before.co2e), look.amount(own.co2e - before.co2e)]);
        if look.percent_decimals.is_some() {
            cells.push(look.change(own, before).unwrap_or_default());
        }
        cells.extend(others.iter().map(|figure| (figure.show)(before, look)));
    }
    cells
}

fn name(by: BreakdownBy, label: &Label) -> String {
    match label {
        Label::Time(name) => name.clone(),
        Label::Record { path, .. } => path.clone(),
        Label::Without => format!("(no {})", by.word()),
    }
}

fn is_needed(found: &Breakdown, figure: &Figure) -> bool {
    figure.always || found.rows.iter().any(|row| (figure.show)(&row.totals, Look::default()) != "0")
}

/// Whether the period that it is compared with says something beside its CO2e.
fn is_needed_of_the_other(found: &Breakdown, figure: &Figure) -> bool {
    let mut others = found.rows.iter().filter_map(|row| row.compared.as_ref());
    !figure.always && others.any(|totals| (figure.show)(totals, Look::default()) != "0")
}

fn bars(rows: &[BreakdownRow], parts: i64) -> Vec<i128> {
    let magnitude = |total: Total| if total < Total::ZERO { -total } else { total };
    let longest = rows.iter().map(|row| magnitude(row.totals.co2e)).max().unwrap_or_default();
    rows.iter().map(|row| row.totals.co2e.parts_of(longest, parts).unwrap_or(0)).collect()
}

/// What has to be known about a report.
pub(super) fn notes(found: &Breakdown, look: Look) -> Vec<String> {
    let all = || [Some(found.whole.totals), found.compared.map(|whole| whole.totals)].into_iter().flatten();
    let mut notes = Vec::new();
    if let Some(decimals) = look.decimals {
        notes.push(format!(
            "Each amount is rounded to {decimals} digits after the point, the total by itself: rounded rows need not add up \
             to it."
        ));
    }
    if let Some(decimals) = look.percent_decimals {
        notes.push(format!("Percentages are of CO2e in scopes 1 to 3, rounded to {decimals} digits after the point."));
    }
    let is_by_time = found.query.by.iter().any(|by| matches!(by, BreakdownBy::Time(_)));
    if is_by_time && found.query.attribution == Attribution::Daily {
        notes.push(
            "An activity is counted in each stretch of time that it touches; its CO2e is divided among them."
                .to_owned(),
        );
    }
    if all().any(|totals| totals.incomplete > 0) {
        notes.push("Without CO2e: neither amounts nor a product with a factor valid on the day.".to_owned());
    }
    if all().any(|totals| !totals.uncategorized.is_zero()) {
        notes.push("Uncategorised: of activities without a scope; in none of the scopes' totals.".to_owned());
    }
    if all().any(|totals| ![totals.biogenic, totals.credits, totals.outside].into_iter().all(Total::is_zero)) {
        notes.push(
            "Biogenic CO2, credits and outside are reported apart from the scopes and from each other.".to_owned(),
        );
    }
    notes
}
