//! The activity report: its query, its forms, its tags.

use tonne_http::Limits;

use crate::api::{Answer, get, get_with, send_to};
use crate::fake::{self, Activities};

async fn report(query: &str, permissions: &str, headers: &[(&str, &str)]) -> Answer {
    let service = fake::service(Activities { batches: 2, ..Activities::default() }, Limits::default());
    let bearer = format!("Bearer {permissions}");
    let mut all = vec![("Authorization", bearer.as_str())];
    all.extend(headers);
    send_to(&service, "GET", &format!("/api/v1/activity{query}"), &all, "").await
}

#[actix_web::test]
async fn high_level_data_comes_without_activities() {
    let answer = report("?date=2025&list=%53cope", "activity:report", &[]).await;
    assert_eq!(answer.status, 200);
    insta::assert_snapshot!(answer.text, @r#"{"count":200,"incompleteCount":1,"outdatedCount":0,"queryString":"date=2025&list=%53cope","startDate":"2025-01-01T00:00:00Z","endDate":"2025-12-31T23:59:59Z","attribution":"start","CO2e":"1234567.890123456789012345","uncategorizedCO2e":"-0.5","biogenicCO2":"0","creditsCO2e":"0","outsideCO2e":"0","scope2":"location","marketCO2e":null,"scope2InstrumentCO2e":null,"scope2ResidualCO2e":null,"scope2LocationCO2e":null,"quality":{"measuredCO2e":"0","estimatedCO2e":"0","proxyCO2e":"0","notStatedCO2e":"0"},"CO2eUnit":"kg","scopes":[{"uuid":"0193d3c5-0000-7000-8000-0000000000ff","name":"All"}],"orgs":[],"taxonomies":[],"data":[]}"#);
}

#[actix_web::test]
async fn detailed_data_holds_every_activity_digit_for_digit() {
    let answer = report("", "activity:read", &[]).await;
    assert_eq!(answer.json()["data"].as_array().map(Vec::len), Some(200));
    assert_eq!(answer.text.matches(r#""quantity":12345678901234567890.000000000000000001,"#).count(), 200);
}

#[actix_web::test]
async fn a_unit_shifts_every_co2e_and_says_so() {
    let answer = report("?co2eUnit=t", "activity:report", &[]).await.json();
    assert_eq!(answer["CO2e"], "1234.567890123456789012345");
    assert_eq!((&answer["uncategorizedCO2e"], &answer["CO2eUnit"]), (&"-0.0005".into(), &"t".into()));
}

#[actix_web::test]
async fn tables_and_lines_are_the_activities_alone() {
    let csv = report("", "activity:read", &[("Accept", "text/csv")]).await;
    assert_eq!((csv.status, csv.text.lines().count()), (200, 201));
    assert_eq!(csv.header("content-type"), Some("text/csv; charset=utf-8"));
    let lines = report("?page=1", "activity:read", &[("Accept", "application/x-ndjson")]).await;
    assert_eq!((lines.status, lines.text.lines().count()), (200, 100));
    let denied = report("", "activity:report", &[("Accept", "text/csv")]).await;
    assert_eq!((denied.status, denied.problem().as_str()), (403, "missing-permission"));
}

#[actix_web::test]
async fn a_part_of_the_activities_says_where_the_others_are() {
    let link = async |query: &str, permissions: &str, accept: &str| {
        report(query, permissions, &[("Accept", accept)]).await.header("link").map(str::to_owned)
    };
    let both = link("?date=2025&page=2&pageSize=9", "activity:read", "*/*").await.unwrap();
    let (next, previous) = both.split_once(", ").unwrap();
    for (one, name, relation) in [(next, "after", "next"), (previous, "before", "prev")] {
        let (address, said) = one.split_once('>').unwrap();
        assert_eq!(said, format!("; rel=\"{relation}\""));
        let (base, place) = address.split_once(&format!("/api/v1/activity?date=2025&{name}=")).unwrap();
        assert!(base.starts_with("<http"), "{base}");
        assert!(place.ends_with("&limit=9"), "{place}");
        let walk = format!("?date=2025&{name}={place}");
        assert_eq!(link(&walk, "activity:read", "application/x-ndjson").await.unwrap(), both);
    }
    assert_eq!(link("?page=1", "activity:report", "*/*").await, None);
    assert_eq!(link("", "activity:read", "*/*").await, None);
}

#[actix_web::test]
async fn activities_behind_a_place_and_before_one_are_not_asked_for_together() {
    let place = format!("2025-01-01.{}", fake::ACTIVITY);
    let answer = report(&format!("?after={place}&before={place}"), "activity:read", &[]).await;
    assert_eq!((answer.status, answer.places()), (400, vec!["before".to_owned()]));
    assert!(answer.text.contains("give before for the activities in front of a place, after for those behind it"));
}

#[actix_web::test]
async fn every_fault_of_the_query_is_told_at_once() {
    let query = "?date=2025-02-30&org=7&scope=&list=foo&co2eUnit=lb&datte=1&page=x&taxonomy=%zz";
    let answer = report(query, "activity:read", &[]).await;
    assert_eq!((answer.status, answer.problem().as_str()), (400, "invalid-parameters"));
    let mut places = answer.places();
    places.sort();
    assert_eq!(places, ["co2eUnit", "date", "datte", "list", "org", "page", "scope", "taxonomy"]);
    assert!(answer.text.contains("did you mean date?"));
}

#[actix_web::test]
async fn the_tag_depends_on_permission_form_and_query_and_is_not_sent_twice() {
    let tag = async |query: &str, permissions: &str, accept: &str| {
        report(query, permissions, &[("Accept", accept)]).await.header("etag").unwrap().to_owned()
    };
    let first = tag("", "activity:read", "*/*").await;
    assert!(first.starts_with("W/\""), "{first}");
    assert_eq!(tag("", "activity:read", "application/json").await, first);
    for other in [
        tag("?date=2025", "activity:read", "*/*").await,
        tag("", "activity:report", "*/*").await,
        tag("", "activity:read", "text/csv").await,
    ] {
        assert_ne!(other, first);
    }
    let again = report("", "activity:read", &[("If-None-Match", &first)]).await;
    assert_eq!((again.status, again.text.as_str(), again.header("etag")), (304, "", Some(first.as_str())));
    assert_eq!(again.header("vary"), Some("Authorization, Accept, Accept-Encoding"));
}

#[actix_web::test]
async fn a_single_activity_has_every_field() {
    let answer = get(&format!("/api/v1/activity/{}", fake::ACTIVITY), "activity:read").await;
    assert_eq!(answer.status, 200);
    insta::assert_snapshot!(answer.text, @r#"{"uuid":"0193d3c5-0000-7000-8000-000000000001","name":"Electricity \"north\"","created":"2025-02-03T04:05:06.789Z","updated":"2025-02-03T04:05:06.789Z","syncId":null,"description":null,"quantity":12345678901234567890.000000000000000001,"unit":"kWh","UpstreamCO2e":"0.1","DownstreamCO2e":null,"product":null,"scope":null,"taxonomy":null,"org":null,"startDate":"2025-01-01T00:30:00+13:00","endDate":null,"CO2e":"0.1","biogenicCO2":null,"marketInstrument":null,"marketFactor":null,"marketReference":null,"marketCO2e":null,"quality":null,"evidence":[],"supplied":["UpstreamCO2e"],"incomplete":null,"outdated":false}"#);
    let denied = get_with(&format!("/api/v1/activity/{}", fake::ACTIVITY), "activity:report", &[]).await;
    assert_eq!(denied.status, 403);
}
