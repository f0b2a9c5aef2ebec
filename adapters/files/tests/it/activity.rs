//! Activities in and out of JSON.

use domain::{Co2e, Quantity, SyncId, parse_uuid};
use ports::inbound::{ActivityDraft, Field, Reference, Shown};
use proptest::prelude::*;
use tonne_files::{
    CsvRows, MAX_ROW_BYTES, Members, NdjsonRows, activity_draft, write_activity_json, write_activity_row,
};

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
        [r#"/supplied: lists "CO2e"; it lists UpstreamCO2e, DownstreamCO2e, biogenicCO2 and marketFactor, or nothing"#]
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
            r#""CO2e":"12345678901234567890.499999999999999999","biogenicCO2":null,"marketInstrument":null,"marketFactor":null,"marketReference":null,"marketCO2e":null,"quality":null,"evidence":[],"supplied":["UpstreamCO2e"],"incomplete":null,"outdated":false}"#,
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
fn what_answers_say_of_a_record_beside_its_uuid_is_read_with_it() {
    let uuid = "0190a000-0000-7000-8000-000000000002";
    let shown = |sync_id: &str, path: &str, name: &str| {
        let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let sync_id = text(sync_id).map(|text| SyncId::parse(&text).unwrap());
        Field::Given(Reference::Shown(Shown {
            id: parse_uuid(uuid).unwrap(),
            sync_id,
            path: text(path),
            name: text(name),
        }))
    };
    for kind in ["org", "product"] {
        for (sync_id, path, name) in
            [("", "Acme / Berlin", "Berlin"), ("b", "", "Berlin"), ("b", "Acme / Berlin", "Berlin"), ("", "", "Berlin")]
        {
            let read = |draft: ActivityDraft| if kind == "org" { draft.org } else { draft.product };
            let text = format!(
                "name,startDate,{kind},{kind}SyncId,{kind}Path,{kind}Name\na,2025-01-01,{uuid},{sync_id},{path},{name}\n"
            );
            let draft = CsvRows::new(text.as_bytes(), MAX_ROW_BYTES).unwrap().next().unwrap().unwrap().draft;
            assert_eq!(read(draft), shown(sync_id, path, name));
            let member = |member: &str, value: &str| {
                if value.is_empty() { String::new() } else { format!(",\"{member}\":\"{value}\"") }
            };
            let beside = [member("syncId", sync_id), member("path", path), member("name", name)].concat();
            let text = format!("{{\"name\":\"a\",\"{kind}\":{{\"uuid\":\"{uuid}\"{beside}}}}}\n");
            let draft = NdjsonRows::new(text.as_bytes(), MAX_ROW_BYTES).next().unwrap().unwrap().draft;
            assert_eq!(read(draft), shown(sync_id, path, name));
        }
    }
}

#[test]
fn rows_of_ndjson_say_where_their_nodes_are_and_bodies_do_not() {
    let mut view = view();
    view.paths.org.sync_id = Some(SyncId::parse("north").unwrap());
    view.paths.org.path = Some("Group / \"North\"".to_owned());
    let (mut row, mut body) = (String::new(), String::new());
    write_activity_row(&mut row, &view, 0, None);
    write_activity_json(&mut body, &view, 0, None);
    let place = r#","syncId":"north","path":"Group / \"North\""}"#;
    assert!(row.contains(place), "{row}");
    assert_eq!(row.replace(place, "}"), body);
    let draft = NdjsonRows::new(row.as_bytes(), MAX_ROW_BYTES).next().unwrap().unwrap().draft;
    let Field::Given(Reference::Shown(shown)) = draft.org else { panic!("{:?}", draft.org) };
    assert_eq!((shown.sync_id, shown.path), (view.paths.org.sync_id, view.paths.org.path));
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
    let by_name = Field::Given(Reference::Shown(Shown {
        id: org.uuid(),
        sync_id: None,
        path: None,
        name: Some("North".to_owned()),
    }));
    assert!(draft.org == by_id || draft.org == by_name, "{:?}", draft.org);
    assert_eq!(draft.product, Field::Null);
}
