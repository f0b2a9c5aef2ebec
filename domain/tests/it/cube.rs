use proptest::prelude::*;
use tonne_domain::{
    Attribution, Cell, Co2e, Cube, CubeBuilder, CubeError, Filter, Measure, OrgId, Period, Posting, ScopeClass,
    ScopeId, SeriesKey, SeriesTotals, Total, UnknownSeries,
};

use crate::naive::{
    Activity, DAYS, any_activities, any_attribution, any_filter, any_period, cells, class, cube, day, id, report,
    series, sums_of,
};

fn not_spread(key: &SeriesKey) -> bool {
    key.scope.and_then(class).is_some_and(ScopeClass::never_spread)
}

/// `cube` with the one list of activities taken away and the other added.
fn changed(cube: &Cube, old: &[Activity], new: &[Activity]) -> Cube {
    let gone = cells(old).map(|(series, day, cell)| (series, day, -cell));
    cube.plus(cells(new).chain(gone), []).unwrap()
}

/// Some of the scopes.
fn half() -> Filter {
    Filter::default().with_scopes(Some([1, 4, 12, 15].into_iter().map(|n| ScopeId::new(id(n))).collect()))
}

/// Few enough series that they are read one by one.
fn few() -> Filter {
    let one = |n| std::iter::once(id(n));
    Filter::default()
        .with_orgs(Some(one(1).map(OrgId::new).collect()))
        .with_scopes(Some(one(12).map(ScopeId::new).collect()))
}

fn same(a: &Cube, b: &Cube, period: Period) -> Result<(), TestCaseError> {
    prop_assert!(a.cells().eq(b.cells()));
    prop_assert_eq!(a.cells().count(), a.cell_count());
    prop_assert_eq!(a.series(), b.series());
    for attribution in [Attribution::Start, Attribution::Daily] {
        for measure in [Measure::Co2e, Measure::BiogenicCo2, Measure::Nf3] {
            prop_assert_eq!(
                a.sums_of(measure, period, attribution, &not_spread),
                b.sums_of(measure, period, attribution, &not_spread)
            );
        }
        prop_assert_eq!(a.sums(period, attribution, &not_spread), b.sums(period, attribution, &not_spread));
        let open = [Period::new(None, period.last()), Period::new(period.first(), None), Some(Period::ALL)];
        for period in open.into_iter().flatten().chain([period]) {
            for filter in [Filter::default(), half(), few()] {
                let filter = filter.with_period(period).with_attribution(attribution);
                prop_assert_eq!(tonne_domain::report(a, &filter, &class), tonne_domain::report(b, &filter, &class));
            }
        }
    }
    Ok(())
}

