//! What a company says of a model's footprint besides what is computed.

use super::{Findings, FromModel, declared};
use crate::fault::FaultCode;
use crate::footprint::Footprint;
use crate::footprint::edition::Edition;
use crate::footprint::field_table::{FOOTPRINT, PCF};
use crate::footprint::fields::{FieldValue, Fields};
use crate::footprint::spec::{ObjectSchema, Requirement};
use crate::model::Model;

/// Told by itself where it is missing.
const REPORTS: &str = "ipccCharacterizationFactors";

/// Members that are always computed or given by the service.
const COMPUTED: [(&str, &str); 6] = [
    ("specVersion", "the edition that is published"),
    ("precedingPfIds", "what was published of the model before"),
    ("created", "the time of publishing"),
    ("status", "what becomes of the footprint: amend it"),
    ("version", "the number of amendments"),
    ("updated", "the time of the last amendment"),
];
const COMPUTED_OF_PCF: [(&str, &str); 6] = [
    ("pcfExcludingBiogenicUptake", "the model's inputs"),
    ("pcfIncludingBiogenicUptake", "the model's inputs"),
    ("fossilGhgEmissions", "the model's inputs"),
    ("outboundLogisticsGhgEmissions", "the model's inputs of stage A4"),
    ("secondaryEmissionFactorSources", "the inputs' factors"),
    ("primaryDataShare", "the inputs' factors"),
];

/// Faults for what cannot be said of a footprint in the form of PACT 3.
pub(super) fn check(said: &Fields, found: &mut Findings) {
    members(said, &FOOTPRINT, "", &COMPUTED, found);
    if let Some(pcf) = said.object("pcf") {
        members(pcf, &PCF, "/pcf", &COMPUTED_OF_PCF, found);
    }
}

fn members(said: &Fields, schema: &ObjectSchema, at: &str, computed: &[(&str, &str)], found: &mut Findings) {
    for spec in schema.fields.iter().filter(|spec| said.find(spec.name).is_some()) {
        let pointer = format!("{at}/{}", spec.name);
        if let Some((_, from)) = computed.iter().find(|(name, _)| *name == spec.name) {
            found.computed(&pointer, from);
        } else if spec.need(Edition::V3.spec_version()) == Requirement::Unknown {
            let detail = "is no field of PACT 3.0, in which footprints of models are published";
            found.faults.add_coded(FaultCode::Unknown, pointer, detail);
        }
    }
}

/// Whether a member is always computed, and from what was told where it cannot be.
pub(super) fn is_computed(pointer: &str) -> bool {
    let of_pcf = pointer.strip_prefix("/pcf/");
    of_pcf.is_some_and(|name| name == REPORTS || COMPUTED_OF_PCF.iter().any(|(computed, _)| *computed == name))
}

/// Why a member that is missing has to be said.
pub(super) fn why(pointer: &str) -> &'static str {
    match pointer {
        "/companyIds" => "say the company's URNs, or set them for the company",
        "/productIds" => "say the product's URNs, such as urn:gtin:4712345060507",
        "/pcf/productMassPerDeclaredUnit" => "say what the model's whole amount weighs without packaging, in kg",
        "/pcf/fossilCarbonContent" => "say how much fossil carbon the model's whole amount contains, in kg",
        "/pcf/crossSectoralStandards" => "say by which standards the model was made, such as GHGP-Product",
        "/pcf/exemptedEmissionsPercent" => "say how many per cent of the emissions the model leaves out; 0 where none",
        "/pcf/dqi/technologicalDQR" => "say how well the factors fit the technology, from 1 to 5",
        _ => "it cannot be computed from the model",
    }
}

/// What is said now with what was said for the model's last footprint and is not said anew. The declared unit holds once;
/// amounts per declared unit hold while that is the same.
#[must_use]
pub fn said_together(before: Option<(&Footprint, &FromModel)>, model: &Model, now: &Fields) -> Fields {
    let Some((footprint, before)) = before else { return now.clone() };
    let mut said = before.said.clone();
    let mut pcf = said.object("pcf").cloned().unwrap_or_else(|| Fields::new(&PCF));
    for name in ["declaredUnitOfMeasurement", "declaredUnitAmount"] {
        pcf.remove(name);
    }
    if !has_same_unit(footprint, model) {
        for spec in PCF.fields.iter().filter(|spec| spec.unit.is_per_declared_unit()) {
            pcf.remove(spec.name);
        }
    }
    for spec in FOOTPRINT.fields {
        if let Some(value) = now.find(spec.name) {
            said.put(spec.name, Some(value.clone()));
        }
    }
    for spec in PCF.fields {
        if let Some(value) = now.object("pcf").and_then(|pcf| pcf.find(spec.name)) {
            pcf.put(spec.name, Some(value.clone()));
        }
    }
    let is_empty = PCF.fields.iter().all(|spec| pcf.find(spec.name).is_none());
    said.put("pcf", (!is_empty).then_some(FieldValue::Object(pcf)));
    said
}

/// Whether the model still has the declared unit and amount of that footprint.
fn has_same_unit(footprint: &Footprint, model: &Model) -> bool {
    let Some(pcf) = footprint.fields.object("pcf") else { return false };
    let Some(unit) = declared::declared_unit(model.unit) else { return false };
    pcf.text("declaredUnitOfMeasurement") == Some(unit.word)
        && pcf.number("declaredUnitAmount") == declared::amount_in(model, &unit)
}
