//! Values at the edges of what a record can hold come back as they are.

use domain::footprint::{FieldValue, Fields, PCF, RawJson, Reference};
use domain::{
    Activity, Block, Calculation, CalculationParts, Co2e, Decimal, DeclaredAmount, Description, Factor, Incomplete,
    InputCalculation, Intensity, Measured, Moment, Quantity, ScopeClass, ScopeKind, Span, Stage, SuppliedCo2e, Unit,
};

use super::sample;
use super::tenant::Tenant;
use crate::store::{HasRepository, Store};

/// The largest, the smallest, the finest, and what a binary float cannot hold.
const AMOUNTS: [&str; 9] = [
    "0",
    "0.1",
    "-0.000000000000000001",
    "0.000000000000000001",
    "12345678901234567890.123456789012345678",
    "99999999999999999999.999999999999999999",
    "-99999999999999999999.999999999999999999",
    "9007199254740993",
    "100000000000000000",
];

/// Adds all in one transaction and finds each as it was, in a snapshot.
async fn come_back<T: HasRepository>(tenant: &Tenant<'_>, records: Vec<T>) {
    assert!(!records.is_empty());
    let mut tx = tenant.write().await;
    for record in records.clone() {
        T::writer(&mut *tx).add(record).await.expect("adds");
    }
    tx.commit().await.expect("commits");
    let mut tx = tenant.read().await;
    for record in records {
        let found = T::reader(&mut *tx).find(record.id()).await.expect("finds");
        assert_eq!(found.map(|stored| stored.value), Some(record));
    }
}

/// The same, also where each is read together with the head.
async fn activities_come_back(tenant: &Tenant<'_>, activities: Vec<Activity>) {
    come_back(tenant, activities.clone()).await;
    for activity in activities {
        let (_, found) = tenant.find_with_head(activity.id).await;
        assert_eq!(found.map(|stored| stored.value), Some(activity));
    }
}

pub async fn amounts_of_activities_come_back_exactly(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let product = tenant.add(sample::product(1)).await;
    let factor = tenant.add(sample::factor(1, &product.value, "2025-01-01")).await.value.id();
    let activity = |number: u64, text: &str, downstream: Option<&str>| {
        let (upstream, downstream) = (Some(sample::co2e(text)), downstream.map(sample::co2e));
        let supplied = SuppliedCo2e::default().with_upstream(upstream);
        let factor = downstream.map(|_| factor);
        let parts = CalculationParts::default()
            .with_supplied(supplied)
            .with_upstream(upstream)
            .with_downstream(downstream)
            .with_factor(factor);
        sample::activity(number)
            .with_measured(Some(Measured { quantity: sample::quantity(text), unit: sample::unit("kWh") }))
            .with_calculation(Calculation::from_parts(parts).expect("a calculation"))
    };
    activities_come_back(&tenant, (1..).zip(AMOUNTS).map(|(number, text)| activity(number, text, None)).collect())
        .await;
    let halves = AMOUNTS.map(|text| text.replace('9', "4")); // two parts whose sum is within bounds
    let both = (100..).zip(&halves).map(|(number, half)| activity(number, half, Some(half)));
    activities_come_back(&tenant, both.collect()).await;
}

pub async fn amounts_of_factors_models_and_inputs_come_back_exactly(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let (product, model) = (sample::product(1), sample::model(100));
    tenant.add(product.clone()).await;
    tenant.add(model.clone()).await;
    let factor = |number: u64, text: &str| {
        let like = sample::factor(number, &product, &format!("20{number:02}-01-01"));
        let terms = like
            .data()
            .clone()
            .with_upstream(None)
            .with_downstream(Some(Intensity::parse(text).expect("an intensity")))
            .with_valid_to(Some(sample::day(&format!("20{number:02}-01-02"))))
            .with_gwp(None);
        Factor::new(like.id(), &product, terms).expect("a factor")
    };
    come_back(&tenant, (1..).zip(AMOUNTS).map(|(number, text)| factor(number, text)).collect()).await;
    let input = |number, text| {
        sample::input(number, &model, &product, 1)
            .with_quantity(sample::quantity(text))
            .with_calculation(InputCalculation::Computed { co2e: sample::co2e(text), factor: sample::id(1) })
    };
    come_back(&tenant, (1..).zip(AMOUNTS).map(|(number, text)| input(number, text)).collect()).await;
    let model = |number, amount| sample::model(number).with_amount(amount);
    let above_zero = AMOUNTS.into_iter().filter_map(|text| DeclaredAmount::new(sample::quantity(text)).ok());
    come_back(&tenant, (1..).zip(above_zero).map(|(number, amount)| model(number, amount)).collect()).await;
}