// A case of a few thousand activities is a large one: fewer of those take as long.
proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_report_is_that_of_the_plain_list(activities in any_activities(120), filter in any_filter()) {
        prop_assert_eq!(tonne_domain::report(&cube(&activities), &filter, &class), report(&activities, &filter));
    }

    #[test]
    fn amounts_of_any_partition_add_up(
        activities in any_activities(600),
        mut cuts in prop::collection::vec(0..DAYS, 0..8),
        daily in any::<bool>(),
    ) {
        let attribution = if daily { Attribution::Daily } else { Attribution::Start };
        let cube = cube(&activities);
        cuts.sort_unstable();
        cuts.dedup();
        let mut parts = vec![SeriesTotals::default(); cube.series().len()];
        let mut first = None;
        for last in cuts.into_iter().map(Some).chain([None]) {
            let period = Period::new(first, last.map(day)).unwrap();
            for (sum, part) in parts.iter_mut().zip(cube.sums(period, attribution, &not_spread)) {
                *sum += part;
            }
            first = last.map(|cut| day(cut + 1));
        }
        let all = cube.sums(Period::ALL, attribution, &not_spread);
        let amounts = |sums: &[SeriesTotals]| sums.iter().map(|sum| sum.co2e).collect::<Vec<_>>();
        prop_assert_eq!(amounts(&parts), amounts(&all));
        if !daily {
            prop_assert_eq!(parts, all);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn every_measure_is_summed_like_that_of_the_plain_list(
        activities in any_activities(1_000),
        period in any_period(),
        attribution in any_attribution(),
    ) {
        let cube = cube(&activities);
        for measure in [Measure::Co2e, Measure::BiogenicCo2, Measure::Nf3, Measure::Sf6] {
            let expected = sums_of(&activities, measure, period, attribution, &not_spread);
            prop_assert_eq!(cube.sums_of(measure, period, attribution, &not_spread), expected);
        }
        let co2e: Vec<Total> = cube.sums(period, attribution, &not_spread).iter().map(|sums| sums.co2e).collect();
        prop_assert_eq!(co2e, cube.sums_of(Measure::Co2e, period, attribution, &not_spread));
    }

    #[test]
    fn series_added_later_count_like_those_from_the_start(activities in any_activities(800), period in any_period()) {
        let keys = series();
        let (early, late): (Vec<Activity>, Vec<Activity>) = activities.iter().cloned().partition(|a| a.series < 10);
        let first = Cube::new(keys[..10].iter().copied(), cells(&early)).unwrap();
        let second = first.plus(cells(&late), keys[10..].iter().copied());
        same(&second.unwrap(), &cube(&activities), period)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_cube_of_many_blocks_reports_the_same(activities in any_activities(2_000), filter in any_filter()) {
        prop_assert_eq!(tonne_domain::report(&cube(&activities), &filter, &class), report(&activities, &filter));
    }

    #[test]
    fn a_cube_changed_step_by_step_is_the_cube_built_at_once(
        steps in prop::collection::vec(any_activities(400), 1..6),
        period in any_period(),
    ) {
        let mut stepped = Cube::new(series(), []).unwrap();
        let mut before: &[Activity] = &[];
        for step in &steps {
            stepped = changed(&stepped, before, step);
            same(&stepped, &cube(step), period)?;
            before = step;
        }
    }

    #[test]
    fn small_changes_to_a_large_cube_are_exact(
        base in any_activities(2_000),
        mut more in prop::collection::vec(any_activities(8), 1..5),
        period in any_period(),
    ) {
        let (mut stepped, mut all) = (cube(&base), base);
        for batch in &mut more {
            stepped = stepped.plus(cells(batch), []).unwrap();
            all.append(batch);
        }
        same(&stepped, &cube(&all), period)?;
        prop_assert_eq!(changed(&stepped, &all, &[]).cells().count(), 0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn a_cube_built_from_cells_in_order_is_the_cube_built_at_once(
        activities in any_activities(3_000),
        period in any_period(),
    ) {
        let expected = cube(&activities);
        let mut builder = CubeBuilder::new(series());
        for (series, day, cell) in expected.cells() {
            builder.push(series, day, cell).unwrap();
        }
        let built = builder.finish();
        same(&built, &expected, period)?;
        let stepped = cube(&activities[..activities.len() / 2]).plus(cells(&activities[activities.len() / 2..]), []);
        prop_assert!(expected.parts().eq(stepped.unwrap().parts()));
        prop_assert!(expected.parts().eq(built.parts()));
        let unpacked: Result<Vec<_>, _> = expected.parts().flat_map(|part| part.unwrap().cells().collect::<Vec<_>>()).collect();
        prop_assert!(expected.cells().eq(unpacked.unwrap()));
    }
}

#[test]
fn more_series_than_a_page_holds_keep_their_places() {
    let keys = || std::iter::repeat_n(SeriesKey::default(), 1_000);
    let cell = |n: u32| Cell::ZERO.with_starts(i64::from(n) + 1);
    let rows = |day_offset: i32| (0..1_000).map(move |n| (n, day(day_offset), cell(n)));
    let base = Cube::new(keys(), (0..10).flat_map(rows)).unwrap();
    let grown =
        base.plus([(999, day(0), -cell(999)), (1_000, day(0), cell(4)), (1_700, day(3), cell(0))], keys()).unwrap();
    let sums = grown.sums(Period::ALL, Attribution::Start, &|_| false);
    assert_eq!(sums.len(), 2_000);
    assert_eq!([sums[0].count, sums[998].count, sums[999].count], [10, 9_990, 9_000]);
    assert_eq!([sums[1_000].count, sums[1_699].count, sums[1_700].count, sums[1_999].count], [5, 0, 1, 0]);
    assert_eq!(base.sums(Period::ALL, Attribution::Start, &|_| false)[999].count, 10_000);
}

#[test]
fn a_long_activity_added_to_many_blocks_is_borne_on_every_day_of_it() {
    let none = || Cell::ZERO.with_starts(1).with_ends(1).with_incomplete_starts(1).with_incomplete_ends(1);
    let crowd = (0..DAYS).flat_map(|offset| (1..48).map(move |series| (series, day(offset), none())));
    let base = Cube::new(series(), crowd).unwrap();
    let long = Posting::new(day(1), day(DAYS - 3), Co2e::parse("1000").ok());
    let added = base.plus(long.cells().map(|(day, cell)| (0, day, cell)), []).unwrap();
    let removed = added.plus(long.cells().map(|(day, cell)| (0, day, -cell)), []).unwrap();
    for offset in 0..DAYS {
        let only = Period::new(Some(day(offset)), Some(day(offset))).unwrap();
        let share = |cube: &Cube| cube.sums(only, Attribution::Daily, &not_spread)[0].co2e;
        assert_eq!(share(&added), long.share_in(only).unwrap().into(), "day {offset}");
        assert_eq!(share(&removed), Total::ZERO, "day {offset}");
    }
}

#[test]
fn a_cell_of_an_unknown_series_is_refused() {
    let cell = || (1, day(0), Cell::ZERO.with_starts(1));
    assert_eq!(Cube::new([SeriesKey::default()], [cell()]).err(), Some(CubeError::Series(UnknownSeries(1))));
    let empty = Cube::new([SeriesKey::default()], []).unwrap();
    assert_eq!(empty.plus([cell()], []).err(), Some(CubeError::Series(UnknownSeries(1))));
    assert!(empty.plus([cell()], [SeriesKey::default()]).is_ok());
    let error = CubeBuilder::new([SeriesKey::default()]).push(1, day(0), cell().2);
    assert_eq!(error, Err(CubeError::Series(UnknownSeries(1))));
}

#[test]
fn an_empty_cube_has_no_bounds() {
    let empty = Cube::default();
    let report = tonne_domain::report(&empty, &Filter::default().with_attribution(Attribution::Daily), &class);
    assert_eq!((report.first, report.last), (None, None));
    assert!(empty.sums(Period::ALL, Attribution::Daily, &|_| false).is_empty());
}

#[test]
fn a_builder_refuses_cells_out_of_order() {
    let cell = Cell::ZERO.with_starts(1);
    let mut builder = CubeBuilder::new(series());
    builder.push(3, day(1), cell.clone()).unwrap();
    for (series, offset) in [(3, 1), (2, 1), (4, 0)] {
        assert_eq!(builder.push(series, day(offset), cell.clone()), Err(CubeError::Order));
    }
    builder.push(4, day(1), cell).unwrap();
    assert_eq!(builder.finish().cell_count(), 2);
}
