//! Records to test with, each member of which can be changed.

use tonne_domain::{
    Block, Co2e, Day, Decimal, DeclaredAmount, Digest, Factor, FactorData, FactorSet, Gas, GasAmount, GasSplit, GwpSet,
    Incomplete, Input, InputCalculation, Intensity, Model, Name, Product, PublishedFactor, PublishedUse, Quantity,
    Source, SourceRow, Stage, Switch, Unit,
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

pub(crate) fn product(code: &str) -> Product {
    Product::new(id(1), name("Grid electricity"), unit(code))
}

/// Terms of those intensities (empty: none) per `code`, from `from` on, open.
pub(crate) fn terms(code: &str, upstream: &str, downstream: &str, from: &str) -> FactorData {
    let given = |text: &str| (!text.is_empty()).then(|| intensity(text));
    FactorData::new(unit(code), day(from), Source::parse("A published table").unwrap())
        .with_upstream(given(upstream))
        .with_downstream(given(downstream))
}

/// The set of the file with digest `number` times over, for 2024.
pub(crate) fn set(number: u8, gwp: Option<GwpSet>) -> FactorSet {
    let licence = Source::parse("Open Government Licence v3.0").unwrap();
    let called = [name("factors.xlsx"), name("A ministry"), name("Conversion factors"), name("2024 v1.1")];
    let [file, publisher, title, edition] = called;
    FactorSet::new(Digest::from_stored([number; 32]), file, publisher, title, edition, licence, day("2024-01-01"))
        .with_valid_to(Some(day("2025-01-01")))
        .with_gwp(gwp)
}

/// Grid electricity as it was published, 0.207074 kg CO2e per kWh, without its gases.
pub(crate) fn published(usage: PublishedUse) -> PublishedFactor {
    PublishedFactor::new(name("Factors by Category!J13"), name("Electricity: UK"), unit("kWh"), usage)
        .with_path(vec![name("UK electricity"), name("Electricity generated")])
        .with_co2e(Some(intensity("0.207074")))
        .with_region(Some(name("GB")))
        .with_rows(vec![SourceRow { row: 13, cells: vec![("UOM".to_owned(), "kWh".to_owned())] }])
}

/// Its gases: 0.2 kg CO2 and a gram of CH4 and of N2O each, of a source that computes under `gwp`.
pub(crate) fn gases(gwp: GwpSet) -> GasSplit {
    let mass = |digits: &str| GasAmount::Mass(Decimal::parse(digits).unwrap());
    GasSplit::new(gwp, [(Gas::CO2, mass("0.2")), (Gas::CH4, mass("0.001")), (Gas::N2O, mass("0.001"))]).unwrap()
}

pub(crate) fn factor(number: u128, product: &Product, terms: FactorData) -> Factor {
    Factor::new(id(number), product, terms).unwrap()
}

/// A factor of product 1 in kWh, from the first of those days up to the second (empty: open).
pub(crate) fn spanning(number: u128, from: &str, to: &str) -> Factor {
    let valid_to = (!to.is_empty()).then(|| day(to));
    factor(number, &product("kWh"), terms("kWh", "1", "", from).with_valid_to(valid_to))
}

pub(crate) fn model(number: u128, code: &str, amount: &str) -> Model {
    Model::new(id(number), name("Housing"), unit(code), day("2024-06-01"))
        .with_amount(DeclaredAmount::new(quantity(amount)).unwrap())
        .with_blocks(vec![Block { id: id(7), name: name("Frame") }])
}

/// An input at `stage` (empty: none) with that CO2e (empty: none).
pub(crate) fn input(number: u128, stage: &str, emitted: &str) -> Input {
    Input::new(id(number), id(1), name("Steel"), id(1), quantity("1"), unit("kg"))
        .with_stage((!stage.is_empty()).then(|| Stage::parse(stage).unwrap()))
        .with_order(1)
        .with_calculation(if emitted.is_empty() {
            InputCalculation::Incomplete(Incomplete::NoFactorOnDay)
        } else {
            InputCalculation::Computed { co2e: co2e(emitted), factor: id(9) }
        })
}

pub(crate) fn switch(code: &str) -> Switch {
    let unit = (!code.is_empty()).then(|| unit(code));
    Switch::new(id(1), name("Wall switch")).with_unit(unit)
}
