use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use tonne_domain::{
    ActivityId, Attribution, Calculation, CalculationParts, Catalog, Co2e, Day, Filter, FirstDays, Forest, Moment,
    Name, NodeTree, OrgId, OutOfPlace, Period, Posting, Report, Scope, ScopeClass, ScopeClassError, ScopeId, ScopeKind,
    SeriesKey, Span, Starts, SuppliedCo2e, Totals, breakdown, report,
};

use crate::naive::{Activity, DAYS, any_activities, any_filter, class, cube, day, id, series};

/// Periods of a week each that cover all days, the first and last of them open.
fn weeks() -> Vec<Period> {
    let starts: Vec<i32> = (0..DAYS).step_by(7).collect();
    let end = |at: usize| starts.get(at).map(|start| day(*start - 1));
    let first = |at: usize| (at > 0).then(|| day(starts[at]));
    (0..starts.len()).map(|at| Period::new(first(at), end(at + 1)).unwrap()).collect()
}

/// An activity on those days with that CO2e, of that series.
pub(crate) fn activity(posting: &Posting, key: SeriesKey) -> tonne_domain::Activity {
    let moment = |day: Day| Moment::parse_start(&day.to_string()).unwrap();
    let end = Moment::parse_end(&posting.last.max(posting.first).to_string()).unwrap();
    let span = Span::new(moment(posting.first), Some(end)).unwrap();
    let mut activity = tonne_domain::Activity::new(ActivityId::new(id(9)), Name::parse("One").unwrap(), span);
    (activity.scope, activity.org, activity.taxonomy) = (key.scope, key.org, key.taxonomy);
    activity.measures = posting.measures.clone();
    if let Some(co2e) = posting.co2e {
        let supplied = SuppliedCo2e::default().with_downstream(Some(co2e));
        let parts = CalculationParts::default().with_downstream(Some(co2e)).with_supplied(supplied);
        activity.calculation = Calculation::from_parts(parts).unwrap();
    }
    activity
}

