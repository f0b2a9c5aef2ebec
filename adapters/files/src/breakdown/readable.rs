//! A report that is broken down, to be read by people: the columns that say something, names instead of uuids, the length
//! of a bar for each row, and what has to be known about it.

use domain::{Attribution, Scope2, Total, Totals};
use ports::inbound::{Breakdown, BreakdownBy, BreakdownRow, Label};

use super::figures::{CO2E, Figure, FigureKind, MASS, figures_of};
use super::{Look, days};
use crate::counted::counted;

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
    /// Which column is CO2e.
    pub co2e: usize,
    /// How many columns at the end tell of the period that it is compared with what is not CO2e.
    pub compared_besides: usize,
    /// What the rows add up to.
    pub total: Vec<String>,
    /// What has to be known about it.
    pub notes: Vec<String>,
}

/// The report, to be read; the longest bar has so many parts.
#[must_use]
pub fn readable(found: &Breakdown, look: Look, bar_parts: i64) -> Readable {
    let shown: Vec<&Figure> = figures_of(&found.query).filter(|figure| is_needed(found, figure)).collect();
    let others: Vec<&Figure> =
        figures_of(&found.query).filter(|figure| is_needed_of_the_other(found, figure)).collect();
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
    let mut total: Vec<String> = total.chain(cells(whole, before.as_ref())).collect();
    if let Some(mass) =
        shown.iter().position(|figure| figure.name == MASS.name).and_then(|at| total.get_mut(labels + at))
    {
        mass.clear();
    }
    let span = |whole: ports::inbound::Whole| match (whole.first, whole.last) {
        (Some(first), Some(last)) => format!("{first} to {last}"),
        _ => "no activities".to_owned(),
    };
    Readable {
        days: days(found),
        compared: found.compared.map(span),
        labels,
        co2e: labels + shown.iter().position(|figure| figure.name == CO2E).unwrap_or(0),
        compared_besides: if found.compared.is_some() { others.len() } else { 0 },
        rows: rows.collect(),
        bars: bars(&found.rows, bar_parts),
        total,
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
        Label::Gas(gas) => gas.word().to_owned(),
        Label::Quality(quality) => quality.word().to_owned(),
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
    let mut notes = found.selection.clone();
    if let Some(decimals) = look.decimals {
        notes.push(format!(
            "Each amount is rounded to {} after the point, the total by itself: rounded rows need not add up to it.",
            counted(decimals.into(), "digit", "digits")
        ));
    }
    if let Some(decimals) = look.percent_decimals {
        let digits = counted(decimals.into(), "digit", "digits");
        notes.push(format!("Percentages are of CO2e in scopes 1 to 3, rounded to {digits} after the point."));
    }
    if found.query.by.contains(&BreakdownBy::Gas) {
        notes.push(
            "Unspecified: CO2e of which no gas is known, and what a source's total has more or less than its gases. The mass \
             is that of each gas itself; CO2_biogenic is in no CO2e."
                .to_owned(),
        );
    }
    if found.query.by.contains(&BreakdownBy::Quality) {
        notes.push(
            "notStated: CO2e of activities that say nothing of its quality. Scope 2 is location-based; biogenic CO2 beside the \
             CO2e is in no row."
                .to_owned(),
        );
    }
    notes.extend(market(found, look));
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
    notes.extend(outdated(found.whole.outdated, ""));
    notes.extend(found.compared.and_then(|whole| outdated(whole.outdated, " of the period compared with")));
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

/// How many activities are outdated, and what mends it.
fn outdated(count: u64, of: &str) -> Option<String> {
    let activities = counted(count, "activity has", "activities have");
    let mend = "tonne recalculate --outdated --dry-run shows what becomes of it";
    (count > 0).then(|| format!("{activities}{of} a CO2e that is outdated: {mend}."))
}

/// What the figures of scope 2 are, where the market is asked for.
fn market(found: &Breakdown, look: Look) -> Option<String> {
    let (totals, unit) = (&found.whole.totals, look.unit.code());
    let about = match found.query.scope2 {
        Scope2::Location => return None,
        Scope2::Market => "CO2e has scope 2 market-based",
        Scope2::Both => "CO2e has scope 2 location-based, market-based CO2e has it market-based: they are never added",
    };
    Some(format!(
        "{about}. Market-based scope 2 rests on instruments with {} {unit}, on a residual mix with {} {unit}, and on \
         location-based factors, for want of both, with {} {unit}.",
        look.amount(totals.market_instrument),
        look.amount(totals.market_residual),
        look.amount(totals.market_location()),
    ))
}
