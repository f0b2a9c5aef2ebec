//! Stages are read strictly; a model's inputs are computed on its reference date and summed per unit.

use tonne_domain::{
    CalculationError, DeclaredAmount, FactorLookup, Group, Incomplete, InputCalculation, NotPositive, PRODUCT_STAGE,
    Stage,
};

use crate::sample::{co2e, day, factor, id, input, model, name, product, quantity, terms, unit};

#[test]
fn every_stage_reads_back_from_its_code() {
    for stage in Stage::all() {
        assert_eq!(Stage::parse(stage.code()), Ok(stage));
        assert!(!stage.name().is_empty());
    }
    for code in ["A0", "B8", "A1-A3", "D"] {
        assert!(Stage::parse(code).is_ok(), "{code}");
    }
    for code in ["", "a1", "A1 ", "A1-A5", "A6", "E", "A1A3"] {
        assert!(Stage::parse(code).unwrap_err().to_string().contains("A1-A3"), "{code}");
    }
}

#[test]
fn stages_belong_to_their_part_of_the_life_cycle() {
    let stage = |code| Stage::parse(code).unwrap();
    assert_eq!(PRODUCT_STAGE.map(Stage::code), ["A1", "A2", "A3", "A1-A3"]);
    for (code, group) in [("A1-A3", Group::A), ("A5", Group::A), ("B8", Group::B), ("C4", Group::C), ("D", Group::D)] {
        assert_eq!(stage(code).group(), group, "{code}");
    }
    assert!(!stage("A0").is_product_stage() && !stage("A4").is_product_stage());
}

#[test]
fn a_declared_amount_is_above_zero() {
    assert_eq!(DeclaredAmount::new(quantity("0")), Err(NotPositive));
    assert_eq!(DeclaredAmount::new(quantity("-1")), Err(NotPositive));
    assert_eq!(DeclaredAmount::new(quantity("1")), Ok(DeclaredAmount::ONE));
}

#[test]
fn an_input_is_computed_from_both_parts_of_the_factor_of_the_day() {
    let steel = product("t");
    let factors = [
        factor(1, &steel, terms("t", "9", "", "2020-01-01").with_valid_to(Some(day("2024-01-01")))),
        factor(2, &steel, terms("t", "1900.5", "100", "2024-01-01")),
    ];
    let mut steel_in = input(1, "A1", "");
    steel_in.quantity = quantity("250");
    let basis =
        FactorLookup { product: &steel, factors: &factors, day: model(1, "piece", "1").reference_date, chosen: None };
    assert_eq!(steel_in.compute(basis), Ok(()));
    assert_eq!(steel_in.calculation, InputCalculation::Computed { co2e: co2e("500.125"), factor: id(2) });
}

#[test]
fn an_input_rounds_the_sum_of_both_parts_once() {
    // Each part alone would round to 0, their sum is a whole last digit.
    let product = product("kg");
    let factors = [factor(1, &product, terms("kg", "0.5", "0.5", "2024-01-01"))];
    let mut tiny = input(1, "", "");
    tiny.quantity = quantity("0.000000000000000001");
    tiny.compute(FactorLookup { product: &product, factors: &factors, day: day("2024-06-01"), chosen: None }).unwrap();
    assert_eq!(tiny.calculation.co2e(), Some(co2e("0.000000000000000001")));
}

#[test]
fn an_input_without_a_factor_has_a_reason_instead() {
    let product = product("kg");
    let mut steel = input(1, "A1", "7");
    steel.calculation = InputCalculation::Computed { co2e: co2e("1"), factor: id(3) };
    steel.compute(FactorLookup { product: &product, factors: &[], day: day("2024-06-01"), chosen: None }).unwrap();
    assert_eq!(steel.calculation, InputCalculation::Incomplete(Incomplete::NoFactor));
}

#[test]
fn an_input_of_another_dimension_is_refused_and_unchanged() {
    let product = product("L");
    let mut steel = input(1, "A1", "7");
    let before = steel.clone();
    let basis = FactorLookup { product: &product, factors: &[], day: day("2024-06-01"), chosen: None };
    assert_eq!(steel.compute(basis), Err(CalculationError::Dimension { unit: unit("kg"), expected: unit("L") }));
    assert_eq!(steel, before);
}

#[test]
fn the_total_is_the_sum_of_stages_a_to_c_and_module_d_stands_beside_it() {
    let model = model(1, "kg", "3");
    let inputs = [input(1, "A1", "1"), input(2, "", "1"), input(3, "D", "-1")];
    assert_eq!(model.total(&inputs).unwrap().to_string(), "0.666666666666666667");
    assert_eq!(model.module_d(&inputs).unwrap().to_string(), "-0.333333333333333333");
    assert_eq!((model.total(&inputs[2..]), model.module_d(&inputs[..2])), (None, None));
    assert_eq!(model.total(&[]), None);
    assert_eq!(model.total(&[input(1, "A1", "1"), input(2, "A1", "")]), None);
    let unknown = [input(1, "A1", "3"), input(2, "D", "")];
    assert_eq!((model.total(&unknown).unwrap().to_string(), model.module_d(&unknown)), ("1".to_owned(), None));
    assert_eq!(model.block_named(&name("Frame")).map(|block| block.id), Some(id(7)));
    assert_eq!(model.block_named(&name("frame")), None);
}
