//! CO2e is quantity times factor, part by part, rounded once.

use proptest::prelude::*;
use tonne_domain::{
    Calculation, CalculationError, CalculationParts, Co2e, Decimal, Factor, FactorLookup, Incomplete, InputCalculation,
    Intensity, Product, Quantity, SuppliedCo2e, calculate, emissions,
};

use crate::sample::{co2e, day, factor, id, intensity, product, quantity, terms, unit};

fn emitted(amount: &str, code: &str, per: &str, factor_unit: &str) -> String {
    emissions(quantity(amount), unit(code), intensity(per), unit(factor_unit)).unwrap().to_string()
}

#[test]
fn worked_examples_come_out_by_hand() {
    for (amount, code, per, factor_unit, expected) in [
        ("1000", "kWh", "0.207074", "kWh", "207.074"),
        ("1.5", "MWh", "0.207074", "kWh", "310.611"),
        // Natural gas: 53.06 + 28 x 0.001 + 265 x 0.0001 kg per MMBtu.
        ("10", "MMBtu", "53.1145", "MMBtu", "531.145"),
        ("10", "therm_ec", "53.1145", "MMBtu", "53.1145"),
        ("1000", "kBtu", "53.1145", "MMBtu", "53.1145"),
        // 8.78 kg per US gallon of petrol; a gallon is 3.785411784 L.
        ("3.785411784", "L", "8.78", "gal", "8.78"),
        ("100", "gal", "2.31", "L", "874.430122104"),
        ("250", "mi", "0.17", "km", "68.39712"),
        ("-2", "t", "0.5", "kg", "-1000"),
        ("99.5", "EUR", "0.4", "EUR", "39.8"),
        ("0", "kWh", "0.207074", "kWh", "0"),
        // 1 / 3.6 does not end: it is rounded at the 18th digit.
        ("1", "MJ", "1", "kWh", "0.277777777777777778"),
    ] {
        assert_eq!(emitted(amount, code, per, factor_unit), expected, "{amount} {code} x {per} per {factor_unit}");
    }
}

#[test]
fn rounding_happens_once_at_the_end() {
    // 1 MJ is 0.2777... kWh: rounded first, times 3.6, it would be 1.0000000000000000008.
    assert_eq!(emitted("1", "MJ", "3.6", "kWh"), "1");
    // Half of the last digit goes to the even neighbour.
    assert_eq!(emitted("0.000000000000000001", "kWh", "0.5", "kWh"), "0");
    assert_eq!(emitted("0.000000000000000003", "kWh", "0.5", "kWh"), "0.000000000000000002");
    assert_eq!(emitted("-0.000000000000000003", "kWh", "0.5", "kWh"), "-0.000000000000000002");
}

#[test]
fn what_cannot_be_multiplied_is_an_error() {
    let dimension = CalculationError::Dimension { unit: unit("kg"), expected: unit("kWh") };
    assert_eq!(emissions(quantity("1"), unit("kg"), intensity("1"), unit("kWh")), Err(dimension));
    assert!(dimension.to_string().contains("kg measures mass"), "{dimension}");
    let most = Quantity::new(Decimal::MAX);
    assert_eq!(emissions(most, unit("kWh"), intensity("2"), unit("kWh")), Err(CalculationError::TooLarge));
    // What leaves the bounds on the way and comes back is no error.
    assert_eq!(emissions(most, unit("t"), intensity("0.001"), unit("kg")), Ok(Co2e::new(Decimal::MAX)));
}

/// Reckons 1000 kWh on 2024-06-01 with one factor from 2024-01-01 on.
fn of_1000_kwh(supplied: SuppliedCo2e, upstream: &str, downstream: &str) -> Calculation {
    let product = product("kWh");
    let factors = [factor(9, &product, terms("kWh", upstream, downstream, "2024-01-01"))];
    let basis = FactorLookup { product: &product, factors: &factors, day: day("2024-06-01"), chosen: None };
    calculate(supplied, Some((quantity("1000"), unit("kWh"))), Some(basis)).unwrap()
}

#[test]
fn both_parts_are_computed_and_add_up() {
    let result = of_1000_kwh(SuppliedCo2e::default(), "0.05", "0.207074");
    assert_eq!((result.upstream(), result.downstream()), (Some(co2e("50")), Some(co2e("207.074"))));
    assert_eq!((result.co2e(), result.factor(), result.reason()), (Some(co2e("257.074")), Some(id(9)), None));
}

