//! What is missing in a period, as a table: a row for each finding.

use domain::ScopeClass;
use ports::inbound::{CompletenessView, CoverageView, ExclusionView, GapView, IncompleteReason, Named};

use crate::table::{Cell, Table};

/// The columns, in their order: first what kind of finding a row is, last its sentence.
const COLUMNS: [&str; 20] = [
    "finding",
    "code",
    "count",
    "incompleteCount",
    "kind",
    "category",
    "scope",
    "scopeName",
    "org",
    "orgName",
    "taxonomy",
    "taxonomyName",
    "month",
    "uuid",
    "name",
    "startDate",
    "firstYear",
    "lastYear",
    "notNamed",
    "detail",
];

/// A row by the names of its columns.
type Row = Vec<(&'static str, Cell)>;

/// What is missing, a row for each finding: `incomplete`, how many activities have no CO2e for a reason, and `activity`, one of
/// them; `month`, one without data in a series; `coverage`, what there is of a scope or a category, and `exclusion`, what is
/// left out of it. `seriesNotNamed` says how many series with gaps are left out of the table.
#[must_use]
pub fn completeness_table(found: &CompletenessView) -> Table {
    let reasons = found.reasons.iter().flat_map(of_reason);
    let gaps = found.gaps.iter().flat_map(of_gap);
    let left_out = found.gap_count.saturating_sub(found.gaps.len() as u64);
    let left_out = (left_out > 0).then(|| vec![finding("seriesNotNamed"), ("notNamed", number(left_out))]);
    let coverage = found.coverage.iter().flat_map(of_coverage);
    let rows = reasons.chain(gaps).chain(left_out).chain(coverage);
    Table {
        title: "completeness".to_owned(),
        columns: COLUMNS.map(str::to_owned).into(),
        rows: rows.map(|row| cells(&row)).collect(),
        ..Table::default()
    }
}

fn cells(row: &Row) -> Vec<Cell> {
    let cell = |column| row.iter().find(|(name, _)| *name == column).map(|(_, cell)| cell.clone()).unwrap_or_default();
    COLUMNS.map(cell).into()
}

fn finding(word: &'static str) -> (&'static str, Cell) {
    ("finding", Cell::text(word))
}

fn number(value: u64) -> Cell {
    Cell::Number(value.to_string())
}

fn of_reason(group: &IncompleteReason) -> Vec<Row> {
    let code = || ("code", Cell::text(group.reason.code()));
    let sum = vec![finding("incomplete"), code(), ("count", number(group.count)), ("detail", Cell::text(group.reason))];
    let example = group.examples.iter().map(|one| {
        let (id, name, day) = (Cell::text(one.id), Cell::text(&one.name), Cell::text(one.day));
        vec![finding("activity"), code(), ("uuid", id), ("name", name), ("startDate", day)]
    });
    [sum].into_iter().chain(example).collect()
}

fn of_gap(gap: &GapView) -> Vec<Row> {
    let nodes = [
        node(["scope", "scopeName"], gap.scope.as_ref()),
        node(["org", "orgName"], gap.org.as_ref()),
        node(["taxonomy", "taxonomyName"], gap.taxonomy.as_ref()),
    ];
    let nodes: Row = nodes.into_iter().flatten().collect();
    let of_month = |month: &String| {
        let row = [finding("month"), ("month", Cell::text(month))];
        row.into_iter().chain(nodes.iter().cloned()).collect()
    };
    gap.months.iter().map(of_month).collect()
}

fn node(columns: [&'static str; 2], named: Option<&Named>) -> Row {
    let cells = named.map(|named| [Cell::text(named.id), Cell::text(&named.name)]);
    cells.map(|cells| columns.into_iter().zip(cells).collect()).unwrap_or_default()
}

fn of_coverage(line: &CoverageView) -> Vec<Row> {
    let state = [
        finding("coverage"),
        ("code", Cell::text(line.state.word())),
        ("count", number(line.count)),
        ("incompleteCount", number(line.incomplete)),
    ];
    let state = state.into_iter().chain(class(line.class)).collect();
    [state].into_iter().chain(line.exclusions.iter().map(|one| of_exclusion(line.class, one))).collect()
}

fn of_exclusion(of: ScopeClass, view: &ExclusionView) -> Row {
    let exclusion = &view.exclusion.value;
    let (first, last) = (exclusion.years().first(), exclusion.years().last());
    let said = [
        finding("exclusion"),
        ("uuid", Cell::text(exclusion.id)),
        ("firstYear", Cell::Number(first.to_string())),
        ("lastYear", Cell::Number(last.to_string())),
        ("detail", Cell::text(&exclusion.reason)),
    ];
    said.into_iter().chain(class(of)).chain(node(["org", "orgName"], view.org.as_ref())).collect()
}

fn class(class: ScopeClass) -> Row {
    let category = class.category().map(|category| ("category", Cell::Number(category.to_string())));
    [("kind", Cell::text(class.kind()))].into_iter().chain(category).collect()
}
