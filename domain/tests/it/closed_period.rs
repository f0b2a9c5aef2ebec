//! Closed periods: what is refused alters a figure, and what is not refused alters none.

use std::collections::HashSet;

use proptest::prelude::*;
use tonne_domain::{
    Activity, Attribution, Canonical as _, ClassTotals, ClosedPeriod, ClosedPeriods, Cube, Filter, Forest, Frozen,
    FrozenReport, GasRow, GasTotal, GasTotals, Moment, Name, OrgId, Period, PeriodSignature, Scope2, ScopeClass,
    ScopeId, ScopeKind, SeriesKey, Significance, Span, TaxonomyId, Timestamp, Total, breakdown_by_gas,
};

use crate::naive::{DAYS, any_activities, any_amount, class, cube, day, id};

/// The orgs 1 and 2, of which 2 is below 1.
fn orgs() -> Forest<OrgId> {
    let org = |number| OrgId::new(id(number));
    Forest::new([(org(1), None), (org(2), Some(org(1)))])
}

fn signature() -> PeriodSignature {
    let at = Timestamp::parse("2025-06-01T12:00:00.000Z").unwrap();
    PeriodSignature::new(at, Name::parse("cli:me").unwrap(), None)
}

fn closed(first: i32, last: i32, org: Option<u8>) -> ClosedPeriod {
    let frozen = Frozen::new(&FrozenReport::default(), id(1), 1);
    let period = ClosedPeriod::new(id(1).into(), day(first), day(last), signature(), frozen).unwrap();
    period.with_org(org.map(|number| OrgId::new(id(number))))
}

/// The report of those activities over a closed period.
fn report(activities: &[Activity], period: &ClosedPeriod) -> FrozenReport {
    let mut series: Vec<SeriesKey> = activities.iter().map(Activity::series).collect();
    series.sort_unstable();
    series.dedup();
    let index = |key: SeriesKey| u32::try_from(series.binary_search(&key).unwrap()).unwrap();
    let cells = activities.iter().flat_map(|one| {
        let series = index(one.series());
        one.posting().cells().map(move |(day, cell)| (series, day, cell))
    });
    let cube = Cube::new(series.clone(), cells).unwrap();
    let orgs = period.org.map(|org| orgs().subtree(org));
    FrozenReport::of(&cube, period.days(), orgs.as_ref(), &class)
}

fn any_activity(number: u8) -> impl Strategy<Value = Activity> {
    let node = |most: u8| prop::option::of(1..=most);
    (0..DAYS, 0..DAYS, any_amount(), node(6), node(2), node(1)).prop_map(move |(a, b, co2e, scope, org, taxonomy)| {
        let moment = |offset: i32| Moment::parse_start(&day(offset).to_string()).unwrap();
        let span = Span::new(moment(a.min(b)), Some(moment(a.max(b)))).unwrap();
        let supplied = tonne_domain::SuppliedCo2e::default().with_upstream(co2e);
        Activity::new(id(number).into(), Name::parse("Activity").unwrap(), span)
            .with_calculation(tonne_domain::calculate(supplied, None, None).unwrap())
            .with_scope(scope.map(|number| ScopeId::new(id(number))))
            .with_org(org.map(|number| OrgId::new(id(number))))
            .with_taxonomy(taxonomy.map(|number| TaxonomyId::new(id(number))))
    })
}

fn any_period() -> impl Strategy<Value = ClosedPeriod> {
    (0..DAYS, 0..DAYS, prop::option::of(1_u8..=2)).prop_map(|(a, b, org)| closed(a.min(b), a.max(b), org))
}

proptest! {
    #[test]
    fn an_edit_that_alters_a_figure_of_the_frozen_report_is_refused(
        period in any_period(),
        others in prop::collection::vec(any_activity(1), 0..4),
        before in prop::option::of(any_activity(2)),
        after in prop::option::of(any_activity(2)),
    ) {
        let with = |one: &Option<Activity>| -> Vec<Activity> { others.iter().chain(one).cloned().collect() };
        let altered = report(&with(&before), &period) != report(&with(&after), &period);
        let guard = ClosedPeriods::new(period.span(), &orgs());
        let refused = before.iter().chain(&after).any(|one| guard.touched(one).is_some());
        prop_assert!(!altered || refused, "the edit of {before:?} to {after:?} goes unseen in {period:?}");
    }

    #[test]
    fn an_edit_of_what_has_no_day_in_the_period_or_is_of_another_org_passes(
        period in any_period(),
        edited in any_activity(2),
    ) {
        let guard = ClosedPeriods::new(period.span(), &orgs());
        let covered = period.org.map(|org| orgs().subtree(org));
        let has_day = edited.span.first() <= period.last() && period.first() <= edited.span.last();
        let is_in = covered.is_none_or(|orgs| edited.org.is_some_and(|org| orgs.contains(&org)));
        prop_assert_eq!(guard.touched(&edited).is_some(), has_day && is_in);
        let reopened = period.with_reopened(Some(signature()));
        prop_assert!(ClosedPeriods::new(reopened.span(), &orgs()).is_empty());
    }

    #[test]
    fn a_frozen_report_is_read_as_it_was_written_and_a_changed_one_is_refused(
        activities in any_activities(20),
        org in prop::option::of(1_u8..=2),
    ) {
        let mut period = closed(0, DAYS / 2, org);
        let subtree: Option<HashSet<OrgId>> = period.org.map(|org| orgs().subtree(org));
        let report = FrozenReport::of(&cube(&activities), period.days(), subtree.as_ref(), &class);
        period.frozen = Frozen::new(&report, id(1), 7);
        prop_assert_eq!(period.frozen.report().unwrap(), report.clone());
        let text = period.canonical();
        prop_assert_eq!(ClosedPeriod::from_canonical(period.id, &text).unwrap(), period);
        prop_assert!(report.differences(&report).is_empty());
        if !report.lines.is_empty() {
            let changed = text.replacen("\\\"count\\\":", "\\\"count\\\":1", 1);
            let refused = ClosedPeriod::from_canonical(id(1).into(), &changed).unwrap_err();
            prop_assert!(refused.to_string().contains("digest"), "{}", refused);
        }
    }
}

