//! The tables of the inventory statement: they add up, and every part is an answer of the report.

use std::collections::HashSet;

use proptest::prelude::*;
use tonne_domain::{
    Asked, Attribution, Catalog, ClosedPart, Consolidation, FactorId, FigureSource, Filter, GasRow, Name, NodeTree,
    Period, Scope, Scope2, ScopeId, ScopeKind, SourceSums, StatementLine, StatementTables, Total, Totals, report,
};

use crate::naive::{any_activities, any_attribution, class, cube, day, id, series};
use crate::report::activity;

/// The nodes that [`class`] classes: categories 2, 5 and 6 below scope 3, and one more below category 5.
fn catalog() -> Catalog {
    let below = |number: u8| (number > 10).then(|| ScopeId::new(id(3)));
    let node = |number: u8| {
        let scope = ScopeId::new(id(number));
        Scope::new(scope, Name::parse("A scope").unwrap(), class(scope).unwrap()).with_parent(below(number))
    };
    let nodes = [1, 2, 3, 4, 5, 6, 12, 15, 16].map(node).to_vec();
    Catalog { scopes: NodeTree::new(nodes), ..Catalog::default() }
}

fn days(first: i32, last: i32) -> Period {
    Period::new(Some(day(first.min(last))), Some(day(first.max(last)))).unwrap()
}

fn sum<'a>(lines: impl IntoIterator<Item = &'a StatementLine>) -> Totals {
    let mut sum = Totals::default();
    for line in lines {
        let mut parts = Totals::default();
        line.parts.iter().for_each(|part| parts += part.totals);
        assert_eq!(parts, line.totals, "a line is the sum of its parts");
        sum += line.totals;
    }
    sum
}

/// What the report says to the question.
fn answer(catalog: &Catalog, filter: Filter, asked: Asked, cube: &tonne_domain::Cube) -> Totals {
    let scopes: Option<HashSet<ScopeId>> = match asked {
        Asked::Whole | Asked::WithoutScope => None,
        Asked::Below(id) => Some(catalog.scopes.forest().subtree(id)),
        Asked::At(id) => Some(HashSet::from([id])),
    };
    report(cube, &filter.with_scopes(scopes), &|id| catalog.class(id)).totals
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_lines_of_each_table_add_up_to_the_line_above(
        activities in any_activities(200), attribution in any_attribution(), first in 0..60, last in 0..60,
    ) {
        let tables = StatementTables::of(&cube(&activities), &catalog(), days(first, last), attribution);
        let mut whole = sum(&tables.kinds);
        whole += sum([&tables.without_scope]);
        prop_assert_eq!(whole, tables.whole);
        let mut scope3 = sum(&tables.categories);
        scope3 += sum([&tables.without_category]);
        prop_assert_eq!(scope3, sum([tables.kind(ScopeKind::Scope3)]));
        for (at, kind) in [ScopeKind::Scope1, ScopeKind::Scope2].into_iter().enumerate() {
            let gases = sum(tables.gases.iter().map(|(_, lines)| &lines[at]));
            let line = tables.kind(kind).totals;
            prop_assert_eq!((gases.co2e, gases.biogenic), (line.co2e, line.biogenic));
        }
        prop_assert_eq!(tables.gases.len(), GasRow::ALL.len());
    }

    #[test]
    fn every_part_is_what_the_report_answers_to_its_question(
        activities in any_activities(200), attribution in any_attribution(), first in 0..60, last in 0..60,
    ) {
        let (cube, catalog, period) = (cube(&activities), catalog(), days(first, last));
        let tables = StatementTables::of(&cube, &catalog, period, attribution);
        let filter = Filter::default().with_period(period).with_attribution(attribution).with_scope2(Scope2::Both);
        prop_assert_eq!(tables.whole, answer(&catalog, filter.clone(), Asked::Whole, &cube));
        let lines = tables.kinds.iter().chain(&tables.categories).chain([&tables.without_category]);
        for part in lines.flat_map(|line| &line.parts) {
            prop_assert_eq!(part.totals, answer(&catalog, filter.clone(), part.asked, &cube));
        }
    }

    #[test]
    fn what_came_by_each_source_adds_up_to_the_whole(
        activities in any_activities(100), attribution in any_attribution(), first in 0..60, last in 0..60,
    ) {
        let (keys, catalog, period) = (series(), catalog(), days(first, last));
        let tables = StatementTables::of(&cube(&activities), &catalog, period, attribution);
        let mut sums = SourceSums::default();
        for one in &activities {
            let key = keys[one.series as usize];
            let class = key.scope.and_then(|id| catalog.class(id));
            sums.add(&activity(&one.posting, key), class, attribution, period);
        }
        prop_assert_eq!(*sums.whole(), tables.whole);
        let mut by_source = Totals::default();
        sums.lines(&|_: FactorId| None).iter().for_each(|line| by_source += line.totals);
        let amounts = |of: &Totals| [of.co2e, of.uncategorized, of.biogenic, of.credits, of.outside];
        prop_assert_eq!(amounts(&by_source), amounts(&tables.whole));
        prop_assert_eq!(by_source.incomplete, tables.whole.incomplete);
    }
}

