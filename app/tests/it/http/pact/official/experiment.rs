//! What one change to a host does to the suite's cases, by the experiments of the suite's runs: each is a behaviour that this
//! host has or lacks.

use super::super::super::footprint::examples::{v2, v3, with};
use super::super::super::harness::{Value, json};
use super::super::secure::records;
use super::judge::{error, first_link, list, parsed, status};
use super::{Run, Version, failed_cases};

/// A run against a host with these records; the first of them by creation is the first of its list.
fn run(version: Version, records: Vec<Value>) -> Run {
    Run::begin(records, version).unwrap()
}

/// A record of version 3 that is created before the others.
fn first(change: impl Fn(Value) -> Value) -> Vec<Value> {
    vec![change(with(v3(), "/created", Some(json!("2020-01-01T00:00:00Z")))), v3(), v3()]
}

#[test]
fn a_single_footprint_has_no_link_and_two_have_one_that_is_absolute_quoted_and_of_the_same_origin() {
    let alone = run(Version::V3_0, vec![v3()]);
    assert_eq!(alone.page.link, None);
    for version in [Version::V2_3, Version::V3_0] {
        let run = Run::begin(records(), version).unwrap();
        let link = run.page.link.clone().unwrap();
        assert!(link.ends_with("; rel=\"next\""), "{link}");
        let target = first_link(&run.page).unwrap();
        assert!(target.starts_with(&format!("{}/", run.host.at.base_url)), "{target}");
    }
}

#[test]
fn a_first_footprint_without_geography_validity_and_classifications_passes() {
    let bare = |record: Value| {
        let record = with(record, "/pcf/geographyRegionOrSubregion", None);
        with(record, "/productClassifications", None)
    };
    let run = run(Version::V3_0, first(bare));
    let first = run.first();
    assert!(first.get("productClassifications").is_none() && first["pcf"].get("geographyRegionOrSubregion").is_none());
    assert_eq!(failed_cases(&run), []);
}

#[test]
fn a_first_footprint_of_each_geography_passes() {
    for (name, place) in [("geographyCountry", "DE"), ("geographyCountrySubdivision", "DE-BY")] {
        let placed = |record: Value| {
            let record = with(record, "/pcf/geographyRegionOrSubregion", None);
            with(record, &format!("/pcf/{name}"), Some(json!(place)))
        };
        assert_eq!(failed_cases(&run(Version::V3_0, first(placed))), []);
    }
}

#[test]
fn a_validity_that_was_written_with_an_offset_passes() {
    let offset = |record: Value| {
        let record = with(record, "/validityPeriodStart", Some(json!("2026-01-01T02:00:00+02:00")));
        with(record, "/validityPeriodEnd", Some(json!("2028-12-31T00:00:00+00:00")))
    };
    let run = run(Version::V3_0, first(offset));
    assert_eq!(run.first()["validityPeriodStart"], "2026-01-01T00:00:00Z");
    assert_eq!(failed_cases(&run), []);
}

#[test]
fn an_empty_parameter_finds_all_and_so_do_all_of_them_together() {
    let run = Run::begin(records(), Version::V3_0).unwrap();
    let names =
        ["productId", "companyId", "geography", "classification", "validOn", "validAfter", "validBefore", "status"];
    let together = names.map(|name| format!("{name}=")).join("&");
    for query in names.map(|name| format!("{name}=")).iter().chain([&together]) {
        let found = list(&run.get(&format!("/footprints?{query}")).unwrap()).unwrap();
        assert_eq!(found.len(), run.list.len(), "{query}");
    }
}

#[test]
fn what_is_no_urn_and_no_status_finds_nothing_and_is_no_error() {
    let run = Run::begin(records(), Version::V3_0).unwrap();
    for query in ["companyId=1b4e28ba", "productId=http://a.example/1", "status=active2", "geography=Atlantis"] {
        assert_eq!(run.finds_nothing(query), Ok(()), "{query}");
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "version 2 is one in all its minor versions")]
#[test]
fn a_list_is_answered_with_200_whether_it_is_filtered_or_not() {
    for version in [Version::V2_3, Version::V3_0] {
        let run = Run::begin(records(), version).unwrap();
        let filtered = match version {
            Version::V3_0 => "/footprints?status=Active",
            _ => "/footprints?$filter=created%20ge%20'2020-01-01T00:00:00Z'",
        };
        for path in ["/footprints", "/footprints?limit=1", filtered] {
            assert_eq!(status(&run.get(path).unwrap(), &[200]), Ok(()), "{version:?} {path}");
        }
    }
}