#[test]
fn a_supplied_part_replaces_the_computed_one() {
    let supplied = SuppliedCo2e::default().with_upstream(Some(co2e("1")));
    let result = of_1000_kwh(supplied, "0.05", "0.207074");
    assert_eq!(result.co2e(), Some(co2e("208.074")));
    assert_eq!(result.factor(), Some(id(9)));
}

#[test]
fn the_factor_is_recorded_only_where_it_was_used() {
    let both = SuppliedCo2e::default().with_upstream(Some(co2e("1"))).with_downstream(Some(co2e("-3")));
    let result = of_1000_kwh(both, "0.05", "0.207074");
    assert_eq!((result.co2e(), result.factor()), (Some(co2e("-2")), None));
    let upstream = SuppliedCo2e::default().with_upstream(Some(co2e("1")));
    assert_eq!(of_1000_kwh(upstream, "0.05", "").factor(), None);
}

#[test]
fn a_factor_of_one_part_leaves_the_other_unknown() {
    let result = of_1000_kwh(SuppliedCo2e::default(), "0.05", "");
    assert_eq!((result.upstream(), result.downstream()), (Some(co2e("50")), None));
    assert_eq!((result.co2e(), result.reason()), (Some(co2e("50")), None));
}

fn incomplete(measured: bool, product: Option<(&Product, &[Factor])>) -> Option<Incomplete> {
    let measured = measured.then(|| (quantity("1000"), unit("kWh")));
    let basis =
        product.map(|(product, factors)| FactorLookup { product, factors, day: day("2024-06-01"), chosen: None });
    let result = calculate(SuppliedCo2e::default(), measured, basis).unwrap();
    assert_eq!((result.co2e(), result.factor()), (None, None));
    result.reason()
}

#[test]
fn what_is_missing_is_said() {
    let product = product("kWh");
    let later = [factor(9, &product, terms("kWh", "1", "", "2024-06-02"))];
    assert_eq!(incomplete(true, None), Some(Incomplete::NoProduct));
    assert_eq!(incomplete(false, Some((&product, &later))), Some(Incomplete::NoQuantity));
    assert_eq!(incomplete(true, Some((&product, &[]))), Some(Incomplete::NoFactor));
    assert_eq!(incomplete(true, Some((&product, &later))), Some(Incomplete::NoFactorOnDay));
}

#[test]
fn every_reason_reads_back_from_its_code() {
    for reason in [Incomplete::NoProduct, Incomplete::NoQuantity, Incomplete::NoFactor, Incomplete::NoFactorOnDay] {
        assert_eq!(Incomplete::from_code(reason.code()), Ok(reason));
        assert!(reason.to_string().ends_with('.'));
    }
    assert!(Incomplete::from_code("other").unwrap_err().to_string().contains("no_factor_on_day"));
}

#[test]
fn a_supplied_part_alone_is_complete() {
    let supplied = SuppliedCo2e::default().with_downstream(Some(co2e("12.5")));
    let result = calculate(supplied, None, None).unwrap();
    assert_eq!((result.co2e(), result.reason()), (Some(co2e("12.5")), None));
}

#[test]
fn a_unit_the_product_cannot_be_counted_in_is_an_error_even_when_all_is_supplied() {
    let product = product("kWh");
    let basis = FactorLookup { product: &product, factors: &[], day: day("2024-06-01"), chosen: None };
    let supplied = SuppliedCo2e::default().with_upstream(Some(co2e("1"))).with_downstream(Some(co2e("1")));
    let result = calculate(supplied, Some((quantity("1"), unit("kg"))), Some(basis));
    assert_eq!(result, Err(CalculationError::Dimension { unit: unit("kg"), expected: unit("kWh") }));
}

#[test]
fn parts_that_add_up_beyond_the_bounds_are_an_error() {
    let most = Some(Co2e::new(Decimal::MAX));
    let supplied = SuppliedCo2e::default().with_upstream(most).with_downstream(most);
    assert_eq!(calculate(supplied, None, None), Err(CalculationError::TooLarge));
}

