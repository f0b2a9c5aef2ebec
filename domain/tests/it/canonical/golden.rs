//! Texts and digests that never change: one file for each kind in `tests/golden`.
//!
//! For each content there are three lines: what it is, its text, and the digest of the text. Another program that writes
//! the same texts is right.

use std::fmt::{Debug, Write as _};
use std::path::PathBuf;

use tonne_domain::footprint::{FOOTPRINT, FieldValue, Fields, JsonType, ObjectSchema, RawJson, Reference};
use tonne_domain::{
    Activity, Block, Calculation, CalculationParts, Canonical, Day, Decimal, DeclaredAmount, Description, Digest,
    Factor, FactorData, Footprint, ImageAddress, Incomplete, Input, InputCalculation, Measure, Measured, Measures,
    Model, Moment, Org, Product, Scope, ScopeClass, ScopeKind, Slug, Source, Sources, Span, Stage, SuppliedCo2e,
    Switch, SyncId, Taxonomy, Timestamp,
};

use crate::sample::{co2e, day, id, intensity, name, quantity, unit};

/// The contents are those of the file, and its texts are read as the contents.
fn check<T: Canonical + Clone + Debug + PartialEq>(kind: &str, known: impl Fn(&T) -> T::Known, contents: &[(&str, T)]) {
    let written = contents.iter().fold(String::new(), |mut written, (what, content)| {
        writeln!(written, "# {what}\n{}\n{}", content.canonical(), content.digest()).unwrap();
        written
    });
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{kind}.txt"));
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == golden, "{} should be:\n{written}", path.display());
    let lines: Vec<&str> = golden.lines().collect();
    for (lines, (_, content)) in lines.chunks(3).zip(contents) {
        let (text, digest) = (lines[1], lines[2]);
        assert_eq!(Digest::parse(digest), Ok(Digest::of(text.as_bytes())));
        assert_eq!(T::from_canonical(known(content), text).as_ref(), Ok(content), "{text}");
    }
}

fn sync_id(text: &str) -> SyncId {
    SyncId::parse(text).unwrap()
}

fn moment(text: &str) -> Moment {
    Moment::parse(text).unwrap()
}

/// Ten kilograms on a day, supplied, and nothing else.
fn activity() -> Activity {
    let supplied = SuppliedCo2e { upstream: Some(co2e("10")), downstream: None };
    let parts = CalculationParts { supplied, upstream: supplied.upstream, ..CalculationParts::default() };
    Activity {
        id: id(1),
        sync_id: None,
        name: name("Diesel"),
        description: None,
        measured: None,
        product: None,
        scope: None,
        taxonomy: None,
        org: None,
        span: Span::new(moment("2025-01-01T00:00:00Z"), None).unwrap(),
        calculation: Calculation::from_parts(parts).unwrap(),
        measures: Measures::NONE,
    }
}

#[test]
fn activities() {
    let parts = CalculationParts {
        supplied: SuppliedCo2e { upstream: Some(co2e("0.000000000000000001")), downstream: None },
        upstream: Some(co2e("0.000000000000000001")),
        downstream: Some(co2e("-99999999999999999999.5")),
        factor: Some(id(5)),
        reason: None,
    };
    let filled = Activity {
        sync_id: Some(sync_id("erp/4711 \"ä\"")),
        name: name("Flüge “Köln–東京” \\ 𝛑"),
        description: Some(Description::parse("one\ntwo\t\"three\"").unwrap()),
        measured: Some(Measured { quantity: quantity("1234.5"), unit: unit("kWh") }),
        product: Some(id(2)),
        scope: Some(id(3)),
        taxonomy: Some(id(4)),
        org: Some(id(0xfedc_ba98)),
        span: Span::new(moment("2025-03-01T23:30:00.120-05:30"), Some(moment("2025-04-02T00:00:00.000000001+14:00")))
            .unwrap(),
        calculation: Calculation::from_parts(parts).unwrap(),
        ..activity()
    };
    let incomplete = Activity { calculation: Calculation::incomplete(Incomplete::NoFactorOnDay), ..activity() };
    let measures = [(Measure::Sf6, co2e("0")), (Measure::BiogenicCo2, co2e("-2.5"))];
    let measured = Activity { measures: Measures::new(measures).unwrap(), ..activity() };
    let both = SuppliedCo2e { upstream: Some(co2e("0")), downstream: Some(co2e("-7")) };
    let parts = CalculationParts {
        supplied: both,
        upstream: both.upstream,
        downstream: both.downstream,
        ..CalculationParts::default()
    };
    let supplied = Activity { calculation: Calculation::from_parts(parts).unwrap(), ..activity() };
    check(
        "activity",
        |activity: &Activity| activity.id,
        &[
            ("supplied, on a day", activity()),
            ("every member, one part computed", filled),
            ("without CO2e", incomplete),
            ("with other measures", measured),
            ("both parts supplied", supplied),
        ],
    );
}

