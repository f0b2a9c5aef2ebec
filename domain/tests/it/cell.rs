use proptest::prelude::*;
use tonne_domain::{
    Amounts, Attribution, Cell, Co2e, Cube, CubeBuilder, CubeError, Day, Measure, Measures, MeasuresError, Period,
    Posting, Postings, SeriesKey, TooMany, Total,
};

use crate::naive::{DAYS, any_booking, any_period, day, days_of};

proptest! {
    #[test]
    fn adding_an_activity_and_taking_it_away_leaves_nothing(bookings in prop::collection::vec(any_booking(), 0..10)) {
        let mut sum = Cell::ZERO;
        for (_, cell) in bookings.iter().flat_map(Posting::cells) {
            sum = sum.checked_add(&cell).unwrap();
        }
        for (_, cell) in bookings.iter().rev().flat_map(Posting::cells) {
            sum = sum.checked_add(&-cell).unwrap();
        }
        prop_assert!(sum.is_zero());
    }

    #[test]
    fn the_share_in_a_period_is_the_sum_of_its_days(posting in any_booking(), period in any_period()) {
        let share = posting.share_in(period).map(Total::from);
        let days: Total = days_of(&posting, Attribution::Daily, period).into_iter().map(|(_, amount)| amount).sum();
        prop_assert_eq!(share, posting.co2e.map(|_| days));
    }

    #[test]
    fn shares_of_any_partition_add_up_to_the_amount(posting in any_booking(), mut cuts in prop::collection::vec(0..DAYS, 0..8)) {
        cuts.sort_unstable();
        cuts.dedup();
        let mut first = None;
        let mut sum = Total::ZERO;
        for cut in cuts {
            sum += posting.share_in(Period::new(first, Some(day(cut))).unwrap()).unwrap_or_default().into();
            first = Some(day(cut + 1));
        }
        sum += posting.share_in(Period::new(first, None).unwrap()).unwrap_or_default().into();
        prop_assert_eq!(sum, posting.co2e.unwrap_or_default().into());
    }
}

#[test]
fn an_activity_of_three_days_leaves_the_rest_to_its_last_day() {
    let posting = Posting::new(day(0), day(2), Co2e::parse("-10").ok());
    let on = |offset| posting.share_in(Period::new(Some(day(offset)), Some(day(offset))).unwrap()).unwrap().to_string();
    assert_eq!(
        [on(0), on(1), on(2), on(3)],
        ["-3.333333333333333333", "-3.333333333333333333", "-3.333333333333333334", "0"]
    );
}

#[test]
fn an_activity_of_one_day_has_one_cell() {
    let posting = Posting::new(day(5), day(5), Co2e::parse("7").ok());
    let cells: Vec<(Day, Cell)> = posting.cells().collect();
    let amount = Total::from(Co2e::parse("7").unwrap());
    assert_eq!(
        cells,
        [(day(5), Cell::ZERO.with_starts(1).with_ends(1).with_co2e(Amounts { amount, step: amount, ..Amounts::ZERO }))]
    );
}

#[test]
fn an_incomplete_activity_is_counted_and_adds_nothing() {
    let posting = Posting::new(day(1), day(4), None);
    let start = Cell::ZERO.with_starts(1).with_incomplete_starts(1);
    let end = Cell::ZERO.with_ends(1).with_incomplete_ends(1);
    assert_eq!(posting.cells().collect::<Vec<_>>(), [(day(1), start), (day(4), end)]);
    assert_eq!(posting.share_in(Period::ALL), None);
}

#[test]
fn the_longest_activity_of_the_largest_amount_adds_up() {
    let posting = Posting::new(Day::MIN, Day::MAX, Co2e::parse(&"9".repeat(20)).ok());
    let halves = [Period::new(None, Some(day(0))).unwrap(), Period::new(Some(day(1)), None).unwrap()];
    let sum: Total = halves.iter().map(|half| Total::from(posting.share_in(*half).unwrap())).sum();
    assert_eq!(sum, posting.co2e.unwrap().into());
    assert_eq!(posting.cells().count(), 2);
}

#[test]
fn a_measure_is_spread_like_co2e_and_stands_beside_it() {
    let amount = Co2e::parse("7").unwrap();
    let measures = Measures::new([(Measure::BiogenicCo2, amount), (Measure::Nf3, Co2e::ZERO)]).unwrap();
    let alone = Posting::new(day(1), day(4), Some(amount));
    let mut both = alone.clone();
    both.measures = measures;
    for ((day, one), (same_day, two)) in alone.cells().zip(both.cells()) {
        assert_eq!((day, one.co2e), (same_day, two.co2e));
        assert_eq!(two.amounts(Measure::BiogenicCo2), one.co2e);
        assert_eq!(two.others.iter().map(|(measure, _)| measure).collect::<Vec<_>>(), [Measure::BiogenicCo2]);
        assert!(one.others.is_empty());
    }
    let mut incomplete = both;
    incomplete.co2e = None;
    assert_eq!(incomplete.cells().next().unwrap().1.amounts(Measure::BiogenicCo2).amount, amount.into());
}

