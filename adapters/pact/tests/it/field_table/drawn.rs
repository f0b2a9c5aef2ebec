//! Footprints of either version with up to four members changed at any depth: taken away, given twice, or given some other
//! value of their type, good or bad.

use domain::Footprint;
use domain::footprint::{Edition, FieldValue, Fields, Requirement};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::table::{FOOTPRINT_2, FOOTPRINT_3, Field, Type};
use crate::sample::{ID, V2, V3, received};

/// A member that can be changed.
struct Member {
    pointer: String,
    kind: Type,
}

/// What becomes of a member.
#[derive(Clone, Debug)]
enum Change {
    Removed,
    /// The first item of a list comes a second time.
    Doubled,
    Put(Value),
}

/// A footprint of either version, up to four of its members changed; in some, members that only the other version has come
/// beside them, as the interface takes them.
pub(crate) fn drawn() -> impl Strategy<Value = Footprint> {
    let (v2, v3) = (received(V2, Edition::V2).fields, received(V3, Edition::V3).fields);
    let with = |others: Fields, edition| {
        move |(mut footprint, is_mixed): (Footprint, bool)| {
            if is_mixed {
                add_unknown(&mut footprint.fields, &others, edition);
            }
            footprint
        }
    };
    prop_oneof![
        (of(V2, Edition::V2), any::<bool>()).prop_map(with(v3, Edition::V2)),
        (of(V3, Edition::V3), any::<bool>()).prop_map(with(v2, Edition::V3)),
    ]
}

/// Adds the members of others that the edition does not have.
fn add_unknown(fields: &mut Fields, others: &Fields, edition: Edition) {
    for spec in fields.schema().fields {
        let Some(other) = others.find(spec.name) else { continue };
        if spec.need(edition.spec_version()) == Requirement::Unknown {
            fields.set(spec.name, other.clone()).unwrap();
        } else if let (Some(object), FieldValue::Object(other)) = (fields.object_mut(spec.name), other) {
            add_unknown(object, other, edition);
        }
    }
}

fn of(json: &'static str, edition: Edition) -> impl Strategy<Value = Footprint> {
    let mut members = Vec::new();
    collect(if edition == Edition::V2 { FOOTPRINT_2 } else { FOOTPRINT_3 }, "", &mut members);
    let changes: Vec<(String, BoxedStrategy<Change>)> =
        members.into_iter().map(|member| (member.pointer, change(member.kind))).collect();
    let one = (0..changes.len()).prop_flat_map(move |at| {
        let (pointer, change) = changes[at].clone();
        (Just(pointer), change)
    });
    prop::collection::vec(one, 0..=4).prop_map(move |changes| {
        let mut footprint: Value = serde_json::from_str(json).unwrap();
        for (pointer, change) in changes {
            apply(&mut footprint, &pointer, change);
        }
        received(&footprint.to_string(), edition)
    })
}

/// The members of the table and of the objects in it, but `id`, without which nothing is read.
fn collect(table: &[Field], at: &str, members: &mut Vec<Member>) {
    for (name, _, kind) in table.iter().filter(|(name, ..)| *name != "id") {
        let pointer = format!("{at}/{name}");
        if let Type::Object(table) = kind {
            collect(table, &pointer, members);
        } else if let Type::Objects(table) | Type::ObjectSet(table) = kind {
            collect(table, &format!("{pointer}/0"), members);
        }
        members.push(Member { pointer, kind: *kind });
    }
}

fn apply(footprint: &mut Value, pointer: &str, change: Change) {
    let (object, name) = pointer.rsplit_once('/').unwrap();
    let Some(members) = footprint.pointer_mut(object).and_then(Value::as_object_mut) else { return };
    match change {
        Change::Removed => drop(members.remove(name)),
        Change::Put(value) => drop(members.insert(name.to_owned(), value)),
        Change::Doubled => {
            if let Some(items) = members.get_mut(name).and_then(Value::as_array_mut)
                && let Some(first) = items.first().cloned()
            {
                items.push(first);
            }
        }
    }
}

fn change(kind: Type) -> BoxedStrategy<Change> {
    let removed = prop_oneof![4 => Just(Change::Removed), 1 => Just(Change::Doubled)];
    if matches!(kind, Type::Object(_) | Type::Objects(_) | Type::ObjectSet(_)) {
        removed.boxed()
    } else {
        prop_oneof![1 => removed, 4 => value(kind).prop_map(Change::Put)].boxed()
    }
}

