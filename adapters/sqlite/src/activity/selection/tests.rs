//! How SQLite reads selected activities: by which index, and without sorting.

use super::*;
use crate::table::select_from;

/// How SQLite reads what meets the terms, line by line.
fn plan(mut terms: Terms, side: Side) -> Vec<String> {
    let conn = Connection::open_in_memory().unwrap();
    conn.execute_batch(include_str!("../../../migrations/tenant/0001_initial.sql")).unwrap();
    let ordered = terms.ordered(side, 5, 0);
    let selected = select_from::<Activity>(terms.source());
    let mut statement = conn.prepare(&format!("EXPLAIN QUERY PLAN {selected} {ordered}")).unwrap();
    let lines = statement.query_map(params_from_iter(terms.params), |row| row.get(3)).unwrap();
    lines.map(Result::unwrap).collect()
}

fn on(days: &[&str]) -> OnDays {
    let days = days.iter().map(|day| Day::parse(day).unwrap()).collect();
    OnDays { days, series: Some(vec![3, 4]), without_co2e: false }
}

fn plan_of_days(days: &[&str], side: Side) -> Vec<String> {
    plan(Terms::of_days(&on(days), side), side)
}

fn sides() -> [Side; 3] {
    let place = Place { day: Day::parse("2025-03-01").unwrap(), id: Uuid::nil().into() };
    [Side::After(None), Side::After(Some(place)), Side::Before(place)]
}

#[test]
fn days_apart_are_sought_one_by_one_and_nothing_is_sorted() {
    for side in sides() {
        let plan = plan_of_days(&["2025-03-01", "2025-06-01"], side);
        assert_eq!(plan[0], "SEARCH activity USING PRIMARY KEY (day=?)", "{side:?}: {plan:?}");
        assert!(!plan.iter().any(|line| line.contains("TEMP B-TREE")), "{side:?}: {plan:?}");
    }
}

#[test]
fn activities_without_co2e_are_sought_in_the_index_of_those_alone() {
    let march = Pending::Incomplete(None, Period::parse("2025-03").unwrap());
    let of_days = |days: &[&str], side| Terms::of_days(&OnDays { without_co2e: true, ..on(days) }, side);
    for side in sides() {
        for terms in [
            Terms::of_pending(&march, side),
            of_days(&["2025-03-01"], side),
            of_days(&["2025-03-01", "2025-03-02"], side),
            of_days(&["2025-03-01", "2025-06-01"], side),
        ] {
            let plan = plan(terms, side);
            assert!(plan[0].contains("USING INDEX activity_incomplete ("), "{side:?}: {plan:?}");
            assert!(!plan.iter().any(|line| line.contains("TEMP B-TREE")), "{side:?}: {plan:?}");
        }
    }
}

#[test]
fn of_days_apart_activities_without_co2e_are_sought_one_by_one() {
    let side = Side::After(None);
    let apart = OnDays { without_co2e: true, ..on(&["2025-03-01", "2025-06-01"]) };
    let plan = plan(Terms::of_days(&apart, side), side);
    assert_eq!(plan[0], "SEARCH activity USING INDEX activity_incomplete (day=?)", "{plan:?}");
}

#[test]
fn within_days_that_follow_each_other_and_within_periods_the_place_is_sought() {
    let march = Filter::default().with_period(Period::parse("2025-03").unwrap());
    for side in sides() {
        let sought = match side {
            Side::After(None) => "(day>? AND day<?)",
            Side::After(Some(_)) => "((day,id)>(?,?) AND day<?)",
            Side::Before(_) => "(day>? AND (day,id)<(?,?))",
        };
        let of_period = plan(Terms::of(&march, &HashSet::new(), side), side);
        for plan in [plan_of_days(&["2025-03-01", "2025-03-02"], side), of_period] {
            assert!(plan[0].ends_with(sought), "{side:?}: {plan:?}");
            assert!(!plan.iter().any(|line| line.contains("TEMP B-TREE")), "{side:?}: {plan:?}");
        }
    }
}
