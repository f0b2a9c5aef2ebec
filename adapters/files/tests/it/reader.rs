//! Taking members by name: what a field becomes, and every fault at once.

use domain::{Co2e, Name};
use ports::inbound::{Field, Reference};
use tonne_files::{Json, Members, Reader, pointer};

use crate::support::{json, lines};

#[test]
fn absent_null_and_given_are_told_apart() {
    let body = json(r#"{"name": "Gas", "code": null}"#);
    let mut reader = Reader::new(&body, Members::Given).unwrap();
    assert_eq!(reader.text("name", Name::parse), Field::Given(Name::parse("Gas").unwrap()));
    assert_eq!(reader.string("code"), Field::Null);
    assert_eq!(reader.string("other"), Field::Absent);
    assert!(reader.finish().is_empty());

    let mut reader = Reader::new(&body, Members::WholeRecord).unwrap();
    assert_eq!(reader.string("other"), Field::Null);
}

#[test]
fn every_fault_is_found_with_its_pointer() {
    let body = json(
        r#"{"name": 5, "amount": true, "n": 1.5, "flag": "yes", "list": [1, "a"], "deep": {"x/y": 1, "q": 2}, "nmae": 1}"#,
    );
    let mut reader = Reader::new(&body, Members::Given).unwrap();
    assert_eq!(reader.text("name", Name::parse), Field::Faulty);
    assert_eq!(reader.amount("amount", Co2e::parse), Field::Faulty);
    assert_eq!(reader.integer("n", 0..=9), Field::Faulty);
    assert_eq!(reader.flag("flag"), Field::Faulty);
    assert_eq!(reader.list("list", 5, |item| item.text(Name::parse)), Field::Faulty);
    assert_eq!(reader.object("deep", |deep| deep.string("x/y")), Field::Faulty);
    let missing = reader.string("missing");
    reader.require("missing", &missing);
    assert_eq!(
        lines(&reader.finish()),
        [
            "/name: must be a text, not a number",
            "/amount: must be a number, or a text with a number, not true or false",
            "/n: must be a whole number from 0 to 9",
            "/flag: must be true or false, not a text",
            "/list/0: must be a text, not a number",
            "/deep/x~1y: must be a text, not a number",
            "/deep/q: is not known",
            "/missing: is required",
            "/nmae: is not known; did you mean name?",
        ]
    );
}

#[test]
fn what_is_no_object_is_one_fault() {
    let faults = Reader::new(&Json::Array(vec![]), Members::Given).unwrap_err();
    assert_eq!(lines(&faults), [": must be an object, not an array"]);
}

#[test]
fn an_amount_is_a_number_or_a_text_with_all_its_digits() {
    let body = json(r#"{"a": 12345678901234567890.123456789012345678, "b": "12.50", "c": 1e-19}"#);
    let mut reader = Reader::new(&body, Members::Given).unwrap();
    let text = |field: Field<Co2e>| field.into_option().map(|amount| amount.to_string());
    assert_eq!(text(reader.amount("a", Co2e::parse)).unwrap(), "12345678901234567890.123456789012345678");
    assert_eq!(text(reader.amount("b", Co2e::parse)).unwrap(), "12.5");
    assert_eq!(text(reader.amount("c", Co2e::parse)), None);
    assert_eq!(lines(&reader.finish()), ["/c: more than 18 digits after the decimal point"]);
}

#[test]
fn a_reference_is_written_as_it_is_read_or_by_sync_id() {
    let body = json(
        r#"{"a": {"uuid": "0190A000-0000-7000-8000-000000000001", "name": "North", "path": "x/y"},
            "b": {"syncId": "N-1"}, "c": {"uuid": "N-1"}, "d": "N-1", "e": {}, "f": {"uuid": "0190a000-0000-7000-8000-000000000001", "syncId": "x"},
            "g": {"syncID": "x"}}"#,
    );
    let mut reader = Reader::new(&body, Members::Given).unwrap();
    assert!(matches!(reader.reference("a"), Field::Given(Reference::Id(_))));
    assert!(matches!(reader.reference("b"), Field::Given(Reference::SyncId(_))));
    for name in ["c", "d", "e", "f", "g"] {
        assert_eq!(reader.reference(name), Field::Faulty, "{name}");
    }
    assert_eq!(
        lines(&reader.finish()),
        [
            "/c/uuid: not a UUID of the form xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx",
            r#"/d: must be an object such as {"uuid": ...} or {"syncId": ...}, not a text"#,
            "/e: must have uuid or syncId",
            "/f: must have uuid or syncId, not both",
            "/g/syncID: is not known; did you mean syncId?",
        ]
    );
}

#[test]
fn read_only_members_say_so_and_ignored_ones_do_not() {
    let body = json(r#"{"uuid": 1, "created": 2, "etag": 3}"#);
    let mut reader = Reader::new(&body, Members::Given).unwrap();
    reader.read_only(&["uuid", "updated"]);
    reader.ignore(&["created"]);
    assert_eq!(lines(&reader.finish()), ["/uuid: is read-only; leave it out", "/etag: is not known"]);
}

#[test]
fn lists_are_bounded() {
    let body = json(r#"{"list": ["a", "b", "c"]}"#);
    let mut reader = Reader::new(&body, Members::Given).unwrap();
    assert_eq!(reader.list("list", 2, |item| item.text(Name::parse)), Field::Faulty);
    assert_eq!(lines(&reader.finish()), ["/list: has more than 2 items"]);
}

#[test]
fn a_flood_of_unknown_members_is_answered_with_a_bounded_list() {
    let members = (0..5_000).map(|n| (format!("m{n}"), Json::Null)).collect();
    let body = Json::Object(members);
    let faults = Reader::new(&body, Members::Given).unwrap().finish();
    assert_eq!(faults.as_slice().len(), 101);
    assert_eq!(lines(&faults)[100], ": has 4900 more members that are not known");
}

#[test]
fn pointers_are_escaped() {
    assert_eq!(pointer("/a", "b/c~d"), "/a/b~1c~0d");
}
