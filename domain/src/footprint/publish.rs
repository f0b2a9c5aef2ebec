//! The footprint of a model, in the form of PACT 3: what is computed from its inputs, and what its company says besides.
//!
//! The declared unit is the model's whole amount, so that no emission is divided and none is rounded. The footprint counts
//! from cradle to gate: stages up to A3 and inputs without a stage. A4 is the outbound logistics beside it; later stages
//! are in no amount.

mod boundary;
mod declared;
mod emissions;
mod quality;
mod said;
mod sources;

pub use boundary::{Counted, StageSum};
pub use quality::primary_data_share;
pub use said::said_together;

use crate::calendar::moment::Moment;
use crate::calendar::timestamp::Timestamp;
use crate::fault::{FaultCode, Faults};
use crate::footprint::edition::Edition;
use crate::footprint::field_table::{ACTIVE, FOOTPRINT, PCF};
use crate::footprint::fields::{FieldValue, Fields};
use crate::footprint::rule_names::Rule;
use crate::footprint::{Footprint, Verdict};
use crate::id::{FootprintId, ModelId};
use crate::model::Model;
use crate::model::input::Input;
use crate::product::factor::Factor;
use crate::text::Name;
use uuid::Uuid;

/// Where a footprint of ours was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FromModel {
    /// The model that it is the footprint of.
    pub model: ModelId,
    /// What was said besides, by the schema [`FOOTPRINT`]: it holds for the model's next footprint too.
    pub said: Fields,
}

/// An input of a model with the factor that its CO2e was computed from.
#[derive(Clone, Copy, Debug)]
pub struct SourcedInput<'a> {
    /// The input.
    pub input: &'a Input,
    /// Its factor; `None` where it has no CO2e.
    pub factor: Option<&'a Factor>,
}

/// The company whose product a model is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishingCompany {
    /// What it is called, unless its footprint says otherwise.
    pub name: Name,
    /// Its URNs, unless its footprint says others; none where nothing is set for it.
    pub ids: Vec<String>,
}

/// What a model's footprint is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelFootprint {
    /// The footprint's fields, valid in PACT 3.
    pub fields: Fields,
    /// What the inputs come to by stage, for the model's whole amount.
    pub stages: Vec<StageSum>,
    /// What is not known or was rounded, in sentences.
    pub notes: Vec<String>,
}

/// Collects what is wrong and what is to be told.
#[derive(Debug, Default)]
struct Findings {
    faults: Faults,
    notes: Vec<String>,
}

impl Findings {
    /// Something that only the company can say.
    fn missing(&mut self, pointer: &str, why: &str) {
        self.faults.add_coded(FaultCode::Required, pointer, format!("is required: {why}"));
    }

    /// Something said that is computed.
    fn computed(&mut self, pointer: &str, from: &str) {
        self.faults.add_coded(FaultCode::ReadOnly, pointer, format!("is computed from {from}; leave it out"));
    }

    fn note(&mut self, sentence: impl Into<String>) {
        self.notes.push(sentence.into());
    }
}

/// The footprint of a model with those inputs; or all that is missing or wrong, by pointers into what is said.
pub fn of_model(
    model: &Model,
    inputs: &[SourcedInput<'_>],
    company: &PublishingCompany,
    said: &Fields,
) -> Result<ModelFootprint, Faults> {
    let mut found = Findings::default();
    said::check(said, &mut found);
    let empty = Fields::new(&PCF);
    let said_pcf = said.object("pcf").unwrap_or(&empty);
    let mut pcf = said_pcf.clone();
    let boundary = boundary::of(inputs, &mut found);
    declared::write(model, said_pcf, &mut pcf, &mut found);
    emissions::write(&boundary, said_pcf, &mut pcf, &mut found);
    sources::write(&boundary, said_pcf, &mut pcf, &mut found);
    quality::write(model, &boundary, said_pcf, &mut pcf, &mut found);
    reference_period(model, &mut pcf, &mut found);
    if pcf.find("boundaryProcessesDescription").is_none() {
        pcf.put_text("boundaryProcessesDescription", Some(&boundary.told()));
    }
    let mut fields = Fields::new(&FOOTPRINT);
    for spec in FOOTPRINT.fields {
        fields.put(spec.name, said.find(spec.name).cloned());
    }
    fields.put("pcf", Some(FieldValue::Object(pcf)));
    fields.put_text("specVersion", Some(Edition::V3.spec_version_text()));
    fields.put_text("status", Some(ACTIVE));
    let texts = [
        ("companyName", company.name.as_str().to_owned()),
        ("productNameCompany", model.name.as_str().to_owned()),
        ("productDescription", String::new()),
        ("comment", found.notes.join(" ")),
    ];
    for (name, text) in texts {
        if fields.find(name).is_none() && (name != "comment" || !text.is_empty()) {
            fields.put_text(name, Some(&text));
        }
    }
    if fields.find("companyIds").is_none() {
        fields.put("companyIds", Some(FieldValue::Texts(company.ids.clone())));
    }
    check(&fields, &mut found);
    found.faults.into_result()?;
    Ok(ModelFootprint { fields, stages: boundary.sums(), notes: found.notes })
}

/// Adds what is missing or wrong by PACT's rules, unless a fault is there already.
fn check(fields: &Fields, found: &mut Findings) {
    let footprint = Footprint::new(FootprintId::new(Uuid::nil()), 1, Timestamp::MAX, fields.clone());
    let verdict = Verdict::of(&footprint);
    for finding in verdict.edition(Edition::V3).findings.iter().filter(|finding| finding.layer().hides()) {
        let is_told = |known: &str| finding.pointer == known || finding.pointer.starts_with(&format!("{known}/"));
        if found.faults.as_slice().iter().any(|fault| is_told(&fault.pointer)) {
            continue;
        }
        if finding.rule == Rule::RequiredField && said::is_computed(&finding.pointer) {
            // Why it could not be computed is told.
            continue;
        }
        if finding.rule == Rule::RequiredField {
            found.missing(&finding.pointer, said::why(&finding.pointer));
        } else {
            found.faults.add_coded(FaultCode::Invalid, finding.pointer.clone(), finding.detail.clone());
        }
    }
}

/// The calendar year of the model's reference date, unless another period is said.
fn reference_period(model: &Model, pcf: &mut Fields, found: &mut Findings) {
    let (year, _, _) = model.reference_date.calendar();
    for (name, year) in [("referencePeriodStart", year), ("referencePeriodEnd", year + 1)] {
        if pcf.find(name).is_some() {
            continue;
        }
        match Moment::parse(&format!("{year:04}-01-01T00:00:00Z")) {
            Ok(moment) => pcf.put(name, Some(FieldValue::Moment(moment))),
            Err(_) => found.missing(&format!("/pcf/{name}"), "the year after the model's reference date has no number"),
        }
    }
}