fn amounts(figures: &Totals) -> [String; 5] {
    let Totals { co2e, uncategorized, biogenic, credits, outside, .. } = figures;
    [co2e, uncategorized, biogenic, credits, outside].map(ToString::to_string)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn rows_by_node_add_up_to_the_report_in_every_figure(activities in any_activities(300), filter in any_filter()) {
        let cube = cube(&activities);
        let rows = breakdown(&cube, &filter, &class, &[Period::ALL], &|key| (key.org, key.scope));
        let mut sum = Totals::default();
        for (_, _, figures) in &rows {
            sum += *figures;
        }
        prop_assert_eq!(sum, report(&cube, &filter, &class).totals);
        prop_assert!(rows.iter().all(|(_, _, figures)| figures.count > 0));
    }

    #[test]
    fn rows_by_week_add_up_to_the_report(activities in any_activities(300), filter in any_filter()) {
        let cube = cube(&activities);
        let mut sum = Totals::default();
        for (_, _, figures) in breakdown(&cube, &filter, &class, &weeks(), &|key| key.taxonomy) {
            sum += figures;
        }
        let totals = report(&cube, &filter, &class).totals;
        prop_assert_eq!(amounts(&sum), amounts(&totals));
        if filter.attribution == Attribution::Start {
            prop_assert_eq!(sum, totals);
        }
    }

    #[test]
    fn what_activities_add_one_by_one_is_what_the_cube_says_of_any_period(
        activities in any_activities(100), filter in any_filter(),
    ) {
        let keys = series();
        let alone = Filter::default()
            .with_period(filter.period)
            .with_attribution(filter.attribution)
            .with_scope2(filter.scope2);
        let mut sum = Totals::default();
        for one in &activities {
            let key = keys[one.series as usize];
            let whole = activity(&one.posting, key);
            if let Some(totals) =
                Totals::of_activity(&whole, key.scope.and_then(class), filter.attribution, filter.period, filter.scope2)
            {
                sum += totals;
            }
        }
        prop_assert_eq!(sum, report(&cube(&activities), &alone, &class).totals);
    }

    #[test]
    fn the_activity_at_each_offset_starts_on_the_day_that_is_found(
        activities in any_activities(200), filter in any_filter(), step in 1_usize..20,
    ) {
        let keys = series();
        let mut days: Vec<_> = activities.iter()
            .filter(|one| filter.selects_series(&keys[one.series as usize]) && filter.period.contains(one.posting.first))
            .map(|one| one.posting.first)
            .collect();
        days.sort_unstable();
        let cube = cube(&activities);
        let found = FirstDays::new(&cube, &filter);
        prop_assert_eq!(found.count(), days.len() as u64);
        for (offset, day) in days.iter().enumerate().step_by(step) {
            let earlier = days.iter().filter(|other| *other < day).count();
            prop_assert_eq!(found.at(offset as u64), Some((*day, earlier as u64)));
            let expected: Vec<_> = days[earlier..].chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u64)).collect();
            let counted = |days: &[(Day, u64)]| days.iter().map(|(_, count)| count).sum::<u64>();
            prop_assert_eq!(&found.from(*day, u64::MAX).days, &expected);
            let few = found.from(*day, step as u64).days;
            prop_assert!(expected.starts_with(&few));
            prop_assert!(few.len() == expected.len() || counted(&few) >= step as u64);
            prop_assert!(counted(&few[..few.len().saturating_sub(1)]) < step as u64);
            let through = days.iter().filter(|other| *other <= day).count();
            let expected: Vec<_> = days[..through].chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u64)).collect();
            prop_assert_eq!(&found.until(*day, u64::MAX).days, &expected);
            let few = found.until(*day, step as u64).days;
            prop_assert!(expected.ends_with(&few));
            prop_assert!(few.len() == expected.len() || counted(&few) >= step as u64);
            prop_assert!(counted(few.get(1..).unwrap_or_default()) < step as u64);
        }
        prop_assert_eq!(found.at(days.len() as u64), None);
    }

    #[test]
    fn the_series_of_starting_days_are_those_that_are_selected_and_start_on_them(
        activities in any_activities(200), filter in any_filter(), on in 0..DAYS, enough in 1_u64..20,
    ) {
        let keys = series();
        let cube = cube(&activities);
        let found = FirstDays::new(&cube, &filter);
        for Starts { days, series: found } in [found.from(day(on), enough), found.until(day(on), enough)] {
            let starts = |one: &&Activity| days.iter().any(|(day, _)| *day == one.posting.first);
            let selected = activities.iter().filter(|one| filter.selects_series(&keys[one.series as usize]));
            let expected: BTreeSet<u32> = selected.filter(starts).map(|one| one.series).collect();
            prop_assert_eq!(found, expected.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_days_of_activities_without_co2e_are_those_on_which_such_start(
        activities in any_activities(200), filter in any_filter(),
    ) {
        let keys = series();
        let mut expected: BTreeMap<Day, u64> = BTreeMap::new();
        let incomplete: Vec<&Activity> = activities.iter()
            .filter(|one| filter.selects_series(&keys[one.series as usize]) && filter.period.contains(one.posting.first))
            .filter(|one| one.posting.co2e.is_none())
            .collect();
        for one in &incomplete {
            *expected.entry(one.posting.first).or_default() += 1;
        }
        let found = FirstDays::new(&cube(&activities), &filter).incomplete();
        prop_assert_eq!(found.days, expected.into_iter().collect::<Vec<_>>());
        let series: BTreeSet<u32> = incomplete.iter().map(|one| one.series).collect();
        prop_assert_eq!(found.series, series.into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn each_row_is_the_report_of_its_own_filter(activities in any_activities(200), filter in any_filter()) {
        let cube = cube(&activities);
        let week = Period::new(Some(day(14)), Some(day(20))).unwrap();
        let rows: BTreeMap<Option<OrgId>, Totals> = breakdown(&cube, &filter, &class, &[week], &|key| key.org)
            .into_iter().map(|(_, org, figures)| (org, figures)).collect();
        let first = filter.period.first().max(week.first());
        let last = filter.period.last().min(week.last()).or(week.last());
        for org in [OrgId::new(id(1)), OrgId::new(id(2))] {
            let own = filter.orgs.as_ref().is_none_or(|orgs| orgs.contains(&org));
            let narrow = filter.clone().with_orgs(Some(own.then_some(org).into_iter().collect()));
            let expected = Period::new(first, last)
                .map(|period| report(&cube, &narrow.with_period(period), &class).totals)
                .unwrap_or_default();
            prop_assert_eq!(rows.get(&Some(org)).copied().unwrap_or_default(), expected);
        }
    }
}

/// One activity of 10 kg in each of these series.
fn one_each(picked: impl Fn(&SeriesKey) -> bool) -> Vec<Activity> {
    let posting = Posting::new(day(3), day(9), Co2e::parse("10").ok());
    let picked = (0_u32..).zip(series()).filter(|(_, key)| picked(key));
    picked.map(|(series, _)| Activity { series, posting: posting.clone() }).collect()
}

#[test]
fn moving_an_org_changes_the_report_through_the_subtree_alone() {
    let (parent, child) = (OrgId::new(id(1)), OrgId::new(id(2)));
    let cube = cube(&one_each(|key| key.org == Some(child)));
    let under = |forest: &Forest<OrgId>| {
        let filter = Filter::default().with_orgs(Some(forest.subtree(parent)));
        report(&cube, &filter, &class)
    };
    let apart = under(&Forest::new([(parent, None), (child, None)]));
    let below = under(&Forest::new([(parent, None), (child, Some(parent))]));
    assert_eq!(apart, Report::default());
    assert_eq!((below.totals.count, below.orgs.into_iter().collect::<Vec<_>>()), (22, vec![child]));
}

#[test]
fn what_scopes_add_up_to_and_what_stands_beside_them_are_never_netted() {
    let mut activities = one_each(|key| key.org.is_none() && key.taxonomy.is_none());
    let credit = Some(ScopeId::new(id(6)));
    for activity in &mut activities {
        if series()[activity.series as usize].scope == credit {
            activity.posting.co2e = Co2e::parse("-10").ok();
        }
    }
    let totals = report(&cube(&activities), &Filter::default(), &class).totals;
    // The one without a scope, and the one in a scope that is not there.
    let uncategorized = "20";
    let expected = ["60", uncategorized, "10", "-10", "10"].map(str::to_owned);
    assert_eq!((totals.count, amounts(&totals)), (11, expected));
}

#[test]
fn a_scope_that_is_not_there_is_uncategorized() {
    let here = Scope::new(ScopeId::new(id(1)), Name::parse("Scope 1").unwrap(), ScopeClass::of(ScopeKind::Scope1));
    let catalog = Catalog { scopes: NodeTree::new(vec![here]), ..Catalog::default() };
    assert_eq!(catalog.class(ScopeId::new(id(1))), Some(ScopeClass::of(ScopeKind::Scope1)));
    assert_eq!(catalog.class(ScopeId::new(id(2))), None);
}

#[test]
fn a_node_has_the_kind_and_the_category_of_the_node_above() {
    let of = |kind, category| ScopeClass::new(kind, category).unwrap();
    let (scope1, scope3) = (of(ScopeKind::Scope1, None), of(ScopeKind::Scope3, None));
    let [travel, waste] = [6, 5].map(|category| of(ScopeKind::Scope3, Some(category)));
    for kind in ScopeKind::ALL {
        assert_eq!(ScopeClass::of(kind).check_below(ScopeClass::of(kind)), Ok(()));
    }
    assert_eq!(travel.check_below(scope3), Ok(()));
    assert_eq!(travel.check_below(travel), Ok(()));
    assert_eq!(scope3.check_below(scope1), Err(OutOfPlace::Kind(ScopeKind::Scope1)));
    assert_eq!(waste.check_below(travel), Err(OutOfPlace::Category(6)));
    assert_eq!(scope3.check_below(travel), Err(OutOfPlace::Category(6)));
}

#[test]
fn capital_goods_are_booked_on_their_day_whatever_the_attribution() {
    let cube = cube(&one_each(|key| key.scope.and_then(class).is_some_and(ScopeClass::never_spread)));
    let on = |offset| {
        let period = Period::new(Some(day(offset)), Some(day(offset))).unwrap();
        let filter = Filter::default().with_period(period).with_attribution(Attribution::Daily);
        let totals = report(&cube, &filter, &class).totals;
        (totals.count, totals.co2e.to_string())
    };
    assert_eq!([on(3), on(4), on(9)], [(12, "120".to_owned()), (0, "0".to_owned()), (0, "0".to_owned())]);
}

#[test]
fn open_ends_become_the_first_and_last_day_found() {
    let cube = cube(&one_each(|key| key.org.is_none()));
    let found = |period, attribution| {
        let report = report(&cube, &Filter::default().with_period(period).with_attribution(attribution), &class);
        (report.first, report.last)
    };
    assert_eq!(found(Period::ALL, Attribution::Start), (Some(day(3)), Some(day(3))));
    assert_eq!(found(Period::ALL, Attribution::Daily), (Some(day(3)), Some(day(9))));
    let later = Period::new(Some(day(5)), None).unwrap();
    assert_eq!(found(later, Attribution::Start), (Some(day(5)), None));
    assert_eq!(found(later, Attribution::Daily), (Some(day(5)), Some(day(9))));
    let earlier = Period::new(None, Some(day(2))).unwrap();
    assert_eq!(found(earlier, Attribution::Daily), (None, Some(day(2))));
}

#[test]
fn a_category_is_one_of_fifteen_and_only_in_scope_3() {
    assert_eq!(ScopeClass::new(ScopeKind::Scope1, Some(1)), Err(ScopeClassError::NotScope3));
    assert_eq!(ScopeClass::new(ScopeKind::Outside, Some(99)), Err(ScopeClassError::NotScope3));
    for category in [0, 16, 255] {
        assert_eq!(ScopeClass::new(ScopeKind::Scope3, Some(category)), Err(ScopeClassError::NoSuchCategory));
    }
    let whole = (1..=15).filter(|c| ScopeClass::new(ScopeKind::Scope3, Some(*c)).unwrap().never_spread());
    assert_eq!(whole.collect::<Vec<_>>(), [2, 5, 11, 12]);
    assert!(!ScopeClass::new(ScopeKind::Scope3, None).unwrap().never_spread());
}

#[test]
fn the_text_of_a_kind_reads_back() {
    for kind in ScopeKind::ALL {
        assert_eq!(ScopeKind::parse(kind.as_str()), Ok(kind));
    }
    assert!(ScopeKind::parse("Scope1").unwrap_err().to_string().contains("scope1, scope2"));
}
