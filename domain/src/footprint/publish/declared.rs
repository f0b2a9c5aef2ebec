//! The declared unit of a model's footprint: its whole amount, in a unit that PACT knows.

use ethnum::I256;

use super::Findings;
use crate::amount::decimal::Decimal;
use crate::footprint::fields::{FieldValue, Fields};
use crate::model::Model;
use crate::unit::{Dimension, Unit, convert};

const UNIT: &str = "declaredUnitOfMeasurement";
const AMOUNT: &str = "declaredUnitAmount";
const MASS: &str = "productMassPerDeclaredUnit";

/// A declared unit of PACT with its own unit of ours.
pub(super) struct DeclaredUnit {
    /// PACT's word.
    pub(super) word: &'static str,
    code: &'static str,
}

/// The declared unit in which amounts of that unit are counted; `None` where PACT has none.
pub(super) fn declared_unit(unit: Unit) -> Option<DeclaredUnit> {
    let (word, code) = match (unit.dimension(), unit.code()) {
        (Dimension::Mass, _) => ("kilogram", "kg"),
        (Dimension::Volume, "m3" | "ft3") => ("cubic meter", "m3"),
        (Dimension::Volume, _) => ("liter", "L"),
        (Dimension::Energy, code) if code.ends_with("Wh") => ("kilowatt hour", "kWh"),
        (Dimension::Energy, _) => ("megajoule", "MJ"),
        (Dimension::FreightTransport, _) => ("ton kilometer", "tkm"),
        (Dimension::Area, _) => ("square meter", "m2"),
        (Dimension::Count, _) => ("piece", "piece"),
        (Dimension::Time, _) => ("hour", "h"),
        (
            Dimension::FuelEnergyGross
            | Dimension::FuelEnergyNet
            | Dimension::StandardGasVolume
            | Dimension::Length
            | Dimension::Accommodation
            | Dimension::WorkingTime
            | Dimension::PassengerTransport
            | Dimension::VehicleTransport
            | Dimension::Money(_),
            _,
        ) => return None,
    };
    Some(DeclaredUnit { word, code })
}

/// The model's whole amount in that unit; `None` beyond 20 integer digits.
pub(super) fn amount_in(model: &Model, unit: &DeclaredUnit) -> Option<Decimal> {
    let to = Unit::parse(unit.code).ok()?;
    convert(model.amount.quantity(), model.unit, to).map(crate::amount::Quantity::decimal)
}

/// Writes the declared unit and amount and the mass.
pub(super) fn write(model: &Model, said: &Fields, pcf: &mut Fields, found: &mut Findings) {
    let Some(unit) = declared_unit(model.unit) else {
        let why = format!("PACT has no declared unit for {}", model.unit);
        for (name, what) in [(UNIT, "say one of its units"), (AMOUNT, "say how much of it the model's whole amount is")]
        {
            if said.find(name).is_none() {
                found.missing(&format!("/pcf/{name}"), &format!("{why}; {what}"));
            }
        }
        return;
    };
    for name in [UNIT, AMOUNT] {
        if said.find(name).is_some() {
            found.computed(&format!("/pcf/{name}"), "the model's unit and amount");
        }
    }
    let Some(amount) = amount_in(model, &unit) else {
        found.faults.add(format!("/pcf/{AMOUNT}"), format!("has more than 20 digits in {}", unit.word));
        return;
    };
    if !is_exact(model, &unit) {
        found.note(format!("{AMOUNT} is rounded half to even at the 18th digit."));
    }
    pcf.put_text(UNIT, Some(unit.word));
    pcf.put(AMOUNT, Some(FieldValue::Number(amount)));
    let mass = match model.unit.dimension() {
        Dimension::Mass => amount,
        Dimension::Energy | Dimension::FreightTransport | Dimension::Time => Decimal::ZERO,
        Dimension::FuelEnergyGross
        | Dimension::FuelEnergyNet
        | Dimension::Volume
        | Dimension::StandardGasVolume
        | Dimension::Length
        | Dimension::Area
        | Dimension::Accommodation
        | Dimension::WorkingTime
        | Dimension::Count
        | Dimension::PassengerTransport
        | Dimension::VehicleTransport
        | Dimension::Money(_) => return,
    };
    if said.find(MASS).is_some() {
        found.computed(&format!("/pcf/{MASS}"), "the model's unit");
    }
    pcf.put(MASS, Some(FieldValue::Number(mass)));
}

fn is_exact(model: &Model, unit: &DeclaredUnit) -> bool {
    let ratio = Unit::parse(unit.code).ok().and_then(|to| model.unit.ratio_to(to));
    ratio.is_some_and(|ratio| {
        let scaled = I256::from(model.amount.quantity().decimal().scaled());
        scaled
            .checked_mul(I256::from(ratio.numerator()))
            .is_some_and(|product| product % I256::from(ratio.denominator()) == I256::ZERO)
    })
}
