use proptest::prelude::*;
use tonne_domain::{Decimal, Total};

proptest! {
    #[test]
    fn parse_and_print_are_inverse(parts in prop::collection::vec(any::<i64>(), 0..20)) {
        let total: Total = parts.iter().map(|p| Total::from(Decimal::from_integer(*p)).times(1_000_000_000)).sum();
        prop_assert_eq!(Total::parse(&total.to_string()), Ok(total));
    }

    #[test]
    fn order_of_adding_does_not_matter(mut parts in prop::collection::vec(any::<i64>(), 0..20)) {
        let sum = |parts: &[i64]| parts.iter().map(|p| Total::from(Decimal::from_integer(*p))).sum::<Total>();
        let forwards = sum(&parts);
        parts.reverse();
        prop_assert_eq!(forwards, sum(&parts));
    }
}

#[test]
fn a_total_outgrows_a_decimal_and_prints_in_full() {
    let total = Total::from(Decimal::MAX).times(1_000_000);
    assert_eq!(total.to_decimal(), None);
    assert_eq!(total.to_string(), "99999999999999999999999999.999999999999");
}

#[test]
fn shifting_shows_grams_and_tonnes_exactly() {
    let total = Total::from(Decimal::parse("-1234.5678").unwrap());
    assert_eq!(total.shifted(3), "-1234567.8");
    assert_eq!(total.shifted(-3), "-1.2345678");
    assert_eq!(Total::ZERO.shifted(3), "0");
    let finest = Total::from(Decimal::parse("0.000000000000000001").unwrap());
    assert_eq!(finest.shifted(-3), "0.000000000000000000001");
    assert_eq!(finest.shifted(3), "0.000000000000001");
}

#[test]
fn dividing_rounds_half_to_even_once() {
    let smallest = |n: i64| Total::from(Decimal::parse("0.000000000000000001").unwrap()).times(n);
    let two = Decimal::from_integer(2);
    assert_eq!(smallest(1).checked_div(two), Some(Total::ZERO));
    assert_eq!(smallest(3).checked_div(two), Some(smallest(2)));
    assert_eq!(smallest(-3).checked_div(two), Some(smallest(-2)));
    assert_eq!(smallest(1).checked_div(Decimal::ZERO), None);
}
