//! What one change to a good host does to the cases, by the experiments of the suite's own runs: each fails exactly the cases
//! that it must, in our copy of the suite and in `tonne pact test`.

use ports::partner_host::{HostAnswer, HostAuthorization, HostRequest};
use tonne::usecase::pact::host_test::{EventSource, Outcome, test_host};

use super::super::super::footprint::examples::{v3, with};
use super::super::super::harness::{Value, json};
use super::super::secure::records;
use super::changed::{Change, ELSEWHERE};
use super::{Run, Version, failed_cases};
use Version::{V2_3, V3_0};

/// The cases of filters of version 3.
const FILTERS: &str = "20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39";

/// The numbers of the cases that fail: in our copy of the suite, and in `tonne pact test`.
fn failed(version: Version, records: Vec<Value>, change: Change) -> [String; 2] {
    let run = Run::begin_changed(records, version, change).unwrap();
    let official = failed_cases(&run);
    let numbers = official.iter().map(|(name, _)| name.split('_').nth(1).unwrap().trim_start_matches('0'));
    let official: Vec<_> = numbers.collect();
    let (probe, at, edition) = (run.changed(), run.host.at.clone(), version.edition());
    let source = EventSource { base_url: run.listener.base.clone(), run: "a run".to_owned() };
    let tested = run.host.service.wait(async move { test_host(&probe, &at, edition, None, Some(source)).await });
    let results = tested.results.iter().filter(|result| result.outcome == Outcome::Failed);
    let own: Vec<_> = results.map(|result| result.case.number.to_string()).collect();
    [official.join(" "), own.join(" ")]
}

/// The change fails these cases of the version in the copy of the suite, and those in `tonne pact test`.
#[track_caller]
fn fails(version: Version, change: fn(&HostRequest, &mut HostAnswer), official: &str, own: &str) {
    assert_eq!(failed(version, records(), Change::Answer(change)), [official, own], "{version:?}");
}

#[track_caller]
fn fails_in_both(change: fn(&HostRequest, &mut HostAnswer), official: &str, own: &str) {
    for version in [V2_3, V3_0] {
        fails(version, change, official, own);
    }
}

fn path(request: &HostRequest) -> &str {
    request.url.split('?').next().unwrap_or_default()
}

/// The values of a parameter of the query.
fn values<'a>(request: &'a HostRequest, name: &'a str) -> impl Iterator<Item = &'a str> {
    let query = request.url.split_once('?').map_or("", |(_, query)| query);
    query
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .filter(move |(own, _)| *own == name)
        .map(|(_, value)| value)
}

fn is_list(request: &HostRequest) -> bool {
    path(request).ends_with("/footprints")
}

fn is_event(request: &HostRequest) -> bool {
    path(request).ends_with("/events")
}

/// Whether the token is one that no host gave.
fn is_made_up(request: &HostRequest) -> bool {
    matches!(&request.authorization, HostAuthorization::Bearer(token) if token == "garbage" || token.contains("made-up"))
}

fn refuse(answer: &mut HostAnswer, status: u16, code: &str) {
    let body = json!({ "code": code, "message": "no" }).to_string().into_bytes();
    *answer = HostAnswer { status, content_type: Some("application/json".to_owned()), link: None, body };
}

fn find_nothing(answer: &mut HostAnswer) {
    answer.body = br#"{"data":[]}"#.to_vec();
    answer.link = None;
}

fn replace(answer: &mut HostAnswer, from: &str, to: &str) {
    answer.body = String::from_utf8(std::mem::take(&mut answer.body)).unwrap().replace(from, to).into_bytes();
}

/// Changes each footprint of the answer.
fn each_footprint(answer: &mut HostAnswer, change: impl Fn(&mut Value)) {
    let Ok(mut body) = serde_json::from_slice::<Value>(&answer.body) else { return };
    match &mut body["data"] {
        Value::Array(items) => items.iter_mut().for_each(change),
        one @ Value::Object(_) => change(one),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return,
    }
    answer.body = body.to_string().into_bytes();
}

