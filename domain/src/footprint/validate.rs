//! Whether a footprint is valid: first the rules on each field for itself, by its description, then those on several
//! fields together.

use std::collections::HashSet;
use std::hash::Hash;

use time::OffsetDateTime;
use time::macros::datetime;

use crate::amount::decimal::Decimal;
use crate::canonical::Canonical;
use crate::footprint::field_table::REGIONS;
use crate::footprint::fields::{FieldValue, Fields, Reference};
use crate::footprint::rule_names::{Findings, Rule, Violation};
use crate::footprint::spec::{FieldSpec, Format, Requirement};
use crate::footprint::spec_version::{Major, SpecVersion, SpecVersionError};
use crate::footprint::{Footprint, cross_field_rules, format};
use crate::id;

/// From here on version 2 asks for more (PACT 2, the fields required "including 2025 or later").
const START_OF_2025: OffsetDateTime = datetime!(2025-01-01 00:00 UTC);

/// How many characters of a wrong text a sentence repeats.
const LONGEST_SHOWN: usize = 80;

/// Every rule of PACT that the footprint breaks, by the version that its `specVersion` names; empty when it is valid.
///
/// Without a known version that alone is reported, since no other rule can be applied. Members that the version does
/// not have are not validated.
#[must_use]
pub fn validate(footprint: &Footprint) -> Vec<Violation> {
    let mut findings = Findings::default();
    match footprint.fields.text("specVersion").map(SpecVersion::parse) {
        Some(Ok(spec_version)) => {
            let validator = Validator { spec_version, reaches_2025: reaches_2025(&footprint.fields) };
            validator.object(&footprint.fields, "", &mut findings);
            cross_field_rules::validate(footprint, spec_version, validator.reaches_2025, &mut findings);
        }
        Some(Err(error)) => {
            let rule = match error {
                SpecVersionError::Malformed => Rule::SpecVersionForm,
                SpecVersionError::Unknown => Rule::SpecVersionKnown,
            };
            findings.add(rule, "/specVersion", format!("specVersion is {error}."));
        }
        None => findings.add(
            Rule::RequiredField,
            "/specVersion",
            "specVersion is missing: give the version of PACT that the record follows, such as 2.3.0 or 3.0.0.",
        ),
    }
    findings.0
}

/// Whether the reference period, whose end is exclusive, has an instant in 2025 or later.
fn reaches_2025(fields: &Fields) -> bool {
    let end = fields.object("pcf").and_then(|pcf| pcf.moment("referencePeriodEnd"));
    end.is_some_and(|end| end.instant() > START_OF_2025)
}

/// What a field is checked against beside its description.
struct Validator {
    spec_version: SpecVersion,
    reaches_2025: bool,
}

impl Validator {
    fn object(&self, fields: &Fields, at: &str, findings: &mut Findings) {
        for spec in fields.schema().fields {
            let pointer = format!("{at}/{}", spec.name);
            match (spec.need(self.spec_version), fields.find(spec.name)) {
                (Requirement::Unknown, _) | (Requirement::Optional, None) => {}
                (Requirement::Required, None) => {
                    if !spec.filled {
                        findings.add(Rule::RequiredField, pointer, format!("{} is missing: give it.", spec.name));
                    }
                }
                (Requirement::From2025, None) => {
                    if self.reaches_2025 {
                        let detail = format!(
                            "{} is missing: it is required once the reference period reaches into 2025 or later.",
                            spec.name
                        );
                        findings.add(Rule::RequiredFrom2025, pointer, detail);
                    }
                }
                (Requirement::Required | Requirement::Optional | Requirement::From2025, Some(value)) => {
                    self.value(spec, value, &pointer, findings);
                }
            }
        }
    }

    fn value(&self, spec: &FieldSpec, value: &FieldValue, at: &str, findings: &mut Findings) {
        let mut note = |found: Option<(Rule, String)>, at: String| {
            if let Some((rule, what)) = found {
                findings.add(rule, at, format!("{} {what}.", spec.name));
            }
        };
        match value {
            FieldValue::Text(text) => note(self.text(spec.form, text), at.to_owned()),
            FieldValue::Number(number) => note(self.number(spec.form, *number), at.to_owned()),
            FieldValue::Integer(number) => {
                let outside = !(0..=i64::from(i32::MAX)).contains(number);
                let found = outside.then(|| (Rule::VersionRange, format!("must be 0 to 2147483647, not {number}")));
                note(found, at.to_owned());
            }
            FieldValue::Texts(texts) => {
                for (index, text) in texts.iter().enumerate() {
                    note(self.text(spec.form, text), format!("{at}/{index}"));
                }
                distinct(spec, texts.iter(), at, findings);
            }
            FieldValue::References(references) => {
                for (index, reference) in references.iter().enumerate() {
                    note(reference_form(reference), format!("{at}/{index}"));
                }
                distinct(spec, references.iter().map(reference_key), at, findings);
            }
            FieldValue::Object(fields) => self.object(fields, at, findings),
            FieldValue::Objects(objects) => {
                for (index, fields) in objects.iter().enumerate() {
                    self.object(fields, &format!("{at}/{index}"), findings);
                }
                distinct(spec, objects.iter().map(Canonical::canonical), at, findings);
            }
            FieldValue::Raw(raw) => {
                let found = (!raw.is_object()).then(|| (Rule::ExtensionData, "must be a JSON object".to_owned()));
                note(found, at.to_owned());
            }
            FieldValue::Flag(_) | FieldValue::Moment(_) => {}
        }
    }