#[test]
fn scope_3_names_each_category_and_what_has_none() {
    let picked = |number: u8| series().iter().position(|key| key.scope == Some(ScopeId::new(id(number)))).unwrap();
    let of = |number: u8, amount: &str| crate::naive::Activity {
        series: u32::try_from(picked(number)).unwrap(),
        posting: tonne_domain::Posting::new(day(3), day(3), tonne_domain::Co2e::parse(amount).ok()),
    };
    let cube = cube(&[of(15, "1.000000000000000001"), of(16, "2"), of(3, "4"), of(2, "8")]);
    let tables = StatementTables::of(&cube, &catalog(), days(0, 9), Attribution::Start);
    let co2e = |line: &StatementLine| line.totals.co2e.to_string();
    assert_eq!(co2e(&tables.categories[4]), "1.000000000000000001");
    assert_eq!(tables.categories[4].parts[0].asked, Asked::Below(ScopeId::new(id(15))));
    assert_eq!(co2e(&tables.categories[5]), "2");
    assert!(!tables.categories[0].is_recorded(), "a category without an activity is none of zero");
    assert_eq!(
        (co2e(&tables.without_category), co2e(tables.kind(ScopeKind::Scope3))),
        ("4".into(), "7.000000000000000001".into())
    );
    assert_eq!(tables.without_category.parts[0].asked, Asked::At(ScopeId::new(id(3))));
    assert_eq!(tables.whole.co2e, Total::parse("15.000000000000000001").unwrap());
}

#[test]
fn an_activity_without_co2e_is_a_line_of_its_own_and_adds_nothing() {
    let posting = tonne_domain::Posting::new(day(3), day(3), None);
    let mut sums = SourceSums::default();
    sums.add(&activity(&posting, series()[0]), None, Attribution::Start, days(0, 9));
    let lines = sums.lines(&|_| None);
    assert_eq!((lines.len(), &lines[0].source), (1, &FigureSource::Incomplete));
    assert_eq!((lines[0].totals.count, lines[0].totals.incomplete), (1, 1));
}

#[test]
fn a_year_is_closed_when_closed_periods_cover_every_day_of_it() {
    let year = (day(0), day(29));
    let of = |spans: &[(i32, i32)]| {
        ClosedPart::of(year, &spans.iter().map(|(first, last)| days(*first, *last)).collect::<Vec<_>>())
    };
    assert_eq!(of(&[]), ClosedPart::Open);
    assert_eq!(of(&[(30, 40)]), ClosedPart::Open);
    assert_eq!(of(&[(-5, 40)]), ClosedPart::Closed);
    assert_eq!(of(&[(20, 29), (0, 9), (10, 19)]), ClosedPart::Closed);
    assert_eq!(of(&[(0, 20), (5, 10), (21, 29)]), ClosedPart::Closed);
    assert_eq!(of(&[(0, 9), (11, 29)]), ClosedPart::Partly);
    assert_eq!(of(&[(1, 29)]), ClosedPart::Partly);
    assert_eq!(of(&[(0, 28)]), ClosedPart::Partly);
    assert_eq!(ClosedPart::of(year, &[Period::ALL]), ClosedPart::Closed);
}

#[test]
fn the_word_of_an_approach_reads_back() {
    for approach in Consolidation::ALL {
        assert_eq!(Consolidation::parse(approach.word()), Ok(approach));
    }
    assert!(Consolidation::parse("operational").unwrap_err().to_string().contains("operationalControl"));
}
