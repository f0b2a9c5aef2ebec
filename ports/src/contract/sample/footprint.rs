//! Footprints: a bare one, and one with every field of every version.

use domain::footprint::{FOOTPRINT, FieldValue, Fields, JsonType, ObjectSchema, PCF, RawJson, Reference};
use domain::{Decimal, Footprint, Moment};

use super::{at, id};

/// A footprint of that identity without a number yet, of which little is written.
#[must_use]
pub fn footprint(number: u64) -> Footprint {
    let mut fields = Fields::new(&FOOTPRINT);
    fields.set("specVersion", FieldValue::Text("2.3.0".into())).expect("a field");
    fields.set("companyName", FieldValue::Text(format!("Company {number}"))).expect("a field");
    Footprint::new(id(number), 0, at(7), fields)
}

/// A footprint of that identity without a number yet, created then, which version 3 shows; version 2 does so per `unit` of
/// its own, and not per piece.
#[must_use]
pub fn shown_footprint(number: u64, created: &str, unit: &str) -> Footprint {
    let text = |text: &str| FieldValue::Text(text.into());
    let texts = |text: &str| FieldValue::Texts(vec![text.into()]);
    let moment = |text: &str| FieldValue::Moment(Moment::parse(text).expect("a moment"));
    let mut fields = Fields::new(&FOOTPRINT);
    for (name, value) in [
        ("specVersion", text("3.0.0")),
        ("created", moment(created)),
        ("companyName", text("Company")),
        ("companyIds", texts("urn:pact:works.example:company:1")),
        ("productDescription", text("")),
        ("productIds", texts(&format!("urn:gtin:{number}"))),
        ("productClassifications", texts("urn:cpc:41532")),
        ("productNameCompany", text("Sheet")),
    ] {
        fields.set(name, value).expect("a field");
    }
    let mut pcf = Fields::new(&PCF);
    for name in ["productMassPerDeclaredUnit", "declaredUnitAmount", "fossilGhgEmissions"] {
        pcf.set(name, FieldValue::Number(Decimal::ONE)).expect("a field");
    }
    for name in ["pcfExcludingBiogenicUptake", "pcfIncludingBiogenicUptake"] {
        pcf.set(name, FieldValue::Number(Decimal::ONE)).expect("a field");
    }
    for name in ["fossilCarbonContent", "biogenicCarbonContent", "exemptedEmissionsPercent"] {
        pcf.set(name, FieldValue::Number(Decimal::ZERO)).expect("a field");
    }
    for (name, value) in [
        ("declaredUnitOfMeasurement", text(unit)),
        ("ipccCharacterizationFactors", texts("AR6")),
        ("crossSectoralStandards", texts("GHGP-Product")),
        ("packagingEmissionsIncluded", FieldValue::Flag(true)),
        ("referencePeriodStart", moment("2024-01-01T00:00:00Z")),
        ("referencePeriodEnd", moment("2025-01-01T00:00:00Z")),
    ] {
        pcf.set(name, value).expect("a field");
    }
    fields.set("pcf", FieldValue::Object(pcf)).expect("a field");
    Footprint::new(id(number), 0, at(7), fields)
}

/// A footprint of that identity without a number yet, in which every field is given.
#[must_use]
pub fn filled_footprint(number: u64) -> Footprint {
    let mut footprint = Footprint::new(id(number), 0, at(7), filled(&FOOTPRINT));
    footprint.stamps.updated = Some(at(8));
    footprint.stamps.amendments = u32::MAX;
    footprint
}

fn filled(shape: &'static ObjectSchema) -> Fields {
    let mut fields = Fields::new(shape);
    for spec in shape.fields {
        let value = match spec.kind {
            JsonType::Text => FieldValue::Text(format!("{}: \"ü\" 'n' \\ \u{1}\n\t東京 𝛑", spec.name)),
            JsonType::Number => FieldValue::Number(Decimal::MIN),
            JsonType::Integer => FieldValue::Integer(i64::MIN),
            JsonType::Flag => FieldValue::Flag(false),
            JsonType::Moment => FieldValue::Moment(Moment::parse("0001-01-01T00:00:00.100+23:59").expect("a moment")),
            JsonType::Texts => FieldValue::Texts(vec!["urn:a:1".into(), String::new(), "\"".into()]),
            JsonType::References => {
                FieldValue::References(vec![Reference::Number(7), Reference::Text("7".into()), Reference::Number(-1)])
            }
            JsonType::Object(shape) => FieldValue::Object(filled(shape)),
            JsonType::Objects(shape) => FieldValue::Objects(vec![filled(shape), Fields::new(shape)]),
            JsonType::Raw => {
                let json = r#"{ "a": 1.50, "b" : ["\u00fc", null], "a": 1e400 }"#;
                FieldValue::Raw(RawJson::parse(json).expect("JSON"))
            }
        };
        fields.set(spec.name, value).expect("a field of the shape");
    }
    fields
}