#[test]
fn without_a_change_nothing_fails() {
    fails_in_both(|_, _| {}, "", "");
}

#[test]
fn without_a_link() {
    fails_in_both(|_, answer| answer.link = None, "5", "5");
}

#[test]
fn with_an_unquoted_relation() {
    // RFC 8288 allows it, so that `tonne pact test` follows it.
    fails_in_both(|_, answer| answer.link = answer.link.take().map(|link| link.replace("\"next\"", "next")), "5", "");
}

#[test]
fn with_a_link_to_another_host() {
    fails_in_both(
        |_, answer| {
            answer.link = answer.link.take().map(|link| link.replace("://127.0.0.1", "://elsewhere.example"));
        },
        "5",
        "5",
    );
}

#[test]
fn with_a_relative_link_the_suite_passes_though_the_standard_forbids_it() {
    fails_in_both(
        |_, answer| {
            let Some((origin, rest)) =
                answer.link.as_deref().and_then(|link| link.split_once("://")?.1.split_once('/'))
            else {
                return;
            };
            assert!(origin.starts_with("127.0.0.1:"), "{origin}");
            answer.link = Some(format!("</{rest}"));
        },
        "",
        "5",
    );
}

#[test]
fn with_an_empty_parameter_taken_as_it_is() {
    let bare =
        |record: Value| with(with(record, "/pcf/geographyRegionOrSubregion", None), "/productClassifications", None);
    let first = bare(with(v3(), "/created", Some(json!("2020-01-01T00:00:00Z"))));
    let change = Change::Answer(|request, answer| {
        if is_list(request) && request.url.split(['?', '&']).any(|pair| pair.ends_with('=')) {
            find_nothing(answer);
        }
    });
    let found = failed(V3_0, vec![first, v3(), v3()], change);
    assert_eq!(found, ["22 23", "22 23"]);
}

#[test]
fn with_400_for_an_unknown_status() {
    fails(
        V3_0,
        |request, answer| {
            if values(request, "status").any(|status| !["", "Active", "Deprecated"].contains(&status)) {
                refuse(answer, 400, "BadRequest");
            }
        },
        "37",
        "37",
    );
}

#[test]
fn with_400_for_a_company_that_is_no_urn() {
    fails(
        V3_0,
        |request, answer| {
            if values(request, "companyId").any(|id| !id.starts_with("urn:") && !id.starts_with("urn%3A")) {
                refuse(answer, 400, "BadRequest");
            }
        },
        "29",
        // What it makes up is no URN anywhere.
        "29 31 38 39",
    );
}

#[test]
fn with_202_for_lists() {
    let change = |request: &HostRequest, answer: &mut HostAnswer| {
        if is_list(request) && answer.status == 200 {
            answer.status = 202;
        }
    };
    fails(V3_0, change, &format!("5 {FILTERS}"), &format!("3 4 5 {FILTERS}"));
    fails(V2_3, change, "5 20", "3 4 5 20");
}

#[test]
fn with_202_for_events() {
    fails_in_both(
        |request, answer| {
            if is_event(request) && answer.status == 200 {
                answer.status = 202;
            }
        },
        "12 14a 15",
        "12 14 15",
    );
}

#[test]
fn with_404_for_an_unknown_footprint_that_is_published() {
    fails_in_both(
        |request, answer| {
            if request.body.as_ref().is_some_and(|(_, body)| body.contains("Published")) && answer.status == 200 {
                refuse(answer, 404, "NotFound");
            }
        },
        "15",
        "15",
    );
}

