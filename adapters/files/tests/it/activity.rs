//! Activities in and out of JSON.

use domain::{Co2e, Quantity};
use ports::inbound::{ActivityDraft, Field, Reference};
use proptest::prelude::*;
use tonne_files::{CsvRows, MAX_ROW_BYTES, Members, NdjsonRows, activity_draft};

use crate::support::{json, lines, view, written};

#[test]
fn a_body_becomes_a_draft_with_what_was_given() {
    let draft = activity_draft(
        &json(
            r#"{"name": "Gas", "quantity": 1234.50, "unit": "kWh", "UpstreamCO2e": "1e-3", "endDate": null,
                "startDate": "2025-01-31", "org": {"syncId": "N"}}"#,
        ),
        Members::Given,
    );
    assert!(draft.faults.is_empty(), "{}", draft.faults);
    assert_eq!(draft.quantity, Field::Given(Quantity::parse("1234.5").unwrap()));
    assert_eq!(draft.upstream, Field::Given(Co2e::parse("0.001").unwrap()));
    assert_eq!(draft.downstream, Field::Absent);
    assert_eq!(draft.end, Field::Null);
    assert_eq!(draft.start.given().unwrap().to_string(), "2025-01-31T00:00:00Z");
    assert!(matches!(draft.org, Field::Given(Reference::SyncId(_))));
}

#[test]
fn all_faults_of_a_body_come_at_once() {
    let draft = activity_draft(
        &json(
            r#"{"name": "", "quantity": "1,5", "unit": "kwhh", "startDate": "2025-02-30", "org": {"uuid": "x"},
                "CO2e": "1", "uuid": "x", "colour": 1, "CO2eUnit": "g"}"#,
        ),
        Members::Given,
    );
    let pointers: Vec<_> = draft.faults.as_slice().iter().map(|fault| fault.pointer.as_str()).collect();
    assert_eq!(
        pointers,
        ["/name", "/quantity", "/unit", "/org/uuid", "/startDate", "/uuid", "/CO2e", "/colour", "/CO2eUnit"]
    );
}

