//! The emissions of a model's footprint and its biogenic parts: sums that agree with each other to the last digit.

use super::boundary::{Boundary, Counted};
use super::{Findings, SourcedInput};
use crate::activity::Measured;
use crate::amount::decimal::Decimal;
use crate::amount::total::Total;
use crate::footprint::fields::{FieldValue, Fields};
use crate::gas::Gas;
use crate::gas::emitted::EmittedGas;
use crate::gas::row::GasRow;
use crate::product::factor::Factor;
use crate::published::PublishedUse;

const EXCLUDING: &str = "pcfExcludingBiogenicUptake";
const INCLUDING: &str = "pcfIncludingBiogenicUptake";
const FOSSIL: &str = "fossilGhgEmissions";
const UPTAKE: &str = "biogenicCO2Uptake";
const NON_CO2: &str = "biogenicNonCO2Emissions";
const LOGISTICS: &str = "outboundLogisticsGhgEmissions";

/// What may be said to be part of the inputs' CO2e, and then is no fossil emission.
const PARTS: [&str; 5] = [
    "landUseChangeGhgEmissions",
    "landManagementBiogenicCO2Emissions",
    "landManagementBiogenicCO2Removals",
    "technologicalCO2Removals",
    "ccsTechnologicalCO2Capture",
];

/// Writes the emissions: what the inputs come to is the footprint with uptake; what is said to be uptake is taken out of the
/// one without; what is no part that is known or said is fossil.
pub(super) fn write(boundary: &Boundary<'_>, said: &Fields, pcf: &mut Fields, found: &mut Findings) {
    let outbound = boundary.sum(Counted::OutboundLogistics);
    if boundary.counted(Counted::OutboundLogistics).next().is_some() {
        put(LOGISTICS, outbound, pcf, found);
    }
    let non_co2 = biogenic_non_co2(boundary, said, found);
    let Some(including) = boundary.sum(Counted::Footprint) else { return };
    let total = |name: &str| said.number(name).map_or(Total::ZERO, Total::from);
    if is_removal_untold(boundary, said, found) {
        return;
    }
    let excluding = including - total(UPTAKE);
    let parts: Total = PARTS.iter().map(|name| total(name)).sum();
    put(INCLUDING, Some(including), pcf, found);
    put(EXCLUDING, Some(excluding), pcf, found);
    put(FOSSIL, Some(excluding - parts - non_co2.unwrap_or(Total::ZERO)), pcf, found);
    match non_co2 {
        Some(amount) => put(NON_CO2, Some(amount), pcf, found),
        None => found.note(format!(
            "{NON_CO2} is not known, since a factor does not tell its gases or where they come from; it counts as fossil."
        )),
    }
    if said.find(UPTAKE).is_none() {
        found.note(format!("{UPTAKE} is not known; {INCLUDING} has none."));
    }
    let biogenic: Total = boundary.counted(Counted::Footprint).filter_map(biogenic_co2).sum();
    if !biogenic.is_zero() {
        found.note(format!("The inputs also emit {biogenic} kg of CO2 from living matter, which is in no amount."));
    }
}

fn put(name: &'static str, amount: Option<Total>, pcf: &mut Fields, found: &mut Findings) {
    let Some(amount) = amount else { return };
    match amount.to_decimal() {
        Some(amount) => pcf.put(name, Some(FieldValue::Number(amount))),
        None => found.faults.add(format!("/pcf/{name}"), format!("has more than 20 digits before its point: {amount}")),
    }
}

/// An input below zero is some kind of removal, and only the company knows which.
fn is_removal_untold(boundary: &Boundary<'_>, said: &Fields, found: &mut Findings) -> bool {
    let kinds = [UPTAKE, "landManagementBiogenicCO2Removals", "technologicalCO2Removals", "ccsTechnologicalCO2Capture"];
    if kinds.iter().any(|name| said.find(name).is_some()) {
        return false;
    }
    let below = |one: &&SourcedInput<'_>| one.input.calculation.co2e().is_some_and(|co2e| co2e.decimal().is_negative());
    let Some(first) = boundary.counted(Counted::Footprint).find(below) else { return false };
    let why = format!(
        "input {:?} is a removal; say how much of what the inputs come to is uptake (0 or less), or how much is another removal",
        first.input.name.as_str()
    );
    found.missing(&format!("/pcf/{UPTAKE}"), &why);
    true
}

/// Emissions of living matter other than CO2: computed where every factor tells them, else as said.
fn biogenic_non_co2(boundary: &Boundary<'_>, said: &Fields, found: &mut Findings) -> Option<Total> {
    let known: Option<Total> = boundary.counted(Counted::Footprint).map(input_non_co2).sum();
    match (known, said.number(NON_CO2)) {
        (Some(_), Some(_)) => {
            found.computed(&format!("/pcf/{NON_CO2}"), "the gases of the inputs' factors");
            known
        }
        (Some(known), None) => Some(known),
        (None, said) => said.map(Total::from),
    }
}

fn input_non_co2(one: &SourcedInput<'_>) -> Option<Total> {
    let factor = one.factor?;
    let gases = emitted(one, factor).filter(|gases| tells_origin(factor, gases))?;
    let non_fossil = gases.iter().filter(|emitted| emitted.gas == Gas::CH4_NON_FOSSIL);
    Some(non_fossil.map(|emitted| Total::from(emitted.co2e)).sum())
}

fn biogenic_co2(one: &SourcedInput<'_>) -> Option<Total> {
    let gases = emitted(one, one.factor?)?;
    let biogenic = gases.iter().filter(|emitted| emitted.gas.row() == Some(GasRow::BiogenicCo2));
    Some(biogenic.map(|emitted| Total::from(emitted.co2e)).sum())
}

/// What an input emits gas by gas; `None` where its factor does not tell.
fn emitted(one: &SourcedInput<'_>, factor: &Factor) -> Option<Vec<EmittedGas>> {
    let measured = Measured { quantity: one.input.quantity, unit: one.input.unit };
    let gases = factor.data().gas_factors();
    if gases.is_empty() { None } else { EmittedGas::of(measured, factor.data().unit, &gases).ok() }
}

/// Whether a factor's gases tell what of them is of living matter: no methane of untold origin, and no nitrous oxide beside
/// gases of living matter.
fn tells_origin(factor: &Factor, gases: &[EmittedGas]) -> bool {
    let has = |gas: Gas| gases.iter().any(|emitted| emitted.gas == gas && emitted.co2e.decimal() != Decimal::ZERO);
    let is_outside =
        factor.data().origin.as_deref().is_some_and(|origin| origin.factor.usage == PublishedUse::OutsideScopes);
    let is_mixed = has(Gas::N2O) && (has(Gas::CO2_BIOGENIC) || has(Gas::CH4_NON_FOSSIL));
    !is_outside && !is_mixed && !has(Gas::CH4)
}