#[test]
fn other_measures_are_never_co2e_and_stand_once_in_the_order_of_codes() {
    let one = Co2e::parse("1").unwrap();
    assert_eq!(Measures::new([(Measure::Co2e, one)]), Err(MeasuresError::Co2e));
    let twice = [(Measure::Sf6, one), (Measure::N2o, one), (Measure::Sf6, one)];
    assert_eq!(Measures::new(twice), Err(MeasuresError::Twice(Measure::Sf6)));
    let both = Measures::new([(Measure::Sf6, one), (Measure::MarketDelta, one)]).unwrap();
    assert_eq!(both.iter().map(|(measure, _)| measure).collect::<Vec<_>>(), [Measure::MarketDelta, Measure::Sf6]);
}

#[test]
fn a_measure_keeps_its_code_and_its_word() {
    let codes: Vec<(u32, &str)> = Measure::ALL.iter().map(|measure| (measure.code(), measure.as_str())).collect();
    let expected = [
        (0, "co2e"),
        (1, "market_delta"),
        (2, "biogenic_co2"),
        (3, "co2e_estimated"),
        (4, "co2e_proxy"),
        (5, "market_instrument"),
        (6, "market_residual"),
        (7, "co2e_measured"),
        (16, "co2_fossil"),
        (17, "ch4_fossil"),
        (18, "ch4_non_fossil"),
        (19, "n2o"),
        (20, "hfcs"),
        (21, "pfcs"),
        (22, "sf6"),
        (23, "nf3"),
        (24, "ch4"),
        (33, "ch4_fossil_mass"),
        (34, "ch4_non_fossil_mass"),
        (35, "n2o_mass"),
        (36, "hfcs_mass"),
        (37, "pfcs_mass"),
        (38, "sf6_mass"),
        (39, "nf3_mass"),
        (40, "ch4_mass"),
    ];
    assert_eq!(codes, expected);
    for measure in Measure::ALL {
        assert_eq!(Measure::from_code(measure.code()).as_ref(), Ok(measure));
        assert_eq!(Measure::parse(measure.as_str()).as_ref(), Ok(measure));
    }
    assert_eq!(Measure::from_code(8).unwrap_err().to_string(), "there is no measure 8");
    assert_eq!(Measure::parse("co2").unwrap_err().to_string(), "there is no measure co2");
}

#[test]
fn numbers_of_activities_that_would_leave_64_bits_are_refused() {
    let most = Cell::ZERO.with_starts(i64::MAX);
    let one = Cell::ZERO.with_starts(1);
    for count in [
        Cell::with_starts as fn(Cell, i64) -> Cell,
        Cell::with_ends,
        Cell::with_incomplete_starts,
        Cell::with_incomplete_ends,
    ] {
        let of = |number| count(Cell::ZERO, number);
        assert_eq!(of(i64::MAX).checked_add(&of(1)), Err(TooMany));
        assert_eq!(of(i64::MIN).checked_add(&of(-1)), Err(TooMany));
        assert_eq!(of(i64::MAX).checked_add(&of(-1)), Ok(of(i64::MAX - 1)));
        assert_eq!(-of(i64::MIN), of(i64::MAX));
    }

    let mut postings = Postings::new();
    assert_eq!(postings.add_cell(0, Day::MIN, most.clone()), Err(TooMany));
    assert_eq!(postings, Postings::new());
    // Of what cancels out, the sums on the way count too.
    let half = Cell::ZERO.with_ends(1 << 61);
    postings.add_cell(0, Day::MIN, half.clone()).unwrap();
    postings.add_cell(0, Day::MIN, -half.clone()).unwrap();
    assert_eq!(postings.add_cell(1, Day::MIN, one.clone()), Err(TooMany));
    assert!(postings.is_empty());
    assert_eq!(postings.clone().add_all(postings), Err(TooMany));

    let key = SeriesKey::default();
    assert_eq!(Cube::new([key], [(0, Day::MIN, most.clone())]).err(), Some(CubeError::TooMany(TooMany)));
    let cube = Cube::new([key], [(0, Day::MIN, half.clone()), (0, Day::MAX, half)]).unwrap();
    assert_eq!(cube.plus([(0, Day::MIN, one.clone())], []).err(), Some(CubeError::TooMany(TooMany)));
    let mut builder = CubeBuilder::new([key]);
    assert_eq!(builder.push(0, Day::MIN, most), Err(CubeError::TooMany(TooMany)));
    assert_eq!(builder.push(0, Day::MIN, one), Ok(()));
}
