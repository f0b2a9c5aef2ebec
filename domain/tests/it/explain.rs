//! An explanation comes to the figure that was calculated, digit for digit.

use proptest::prelude::*;
use tonne_domain::{
    Activity, CitedFactor, Co2e, Day, Decimal, Exact, Explanation, Factor, FactorLookup, Incomplete, Input, Measured,
    Moment, Part, Quantity, Ratio, Span, SuppliedCo2e, Term, Unexplained, Unit, calculate,
};

use crate::sample::{co2e, day, factor, id, input, intensity, name, product, quantity, terms, unit};

fn span(on: &str) -> Span {
    Span::new(Moment::parse(on).unwrap(), None).unwrap()
}

/// An activity of that quantity on 2024-06-01, calculated with that factor.
fn calculated(measured: Measured, supplied: SuppliedCo2e, factor: &Factor) -> Option<Activity> {
    let product = product(factor.data().unit.code());
    let lookup =
        FactorLookup { product: &product, factors: std::slice::from_ref(factor), day: day("2024-06-01"), chosen: None };
    let calculation = calculate(supplied, Some((measured.quantity, measured.unit)), Some(lookup)).ok()?;
    let activity = Activity::new(id(5), name("Heating"), span("2024-06-01T00:00:00Z"));
    Some(activity.with_calculation(calculation).with_measured(Some(measured)).with_product(Some(product.id)))
}

fn measured(amount: &str, code: &str) -> Measured {
    Measured { quantity: quantity(amount), unit: unit(code) }
}

fn cited(factor: &Factor) -> CitedFactor {
    CitedFactor { factor: factor.clone(), corrected_by: None }
}

fn of(amount: &str, code: &str, factor_unit: &str, upstream: &str, downstream: &str) -> Explanation {
    let factor = factor(9, &product(factor_unit), terms(factor_unit, upstream, downstream, "2024-01-01"));
    let activity = calculated(measured(amount, code), SuppliedCo2e::default(), &factor).unwrap();
    Explanation::of_activity(&activity, Some(cited(&factor))).unwrap()
}

fn product_of(explanation: &Explanation, at: usize) -> Exact {
    match &explanation.terms[at].1 {
        Term::Computed(multiplication) => multiplication.product(),
        Term::Supplied(_) | Term::Absent => panic!("not computed"),
    }
}

#[test]
fn a_quotient_that_does_not_end_is_shown_exactly_before_it_is_rounded() {
    let explanation = of("1", "MJ", "kWh", "1", "0.5");
    let exact = product_of(&explanation, 0);
    assert_eq!((exact.numerator().as_str(), exact.denominator()), ("5", 18));
    assert!(exact.to_string().starts_with("0.27777777777777777777777777"), "{exact}");
    assert!(exact.to_string().ends_with("7..."), "{exact}");
    assert_eq!(explanation.stored.co2e, Some(co2e("0.416666666666666667")));
    assert!(explanation.holds());
}

#[test]
fn a_product_that_ends_shows_every_digit_before_it_is_rounded() {
    let explanation = of("0.000000000000000003", "kWh", "kWh", "0.5", "");
    let exact = product_of(&explanation, 0);
    assert_eq!(exact.digits(), ("0.0000000000000000015".to_owned(), true));
    assert_eq!(exact.rounded(), Some(co2e("0.000000000000000002")));
    assert_eq!(explanation.terms[1], (Part::Downstream, Term::Absent));
    assert_eq!(product_of(&of("-2", "t", "kg", "0.5", ""), 0).digits(), ("-1000".to_owned(), true));
}

#[test]
fn an_edited_digit_does_not_hold() {
    let factor = factor(9, &product("kWh"), terms("kWh", "", "0.207074", "2024-01-01"));
    let activity = calculated(measured("1000", "kWh"), SuppliedCo2e::default(), &factor).unwrap();
    let edited = activity.with_measured(Some(measured("1000.000000000000001", "kWh")));
    let explanation = Explanation::of_activity(&edited, Some(cited(&factor))).unwrap();
    assert!(!explanation.holds());
    assert_eq!(explanation.stored.co2e, Some(co2e("207.074")));
    assert_eq!(explanation.replay().unwrap().co2e, Some(co2e("207.074000000000000207")));
}

