//! Records to test with, each member of which can be changed.

use tonne_domain::{
    Block, Co2e, Day, DeclaredAmount, Factor, FactorData, Incomplete, Input, InputCalculation, Intensity, Model, Name,
    Product, Quantity, Source, Sources, Stage, Switch, Unit,
};
use uuid::Uuid;

/// An identifier made of a number.
pub(crate) fn id<T: From<Uuid>>(number: u128) -> T {
    Uuid::from_u128(number).into()
}

pub(crate) fn name(text: &str) -> Name {
    Name::parse(text).unwrap()
}

pub(crate) fn unit(code: &str) -> Unit {
    Unit::parse(code).unwrap()
}

pub(crate) fn day(text: &str) -> Day {
    Day::parse(text).unwrap()
}

pub(crate) fn quantity(text: &str) -> Quantity {
    Quantity::parse(text).unwrap()
}

pub(crate) fn co2e(text: &str) -> Co2e {
    Co2e::parse(text).unwrap()
}

pub(crate) fn intensity(text: &str) -> Intensity {
    Intensity::parse(text).unwrap()
}

/// Product number 1.
pub(crate) fn product(code: &str) -> Product {
    Product { id: id(1), sync_id: None, name: name("Grid electricity"), unit: unit(code) }
}

/// Terms of those intensities (empty: none) per `code`, from `from` on, open.
pub(crate) fn terms(code: &str, upstream: &str, downstream: &str, from: &str) -> FactorData {
    let given = |text: &str| (!text.is_empty()).then(|| intensity(text));
    FactorData {
        unit: unit(code),
        upstream: given(upstream),
        downstream: given(downstream),
        valid_from: day(from),
        valid_to: None,
        source: Source::parse("A published table").unwrap(),
        gwp: None,
    }
}

pub(crate) fn factor(number: u128, product: &Product, terms: FactorData) -> Factor {
    Factor::new(id(number), product, terms).unwrap()
}

/// A factor of product 1 in kWh, from the first of those days up to the second (empty: open).
pub(crate) fn spanning(number: u128, from: &str, to: &str) -> Factor {
    let valid_to = (!to.is_empty()).then(|| day(to));
    factor(number, &product("kWh"), FactorData { valid_to, ..terms("kWh", "1", "", from) })
}

pub(crate) fn model(number: u128, code: &str, amount: &str) -> Model {
    Model {
        id: id(number),
        sync_id: None,
        name: name("Housing"),
        unit: unit(code),
        amount: DeclaredAmount::new(quantity(amount)).unwrap(),
        reference_date: day("2024-06-01"),
        blocks: vec![Block { id: id(7), name: name("Frame") }],
    }
}

/// An input at `stage` (empty: none) with that CO2e (empty: none).
pub(crate) fn input(number: u128, stage: &str, emitted: &str) -> Input {
    Input {
        id: id(number),
        model: id(1),
        sync_id: None,
        name: name("Steel"),
        material: id(1),
        block: None,
        stage: (!stage.is_empty()).then(|| Stage::parse(stage).unwrap()),
        quantity: quantity("1"),
        unit: unit("kg"),
        order: 1,
        calculation: if emitted.is_empty() {
            InputCalculation::Incomplete(Incomplete::NoFactorOnDay)
        } else {
            InputCalculation::Computed { co2e: co2e(emitted), factor: id(9) }
        },
    }
}

pub(crate) fn switch(code: &str) -> Switch {
    let unit = (!code.is_empty()).then(|| unit(code));
    Switch { id: id(1), sync_id: None, name: name("Wall switch"), unit, image: None, sources: Sources::default() }
}