#[test]
fn with_an_empty_body_where_a_token_is_none() {
    let change = |request: &HostRequest, answer: &mut HostAnswer| {
        if is_made_up(request) && matches!(answer.status, 400 | 401) {
            *answer = HostAnswer { status: 401, ..HostAnswer::default() };
        }
    };
    fails(V3_0, change, "", "");
    fails(V2_3, change, "16", "16");
}

#[test]
fn with_access_denied_where_a_token_is_none() {
    let change = |request: &HostRequest, answer: &mut HostAnswer| {
        if is_made_up(request) {
            replace(answer, "BadRequest", "AccessDenied");
        }
    };
    fails(V3_0, change, "", "");
    fails(V2_3, change, "16", "16");
}

#[test]
fn with_not_found_in_version_2_and_its_word_in_version_3() {
    fails(V2_3, |_, answer| replace(answer, "NoSuchFootprint", "NotFound"), "8", "8");
    fails(V3_0, |_, answer| replace(answer, "NotFound", "NoSuchFootprint"), "8", "8");
}

/// Tokens are given at another path, which the discovery document names.
fn tokens_elsewhere(request: &HostRequest, answer: &mut HostAnswer) {
    if path(request).ends_with("/openid-configuration") {
        replace(answer, "/auth/token", ELSEWHERE);
    }
}

#[test]
fn without_the_fixed_path_of_tokens() {
    fails_in_both(
        |request, answer| {
            tokens_elsewhere(request, answer);
            if path(request).ends_with("/auth/token") {
                refuse(answer, 404, "NotFound");
            }
        },
        "18 19",
        "18 19",
    );
    // A host that answers all it does not know with 401 is said to refuse wrong credentials there.
    fails(
        V3_0,
        |request, answer| {
            tokens_elsewhere(request, answer);
            if path(request).ends_with("/auth/token") {
                refuse(answer, 401, "BadRequest");
            }
        },
        "18",
        "18",
    );
}

#[test]
fn with_another_type_of_token() {
    let change = |_: &HostRequest, answer: &mut HostAnswer| replace(answer, "\"Bearer\"", "\"MAC\"");
    // Without a token that it can use, the other one fails all that needs one; 12 cannot be asked without a list.
    let common = "1 3 4 5 8 14 15";
    fails(V2_3, change, "1", &format!("{common} 20 21"));
    fails(V3_0, change, "1", &format!("{common} {FILTERS} 40"));
}

#[test]
fn with_a_footprint_that_lacks_a_mandatory_member() {
    let change = |_: &HostRequest, answer: &mut HostAnswer| {
        each_footprint(answer, |one| drop(one.as_object_mut().unwrap().remove("companyName")));
    };
    fails(V2_3, change, "3 4 20", "3 4");
    fails(V3_0, change, "3 4 20 21 22 23 24 25 26 27 28 29", "3 4");
}

#[test]
fn with_a_validity_in_another_zone() {
    let valid = |record: Value| {
        let record = with(record, "/validityPeriodStart", Some(json!("2026-01-01T00:00:00Z")));
        with(record, "/validityPeriodEnd", Some(json!("2028-12-31T00:00:00Z")))
    };
    let change = Change::Answer(|request, answer| {
        each_footprint(answer, |one| {
            if let Some(start) = one["validityPeriodStart"].as_str() {
                one["validityPeriodStart"] = json!(start.replace('Z', "+00:00"));
            }
        });
        // Where a plus is a blank, this is no time.
        if values(request, "validOn").any(|at| at.contains('+')) {
            refuse(answer, 400, "BadRequest");
        }
    });
    // The suite puts the time into a query as it is; `tonne pact test` asks for it in UTC.
    assert_eq!(failed(V3_0, vec![valid(v3()), valid(v3()), valid(v3())], change), ["24", ""]);
}

#[test]
fn without_a_callback() {
    // Whether something comes back, `tonne pact test` does not say.
    for version in [V2_3, V3_0] {
        assert_eq!(failed(version, records(), Change::NoCallback), ["13 14b", ""], "{version:?}");
    }
}
