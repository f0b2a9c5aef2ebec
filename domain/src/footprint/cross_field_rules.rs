//! The rules on several fields of a footprint together.

use time::{Date, OffsetDateTime, UtcOffset};

use crate::footprint::Footprint;
use crate::footprint::fields::{Fields, Reference};
use crate::footprint::rule_names::{Findings, Rule};
use crate::footprint::spec_version::{Major, SpecVersion};
use crate::id;

pub(super) fn validate(footprint: &Footprint, spec_version: SpecVersion, reaches_2025: bool, findings: &mut Findings) {
    lineage(footprint, findings);
    if spec_version.major() == Major::V2 {
        updated(footprint, findings);
    }
    validity(&footprint.fields, spec_version.major(), findings);
    let Some(pcf) = footprint.fields.object("pcf") else { return };
    reference_period(pcf, findings);
    geography(pcf, findings);
    packaging(pcf, findings);
    for (index, rule) in pcf.objects("productOrSectorSpecificRules").iter().enumerate() {
        operator(rule, &format!("/pcf/productOrSectorSpecificRules/{index}/otherOperatorName"), findings);
    }
    match spec_version.major() {
        Major::V2 => data_quality(pcf, reaches_2025, findings),
        Major::V3 => capture(pcf, findings),
    }
}

fn lineage(footprint: &Footprint, findings: &mut Findings) {
    for (index, reference) in footprint.fields.references("precedingPfIds").iter().enumerate() {
        let own = match reference {
            Reference::Number(number) => u64::try_from(*number) == Ok(footprint.number),
            Reference::Text(text) => id::parse_uuid(text) == Ok(footprint.id.uuid()),
        };
        if own {
            findings.add(
                Rule::PrecedingIdOwn,
                format!("/precedingPfIds/{index}"),
                "precedingPfIds names the footprint itself: name those it replaces.",
            );
        }
    }
}

fn updated(footprint: &Footprint, findings: &mut Findings) {
    let created = footprint.created();
    if let Some(updated) = footprint.updated()
        && updated.instant() <= created.instant()
    {
        findings.add(
            Rule::UpdatedAfterCreated,
            "/updated",
            format!("updated must lie after created, {created}: leave it out if the record was never updated."),
        );
    }
}

fn reference_period(pcf: &Fields, findings: &mut Findings) {
    if let (Some(start), Some(end)) = (pcf.moment("referencePeriodStart"), pcf.moment("referencePeriodEnd"))
        && end.instant() <= start.instant()
    {
        findings.add(
            Rule::ReferencePeriodOrder,
            "/pcf/referencePeriodEnd",
            format!("referencePeriodEnd must lie after referencePeriodStart, {start}: mend one of them."),
        );
    }
}

/// PACT 2 and 3, `validityPeriodStart` and `validityPeriodEnd`.
fn validity(fields: &Fields, major: Major, findings: &mut Findings) {
    let (start, end) = (fields.moment("validityPeriodStart"), fields.moment("validityPeriodEnd"));
    if major == Major::V2 && start.is_some() != end.is_some() {
        let missing = if start.is_none() { "validityPeriodStart" } else { "validityPeriodEnd" };
        findings.add(
            Rule::ValidityPeriodComplete,
            format!("/{missing}"),
            format!("{missing} is missing: give both ends of the validity period or neither."),
        );
    }
    if let (Some(start), Some(end)) = (start, end)
        && end.instant() <= start.instant()
    {
        findings.add(
            Rule::ValidityPeriodOrder,
            "/validityPeriodEnd",
            format!("validityPeriodEnd must lie after validityPeriodStart, {start}: mend one of them."),
        );
    }
    let Some(reference) = fields.object("pcf").and_then(|pcf| pcf.moment("referencePeriodEnd")) else { return };
    if let Some(start) = start
        && start.instant() < reference.instant()
    {
        findings.add(
            Rule::ValidityPeriodStart,
            "/validityPeriodStart",
            format!("validityPeriodStart must not lie before referencePeriodEnd, {reference}."),
        );
    }
    if let (Some(end), Some(limit)) = (end, three_years_after(reference.instant()))
        && end.instant() > limit
    {
        findings.add(
            Rule::ValidityPeriodLength,
            "/validityPeriodEnd",
            format!("validityPeriodEnd must lie within three years after referencePeriodEnd, {reference}."),
        );
    }
}