#[test]
fn scopes() {
    let class = ScopeClass::of(ScopeKind::Scope1);
    let bare = Scope { id: id(1), sync_id: None, name: name("Scope 1"), parent: None, class };
    let class = ScopeClass::new(ScopeKind::Scope3, Some(15)).unwrap();
    let filled = Scope { sync_id: Some(sync_id("s3.15")), parent: Some(id(2)), class, ..bare.clone() };
    check("scope", |scope: &Scope| scope.id, &[("what must be there", bare), ("every member", filled)]);
}

#[test]
fn orgs() {
    let bare = Org { id: id(1), sync_id: None, name: name("Werk Süd"), parent: None };
    let filled = Org { sync_id: Some(sync_id("o1")), parent: Some(id(2)), ..bare.clone() };
    check("org", |org: &Org| org.id, &[("what must be there", bare), ("every member", filled)]);
}

#[test]
fn taxonomies() {
    let slug = Slug::parse("travel-2").unwrap();
    let bare = Taxonomy { id: id(1), sync_id: None, name: name("Travel"), parent: None, slug };
    let filled = Taxonomy { sync_id: Some(sync_id("t1")), parent: Some(id(2)), ..bare.clone() };
    check("taxonomy", |taxonomy: &Taxonomy| taxonomy.id, &[("what must be there", bare), ("every member", filled)]);
}

#[test]
fn products() {
    let bare = Product { id: id(1), sync_id: None, name: name("Grid electricity"), unit: unit("kWh") };
    let filled = Product { sync_id: Some(sync_id(" p1 ")), unit: unit("EUR"), ..bare.clone() };
    check("product", |product: &Product| product.id, &[("what must be there", bare), ("every member", filled)]);
}

#[test]
fn factors() {
    let bare = FactorData {
        unit: unit("kWh"),
        upstream: None,
        downstream: Some(intensity("0.20707400")),
        valid_from: day("2024-01-01"),
        valid_to: None,
        source: Source::parse("A published table").unwrap(),
        gwp: None,
    };
    let filled = FactorData {
        upstream: Some(intensity("-12345678901234567890.123456789012345678")),
        valid_to: Some(Day::MAX),
        gwp: Some(name("AR6")),
        ..bare.clone()
    };
    let upstream = FactorData { upstream: Some(intensity("1")), downstream: None, ..bare.clone() };
    let factor = |data, corrects| Factor::from_stored(id(1), id(2), data, corrects).unwrap();
    check(
        "factor",
        Factor::id,
        &[
            ("what must be there", factor(bare, None)),
            ("every member", factor(filled, Some(id(3)))),
            ("an upstream intensity alone", factor(upstream, None)),
        ],
    );
}

