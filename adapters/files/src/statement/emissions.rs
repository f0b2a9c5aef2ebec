//! What was emitted: by scope, by category, by gas, and what is in no scope.

use domain::{Asked, Category, GasRow, ScopeKind, StatementLine, Total};

use super::readable::{Row, Section, Shown};
use super::{ShownStatement, excluded};
use crate::counted::counted;

/// What is said in place of a figure of nothing.
const NONE: Shown = Shown::Absent("no activities recorded");
/// What is said in place of a figure of activities of which none has CO2e.
const INCOMPLETE: Shown = Shown::Absent("none has CO2e");
/// What is said of a gas that nothing is known of.
const UNKNOWN: Shown = Shown::Absent("none known");

fn headings<const N: usize>(shown: ShownStatement<'_>, names: [&str; N]) -> Vec<String> {
    let unit = shown.look.unit.code();
    names.into_iter().map(|name| name.replace("{unit}", unit)).collect()
}

fn amount(shown: ShownStatement<'_>, total: Total) -> Shown {
    Shown::Amount(shown.look.amount(total))
}

/// A line by its name, how many activities it has, and its CO2e.
fn line(shown: ShownStatement<'_>, name: &str, found: &StatementLine, biogenic: bool) -> Row {
    let mut cells = vec![Shown::text(name)];
    if found.is_recorded() {
        cells.extend([
            if found.is_incomplete() { INCOMPLETE } else { amount(shown, found.totals.co2e) },
            Shown::amount(found.totals.count),
            Shown::amount(found.totals.incomplete),
        ]);
        cells.extend(biogenic.then(|| amount(shown, found.totals.biogenic)));
    } else {
        cells.extend([NONE, Shown::amount(0), Shown::amount(0)]);
        cells.extend(biogenic.then_some(Shown::Blank));
    }
    Row::new(cells, shown.addresses().line(found))
}

/// Scopes 1 to 3, with both figures of scope 2.
pub(super) fn scopes(shown: ShownStatement<'_>) -> Section {
    let tables = &shown.found.tables;
    let scope2 = tables.kind(ScopeKind::Scope2);
    let mut market = line(shown, "Scope 2, market-based", scope2, true);
    if let (true, Some(cell)) = (scope2.is_recorded() && !scope2.is_incomplete(), market.cells.get_mut(1)) {
        *cell = amount(shown, scope2.totals.market_co2e());
    }
    let whole = |name: &str, co2e: Total| {
        let cells = vec![
            Shown::text(name),
            amount(shown, co2e),
            Shown::amount(in_scopes(shown, |line| line.totals.count)),
            Shown::amount(in_scopes(shown, |line| line.totals.incomplete)),
            Shown::Blank,
        ];
        Row::new(cells, vec![shown.addresses().of(Asked::Whole)]).total()
    };
    let rows = vec![
        line(shown, "Scope 1, direct emissions", tables.kind(ScopeKind::Scope1), true),
        line(shown, "Scope 2, location-based", scope2, true),
        market,
        line(shown, "Scope 3, other indirect emissions", tables.kind(ScopeKind::Scope3), true),
        whole("Scopes 1 to 3 with scope 2 location-based", tables.whole.co2e),
        whole("Scopes 1 to 3 with scope 2 market-based", tables.whole.market_co2e()),
    ];
    let mut notes = vec!["Both figures of scope 2 are of the same activities: they are never added.".to_owned()];
    if tables.whole.incomplete > 0 {
        notes.push(format!(
            "Of {} of the period, in the scopes and apart from them, {}: {}",
            counted(tables.whole.count, "activity", "activities"),
            counted(tables.whole.incomplete, "has no CO2e and adds nothing", "have no CO2e and add nothing"),
            shown.addresses().incomplete()
        ));
    }
    if !tables.without_scope.totals.uncategorized.is_zero() {
        notes.push("Activities without a scope are in none of these figures; see what is reported apart.".to_owned());
    }
    Section {
        sheet: "Scopes",
        heading: "Emissions by scope".to_owned(),
        columns: headings(shown, ["scope", "CO2e ({unit})", "activities", "without CO2e", "biogenic CO2 ({unit})"]),
        rows,
        notes,
    }
}

fn in_scopes(shown: ShownStatement<'_>, count: fn(&StatementLine) -> i64) -> i64 {
    let kinds = [ScopeKind::Scope1, ScopeKind::Scope2, ScopeKind::Scope3];
    kinds.into_iter().fold(0, |sum, kind| sum.saturating_add(count(shown.found.tables.kind(kind))))
}

/// What market-based scope 2 rests on.
pub(super) fn scope2(shown: ShownStatement<'_>) -> Section {
    let found = shown.found.tables.kind(ScopeKind::Scope2);
    let (totals, explained) = (&found.totals, || shown.addresses().line(found));
    let row = |name: &str, total: Total| Row::new(vec![Shown::text(name), amount(shown, total)], explained());
    let rows = if found.is_recorded() {
        vec![
            row("Certificates, contracts and rates of suppliers", totals.market_instrument),
            row("Residual mix", totals.market_residual),
            row("Location-based factors, for want of both", totals.market_location()),
            row("Scope 2, market-based", totals.market_co2e()).total(),
        ]
    } else {
        vec![Row::new(vec![Shown::text("Scope 2, market-based"), NONE], explained())]
    };
    Section {
        sheet: "Scope 2",
        heading: "What market-based scope 2 rests on".to_owned(),
        columns: headings(shown, ["basis", "CO2e ({unit})"]),
        rows,
        notes: Vec::new(),
    }
}

