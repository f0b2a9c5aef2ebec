//! A footprint as this interface shows it, whatever version of PACT it follows.
//!
//! Version 2 has the interface's own names. Version 3 is converted: its amounts are per `declaredUnitAmount` of the
//! declared unit and become amounts per one, rounded half to even once, at the 18th fractional digit.

use domain::footprint::{FieldValue, JsonType, Major, PCF, RawJson, Reference};
use domain::{Decimal, Fields, Footprint, Moment, Total};

#[cfg(test)]
mod tests;

/// A JSON value, ready to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum InterfaceValue<'a> {
    Null,
    Integer(i128),
    /// A JSON number, written in plain notation.
    Number(Total),
    Flag(bool),
    Text(&'a str),
    /// A date-time in a string, in UTC.
    Moment(Moment),
    List(Vec<Self>),
    /// An object, its members in order.
    Object(Vec<(&'static str, Self)>),
    /// JSON text to be written as it is.
    Raw(&'a RawJson),
}

/// The members of the interface's footprint, in its order.
const TOP: &[&str] = &[
    "id",
    "specVersion",
    "precedingPfIds",
    "version",
    "status",
    "statusComment",
    "validityPeriodStart",
    "validityPeriodEnd",
    "companyName",
    "companyIds",
    "productIds",
    "productCategoryCpc",
    "productNameCompany",
    "productDescription",
    "comment",
    "pcf",
    "extensions",
    "created",
    "updated",
];

/// The members of the interface's `pcf`, in its order, each with its source in version 3.
const CARBON: &[(&str, V3Source)] = &[
    ("declaredUnit", V3Source::Renamed("declaredUnitOfMeasurement")),
    ("unitaryProductAmount", V3Source::Renamed("declaredUnitAmount")),
    ("pCfExcludingBiogenic", V3Source::Renamed("pcfExcludingBiogenicUptake")),
    ("pCfIncludingBiogenic", V3Source::Renamed("pcfIncludingBiogenicUptake")),
    ("fossilGhgEmissions", V3Source::Same),
    ("fossilCarbonContent", V3Source::Same),
    ("biogenicCarbonContent", V3Source::Same),
    ("dLucGhgEmissions", V3Source::Renamed("landUseChangeGhgEmissions")),
    ("landManagementGhgEmissions", V3Source::LandManagement),
    ("otherBiogenicGhgEmissions", V3Source::Renamed("biogenicNonCO2Emissions")),
    ("iLucGhgEmissions", V3Source::Renamed("landCarbonLeakage")),
    ("biogenicCarbonWithdrawal", V3Source::Renamed("biogenicCO2Uptake")),
    ("aircraftGhgEmissions", V3Source::Same),
    ("characterizationFactors", V3Source::EarliestReport),
    ("ipccCharacterizationFactorsSources", V3Source::Renamed("ipccCharacterizationFactors")),
    ("crossSectoralStandardsUsed", V3Source::Standards),
    ("productOrSectorSpecificRules", V3Source::Same),
    ("biogenicAccountingMethodology", V3Source::Same),
    ("boundaryProcessesDescription", V3Source::Same),
    ("referencePeriodStart", V3Source::Same),
    ("referencePeriodEnd", V3Source::Same),
    ("geographyCountrySubdivision", V3Source::Same),
    ("geographyCountry", V3Source::Same),
    ("geographyRegionOrSubregion", V3Source::Same),
    ("secondaryEmissionFactorSources", V3Source::Same),
    ("exemptedEmissionsPercent", V3Source::Same),
    ("exemptedEmissionsDescription", V3Source::Same),
    ("packagingEmissionsIncluded", V3Source::Same),
    ("packagingGhgEmissions", V3Source::Same),
    ("allocationRulesDescription", V3Source::Same),
    ("uncertaintyAssessmentDescription", V3Source::Same),
    ("primaryDataShare", V3Source::Same),
    ("dqi", V3Source::Nowhere),
];

/// Where a version 3 record holds what a member of the interface's `pcf` means.
enum V3Source {
    /// Under the same name.
    Same,
    /// The member has this name instead.
    Renamed(&'static str),
    /// Emissions and removals apart; those of fossil origin count in `fossilGhgEmissions` already.
    LandManagement,
    /// The earliest of AR5 and AR6 among the sources.
    EarliestReport,
    /// Standards under shorter names; one that version 2 does not know keeps its name.
    Standards,
    /// On another scale, which cannot be converted.
    Nowhere,
}

/// The footprint as the interface shows it: every member of it in its order, null or `[]` where it is not known.
pub(super) fn interface_view(footprint: &Footprint) -> InterfaceValue<'_> {
    let v3 = footprint.spec_version().is_some_and(|version| version.major() == Major::V3);
    let fields = &footprint.fields;
    let member = |name: &&'static str| {
        let value = match *name {
            "id" => InterfaceValue::Integer(footprint.number.into()),
            "version" => InterfaceValue::Integer(footprint.version().into()),
            "status" => InterfaceValue::Text(footprint.status()),
            "created" => InterfaceValue::Moment(footprint.created().to_utc()),
            "updated" => {
                footprint.updated().map_or(InterfaceValue::Null, |moment| InterfaceValue::Moment(moment.to_utc()))
            }
            "pcf" => carbon(fields.object("pcf"), v3),
            "productCategoryCpc" if v3 => category(fields),
            name => given(fields, name),
        };
        (*name, value)
    };
    InterfaceValue::Object(TOP.iter().map(member).collect())
}

fn carbon(pcf: Option<&Fields>, v3: bool) -> InterfaceValue<'_> {
    let member = |(name, source): &(&'static str, V3Source)| {
        let value = match pcf {
            Some(pcf) if v3 => converted(pcf, name, source),
            Some(pcf) => given(pcf, name),
            None => unknown(PCF.field(name).map(|spec| spec.kind)),
        };
        (*name, value)
    };
    InterfaceValue::Object(CARBON.iter().map(member).collect())
}

fn converted<'a>(pcf: &'a Fields, name: &'static str, source: &V3Source) -> InterfaceValue<'a> {
    match source {
        V3Source::Same => per_unit(pcf, name),
        V3Source::Renamed(other) => per_unit(pcf, other),
        V3Source::LandManagement => {
            let parts = ["landManagementBiogenicCO2Emissions", "landManagementBiogenicCO2Removals"];
            let known: Vec<Total> = parts.into_iter().filter_map(|part| pcf.number(part)).map(Total::from).collect();
            if known.is_empty() { InterfaceValue::Null } else { divided(known.into_iter().sum(), pcf) }
        }
        V3Source::EarliestReport => {
            let sources = pcf.texts("ipccCharacterizationFactors");
            let earliest = ["AR5", "AR6"].into_iter().find(|report| sources.iter().any(|source| source == report));
            earliest.map_or(InterfaceValue::Null, InterfaceValue::Text)
        }
        V3Source::Standards => {
            let names = pcf.texts("crossSectoralStandards").iter();
            InterfaceValue::List(names.map(|name| InterfaceValue::Text(standard(name))).collect())
        }
        V3Source::Nowhere => InterfaceValue::Null,
    }
}

/// The field's value, per one declared unit if it is an amount that changes with it.
fn per_unit<'a>(pcf: &'a Fields, name: &str) -> InterfaceValue<'a> {
    let scales = PCF.field(name).is_some_and(|spec| spec.unit.is_per_declared_unit());
    match pcf.number(name) {
        Some(number) if scales => divided(number.into(), pcf),
        Some(_) | None => given(pcf, name),
    }
}

