//! What became of the CO2e of an activity since it was computed.

use tonne_domain::{
    Activity, Calculation, CalculationParts, Canonical as _, Factor, FactorLookup, Incomplete, IncompleteToday,
    Measured, Moment, Outdated, Product, Span, SuppliedCo2e, calculate,
};

use crate::sample::{co2e, day, factor, id, name, product, quantity, terms, unit};

fn lookup<'a>(product: &'a Product, factors: &'a [Factor]) -> FactorLookup<'a> {
    FactorLookup { product, factors, day: day("2025-03-01"), chosen: None }
}

/// 10 kWh of 1 March 2025, computed with those factors.
fn activity(factors: &[Factor]) -> Activity {
    let (kwh, measured) = (product("kWh"), Measured { quantity: quantity("10"), unit: unit("kWh") });
    Activity::new(id(1), name("Power"), Span::new(Moment::parse_start("2025-03-01").unwrap(), None).unwrap())
        .with_measured(Some(measured))
        .with_product(Some(kwh.id))
        .with_calculation(
            calculate(SuppliedCo2e::default(), Some((measured.quantity, measured.unit)), Some(lookup(&kwh, factors)))
                .unwrap(),
        )
}

fn valid_from(number: u128, from: &str) -> Factor {
    factor(number, &product("kWh"), terms("kWh", "2", "", from))
}

#[test]
fn the_reason_of_an_incomplete_activity_is_that_of_today() {
    let none = activity(&[]);
    assert_eq!(none.calculation.reason(), Some(Incomplete::NoFactor));
    for (factors, reason) in [
        (vec![], IncompleteToday::Missing(Incomplete::NoFactor)),
        (vec![valid_from(1, "2026-01-01")], IncompleteToday::Missing(Incomplete::NoFactorOnDay)),
        (vec![valid_from(1, "2025-01-01")], IncompleteToday::FactorCameLater),
    ] {
        assert_eq!(none.incomplete(None, &factors), Some(reason));
    }
    let unknown = none.clone().with_product(None);
    assert_eq!(unknown.incomplete(None, &[]), Some(IncompleteToday::Missing(Incomplete::NoProduct)));
    let unmeasured = none.with_measured(None);
    assert_eq!(unmeasured.incomplete(None, &[]), Some(IncompleteToday::Missing(Incomplete::NoQuantity)));
    assert_eq!(activity(&[valid_from(1, "2025-01-01")]).incomplete(None, &[]), None);
}

#[test]
fn the_reason_of_today_stands_in_no_record() {
    let text = activity(&[]).canonical();
    assert_eq!(Activity::from_canonical(id(1), &text).unwrap().canonical(), text);
    let forged = text.replace("\"no_factor\"", "\"factor_came_later\"");
    assert_ne!(forged, text);
    assert_eq!(Activity::from_canonical(id(1), &forged).unwrap_err().path(), "/calculation/incomplete");
    assert!(Incomplete::from_code("factor_came_later").is_err());
}

#[test]
fn an_incomplete_activity_takes_the_first_calculation_that_completes_it() {
    let none = activity(&[]);
    let other = Calculation::incomplete(Incomplete::NoFactorOnDay);
    assert!(!none.clone().with_calculation(other).needs_calculation(&none, None));
    let complete = activity(&[valid_from(1, "2025-01-01")]);
    assert!(complete.needs_calculation(&none, None));
    let dearer =
        Calculation::from_parts(CalculationParts::default().with_upstream(Some(co2e("99"))).with_factor(Some(id(2))))
            .unwrap();
    assert!(!complete.clone().with_calculation(dearer).needs_calculation(&complete, None));
}

#[test]
fn what_was_computed_from_a_corrected_factor_is_outdated_and_keeps_its_figure() {
    let wrong = valid_from(1, "2025-01-01");
    let right = Factor::correction(id(2), &product("kWh"), &wrong, terms("kWh", "3", "", "2025-01-01")).unwrap();
    let before = activity(std::slice::from_ref(&wrong));
    assert_eq!(before.outdated(None, std::slice::from_ref(&wrong), &[], None), None);
    let factors = [wrong, right];
    assert_eq!(before.outdated(None, &factors, &[], None), Some(Outdated::Correction));
    assert_eq!(before.co2e(), Some(co2e("20")));
    let kwh = product("kWh");
    let after = before.clone().with_calculation(before.recalculated(Some(lookup(&kwh, &factors))).unwrap());
    assert_eq!((after.co2e(), after.outdated(None, &factors, &[], None)), (Some(co2e("30")), None));
}