proptest! {
    #[test]
    fn a_frozen_report_comes_to_what_reports_of_its_days_and_orgs_say_in_each_class(
        activities in any_activities(20),
        org in prop::option::of(1_u8..=2),
        daily in any::<bool>(),
    ) {
        let period = closed(0, DAYS / 2, org);
        let (cube, orgs) = (cube(&activities), period.org.map(|org| orgs().subtree(org)));
        let attribution = if daily { Attribution::Daily } else { Attribution::Start };
        let frozen = FrozenReport::of(&cube, period.days(), orgs.as_ref(), &class);
        let filter = Filter::default().with_period(period.days()).with_attribution(attribution).with_orgs(orgs);
        let filter = filter.with_scope2(Scope2::Both);
        let found = tonne_domain::report(&cube, &filter, &class).totals;
        let kind = |key: &SeriesKey| key.scope.and_then(class).map(ScopeClass::kind);
        let rows = breakdown_by_gas(&cube, &filter, &class, &[period.days()], &kind).into_iter();
        let gases = rows.filter(|(_, (kind, gas), _)| {
            kind.is_some_and(ScopeKind::is_scope) && !matches!(gas, GasRow::BiogenicCo2 | GasRow::Unspecified)
        });
        let gases = gases.map(|(_, (_, gas), totals)| (gas, GasTotal { co2e: totals.co2e, mass: totals.mass }));
        let frozen = frozen.by_class(attribution);
        prop_assert_eq!(frozen.gases.iter().map(|(_, gas)| gas.co2e).sum::<Total>(), frozen.co2e);
        prop_assert_eq!(frozen, ClassTotals::from(found).with_gases(GasTotals::new(gases)));
    }
}

#[test]
fn moving_an_org_concerns_the_periods_that_it_leaves_comes_to_or_is_moved_within() {
    let org = |number| OrgId::new(id(number));
    // 1 has 2 below it, which has 3; 4 is a root.
    let tree = Forest::new([(org(1), None), (org(2), Some(org(1))), (org(3), Some(org(2))), (org(4), None)]);
    let concerned = |closed_for: Option<u8>, moved: u8, to: Option<u8>| {
        let period = closed(0, 9, closed_for);
        ClosedPeriods::new(period.span(), &tree).moved_org(org(moved), to.map(org)).count() == 1
    };
    assert!(concerned(None, 4, Some(1)), "the whole company is closed");
    assert!(concerned(Some(1), 2, None), "it leaves");
    assert!(concerned(Some(1), 3, Some(1)), "it is moved within");
    assert!(concerned(Some(2), 4, Some(3)), "it comes");
    assert!(!concerned(Some(2), 2, None) && !concerned(Some(3), 2, Some(4)), "it keeps what it has");
    assert!(!concerned(Some(2), 4, Some(1)), "it is another part of the company");
}

#[test]
fn a_period_does_not_end_before_it_begins() {
    let frozen = Frozen::new(&FrozenReport::default(), id(1), 1);
    assert_eq!(ClosedPeriod::new(id(1).into(), day(1), day(0), signature(), frozen), None);
    assert_eq!(Period::new(Some(day(0)), Some(day(9))), Some(closed(0, 9, None).days()));
}

#[test]
fn a_change_is_significant_above_the_share_and_not_at_it() {
    let total = |text: &str| tonne_domain::Total::parse(text).unwrap();
    let five = Significance::parse("5").unwrap();
    assert!(!five.is_exceeded(total("5"), total("100")));
    assert!(five.is_exceeded(total("5.000000000000000001"), total("100")));
    assert!(five.is_exceeded(total("-6"), total("100")) && five.is_exceeded(total("6"), total("-100")));
    assert!(five.is_exceeded(total("1"), total("0")) && !five.is_exceeded(total("0"), total("0")));
    for text in ["5", "2.5", "0.01", "100", "12.34"] {
        assert_eq!(Significance::parse(text).unwrap().to_string(), text);
    }
    for wrong in ["0", "-1", "100.01", "0.001", "", "5 %", "1e9"] {
        assert!(Significance::parse(wrong).is_err(), "{wrong}");
    }
}