#[test]
fn what_was_supplied_stays_apart_from_what_was_computed() {
    let given = SuppliedCo2e::default().with_upstream(Some(co2e("1")));
    let result = of_1000_kwh(given, "0.05", "0.207074");
    assert_eq!(result.supplied(), given);
    assert_eq!(Calculation::from_parts(result.parts()), Ok(result));
    assert_eq!(of_1000_kwh(SuppliedCo2e::default(), "0.05", "").supplied(), SuppliedCo2e::default());
    for reason in [Incomplete::NoProduct, Incomplete::NoFactorOnDay] {
        let incomplete = Calculation::incomplete(reason);
        assert_eq!(Calculation::from_parts(incomplete.parts()), Ok(incomplete));
    }
}

#[test]
fn members_that_contradict_each_other_are_no_calculation() {
    let (one, two, factor) = (Some(co2e("1")), Some(co2e("2")), Some(id(9)));
    let none = CalculationParts::default();
    let supplied = |upstream| SuppliedCo2e::default().with_upstream(upstream);
    for (parts, expected) in [
        (none, "neither a part nor a reason"),
        (none.with_upstream(one), "without a factor"),
        (none.with_factor(factor).with_reason(Some(Incomplete::NoFactor)), "without a computed part"),
        (none.with_supplied(supplied(one)).with_upstream(one).with_factor(factor), "without a computed part"),
        (none.with_supplied(supplied(one)).with_upstream(two), "does not count a supplied part"),
        (none.with_supplied(supplied(one)).with_reason(Some(Incomplete::NoFactor)), "does not count"),
        (none.with_upstream(one).with_factor(factor).with_reason(Some(Incomplete::NoFactor)), "a part and a reason"),
        (
            none.with_upstream(Some(Co2e::new(Decimal::MAX))).with_downstream(one).with_factor(factor),
            "beyond 20 digits",
        ),
    ] {
        let found = Calculation::from_parts(parts).unwrap_err().to_string();
        assert!(found.contains(expected), "{found}");
    }
}

#[test]
fn an_input_has_co2e_with_its_factor_or_a_reason() {
    let (some, factor, reason) = (Some(co2e("1")), Some(id(9)), Some(Incomplete::NoFactor));
    for (parts, is_one) in [
        ((some, factor, None), true),
        ((None, None, reason), true),
        ((some, None, None), false),
        ((None, factor, None), false),
        ((None, None, None), false),
        ((some, factor, reason), false),
        ((None, factor, reason), false),
    ] {
        let found = InputCalculation::from_parts(parts.0, parts.1, parts.2);
        assert_eq!(found.is_ok(), is_one, "{parts:?}");
        if let Ok(found) = found {
            assert_eq!((found.co2e(), found.factor(), found.reason()), parts);
        }
    }
}

proptest! {
    #[test]
    fn counting_in_another_unit_changes_nothing_that_is_exact(amount in -1_000_000_i64..1_000_000, per in -1_000_000_i64..1_000_000) {
        let per = Intensity::new(Decimal::from_scaled(i128::from(per) * 1_000_000_000_000).unwrap());
        let (in_t, in_kg) = (Decimal::from_integer(amount), Decimal::from_integer(amount * 1000));
        prop_assert_eq!(
            emissions(Quantity::new(in_t), unit("t"), per, unit("kg")),
            emissions(Quantity::new(in_kg), unit("kg"), per, unit("kg"))
        );
    }

    #[test]
    fn turning_the_quantity_turns_the_result(scaled in any::<i64>(), per in any::<i64>()) {
        let number = |scaled: i64| Decimal::from_scaled(i128::from(scaled) * 1_000_000).unwrap();
        let per = Intensity::new(number(per));
        let emitted = |amount| emissions(Quantity::new(amount), unit("MJ"), per, unit("kWh"));
        let (there, back) = (emitted(number(scaled)), emitted(number(scaled).negated()));
        prop_assert_eq!(there.map(|co2e| co2e.decimal().negated()), back.map(Co2e::decimal));
    }

    #[test]
    fn no_amounts_make_it_panic(a in any::<i128>(), b in any::<i128>()) {
        let number = |scaled: i128| Decimal::from_scaled(scaled / 2).unwrap();
        let _ = emissions(Quantity::new(number(a)), unit("GWh"), Intensity::new(number(b)), unit("Btu"));
    }
}