/// Scope 3 by category.
pub(super) fn scope3(shown: ShownStatement<'_>) -> Section {
    let tables = &shown.found.tables;
    let mut rows: Vec<Row> = Category::all()
        .zip(&tables.categories)
        .map(|(category, found)| {
            let name = format!("{}. {}", category.number(), category.title());
            let mut row = line(shown, &name, found, false);
            if let (false, Some(cell)) = (found.is_recorded(), row.cells.get_mut(1)) {
                *cell = excluded::nothing(shown, category);
            }
            row
        })
        .collect();
    if tables.without_category.is_recorded() {
        rows.push(line(shown, "Without a category", &tables.without_category, false));
    }
    rows.push(line(shown, "Scope 3", tables.kind(ScopeKind::Scope3), false).total());
    Section {
        sheet: "Scope 3",
        heading: "Scope 3 by category".to_owned(),
        columns: headings(shown, ["category", "CO2e ({unit})", "activities", "without CO2e"]),
        rows,
        notes: vec!["A category without activities is not zero: nothing was recorded of it.".to_owned()],
    }
}

/// The gases of scopes 1 and 2.
pub(super) fn gases(shown: ShownStatement<'_>) -> Section {
    let rows = shown.found.tables.gases.iter().map(|(gas, lines)| {
        let mut explained: Vec<String> = Vec::new();
        for address in lines.iter().flat_map(|line| shown.addresses().gas(*gas, line)) {
            if !explained.contains(&address) {
                explained.push(address);
            }
        }
        let figures = lines.iter().flat_map(|line| {
            let known = |total| if line.is_recorded() { amount(shown, total) } else { UNKNOWN };
            let mass = if *gas == GasRow::Unspecified { Shown::Absent("not known") } else { known(line.totals.mass) };
            let co2e = if *gas == GasRow::BiogenicCo2 {
                Shown::Absent("in no CO2e")
            } else if *gas == GasRow::Unspecified {
                amount(shown, line.totals.co2e)
            } else {
                known(line.totals.co2e)
            };
            [mass, co2e]
        });
        Row::new([Shown::text(gas.word())].into_iter().chain(figures).collect(), explained)
    });
    let rows: Vec<Row> = rows.collect();
    let kinds = [ScopeKind::Scope1, ScopeKind::Scope2].map(|kind| shown.found.tables.kind(kind));
    let sums = kinds.iter().flat_map(|line| [Shown::Blank, amount(shown, line.totals.co2e)]);
    let explained = kinds.iter().flat_map(|line| shown.addresses().line(line)).collect();
    let sum = Row::new([Shown::text("all")].into_iter().chain(sums).collect(), explained).total();
    Section {
        sheet: "Gases",
        heading: "Scopes 1 and 2 by gas".to_owned(),
        columns: headings(
            shown,
            [
                "gas",
                "scope 1, mass ({unit})",
                "scope 1, CO2e ({unit})",
                "scope 2, mass ({unit})",
                "scope 2, CO2e ({unit})",
            ],
        ),
        rows: rows.into_iter().chain([sum]).collect(),
        notes: vec![
            "Scope 2 is location-based. Unspecified is CO2e of which no gas is known, and what a source's total has more or less \
             than its gases: more of a gas may be in it."
                .to_owned(),
        ],
    }
}

/// What is reported apart from the scopes.
pub(super) fn apart(shown: ShownStatement<'_>) -> Section {
    let tables = &shown.found.tables;
    let row = |name: &str, found: &StatementLine, total: Total| {
        let figure = match (found.is_recorded(), found.is_incomplete() && total.is_zero()) {
            (false, _) => NONE,
            (true, true) => INCOMPLETE,
            (true, false) => amount(shown, total),
        };
        let count = Shown::amount(found.totals.count);
        Row::new(vec![Shown::text(name), figure, count], shown.addresses().line(found))
    };
    let kind = |kind| tables.kind(kind);
    let biogenic = |name: &str, of: ScopeKind| row(name, kind(of), kind(of).totals.biogenic);
    let beside = [ScopeKind::Credit, ScopeKind::Outside].map(|of| kind(of).totals.biogenic);
    let others = beside.into_iter().sum::<Total>() + tables.without_scope.totals.biogenic;
    let whole = vec![shown.addresses().of(Asked::Whole)];
    let mut rows = vec![
        biogenic("Biogenic CO2 beside scope 1", ScopeKind::Scope1),
        biogenic("Biogenic CO2 beside scope 2", ScopeKind::Scope2),
        biogenic("Biogenic CO2 beside scope 3", ScopeKind::Scope3),
        biogenic("Biogenic CO2 in scopes of that kind", ScopeKind::Biogenic),
    ];
    if !others.is_zero() {
        let cells = vec![Shown::text("Biogenic CO2 of other activities"), amount(shown, others), Shown::Blank];
        rows.push(Row::new(cells, whole.clone()));
    }
    let cells = vec![Shown::text("Biogenic CO2"), amount(shown, tables.whole.biogenic), Shown::Blank];
    rows.push(Row::new(cells, whole).total());
    rows.push(row("Credits and avoided emissions", kind(ScopeKind::Credit), tables.whole.credits));
    rows.push(row("Other memo items outside the scopes", kind(ScopeKind::Outside), tables.whole.outside));
    rows.push(row("Activities without a scope", &tables.without_scope, tables.whole.uncategorized));
    Section {
        sheet: "Apart",
        heading: "Reported apart from the scopes".to_owned(),
        columns: headings(shown, ["what", "CO2e ({unit})", "activities"]),
        rows,
        notes: vec!["None of it is in the emissions of a scope, and none is netted with them.".to_owned()],
    }
}
