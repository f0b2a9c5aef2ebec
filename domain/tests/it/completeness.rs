//! What is missing: gaps by their rule, and scopes and categories against exclusions.

use std::collections::HashSet;

use proptest::prelude::*;
use tonne_domain::{
    Category, Cube, Day, ExcludedPart, ExcludedYears, Exclusion, Filter, LeftOut, NodeTree, Period, Posting, Reason,
    Scope, ScopeClass, ScopeId, ScopeKind, SeriesKey, coverage, gaps, left_out, report,
};

use crate::naive::{any_activities, any_filter, class, cube};
use crate::sample::{co2e, day, id, name};

const NO_SERIES: SeriesKey = SeriesKey { scope: None, org: None, taxonomy: None };

/// One series with an activity on each of those days.
fn on_days(days: &[&str]) -> Cube {
    spans(&days.iter().map(|one| (*one, *one)).collect::<Vec<_>>())
}

/// One series with an activity from each first day to the last.
fn spans(spans: &[(&str, &str)]) -> Cube {
    let cells = spans.iter().flat_map(|(first, last)| {
        Posting::new(day(first), day(last), Some(co2e("1")))
            .cells()
            .map(|(day, cell)| (0, day, cell))
            .collect::<Vec<_>>()
    });
    Cube::new([NO_SERIES], cells).unwrap()
}

/// The months without data in a period, by the first days, as seen on a day.
fn missing(cube: &Cube, period: &str, today: &str) -> Vec<String> {
    let filter = Filter::default().with_period(Period::parse(period).unwrap());
    let found = gaps(cube, &filter, &class, day(today)).unwrap();
    found.iter().flat_map(|gap| &gap.months).map(|month| month.first().unwrap().to_string()[..7].to_owned()).collect()
}

#[test]
fn a_month_without_data_between_months_with_data_is_a_gap() {
    let bills = on_days(&["2025-01-31", "2025-02-28", "2025-04-30", "2025-05-31"]);
    assert_eq!(missing(&bills, "2025", "2025-06-01"), ["2025-03"]);
}

#[test]
fn months_behind_the_last_one_are_gaps_until_today() {
    let bills = on_days(&["2025-01-31", "2025-02-28", "2025-03-31"]);
    assert_eq!(missing(&bills, "2025", "2025-06-15"), ["2025-04", "2025-05"]);
    assert_eq!(missing(&bills, "2025", "2025-05-31"), ["2025-04"], "May is not over");
    assert_eq!(missing(&bills, "2026", "2026-02-01"), ["2026-01"], "the year before says what is usual");
    assert_eq!(missing(&bills, "2027", "2028-01-01"), [""; 0], "two years later nothing is");
}

#[test]
fn months_before_the_first_one_are_no_gaps() {
    let bills = on_days(&["2025-10-31", "2025-11-30", "2025-12-31"]);
    assert_eq!(missing(&bills, "2025", "2026-01-01"), [""; 0]);
}

#[test]
fn a_bill_over_several_months_leaves_none_of_them_out() {
    let bills = spans(&[("2025-01-01", "2025-03-31"), ("2025-04-01", "2025-06-30"), ("2025-08-01", "2025-09-30")]);
    assert_eq!(missing(&bills, "2025", "2025-10-01"), ["2025-07"]);
}

#[test]
fn a_series_with_data_in_fewer_than_two_of_three_months_has_no_gaps() {
    let rare = on_days(&["2025-01-31", "2025-03-31", "2025-05-31", "2025-07-31"]);
    assert_eq!(missing(&rare, "2025", "2026-01-01"), [""; 0]);
    let two = on_days(&["2025-01-31", "2025-02-28"]);
    assert_eq!(missing(&two, "2025", "2026-01-01"), [""; 0], "two months are no habit");
}

#[test]
fn a_period_without_an_end_or_of_more_than_ten_years_is_not_answered() {
    let filter = |first: Option<&str>, last: Option<&str>| {
        Filter::default().with_period(Period::new(first.map(day), last.map(day)).unwrap())
    };
    let is_answered = |filter: Filter| gaps(&Cube::default(), &filter, &class, Day::MAX).is_some();
    assert!(!is_answered(filter(Some("2025-01-01"), None)));
    assert!(!is_answered(filter(None, Some("2025-01-01"))));
    assert!(is_answered(filter(Some("2015-01-01"), Some("2024-12-31"))));
    assert!(!is_answered(filter(Some("2014-12-01"), Some("2024-12-31"))));
}

fn scope(number: u128, parent: Option<u128>, class: ScopeClass) -> Scope {
    Scope::new(id(number), name("Scope"), class).with_parent(parent.map(id))
}

#[test]
fn an_exclusion_leaves_out_wholly_or_in_part_what_it_names() {
    let of = |number| ScopeClass::new(ScopeKind::Scope3, Some(number)).unwrap();
    let (one, three) = (ScopeClass::of(ScopeKind::Scope1), ScopeClass::of(ScopeKind::Scope3));
    let nodes = vec![
        scope(1, None, one),
        scope(2, Some(1), one),
        scope(3, None, three),
        scope(4, Some(3), of(6)),
        scope(5, Some(3), of(6)),
    ];
    let tree = NodeTree::new(nodes);
    let excluded = |part, class| {
        let reason = Reason::parse("not material").unwrap();
        left_out(&Exclusion::new(id(9), part, ExcludedYears::new(2025, 2025).unwrap(), reason), class, &tree)
    };
    let node = |number| ExcludedPart::Scope(id(number));
    let category = |number| ExcludedPart::Category(Category::new(number).unwrap());
    assert_eq!(excluded(category(6), of(6)), Some(LeftOut::Whole));
    assert_eq!(excluded(category(6), of(7)), None);
    assert_eq!(excluded(node(1), one), Some(LeftOut::Whole));
    assert_eq!(excluded(node(2), one), Some(LeftOut::Part));
    assert_eq!(excluded(node(4), of(6)), Some(LeftOut::Part));
    assert_eq!(excluded(node(3), of(6)), Some(LeftOut::Whole));
    assert_eq!(excluded(node(3), of(7)), Some(LeftOut::Whole), "no other node stands for it");
    assert_eq!(excluded(node(4), of(7)), None);
    assert_eq!(excluded(node(1), of(6)), None);
    assert_eq!(excluded(node(8), one), None, "a node that is not there");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The lines of scopes and categories count each activity of scopes 1 to 3 once.
    #[test]
    fn lines_of_scopes_and_categories_add_up_to_the_report(activities in any_activities(100), filter in any_filter()) {
        let cube = cube(&activities);
        let filter = filter.with_attribution(tonne_domain::Attribution::Start);
        let in_scopes = |kind| matches!(kind, ScopeKind::Scope1 | ScopeKind::Scope2 | ScopeKind::Scope3);
        let carried: HashSet<ScopeId> = cube.series().iter().filter_map(|key| key.scope).collect();
        let mut chosen: HashSet<ScopeId> =
            carried.into_iter().filter(|id| class(*id).is_some_and(|class| in_scopes(class.kind()))).collect();
        if let Some(asked) = &filter.scopes {
            chosen.retain(|id| asked.contains(id));
        }
        let whole = report(&cube, &filter.clone().with_scopes(Some(chosen)), &class).totals;
        let lines = coverage(&cube, &filter, &class);
        let sum = |of: fn(&tonne_domain::Coverage) -> i64| lines.iter().map(of).sum::<i64>();
        prop_assert_eq!((sum(|line| line.count), sum(|line| line.incomplete)), (whole.count, whole.incomplete));
    }
}
