//! Values that the two major versions write in different ways: categories, standards, and who checked a footprint.

use super::members::{Members, left_out};
use crate::footprint::edition::Edition;
use crate::footprint::field_table::{ASSURANCE, VERIFICATION};
use crate::footprint::fields::{FieldValue, Fields};
use crate::footprint::rule_names::{Findings, Rule};
use crate::footprint::spec::{FieldSpec, Format};

/// What a classification by UN CPC begins with.
const CPC: &str = "urn:cpc:";
/// The coverage that both versions name alike.
const PRODUCT_LEVEL: &str = "product level";
/// The standards that both versions have: the name in `crossSectoralStandardsUsed`, and in `crossSectoralStandards`.
const STANDARDS: &[(&str, &str)] = &[
    ("GHG Protocol Product standard", "GHGP-Product"),
    ("ISO Standard 14067", "ISO14067"),
    ("ISO Standard 14044", "ISO14040-44"),
];

/// The same with its date-times in UTC, and without the members of objects that the edition does not have.
pub(super) fn in_edition(value: FieldValue, edition: Edition) -> FieldValue {
    let object = |fields: Fields| fields.of_version(edition.spec_version()).mapped(|value| in_edition(value, edition));
    match value {
        FieldValue::Moment(moment) => FieldValue::Moment(moment.to_utc()),
        FieldValue::Object(fields) => FieldValue::Object(object(fields)),
        FieldValue::Objects(objects) => FieldValue::Objects(objects.into_iter().map(object).collect()),
        other @ (FieldValue::Text(_)
        | FieldValue::Number(_)
        | FieldValue::Integer(_)
        | FieldValue::Flag(_)
        | FieldValue::Texts(_)
        | FieldValue::References(_)
        | FieldValue::Raw(_)) => other,
    }
}

/// Tells the date-times that are not in UTC, since UTC leaves the calendar there.
pub(super) fn tell_beyond_calendar(fields: &Fields, at: &str, losses: &mut Findings) {
    for spec in fields.schema().fields {
        let pointer = format!("{at}/{}", spec.name);
        match fields.find(spec.name) {
            Some(FieldValue::Moment(moment)) if !moment.instant().offset().is_utc() => {
                let detail = format!("{} must lie in the years 1 to 9999 in UTC, not {moment}.", spec.name);
                losses.add(Rule::MomentBounds, pointer, detail);
            }
            Some(FieldValue::Object(object)) => tell_beyond_calendar(object, &pointer, losses),
            _ => {}
        }
    }
}

/// The code of a classification `urn:cpc:<code>`.
fn code(urn: &str) -> Option<&str> {
    let (scheme, code) = urn.split_at_checked(CPC.len())?;
    (scheme.eq_ignore_ascii_case(CPC) && !code.is_empty()).then_some(code)
}

/// The category of version 2: the first code of UN CPC among the classifications, else as written.
pub(super) fn category(members: &mut Members<'_>) -> Option<FieldValue> {
    let found = members.texts("productClassifications").iter().find_map(|urn| code(urn));
    let written = members.given("productCategoryCpc");
    found.map(|code| FieldValue::Text(code.to_owned())).or(written)
}

/// The classifications of version 3: those that are written, and the category of version 2 before any other of UN CPC.
pub(super) fn with_category(members: &mut Members<'_>) -> Option<FieldValue> {
    let mut urns = members.texts("productClassifications").to_vec();
    if let Some(FieldValue::Text(category)) = members.given("productCategoryCpc")
        && !category.is_empty()
        && urns.iter().find_map(|urn| code(urn)) != Some(&category)
    {
        urns.retain(|urn| code(urn) != Some(&category));
        urns.insert(0, format!("{CPC}{category}"));
    }
    (!urns.is_empty()).then_some(FieldValue::Texts(urns))
}

/// The standards of version 3: those that 2.3 names, and those of the older member.
pub(super) fn standards(members: &mut Members<'_>) -> Option<FieldValue> {
    let mut names = members.texts("crossSectoralStandards").to_vec();
    for used in members.texts("crossSectoralStandardsUsed") {
        let name = STANDARDS.iter().find(|(long, _)| long == used).map_or(used.as_str(), |(_, short)| short);
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    (!names.is_empty()).then_some(FieldValue::Texts(names))
}

/// The standards of version 3 that the older member of version 2 has a name for.
pub(super) fn standards_used(members: &mut Members<'_>) -> Option<FieldValue> {
    let names = members.texts("crossSectoralStandards").iter();
    let long = |name: &String| STANDARDS.iter().find(|(_, short)| short == name).map(|(long, _)| (*long).to_owned());
    let used: Vec<_> = names.filter_map(long).collect();
    (!used.is_empty()).then_some(FieldValue::Texts(used))
}

/// The standards of version 3 that 2.3 knows.
pub(super) fn known_standards(
    members: &mut Members<'_>,
    spec: &FieldSpec,
    losses: &mut Findings,
) -> Option<FieldValue> {
    let allowed = if let Format::OneOfInV2(allowed) = spec.form { allowed } else { &[] };
    let mut known = Vec::new();
    for (index, name) in members.texts("crossSectoralStandards").iter().enumerate() {
        if allowed.contains(&name.as_str()) {
            known.push(name.clone());
        } else {
            left_out(&format!("/pcf/crossSectoralStandards/{index}"), name, losses);
        }
    }
    (!known.is_empty()).then_some(FieldValue::Texts(known))
}

/// The verification of version 3, of an assurance of version 2: what says that there was none is no verification.
pub(super) fn verification(members: &mut Members<'_>, losses: &mut Findings) -> Option<FieldValue> {
    let assurance = members.object("assurance")?;
    if assurance.flag("assurance") == Some(false) {
        left_out("/pcf/assurance", "assurance", losses);
        return None;
    }
    let mut verification = Fields::new(&VERIFICATION);
    shared(assurance, &mut verification, "/pcf/assurance", losses);
    for name in ["level", "boundary"] {
        if assurance.find(name).is_some() {
            left_out(&format!("/pcf/assurance/{name}"), name, losses);
        }
    }
    Some(FieldValue::Object(verification))
}

/// The assurance of version 2, of a verification of version 3 that names who did it.
pub(super) fn assurance(members: &mut Members<'_>, losses: &mut Findings) -> Option<FieldValue> {
    let verification = members.object("verification")?;
    if verification.find("providerName").is_none() {
        left_out("/pcf/verification", "verification", losses);
        return None;
    }
    let mut assurance = Fields::new(&ASSURANCE);
    assurance.put("assurance", Some(FieldValue::Flag(true)));
    shared(verification, &mut assurance, "/pcf/verification", losses);
    Some(FieldValue::Object(assurance))
}

/// What assurance and verification have in common.
fn shared(from: &Fields, to: &mut Fields, at: &str, losses: &mut Findings) {
    for name in ["providerName", "completedAt", "standardName", "comments"] {
        to.put(name, from.find(name).cloned());
    }
    match from.text("coverage") {
        Some(PRODUCT_LEVEL) => to.put("coverage", Some(FieldValue::Text(PRODUCT_LEVEL.to_owned()))),
        Some(_) => left_out(&format!("{at}/coverage"), "coverage", losses),
        None => {}
    }
}
