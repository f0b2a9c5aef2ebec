//! What became of a model's footprint, in words and in JSON.

use anyhow::{Result, anyhow};
use domain::footprint::publish::{Counted, StageSum};
use domain::footprint::{Edition, project};
use files::Json;
use ports::inbound::{PublishOutcome, PublishedFootprint};

use super::super::json::{array, count, object, optional, text};

/// How deep a record may be.
const DEPTH: usize = 64;

/// In JSON: the record is in the form of PACT 3.
pub(super) fn json(done: &PublishedFootprint) -> Result<Json> {
    let footprint = &done.footprint.footprint.value;
    let is_stored = done.outcome != PublishOutcome::Preview;
    let projection = project(footprint, Edition::V3).ok_or_else(|| anyhow!("the footprint has no form in PACT 3"))?;
    let before = footprint.fields.references("precedingPfIds").len();
    let replaces = done.replaces;
    let mut record = String::new();
    pact::write(&projection.resolve(|_| replaces.filter(|_| before > 0)), &mut record);
    let record =
        files::parse(record.as_bytes(), DEPTH).map_err(|error| anyhow!("the footprint does not read: {error}"))?;
    let editions = Edition::ALL.into_iter().map(|edition| {
        let verdict = done.footprint.verdict.as_ref().map(|verdict| verdict.edition(edition));
        let findings = verdict.map(|verdict| verdict.findings.as_slice()).unwrap_or_default();
        object([
            ("edition", text(edition)),
            ("shown", Json::Bool(verdict.is_some_and(|verdict| verdict.is_shown))),
            (
                "findings",
                array(findings.iter().map(|finding| {
                    object([
                        ("rule", text(finding.rule)),
                        ("layer", text(finding.layer().name())),
                        ("pointer", text(&finding.pointer)),
                        ("detail", text(&finding.detail)),
                    ])
                })),
            ),
        ])
    });
    let stage = |sum: &StageSum| {
        let StageSum { stage, co2e, counted } = sum;
        object([("stage", optional(*stage)), ("CO2e", optional(*co2e)), ("counted", text(counted.word()))])
    };
    Ok(object([
        ("outcome", text(done.outcome.word())),
        ("id", if is_stored { count(footprint.number) } else { Json::Null }),
        ("uuid", optional(Some(footprint.id).filter(|_| is_stored))),
        ("replaces", optional(done.replaces)),
        ("editions", array(editions)),
        ("stages", array(done.stages.iter().map(stage))),
        ("notes", array(done.notes.iter().map(text))),
        ("footprint", record),
    ]))
}

/// In words.
pub(super) fn told(done: &PublishedFootprint, model: &str) -> String {
    let footprint = &done.footprint.footprint.value;
    let (number, id) = (footprint.number, footprint.id);
    let mut lines = vec![match done.outcome {
        PublishOutcome::Published => format!("the footprint of {model} is published: {number}, {id}"),
        PublishOutcome::Unchanged => {
            format!("the footprint of {model} has not changed, and nothing was done: {number}, {id}")
        }
        PublishOutcome::Preview => format!("the footprint of {model} would be published; nothing was written"),
    }];
    if let Some(pcf) = footprint.fields.object("pcf") {
        let number = |name| pcf.number(name).map(|number| number.to_string()).unwrap_or_default();
        let unit = pcf.text("declaredUnitOfMeasurement").unwrap_or_default();
        let (co2e, amount) = (number("pcfExcludingBiogenicUptake"), number("declaredUnitAmount"));
        lines.push(format!("{co2e} kg CO2e without biogenic uptake, per {amount} {unit}"));
    }
    for sum in &done.stages {
        let stage = sum.stage.map_or_else(|| "no stage".to_owned(), |stage| stage.to_string());
        let co2e = sum.co2e.map_or_else(|| "not known".to_owned(), |co2e| format!("{co2e} kg CO2e"));
        let counted = match sum.counted {
            Counted::Footprint => "in the footprint",
            Counted::OutboundLogistics => "outbound logistics, beside the footprint",
            Counted::LeftOut => "beyond the gate, in no amount",
        };
        lines.push(format!("{stage}: {co2e}, {counted}"));
    }
    if let Some(replaced) = done.replaces {
        lines.push(format!("it takes the place of {replaced}"));
    }
    for edition in Edition::ALL {
        let Some(verdict) = done.footprint.verdict.as_ref().map(|verdict| verdict.edition(edition)) else { continue };
        if verdict.is_shown {
            lines.push(format!("shown in PACT {edition}"));
            continue;
        }
        lines.push(format!("not shown in PACT {edition}:"));
        let hiding = verdict.findings.iter().filter(|finding| finding.layer().hides());
        lines.extend(hiding.map(|finding| format!("  {}: {}", finding.pointer, finding.detail)));
    }
    lines.extend(done.notes.iter().map(|note| format!("note: {note}")));
    lines.join("\n")
}