/// Null without a declared amount to divide by.
fn divided<'a>(total: Total, pcf: &Fields) -> InterfaceValue<'a> {
    let amount = pcf.number("declaredUnitAmount").unwrap_or(Decimal::ZERO);
    total.checked_div(amount).map_or(InterfaceValue::Null, InterfaceValue::Number)
}

fn standard(name: &str) -> &str {
    match name {
        "GHGP-Product" => "GHG Protocol Product standard",
        "ISO14067" => "ISO Standard 14067",
        "ISO14040-44" => "ISO Standard 14044",
        other => other,
    }
}

/// The code of the first classification `urn:cpc:<code>`, else the category as written.
fn category(fields: &Fields) -> InterfaceValue<'_> {
    let mut codes = fields.texts("productClassifications").iter().filter_map(|urn| {
        let (scheme, code) = urn.split_at_checked("urn:cpc:".len())?;
        (scheme.eq_ignore_ascii_case("urn:cpc:") && !code.is_empty()).then_some(code)
    });
    codes.next().map_or_else(|| given(fields, "productCategoryCpc"), InterfaceValue::Text)
}

/// The field as it was written.
fn given<'a>(fields: &'a Fields, name: &str) -> InterfaceValue<'a> {
    match fields.find(name) {
        Some(value) => written(value),
        None => unknown(fields.schema().field(name).map(|spec| spec.kind)),
    }
}

fn unknown<'a>(kind: Option<JsonType>) -> InterfaceValue<'a> {
    match kind {
        Some(JsonType::Texts | JsonType::References | JsonType::Objects(_)) => InterfaceValue::List(Vec::new()),
        Some(
            JsonType::Text
            | JsonType::Number
            | JsonType::Integer
            | JsonType::Flag
            | JsonType::Moment
            | JsonType::Object(_)
            | JsonType::Raw,
        )
        | None => InterfaceValue::Null,
    }
}

fn written(value: &FieldValue) -> InterfaceValue<'_> {
    match value {
        FieldValue::Text(text) => InterfaceValue::Text(text),
        FieldValue::Number(number) => InterfaceValue::Number((*number).into()),
        FieldValue::Integer(number) => InterfaceValue::Integer((*number).into()),
        FieldValue::Flag(flag) => InterfaceValue::Flag(*flag),
        FieldValue::Moment(moment) => InterfaceValue::Moment(moment.to_utc()),
        FieldValue::Texts(texts) => InterfaceValue::List(texts.iter().map(|text| InterfaceValue::Text(text)).collect()),
        FieldValue::References(references) => InterfaceValue::List(references.iter().map(reference).collect()),
        FieldValue::Object(fields) => object(fields),
        FieldValue::Objects(objects) => InterfaceValue::List(objects.iter().map(object).collect()),
        FieldValue::Raw(raw) => InterfaceValue::Raw(raw),
    }
}

fn object(fields: &Fields) -> InterfaceValue<'_> {
    InterfaceValue::Object(fields.schema().fields.iter().map(|spec| (spec.name, given(fields, spec.name))).collect())
}

fn reference(reference: &Reference) -> InterfaceValue<'_> {
    match reference {
        Reference::Number(number) => InterfaceValue::Integer((*number).into()),
        Reference::Text(text) => InterfaceValue::Text(text),
    }
}