#[test]
fn models() {
    let bare = Model {
        id: id(1),
        sync_id: None,
        name: name("Housing"),
        unit: unit("piece"),
        amount: DeclaredAmount::ONE,
        reference_date: day("2024-06-01"),
        blocks: Vec::new(),
    };
    let filled = Model {
        sync_id: Some(sync_id("m1")),
        amount: DeclaredAmount::new(quantity("0.000000000000000001")).unwrap(),
        blocks: vec![Block { id: id(8), name: name("Gehäuse") }, Block { id: id(7), name: name("Anzeige") }],
        ..bare.clone()
    };
    check("model", |model: &Model| model.id, &[("what must be there", bare), ("every member", filled)]);
}

#[test]
fn inputs() {
    let bare = Input {
        id: id(1),
        model: id(2),
        sync_id: None,
        name: name("Steel"),
        material: id(3),
        block: None,
        stage: None,
        quantity: quantity("1"),
        unit: unit("kg"),
        order: 0,
        calculation: InputCalculation::Incomplete(Incomplete::NoFactor),
    };
    let filled = Input {
        sync_id: Some(sync_id("i1")),
        block: Some(id(7)),
        stage: Some(Stage::parse("A1-A3").unwrap()),
        quantity: quantity("-2.50"),
        order: i32::MIN,
        calculation: InputCalculation::Computed { co2e: co2e("-5.0"), factor: id(9) },
        ..bare.clone()
    };
    check("input", |input: &Input| input.id, &[("what must be there", bare), ("every member", filled)]);
}

#[test]
fn switches() {
    let bare = Switch {
        id: id(1),
        sync_id: None,
        name: name("Wall switch"),
        unit: None,
        image: None,
        sources: Sources::default(),
    };
    let filled = Switch {
        sync_id: Some(sync_id("sw1")),
        unit: Some(unit("piece")),
        image: Some(ImageAddress::parse("https://images.example/ü.png?a='b'").unwrap()),
        sources: Sources::new(vec![id(3), id(2)]).unwrap(),
        ..bare.clone()
    };
    check("switch", |switch: &Switch| switch.id, &[("what must be there", bare), ("every member", filled)]);
}

/// Every field of every edition.
fn filled(shape: &'static ObjectSchema) -> Fields {
    let mut fields = Fields::new(shape);
    for spec in shape.fields {
        let value = match spec.kind {
            JsonType::Text => FieldValue::Text(format!("{} \"ü\" \\ \u{1}\n東京", spec.name)),
            JsonType::Number => FieldValue::Number(Decimal::parse("-1.50").unwrap()),
            JsonType::Integer => FieldValue::Integer(i64::MIN),
            JsonType::Flag => FieldValue::Flag(false),
            JsonType::Moment => FieldValue::Moment(moment("0001-01-01T00:00:00.100+23:59")),
            JsonType::Texts => FieldValue::Texts(vec!["urn:a:1".to_owned(), String::new()]),
            JsonType::References => FieldValue::References(vec![
                Reference::Number(7),
                Reference::Text("7".to_owned()),
                Reference::Number(-1),
            ]),
            JsonType::Object(shape) => FieldValue::Object(filled(shape)),
            JsonType::Objects(shape) => FieldValue::Objects(vec![filled(shape), Fields::new(shape)]),
            JsonType::Raw => FieldValue::Raw(RawJson::parse(r#" { "a": 1.50, "a": ["\u00fc", null] }"#).unwrap()),
        };
        fields.set(spec.name, value).unwrap();
    }
    fields
}

#[test]
fn footprints() {
    let created = Timestamp::from_millis(1_735_689_600_007).unwrap();
    let bare = Footprint::new(id(1), 1, created, Fields::new(&FOOTPRINT));
    let mut all = Footprint::new(id(2), u64::MAX, created, filled(&FOOTPRINT));
    all.stamps.updated = Some(Timestamp::from_millis(-1).unwrap());
    all.stamps.amendments = u32::MAX;
    check(
        "footprint",
        |footprint: &Footprint| footprint.id,
        &[("nothing written", bare), ("every field of every edition", all)],
    );
}
