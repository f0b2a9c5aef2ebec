//! How values are shown: to people, in columns, and in debug output.

use proptest::prelude::*;
use tonne_domain::{Co2e, Day, Decimal, Intensity, Moment, Name, Period, Quantity, Timestamp, Total, Unit};

fn decimal(text: &str) -> Decimal {
    Decimal::parse(text).unwrap()
}

#[test]
fn numbers_honour_width_fill_sign_and_precision() {
    let number = decimal("-1234.565");
    for (shown, expected) in [
        (format!("{number:12}"), "   -1234.565"),
        (format!("{number:<12}|"), "-1234.565   |"),
        (format!("{number:*^13}"), "**-1234.565**"),
        (format!("{number:012}"), "-0001234.565"),
        (format!("{number:.2}"), "-1234.56"),
        (format!("{number:10.1}"), "   -1234.6"),
        (format!("{number:.0}"), "-1235"),
        (format!("{number:.5}"), "-1234.56500"),
        (format!("{:+.1}", decimal("0.25")), "+0.2"),
        (format!("{:.1}", decimal("-0.04")), "0.0"),
        (format!("{:.20}", decimal("0.000000000000000001")), "0.00000000000000000100"),
        (format!("{:.1}", Decimal::MAX), "100000000000000000000.0"),
        (format!("{:8.1}", Co2e::new(number)), " -1234.6"),
        (format!("{:.0}", Total::from(Decimal::MAX).times(1000)), "100000000000000000000000"),
        (format!("{:.15}", Total::from(Decimal::MAX).times(1000)), "99999999999999999999999.999999999999999"),
        (format!("{:26.2}", Total::from(Decimal::MAX).times(-1000)), "-100000000000000000000000.00"),
        (format!("{:30}", Total::from(Decimal::MAX).times(1000)), "99999999999999999999999.999999999999999"),
    ] {
        assert_eq!(shown, expected);
    }
}

#[test]
fn everything_else_is_padded_too() {
    let (day, unit, name) =
        (Day::parse("2025-01-31").unwrap(), Unit::parse("kWh").unwrap(), Name::parse("Öl").unwrap());
    assert_eq!(format!("{day:>12}|{unit:5}|{name:<4}|"), "  2025-01-31|kWh  |Öl  |");
    assert_eq!(format!("{:>22}", Moment::parse("2025-01-31T09:30:00Z").unwrap()), "  2025-01-31T09:30:00Z");
    assert_eq!(format!("{:8}|", unit.dimension()), "energy  |");
}

#[test]
fn debug_output_is_for_people() {
    assert_eq!(format!("{:?}", Co2e::parse("12.5").unwrap()), "Co2e(12.5)");
    assert_eq!(format!("{:?}", Some(Quantity::parse("-3").unwrap())), "Some(Quantity(-3))");
    assert_eq!(format!("{:?}", Intensity::parse("0.2").unwrap()), "Intensity(0.2)");
    assert_eq!(format!("{:?} {:?}", decimal("1"), Total::from(decimal("2"))), "Decimal(1) Total(2)");
    assert_eq!(format!("{:?}", Day::parse("2025-01-31").unwrap()), "Day(2025-01-31)");
    assert_eq!(
        format!("{:?}", Moment::parse("2025-01-31T09:30:00+01:00").unwrap()),
        "Moment(2025-01-31T09:30:00+01:00)"
    );
    assert_eq!(format!("{:?}", Timestamp::MAX), "Timestamp(9999-12-31T23:59:59.999Z)");
    assert_eq!(format!("{:?}", Unit::parse("EUR").unwrap().dimension()), "Money(EUR)");
    assert_eq!(format!("{:?}", Unit::parse("g").unwrap().to_base()), "Ratio(0.001)");
}

#[test]
fn a_period_names_its_days() {
    for (text, shown) in [("2025-02", "2025-02-01 to 2025-02-28"), ("2025-02-03", "2025-02-03")] {
        assert_eq!(text.parse::<Period>().unwrap().to_string(), shown);
    }
    assert_eq!(Period::new(Day::parse("2025-02-03").ok(), None).unwrap().to_string(), "from 2025-02-03");
    assert_eq!(Period::ALL.to_string(), "all days");
}

#[test]
fn rounding_is_half_to_even_at_any_place() {
    for (text, places, expected) in [
        ("0.5", 0, "0"),
        ("1.5", 0, "2"),
        ("-2.5", 0, "-2"),
        ("2.500000000000000001", 0, "3"),
        ("12.345", 2, "12.34"),
        ("12.355", 2, "12.36"),
        ("12.355", 18, "12.355"),
        ("12.355", 40, "12.355"),
    ] {
        assert_eq!(decimal(text).round_half_even(places).unwrap().to_string(), expected, "{text} to {places}");
        assert_eq!(Total::from(decimal(text)).round_half_even(places).to_string(), expected, "{text} to {places}");
        let amount = Co2e::parse(text).unwrap();
        assert_eq!(amount.round_half_even(places).unwrap().to_string(), expected, "{text} to {places}");
    }
    assert_eq!(Decimal::MAX.round_half_even(0), None);
    assert_eq!(Total::from(Decimal::MAX).round_half_even(0).to_string(), "100000000000000000000");
}

proptest! {
    #[test]
    fn a_precision_shows_the_rounded_number(scaled in any::<i64>(), times in 1_i128..1_000_000_000_000, places in 0_u32..20) {
        let number = Decimal::from_scaled(i128::from(scaled) * times).unwrap();
        let shown = format!("{number:.*}", places as usize);
        prop_assert_eq!(shown.parse(), Ok(number.round_half_even(places).unwrap()));
        prop_assert_eq!(shown.split_once('.').map_or(0, |(_, fraction)| fraction.len()), places as usize);
        prop_assert_eq!(format!("{:.*}", places as usize, Total::from(number)), shown);
    }
}