#[test]
fn a_row_is_the_whole_record_and_may_name_records_by_words() {
    let draft =
        activity_draft(&json(r#"{"name": "Gas", "scope": "scope1", "uuid": "x", "CO2e": 5}"#), Members::WholeRecord);
    assert!(draft.faults.is_empty(), "{}", draft.faults);
    assert_eq!(draft.sync_id, Field::Null);
    assert_eq!(draft.scope, Field::Given(Reference::Word("scope1".to_owned())));
}

#[test]
fn only_the_parts_that_supplied_lists_count() {
    let body = json(r#"{"UpstreamCO2e": "1", "DownstreamCO2e": "2", "supplied": ["UpstreamCO2e"]}"#);
    for members in [Members::Given, Members::WholeRecord] {
        let draft = activity_draft(&body, members);
        assert_eq!(draft.upstream, Field::Given(Co2e::parse("1").unwrap()));
        assert_eq!(draft.downstream, Field::Null);
    }
    let draft = activity_draft(&json(r#"{"supplied": ["CO2e"]}"#), Members::Given);
    assert_eq!(
        lines(&draft.faults),
        [r#"/supplied: lists "CO2e"; it lists UpstreamCO2e and DownstreamCO2e, or nothing"#]
    );
    let draft = activity_draft(&json(r#"{"supplied": ["UpstreamCO2e"]}"#), Members::WholeRecord);
    assert_eq!(lines(&draft.faults), ["/supplied: lists UpstreamCO2e, which has no value"]);
}

#[test]
fn every_field_is_always_written() {
    assert_eq!(
        written(&view(), 0, None),
        concat!(
            r#"{"uuid":"0190a000-0000-7000-8000-000000000001","name":"Gas, north","#,
            r#""created":"1970-01-01T00:00:00.000Z","updated":"1970-01-01T00:00:01.500Z","#,
            r#""syncId":"=2015 \"a\"","description":null,"quantity":1234.5,"unit":"kWh","#,
            r#""UpstreamCO2e":"-0.000000000000000001","DownstreamCO2e":"12345678901234567890.5","#,
            r#""product":null,"scope":null,"taxonomy":null,"#,
            r#""org":{"uuid":"0190a000-0000-7000-8000-000000000002","name":"North"},"#,
            r#""startDate":"2025-01-01T00:30:00+13:00","endDate":null,"#,
            r#""CO2e":"12345678901234567890.499999999999999999","supplied":["UpstreamCO2e"],"incomplete":null,"outdated":false}"#,
        )
    );
}

#[test]
fn what_is_written_reads_back_as_the_same_activity_in_any_unit() {
    for shift in [0, 3, -3] {
        let text = written(&view(), shift, Some(None));
        let draft = activity_draft(&json(&text), Members::WholeRecord);
        same_as_the_view(&draft);
        assert!(text.contains(r#""periodCO2e":null"#));
    }
}

proptest! {
    #[test]
    fn no_members_make_it_panic_and_what_is_faulty_has_a_fault(
        members in proptest::collection::vec((
            proptest::sample::select(vec![
                "name", "syncId", "description", "quantity", "unit", "UpstreamCO2e", "DownstreamCO2e", "supplied", "product",
                "scope", "taxonomy", "org", "startDate", "endDate", "uuid", "CO2e", "CO2eUnit", "x",
            ]),
            r#"null|true|-?[1-9][0-9]{0,2}(e[0-9]{1,3})?|"[a-zA-Z0-9:. -]{0,30}"|\[\]|\{\}|\["UpstreamCO2e"\]|\{"syncId":"[a-z]?"\}"#,
        ), 0..18),
    ) {
        let mut seen = std::collections::BTreeSet::new();
        let members: Vec<_> = members.into_iter().filter(|(name, _)| seen.insert(*name)).collect();
        let text: Vec<_> = members.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
        let body = json(&format!("{{{}}}", text.join(",")));
        for mode in [Members::Given, Members::WholeRecord] {
            let draft = activity_draft(&body, mode);
            let faulty = draft.name == Field::Faulty || draft.unit == Field::Faulty || draft.org == Field::Faulty;
            prop_assert!(!faulty || !draft.faults.is_empty());
        }
    }
}

#[test]
fn the_name_beside_a_uuid_counts_only_where_neither_path_nor_sync_id_is_given() {
    let uuid = "0190a000-0000-7000-8000-000000000002";
    let words = |of: &[&str]| {
        let words = [uuid].into_iter().chain(of.iter().copied()).map(str::to_owned);
        Field::Given(Reference::Words(words.collect()))
    };
    for kind in ["org", "product"] {
        let csv = |cells: [&str; 3]| {
            let text = format!(
                "name,startDate,{kind},{kind}SyncId,{kind}Path,{kind}Name\na,2025-01-01,{uuid},{}\n",
                cells.join(",")
            );
            let draft = CsvRows::new(text.as_bytes(), MAX_ROW_BYTES).unwrap().next().unwrap().unwrap().draft;
            if kind == "org" { draft.org } else { draft.product }
        };
        assert_eq!(csv(["", "Acme / Berlin", "Berlin"]), words(&["Acme / Berlin"]));
        assert_eq!(csv(["b", "", "Berlin"]), words(&["b"]));
        assert_eq!(csv(["b", "Acme / Berlin", "Berlin"]), words(&["b", "Acme / Berlin"]));
        assert_eq!(csv(["", "", "Berlin"]), words(&["Berlin"]));
        let json = |shown: &str| {
            let text = format!("{{\"name\":\"a\",\"{kind}\":{{\"uuid\":\"{uuid}\"{shown}}}}}\n");
            let draft = NdjsonRows::new(text.as_bytes(), MAX_ROW_BYTES).next().unwrap().unwrap().draft;
            if kind == "org" { draft.org } else { draft.product }
        };
        assert_eq!(json(",\"path\":\"Acme / Berlin\",\"name\":\"Berlin\""), words(&["Acme / Berlin"]));
        assert_eq!(json(",\"name\":\"Berlin\""), words(&["Berlin"]));
    }
}

/// Whether the draft writes the activity of `support::view` as it is.
pub(crate) fn same_as_the_view(draft: &ActivityDraft) {
    assert!(draft.faults.is_empty(), "{}", draft.faults);
    let activity = view().activity.value;
    assert_eq!(draft.name.given(), Some(&activity.name));
    assert_eq!(draft.sync_id.given(), activity.sync_id.as_ref());
    assert_eq!(draft.description, Field::Null);
    assert_eq!(draft.quantity.given().copied(), activity.measured.map(|measured| measured.quantity));
    assert_eq!(draft.unit.given().copied(), activity.measured.map(|measured| measured.unit));
    assert_eq!(draft.upstream.given().copied(), activity.calculation.supplied().upstream);
    assert_eq!(draft.downstream, Field::Null, "a computed part stays computed");
    assert_eq!(draft.start.given().copied(), Some(activity.span.start()));
    assert_eq!(draft.end, Field::Null);
    let org = activity.org.unwrap();
    let by_id = Field::Given(Reference::Id(org.uuid()));
    // The name finds the record where another installation made it.
    let by_name = Field::Given(Reference::Words(vec![org.to_string(), "North".to_owned()]));
    assert!(draft.org == by_id || draft.org == by_name, "{:?}", draft.org);
    assert_eq!(draft.product, Field::Null);
}