pub async fn calculations_tell_zero_from_nothing_and_supplied_from_computed(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let product = tenant.add(sample::product(1)).await;
    let factor = tenant.add(sample::factor(1, &product.value, "2025-01-01")).await.value.id();
    let (zero, one) = (Some(Co2e::ZERO), Some(sample::co2e("1")));
    let parts = [(zero, zero), (zero, None), (None, zero), (one, zero), (None, one)];
    let supplied = parts.map(|(upstream, downstream)| {
        domain::calculate(SuppliedCo2e::default().with_upstream(upstream).with_downstream(downstream), None, None)
            .expect("a calculation")
    });
    let computed = parts.map(|(upstream, downstream)| {
        let factor = Some(factor);
        let parts = CalculationParts::default().with_upstream(upstream).with_downstream(downstream).with_factor(factor);
        Calculation::from_parts(parts).expect("a calculation")
    });
    let reasons = [Incomplete::NoProduct, Incomplete::NoQuantity, Incomplete::NoFactor, Incomplete::NoFactorOnDay];
    let unknown = reasons.map(Calculation::incomplete);
    let all = supplied.into_iter().chain(computed).chain(unknown);
    let activities = (1..).zip(all).map(|(number, calculation)| {
        sample::activity(number)
            .with_calculation(calculation)
            .with_measured(Some(Measured { quantity: Quantity::ZERO, unit: sample::unit("piece") }))
    });
    activities_come_back(&tenant, activities.collect()).await;
}

pub async fn moments_come_back_as_they_were_written(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let written = [
        "2025-03-01T00:00:00Z",
        "2025-03-01T00:00:00.0Z",
        "2025-03-01T00:00:00.000000000Z",
        "2025-03-01T01:00:00+01:00",
        "2025-02-28T12:30:59.120-11:30",
        "2025-03-01T14:00:00.000000001+14:00",
        "0001-01-01T00:00:00Z",
        "9999-12-31T23:59:59.999999999Z",
    ];
    let activity = |number, text| {
        let start = Moment::parse(text).expect("a moment");
        let end = (number % 2 == 0).then_some(start);
        sample::activity(number).with_span(Span::new(start, end).expect("a span"))
    };
    let activities: Vec<Activity> = (1..).zip(written).map(|(number, text)| activity(number, text)).collect();
    activities_come_back(&tenant, activities.clone()).await;
    let found = tenant.find::<Activity>(sample::id(5)).await.map(|stored| stored.value.span.start().to_string());
    assert_eq!(found.as_deref(), Some(written[4]));
}

pub async fn texts_come_back_as_they_were_written(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let longest = "𝛑".repeat(255);
    let names = [
        "'",
        "\"",
        "\\",
        "%_?:$1",
        "e\u{301}é",
        "日本語",
        "\u{5d0}\u{5d1} rtl",
        "null",
        "-1e5",
        "x\u{301}\u{323}",
        &longest,
    ];
    let activity = |number, text: &str| {
        sample::activity(number)
            .with_name(sample::name(text))
            .with_sync_id(Some(sample::sync_id(text)))
            .with_description(Some(Description::parse(&format!("{text}\r\n\t{text}\n")).expect("a text")))
    };
    let mut activities: Vec<Activity> = (1..).zip(names).map(|(number, text)| activity(number, text)).collect();
    let description = Some(Description::parse("").expect("a text"));
    activities.push(sample::activity(100).with_description(description));
    let description = Some(Description::parse(&"ü".repeat(10_000)).expect("a text"));
    activities.push(sample::activity(101).with_description(description));
    activities_come_back(&tenant, activities).await;
    for text in names {
        let sync_id = sample::sync_id(text);
        let mut tx = tenant.read().await;
        let found = tx.activities().find_by_sync_id(&sync_id).await.expect("finds");
        assert_eq!(found.and_then(|stored| stored.value.sync_id), Some(sync_id));
    }
}

pub async fn every_unit_comes_back(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let products = (1..).zip(Unit::all()).map(|(number, unit)| sample::product(number).with_unit(unit));
    come_back(&tenant, products.collect()).await;
}

pub async fn every_scope_class_comes_back(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let categories = (1..=15).map(|number| ScopeClass::new(ScopeKind::Scope3, Some(number)).expect("a class"));
    let classes = ScopeKind::ALL.into_iter().map(ScopeClass::of).chain(categories);
    let scopes = (1..).zip(classes).map(|(number, class)| sample::scope(number).with_class(class));
    come_back(&tenant, scopes.collect()).await;
}

