use proptest::prelude::*;
use tonne_domain::{Decimal, DecimalError, Total};

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
fn the_largest_total_prints_with_any_precision() {
    let mut largest = Total::parse(&"9".repeat(40)).unwrap();
    let mut step = largest;
    while let Some(more) = largest.checked_add(largest) {
        (largest, step) = (more, more);
    }
    while !step.is_zero() {
        largest = largest.checked_add(step).unwrap_or(largest);
        step = step.checked_div(Decimal::from_integer(2)).unwrap();
    }
    assert_eq!(format!("{largest:.0}").len(), 59);
    assert!(format!("{largest:.20}").ends_with("00"));
    assert_eq!(largest.shifted(i8::MIN).len(), 2 + 18 + 128);
    assert!(largest.shifted(i8::MAX).ends_with(&"0".repeat(109)));
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

#[test]
fn a_total_that_is_read_has_at_most_40_integer_digits() {
    let longest = "9".repeat(40);
    let total = Total::parse(&format!("-{longest}.000000000000000001")).unwrap();
    assert_eq!(total.to_string(), format!("-{longest}.000000000000000001"));
    assert_eq!(Total::parse(&format!("00{longest}")).map(|total| total.to_string()), Ok(longest.clone()));
    assert_eq!(Total::parse(&format!("1{longest}")), Err(DecimalError::TotalTooLarge));
    assert_eq!(Total::parse(&format!("5{}", "0".repeat(58))), Err(DecimalError::TotalTooLarge));
}

#[test]
fn adding_never_wraps() {
    let mut total = Total::parse(&"9".repeat(40)).unwrap();
    let doubled = std::iter::from_fn(|| {
        total = total.checked_add(total)?;
        Some(total)
    });
    let largest = doubled.last().unwrap();
    assert!(largest > Total::ZERO);
    assert_eq!((largest.checked_add(largest), (-largest).checked_sub(largest)), (None, None));
    let beyond: [fn(Total) -> Total; 4] =
        [|total| total + total, |total| -total - total, |total| total.times(4), |total| [total; 4].into_iter().sum()];
    for beyond in beyond {
        assert!(std::panic::catch_unwind(|| beyond(largest)).is_err());
    }
}