    fn text(&self, form: Format, text: &str) -> Option<(Rule, String)> {
        let shown = quoted(text);
        let not_empty = |text: &str| !text.is_empty();
        let (holds, rule, what) = match form {
            Format::OneOfInV2(_) if self.spec_version.major() == Major::V3 => {
                (not_empty(text), Rule::TextNotEmpty, "must not be empty".to_owned())
            }
            Format::OneOf(allowed) | Format::OneOfInV2(allowed) => (
                allowed.contains(&text),
                Rule::AllowedValue,
                format!("must be one of {}, not {shown}", allowed.join(", ")),
            ),
            Format::NotEmpty => (not_empty(text), Rule::TextNotEmpty, "must not be empty".to_owned()),
            Format::Urn => {
                let what = format!("must be a URN such as urn:gtin:4712345060507, not {shown}");
                (format::is_urn(text), Rule::UrnForm, what)
            }
            Format::AssessmentReport => {
                let what = format!("must be AR and a number, such as AR6, not {shown}");
                (format::is_assessment_report(text), Rule::AssessmentReportForm, what)
            }
            Format::Country => {
                let what = format!("must be a country code of two capital letters, such as DE, not {shown}");
                (format::is_country(text), Rule::CountryForm, what)
            }
            Format::Subdivision => {
                let what = format!("must be the code of a subdivision, such as DE-BY, not {shown}");
                (format::is_subdivision(text), Rule::SubdivisionForm, what)
            }
            Format::Region => {
                let what = format!("must be one of {}, not {shown}", REGIONS.join(", "));
                (REGIONS.contains(&text), Rule::RegionName, what)
            }
            Format::Https => {
                let what = format!("must be an address that starts with https://, not {shown}");
                (format::is_https(text), Rule::ExtensionAddress, what)
            }
            Format::Uri => (format::is_uri(text), Rule::UriForm, format!("must be a URI, not {shown}")),
            Format::SemanticVersion => {
                let what = format!("must be three numbers with points between them, such as 2.0.0, not {shown}");
                (format::is_semantic_version(text), Rule::ExtensionVersion, what)
            }
            Format::Any
            | Format::JsonObject
            | Format::Version
            | Format::Positive
            | Format::NotNegative
            | Format::NotPositive
            | Format::Percent
            | Format::Exempted
            | Format::Rating => return None,
        };
        (!holds).then_some((rule, what))
    }

    fn number(&self, form: Format, number: Decimal) -> Option<(Rule, String)> {
        let within = |rule, low: i64, high: i64| {
            let holds = (Decimal::from_integer(low)..=Decimal::from_integer(high)).contains(&number);
            (holds, rule, format!("must be {low} to {high}, not {number}"))
        };
        let v2 = self.spec_version.major() == Major::V2;
        let (holds, rule, what) = match form {
            Format::Positive => {
                (number > Decimal::ZERO, Rule::AmountPositive, format!("must be above zero, not {number}"))
            }
            Format::NotNegative => {
                (!number.is_negative(), Rule::AmountNotNegative, format!("must not be below zero, but is {number}"))
            }
            Format::NotPositive => (
                number <= Decimal::ZERO,
                Rule::AmountNotPositive,
                format!("counts removals and must not be above zero, but is {number}"),
            ),
            Format::Percent => within(Rule::PercentRange, 0, 100),
            Format::Exempted => within(Rule::PercentRange, 0, if v2 { 5 } else { 100 }),
            Format::Rating => within(Rule::RatingRange, 1, if v2 { 3 } else { 5 }),
            Format::Any
            | Format::NotEmpty
            | Format::OneOf(_)
            | Format::OneOfInV2(_)
            | Format::Region
            | Format::Country
            | Format::Subdivision
            | Format::Urn
            | Format::AssessmentReport
            | Format::Https
            | Format::Uri
            | Format::SemanticVersion
            | Format::JsonObject
            | Format::Version => return None,
        };
        (!holds).then_some((rule, what))
    }
}

fn reference_form(reference: &Reference) -> Option<(Rule, String)> {
    match reference {
        Reference::Number(number) if *number < 1 => {
            Some((Rule::PrecedingIdForm, format!("must hold our numbers, from 1, not {number}")))
        }
        Reference::Text(text) if id::parse_uuid(text).is_err() => {
            Some((Rule::PrecedingIdForm, format!("must hold UUIDs or our numbers, not {}", quoted(text))))
        }
        Reference::Number(_) | Reference::Text(_) => None,
    }
}

/// What makes a reference the same as another: UUIDs are so in any case.
fn reference_key(reference: &Reference) -> (Option<i64>, String) {
    match reference {
        Reference::Number(number) => (Some(*number), String::new()),
        Reference::Text(text) => (None, text.to_ascii_lowercase()),
    }
}

fn distinct<K: Hash + Eq>(spec: &FieldSpec, keys: impl Iterator<Item = K>, at: &str, findings: &mut Findings) {
    if !spec.distinct {
        return;
    }
    let mut seen = HashSet::new();
    for (index, key) in keys.enumerate() {
        if !seen.insert(key) {
            let detail = format!("{} holds this item twice: take one away.", spec.name);
            findings.add(Rule::ItemsDistinct, format!("{at}/{index}"), detail);
        }
    }
}

/// The text in quotes, cut where it is too long to be shown.
fn quoted(text: &str) -> String {
    match text.char_indices().nth(LONGEST_SHOWN) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}