/// Values that a member of that type is read with, right or wrong.
fn value(kind: Type) -> BoxedStrategy<Value> {
    let some = |values: &[Value]| prop::sample::select(values.to_vec()).boxed();
    let texts = |texts: &[&str]| some(&texts.iter().map(|text| json!(text)).collect::<Vec<_>>());
    match kind {
        Type::Dec => amount().prop_map(Value::String).boxed(),
        // Quarters, which a floating-point number has to the last digit.
        Type::Num => {
            prop_oneof![-4_i32..24, 380_i32..440].prop_map(|quarters| json!(f64::from(quarters) / 4.0)).boxed()
        }
        Type::Int => some(&[0, 1, i64::from(i32::MAX), i64::from(i32::MAX) + 1, -1].map(|number| json!(number))),
        Type::Bool => some(&[json!(true), json!(false)]),
        Type::Str | Type::Text => texts(&["", " ", "x", "\u{e4}\n\"", "2025"]),
        Type::SpecVersion => texts(&["2.0.1-20230314", "2.2.0", "2.3.1", "3.0.3", "3.0", "9.9.9", "2.3.0-2025"]),
        Type::Time => texts(TIMES),
        Type::Country => texts(&["DE", "de", "DEU", "D", "", "D1", "\u{c4}E"]),
        Type::Subdivision => texts(&["DE-BY", "FR-2A", "GB-WLS", "DE", "DE-", "DE-by", "DE-ABCD", "de-BY", "-BY"]),
        Type::Uri | Type::Https => texts(ADDRESSES),
        Type::Semver => {
            texts(&["2.0.0", "1.0.0-rc.1+5", "2.0", "2.0.0.0", "v2.0.0", "2.0.0-", "2.0.0-a..b", "02.0.0", ""])
        }
        Type::OneOf(words) => prop_oneof![4 => texts(words), 1 => texts(WORDS)].boxed(),
        Type::SetOf(words) => prop_oneof![4 => set(words), 1 => set(ITEMS)].boxed(),
        Type::Set(_) => set(ITEMS),
        Type::Uuids => set(&[
            ID,
            UPPER_ID,
            "0b1f8a2c-7c53-4f0e-9a53-2f4dcb7a9f10",
            "0B1F8A2C-7C53-4F0E-9A53-2F4DCB7A9F10",
            "urn:gtin:1",
            "",
        ]),
        Type::Any => some(&[json!({}), json!({"a": null}), json!([]), json!("x"), json!(1), json!(false)]),
        Type::Uuid | Type::Object(_) | Type::Objects(_) | Type::ObjectSet(_) => unreachable!("{kind:?} has no values"),
    }
}

const UPPER_ID: &str = "91715E5E-FD0B-4D1C-8FAB-76290C46E6ED";

/// Around the ends of the periods of the samples, in other offsets, and at the ends of the calendar.
const TIMES: &[&str] = &[
    "2024-01-01T00:00:00Z",
    "2024-02-29T00:00:00Z",
    "2024-12-31T23:59:59.999Z",
    "2025-01-01T00:00:00Z",
    "2025-01-01T00:00:00.000000001Z",
    "2025-01-01T01:00:00+01:00",
    "2025-01-01T00:30:00+01:00",
    "2025-02-01T10:00:00.0001Z",
    "2025-06-01T12:00:00+02:00",
    "2027-02-28T00:00:00Z",
    "2027-02-28T00:00:01Z",
    "2028-01-01T00:00:00.5Z",
    "2028-01-01T00:00:00-01:00",
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59-14:00",
];

const ADDRESSES: &[&str] = &[
    "https://works.example",
    "HTTPS://works.example/a?b#c",
    "http://works.example",
    "https://",
    "https:///a",
    "https://works.example/a b",
    "urn:x:y",
    "a",
    "1a:b",
    "a:",
    "",
];

/// Words of other members, and none of any.
const WORDS: &[&str] =
    &["piece", "AR4", "Deprecated", "active", "PACT-3.0", "ISO14067", "Credit", "PCF program", "Global", "", "x"];

/// Items of sets: of this member or another.
const ITEMS: &[&str] = &[
    "urn:gtin:4712345060507",
    "URN:CPC:9",
    "urn:cpc:41532",
    "urn:",
    "urn:x",
    "urn:x:",
    "urn::y",
    "gtin:1",
    "AR4",
    "AR6",
    "AR",
    "ar6",
    "AR6a",
    "PAS2050",
    "PEF",
    "",
];

fn set(items: &[&str]) -> BoxedStrategy<Value> {
    let items = prop::sample::select(items.iter().map(ToString::to_string).collect::<Vec<_>>());
    prop::collection::vec(items, 1..=3).prop_map(|items| json!(items)).boxed()
}

fn amount() -> BoxedStrategy<String> {
    let edges =
        ["0", "-1", "1", "3", "3.5", "5", "5.01", "7", "12", "100", "100.5", "-0.001", "1e-9", "99999999999999999999"];
    let any = (any::<bool>(), 0_i64..1_000_000_000, 0_u32..12);
    let any =
        any.prop_map(|(negative, digits, places)| format!("{}{digits}e-{places}", if negative { "-" } else { "" }));
    prop_oneof![prop::sample::select(edges.to_vec()).prop_map(str::to_owned), any].boxed()
}
