//! What figures are compared with, and what is closed.

use domain::{FrozenFigures, Total};
use ports::inbound::{PeriodView, StatementBaseYear};

use super::ShownStatement;
use super::readable::{Note, Row, Section, Shown};

/// The base year, scope by scope.
pub(super) fn base_year(shown: ShownStatement<'_>) -> Section {
    let unit = shown.look.unit.code();
    let (sheet, heading) = ("Base year", "Base year".to_owned());
    let Some(base) = &shown.found.base_year else {
        let row = Row::new(vec![Shown::text("Base year"), Shown::Absent("not stated")], Vec::new());
        let notes = vec![Note::new("No period was closed as the base year.")];
        return Section { sheet, heading, columns: Vec::new(), rows: vec![row], notes };
    };
    let names = ["Scope 1", "Scope 2, location-based", "Scope 3"];
    let pairs = base.frozen.iter().zip(&base.today);
    let mut rows: Vec<Row> =
        names.into_iter().zip(pairs).map(|(name, (was, is))| row(shown, base, name, was.co2e, is.co2e)).collect();
    let sum = |figures: &[FrozenFigures]| figures.iter().map(|one| one.co2e).sum::<Total>();
    rows.push(row(shown, base, "Scopes 1 to 3", sum(&base.frozen), sum(&base.today)).total());
    let period = &base.view.period.value;
    Section {
        sheet,
        heading: format!("Base year, {} to {}", period.first(), period.last()),
        columns: ["scope", "as it was frozen", "as it is today", "difference"]
            .into_iter()
            .map(|name| if name == "scope" { name.to_owned() } else { format!("{name} ({unit})") })
            .collect(),
        rows,
        notes: vec![
            Note::new(format!(
                "Each activity counts wholly in the year in which it begins. A difference of more than {} % asks for a \
                 recalculation of the base year.",
                base.significance
            ))
            .at(shown.addresses().base_year()),
            Note::new(signed(&base.view)),
        ],
    }
}

fn row(shown: ShownStatement<'_>, base: &StatementBaseYear, name: &str, was: Total, is: Total) -> Row {
    let amount = |total| Shown::Amount(shown.look.amount(total));
    let addresses = shown.addresses();
    let explained = vec![addresses.frozen(base.view.period.value.id), addresses.base_year()];
    Row::new(vec![Shown::text(name), amount(was), amount(is), amount(is - was)], explained)
}

fn signed(view: &PeriodView) -> String {
    let period = &view.period.value;
    let state = if period.is_closed() { "closed" } else { "closed and opened again since" };
    let reason = period.closed.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
    format!("It was {state}, at {} by {}{reason}", period.closed.at, period.closed.by)
}

/// The closed periods of the year.
pub(super) fn periods(shown: ShownStatement<'_>) -> Section {
    let rows = shown.found.periods.iter().map(|one| {
        let period = &one.view.period.value;
        let whose = one.view.org.as_ref().map_or_else(|| "the whole company".to_owned(), |org| org.name.to_string());
        let cells = vec![
            Shown::text(format_args!("{} to {}", period.first(), period.last())),
            Shown::Text(whose),
            Shown::text(format_args!("{}, {}", period.closed.at, period.closed.by)),
            Shown::text(period.frozen.digest()),
            Shown::text(if one.agrees { "yes" } else { "no" }),
        ];
        Row::new(cells, vec![shown.addresses().frozen(period.id)])
    });
    let rows: Vec<Row> = rows.collect();
    let notes = if rows.is_empty() { vec![Note::new("No day of the year is closed.")] } else { Vec::new() };
    let columns = ["period", "closed for", "closed at, by", "SHA-256 of the frozen report", "is as it was frozen"];
    Section {
        sheet: "Closed periods",
        heading: "Closed periods".to_owned(),
        columns: columns.map(str::to_owned).to_vec(),
        rows,
        notes,
    }
}
