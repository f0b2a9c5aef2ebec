//! Laws of footprints: no record is too strange to be validated.

use proptest::prelude::*;
use tonne_domain::footprint::{FOOTPRINT, FieldValue, Fields, JsonType, ObjectSchema, RawJson, Reference, validate};
use tonne_domain::{Canonical as _, Decimal, Footprint, Moment, Timestamp};

use crate::footprint::{empty, put, texts, valid_v2, valid_v3};

fn any_text() -> BoxedStrategy<String> {
    prop_oneof![
        Just("2.3.0".to_owned()),
        Just("2.0.0".to_owned()),
        Just("3.0.0".to_owned()),
        Just("Other".to_owned()),
        Just("urn:cpc:1".to_owned()),
        "[^\\x00]{0,12}",
    ]
    .boxed()
}

fn any_decimal() -> impl Strategy<Value = Decimal> {
    let limit = Decimal::MAX.scaled();
    prop_oneof![
        (-limit..=limit).prop_map(|scaled| Decimal::from_scaled(scaled).unwrap()),
        (-3_i64..6).prop_map(Decimal::from_integer),
    ]
}

fn any_moment() -> impl Strategy<Value = Moment> {
    let parts = (1_u16..=9999, 1_u8..=12, 1_u8..=31, 0_u8..24, prop::sample::select(vec!["Z", "+14:00", "-23:59"]));
    let written = parts.prop_filter_map("no such day", |(year, month, day, hour, zone)| {
        Moment::parse(&format!("{year:04}-{month:02}-{day:02}T{hour:02}:00:00.5{zone}")).ok()
    });
    let edges = ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59.999999999-23:59", "2024-02-29T00:00:00Z"];
    prop_oneof![4 => written, 1 => prop::sample::select(edges.to_vec()).prop_map(|text| Moment::parse(text).unwrap())]
}

fn any_value(kind: JsonType) -> BoxedStrategy<FieldValue> {
    let reference = prop_oneof![any::<i64>().prop_map(Reference::Number), any_text().prop_map(Reference::Text)];
    match kind {
        JsonType::Text => any_text().prop_map(FieldValue::Text).boxed(),
        JsonType::Number => any_decimal().prop_map(FieldValue::Number).boxed(),
        JsonType::Integer => any::<i64>().prop_map(FieldValue::Integer).boxed(),
        JsonType::Flag => any::<bool>().prop_map(FieldValue::Flag).boxed(),
        JsonType::Moment => any_moment().prop_map(FieldValue::Moment).boxed(),
        JsonType::Texts => prop::collection::vec(any_text(), 0..3).prop_map(FieldValue::Texts).boxed(),
        JsonType::References => prop::collection::vec(reference, 0..3).prop_map(FieldValue::References).boxed(),
        JsonType::Object(shape) => any_fields(shape).prop_map(FieldValue::Object).boxed(),
        JsonType::Objects(shape) => {
            prop::collection::vec(any_fields(shape), 0..3).prop_map(FieldValue::Objects).boxed()
        }
        JsonType::Raw => {
            prop::sample::select(vec!["{ \"a\": 1.50, \"a\": null }", "[1e400,\n\"\\u00fc\"]", " \"x\" ", "0"])
                .prop_map(|text| FieldValue::Raw(RawJson::parse(text).unwrap()))
                .boxed()
        }
    }
}

fn any_fields(shape: &'static ObjectSchema) -> BoxedStrategy<Fields> {
    let member = (0..shape.fields.len()).prop_flat_map(|index| {
        let spec = &shape.fields[index];
        any_value(spec.kind).prop_map(move |value| (spec.name, value))
    });
    prop::collection::vec(member, 0..shape.fields.len() * 2)
        .prop_map(move |members| {
            let mut fields = Fields::new(shape);
            for (name, value) in members {
                fields.set(name, value).unwrap();
            }
            fields
        })
        .boxed()
}

pub(crate) fn any_footprint() -> impl Strategy<Value = Footprint> {
    any_fields(&FOOTPRINT).prop_map(|fields| empty().with_fields(fields))
}

fn whole(range: std::ops::RangeInclusive<i64>) -> impl Strategy<Value = FieldValue> {
    range.prop_map(|number| FieldValue::Number(Decimal::from_integer(number)))
}

/// A valid record of either major version, its amounts and texts drawn anew and some optional members left out.
pub(crate) fn valid_footprint() -> impl Strategy<Value = Footprint> {
    let left_out = prop::sample::subsequence(
        vec![
            "/precedingPfIds",
            "/created",
            "/status",
            "/extensions",
            "/productClassifications",
            "/pcf/aircraftGhgEmissions",
            "/pcf/packagingGhgEmissions",
            "/pcf/geographyCountry",
            "/pcf/primaryDataShare",
            "/pcf/allocationRulesDescription",
            "/pcf/secondaryEmissionFactorSources",
            "/pcf/productOrSectorSpecificRules",
        ],
        0..=12,
    );
    let amounts = (whole(0..=1_000_000), whole(0..=1_000_000), whole(0..=5), whole(1..=3));
    (any::<bool>(), left_out, amounts, "[^\\x00]{1,20}", 1_u32..9_999_999).prop_map(
        |(v2, left_out, (fossil, mass, exempted, rating), name, gtin)| {
            let mut footprint = if v2 { valid_v2() } else { valid_v3() };
            for pointer in left_out {
                put(&mut footprint, pointer, None);
            }
            put(&mut footprint, "/updated", None);
            put(&mut footprint, "/pcf/fossilGhgEmissions", Some(fossil));
            put(&mut footprint, "/pcf/productMassPerDeclaredUnit", Some(mass));
            put(&mut footprint, "/pcf/exemptedEmissionsPercent", Some(exempted));
            put(&mut footprint, "/pcf/dqi/temporalDQR", Some(rating));
            put(&mut footprint, "/companyName", Some(FieldValue::Text(name)));
            put(&mut footprint, "/productIds", Some(texts(&[&format!("urn:gtin:{gtin}")])));
            footprint
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn no_record_makes_validation_or_an_amendment_panic(footprint in any_footprint(), at in any::<i64>()) {
        let _ = validate(&footprint);
        let _ = footprint.canonical();
        let at = Timestamp::from_millis(at % 200_000_000_000_000).unwrap_or(footprint.stamps.created);
        let _ = footprint.amend("Deprecated", None, at);
    }

    #[test]
    fn every_pointer_of_a_finding_leads_into_the_record(footprint in any_footprint()) {
        for broken in validate(&footprint) {
            prop_assert!(broken.pointer.starts_with('/') && broken.detail.len() > 10, "{}", broken);
        }
    }

    #[test]
    fn a_record_made_to_be_valid_breaks_no_rule(footprint in valid_footprint()) {
        prop_assert_eq!(validate(&footprint), []);
    }

    #[test]
    fn a_valid_record_stays_valid_when_it_is_deprecated(footprint in valid_footprint()) {
        let amended = footprint.amend("Deprecated", Some("old"), footprint.stamps.created).unwrap();
        prop_assert_eq!(validate(&amended), []);
    }
}