/// The same day and time three years later in UTC, 29 February becoming the 28th; `None` beyond the calendar.
pub(super) fn three_years_after(instant: OffsetDateTime) -> Option<OffsetDateTime> {
    let utc = instant.checked_to_offset(UtcOffset::UTC)?;
    let (year, month, day) = (utc.year() + 3, utc.month(), utc.day());
    let date = Date::from_calendar_date(year, month, day).or_else(|_| Date::from_calendar_date(year, month, 28));
    date.ok().map(|date| utc.replace_date(date))
}

fn geography(pcf: &Fields, findings: &mut Findings) {
    let names = ["geographyRegionOrSubregion", "geographyCountry", "geographyCountrySubdivision"];
    let given: Vec<_> = names.into_iter().filter(|name| pcf.find(name).is_some()).collect();
    if let [_, second, ..] = given[..] {
        findings.add(
            Rule::SingleGeography,
            format!("/pcf/{second}"),
            format!("at most one of these may be given: {}. Keep the one that fits best.", given.join(", ")),
        );
    }
}

fn packaging(pcf: &Fields, findings: &mut Findings) {
    if pcf.flag("packagingEmissionsIncluded") == Some(false) && pcf.find("packagingGhgEmissions").is_some() {
        findings.add(
            Rule::PackagingExcluded,
            "/pcf/packagingGhgEmissions",
            "packagingGhgEmissions must be left out while packagingEmissionsIncluded is false.",
        );
    }
}

fn capture(pcf: &Fields, findings: &mut Findings) {
    if pcf.flag("ccsTechnologicalCO2CaptureIncluded") == Some(false) {
        for name in ["ccsTechnologicalCO2Capture", "technologicalCO2Removals", "technologicalCO2CaptureOrigin"] {
            if pcf.find(name).is_some() {
                findings.add(
                    Rule::CcsExcluded,
                    format!("/pcf/{name}"),
                    format!("{name} must be left out while ccsTechnologicalCO2CaptureIncluded is false."),
                );
            }
        }
    }
    if pcf.find("ccuCreditCertification").is_some() && pcf.text("ccuCalculationApproach") != Some("Credit") {
        findings.add(
            Rule::CreditCertification,
            "/pcf/ccuCreditCertification",
            "ccuCreditCertification must be left out unless ccuCalculationApproach is Credit.",
        );
    }
}

fn operator(rule: &Fields, pointer: &str, findings: &mut Findings) {
    let other = rule.text("operator") == Some("Other");
    let detail = match (other, rule.find("otherOperatorName").is_some()) {
        (true, false) => "otherOperatorName is missing: give the operator's name, as operator is Other.",
        (false, true) => "otherOperatorName must be left out unless operator is Other.",
        (true, true) | (false, false) => return,
    };
    findings.add(Rule::OtherOperatorName, pointer, detail);
}

/// PACT 2, `primaryDataShare` and `dqi`: before 2025 one of them is enough, from then on each is required.
fn data_quality(pcf: &Fields, reaches_2025: bool, findings: &mut Findings) {
    if !reaches_2025
        && pcf.find("referencePeriodEnd").is_some()
        && pcf.find("primaryDataShare").is_none()
        && pcf.find("dqi").is_none()
    {
        findings.add(
            Rule::PrimaryShareOrDqi,
            "/pcf",
            "primaryDataShare and dqi are both missing: give at least one of them.",
        );
    }
}