#[test]
fn a_token_that_is_none_is_answered_with_a_body_and_the_code_that_version_2_asks_for() {
    for (version, statuses) in [(Version::V2_3, [400]), (Version::V3_0, [401])] {
        let run = Run::begin(records(), version).unwrap();
        for path in ["/footprints", "/footprints/00000000-0000-0000-0000-000000000000"] {
            let answer = run.get_with(&run.url(path), "garbage").unwrap();
            assert_eq!(error(&answer, &statuses, &["BadRequest"]), Ok(()), "{version:?} {path}");
        }
    }
}

#[test]
fn both_the_discovery_document_and_the_fixed_path_give_tokens() {
    let run = Run::begin(records(), Version::V3_0).unwrap();
    let fixed = format!("{}/auth/token", run.host.at.base_url);
    assert_eq!(run.token_endpoint().unwrap(), fixed);
    let answer = run.ask_token(&fixed, run.own()).unwrap();
    let body = parsed(&answer).unwrap();
    assert!(body["expires_in"].is_u64() && body["token_type"] == "Bearer", "{body}");
}

#[test]
fn identifiers_that_a_query_cannot_hold_as_they_are_are_found_when_they_are_encoded() {
    let odd = "urn:pact:works.example:product-id:a%23b+c&d";
    let strange = |record: Value| with(record, "/productIds", Some(json!([odd])));
    let run = run(Version::V3_0, first(strange));
    let encoded = super::super::encoded(odd);
    assert_eq!(run.finds(&format!("productId={encoded}"), |one| one["productIds"][0] == odd), Ok(()));
}

#[test]
fn records_of_version_2_alone_pass_the_cases_of_version_2() {
    let other = with(v2(), "/created", Some(json!("2025-04-01T08:00:00Z")));
    let other = with(other, "/updated", Some(json!("2025-04-02T08:00:00Z")));
    assert_eq!(failed_cases(&run(Version::V2_3, vec![v2(), other])), []);
}

#[test]
fn the_source_of_an_event_may_have_each_of_its_three_shapes() {
    for version in [Version::V2_3, Version::V3_0] {
        let run = run(version, records());
        let (base, segment) = (run.listener.base.clone(), version.edition().segment());
        let without_scheme = base.trim_start_matches("http:");
        for (number, source) in
            [format!("{without_scheme}/{segment}/events"), format!("{base}/{segment}/events"), base.clone()]
                .iter()
                .enumerate()
        {
            let data = run.request(&json!(["urn:pact:null"]));
            let mut event = run.event(&format!("14-{number}"), "created", &data);
            event["source"] = json!(source);
            assert_eq!(run.takes(&event), Ok(()), "{version:?} {source}");
        }
    }
}

#[test]
fn a_request_that_is_sent_again_is_answered_once() {
    let run = run(Version::V3_0, records());
    let event = run.event("12", "created", &run.request(&run.first()["productIds"]));
    for _ in 0..3 {
        assert_eq!(run.takes(&event), Ok(()));
    }
    // What is asked later is answered later: once its answer is there, those before it are.
    let later = run.event("13", "created", &run.request(&json!(["urn:pact:null"])));
    assert_eq!(run.takes(&later), Ok(()));
    let answers = |case: &str| {
        let id = event["id"].as_str().unwrap().replace("/12", &format!("/{case}"));
        move |one: &super::listener::Received| one.body["data"]["requestEventId"] == id.as_str()
    };
    run.listener.wait(answers("13")).unwrap();
    run.listener.wait(answers("12")).unwrap();
    assert_eq!(run.listener.count(answers("12")), 1);
}