pub async fn every_stage_and_reason_of_inputs_comes_back(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let (product, model) = (sample::product(1), sample::filled_model(1));
    tenant.add(product.clone()).await;
    tenant.add(model.clone()).await;
    let reasons = [Incomplete::NoProduct, Incomplete::NoQuantity, Incomplete::NoFactor, Incomplete::NoFactorOnDay];
    let inputs = (1..).zip(Stage::all().zip(reasons.into_iter().cycle())).map(|(number, (stage, reason))| {
        sample::input(number, &model, &product, 1)
            .with_stage(Some(stage))
            .with_block(model.blocks.last().map(|block| block.id))
            .with_calculation(InputCalculation::Incomplete(reason))
    });
    come_back(&tenant, inputs.collect()).await;
}

pub async fn lists_within_a_record_keep_their_order(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let order: Vec<u64> = (1..=100).map(|number| number * 37 % 101).collect();
    come_back(&tenant, order.iter().map(|number| sample::model(*number)).collect()).await;
    let sources: Vec<_> = order.iter().map(|number| sample::id(*number)).collect();
    come_back(&tenant, vec![sample::switch(1, &sources)]).await;
    let reversed: Vec<_> = sources.iter().rev().copied().collect();
    let seen = tenant.find::<domain::Switch>(sample::id(1)).await.expect("is there");
    tenant.update(sample::switch(1, &reversed), seen.version).await;
    let found = tenant.find::<domain::Switch>(sample::id(1)).await.expect("is there");
    assert_eq!(found.value.sources.as_slice(), reversed);
    let blocks = order.iter().map(|number| Block { id: sample::id(*number), name: sample::name(&format!("{number}")) });
    come_back(&tenant, vec![sample::model(200).with_blocks(blocks.collect())]).await;
}

pub async fn footprint_fields_tell_empty_from_absent(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let values = [
        ("pcf", FieldValue::Object(Fields::new(&PCF))),
        ("comment", FieldValue::Text(String::new())),
        ("comment", FieldValue::Text("null".into())),
        ("version", FieldValue::Integer(0)),
        ("version", FieldValue::Integer(i64::MAX)),
        ("precedingPfIds", FieldValue::References(vec![Reference::Text("7".into()), Reference::Number(7)])),
        ("precedingPfIds", FieldValue::References(vec![Reference::Number(i64::MAX), Reference::Number(i64::MIN)])),
        ("created", FieldValue::Moment(Moment::parse("2025-03-01T01:00:00.10+01:00").expect("a moment"))),
        ("companyIds", FieldValue::Texts(vec![String::new()])),
    ];
    let mut footprints = vec![sample::footprint(1)];
    for (number, (name, value)) in (2..).zip(values) {
        let mut footprint = sample::footprint(number);
        footprint.fields.set(name, value).expect("a field");
        footprints.push(footprint);
    }
    for (number, text) in (20..).zip(AMOUNTS) {
        let mut pcf = Fields::new(&PCF);
        pcf.set("biogenicCarbonWithdrawal", FieldValue::Number(Decimal::parse(text).expect("a number")))
            .expect("a field");
        pcf.set("packagingEmissionsIncluded", FieldValue::Flag(number % 2 == 0)).expect("a field");
        let mut footprint = sample::footprint(number);
        footprint.fields.set("pcf", FieldValue::Object(pcf)).expect("a field");
        footprints.push(footprint);
    }
    (1..).zip(&mut footprints).for_each(|(number, footprint)| footprint.number = number);
    come_back(&tenant, footprints).await;
}

pub async fn raw_json_of_footprints_comes_back_byte_for_byte(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let mut footprint = sample::filled_footprint(1).with_number(1);
    let Some(FieldValue::Objects(mut extensions)) = footprint.fields.remove("extensions") else {
        unreachable!("every field is given")
    };
    let written =
        ["{}", " {\n \"a\" :\t1.0e+2 } ", "{\"\\u0000\":\"\\ud83d\\ude00\u{7f}\"}", "[1,\"]}\",{\"a\":[]}]", "\"x\""];
    let extension = extensions.remove(0);
    extensions = written
        .iter()
        .map(|text| {
            let mut extension = extension.clone();
            extension.set("data", FieldValue::Raw(RawJson::parse(text).expect("JSON"))).expect("a field");
            extension
        })
        .collect();
    footprint.fields.set("extensions", FieldValue::Objects(extensions)).expect("a field");
    come_back(&tenant, vec![footprint]).await;
}