#[test]
fn a_record_that_names_what_cannot_be_is_not_explained() {
    let factor = factor(9, &product("kWh"), terms("kWh", "", "0.2", "2024-01-01"));
    let activity = calculated(measured("1", "kWh"), SuppliedCo2e::default(), &factor).unwrap();
    let explained = |activity: &Activity, cited| Explanation::of_activity(activity, cited).unwrap_err();
    assert_eq!(explained(&activity, None), Unexplained::NoFactor(id(9)));
    let of_other = activity.clone().with_product(Some(id(77)));
    assert_eq!(explained(&of_other, Some(cited(&factor))), Unexplained::OtherProduct(id(9)));
    let unmeasured = activity.clone().with_measured(None);
    assert_eq!(explained(&unmeasured, Some(cited(&factor))), Unexplained::NoQuantity(id(9)));
    let incomplete = tonne_domain::Calculation::incomplete(Incomplete::NoProduct);
    let wrong_reason = activity.with_calculation(incomplete);
    assert_eq!(explained(&wrong_reason, None), Unexplained::Reason(Incomplete::NoProduct));
}

#[test]
fn an_input_is_one_multiplication_with_the_sum_of_both_intensities() {
    let factor = factor(9, &product("kg"), terms("t", "0.5", "0.5", "2024-01-01"));
    let mut tiny: Input = input(3, "A1", "");
    tiny.quantity = quantity("0.000000000000001");
    let steel = product("kg");
    let lookup =
        FactorLookup { product: &steel, factors: std::slice::from_ref(&factor), day: day("2024-06-01"), chosen: None };
    tiny.compute(lookup).unwrap();
    let explanation = Explanation::of_input(&tiny, day("2024-06-01"), Some(cited(&factor))).unwrap();
    assert!(explanation.holds());
    assert_eq!(explanation.terms.len(), 1);
    assert_eq!(explanation.stored.co2e, Some(co2e("0.000000000000000001")));
}

/// An amount of up to 38 digits, of every length alike.
fn amount() -> impl Strategy<Value = Decimal> {
    (any::<i128>(), 0_u32..=38)
        .prop_map(|(value, digits)| Decimal::from_scaled(value % 10_i128.pow(digits)).unwrap_or_default())
}

fn pairs() -> Vec<(Unit, Unit)> {
    let all: Vec<Unit> = Unit::all().collect();
    let of = |one: &Unit| {
        all.iter().filter(|other| other.dimension() == one.dimension()).map(|other| (*one, *other)).collect()
    };
    all.iter().flat_map(|one| -> Vec<(Unit, Unit)> { of(one) }).collect()
}

proptest! {
    #[test]
    fn an_explanation_replays_to_what_was_calculated(
        (held, per) in proptest::sample::select(pairs()),
        quantity in amount(),
        intensities in (amount(), amount()),
        supplied in proptest::option::of(amount()),
    ) {
        let data = terms(per.code(), "1", "1", "2024-01-01")
            .with_upstream(Some(tonne_domain::Intensity::new(intensities.0)))
            .with_downstream(Some(tonne_domain::Intensity::new(intensities.1)));
        let factor = factor(9, &product(per.code()), data);
        let supplied = SuppliedCo2e::default().with_upstream(supplied.map(Co2e::new));
        let measured = Measured { quantity: Quantity::new(quantity), unit: held };
        // What is too large is refused when it is written, and has no explanation.
        if let Some(activity) = calculated(measured, supplied, &factor) {
            let explanation = Explanation::of_activity(&activity, Some(cited(&factor))).unwrap();
            let replayed = explanation.replay().unwrap();
            prop_assert_eq!(replayed.co2e, activity.co2e());
            prop_assert_eq!(replayed.parts, vec![activity.calculation.upstream(), activity.calculation.downstream()]);
            prop_assert!(explanation.holds());
        }
    }

    #[test]
    fn an_exact_product_that_ends_is_its_digits(
        quantity in amount(),
        per in amount(),
        numerator in 1..=i128::from(u64::MAX),
        denominator in 1..=i128::from(u64::MAX),
    ) {
        let conversion = Ratio::new(numerator, denominator).unwrap();
        let exact = Exact::product(Quantity::new(quantity), conversion, tonne_domain::Intensity::new(per));
        let (digits, ends) = exact.digits();
        prop_assert_eq!(exact.denominator(), conversion.denominator());
        // Whatever has at most 18 digits after the point is what rounding leaves as it is.
        if ends && let Ok(short) = Co2e::parse(&digits) {
            prop_assert_eq!(exact.rounded(), Some(short));
        }
    }
}

#[test]
fn a_day_and_an_intensity_of_a_model_are_those_of_its_reference_date() {
    let steel = product("kg");
    let factor = factor(9, &steel, terms("kg", "1", "", "2024-01-01"));
    let mut steel_in = input(3, "A1", "");
    let on: Day = day("2024-06-01");
    steel_in
        .compute(FactorLookup { product: &steel, factors: std::slice::from_ref(&factor), day: on, chosen: None })
        .unwrap();
    let explanation = Explanation::of_input(&steel_in, on, Some(cited(&factor))).unwrap();
    assert_eq!((explanation.day, explanation.factor.unwrap().intensity(Part::Both)), (on, Some(intensity("1"))));
}
