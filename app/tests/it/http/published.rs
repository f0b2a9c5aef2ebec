//! `GET /v1/factor-set`, `GET /v1/factor` and `GET /v1/factor/{set}/{cell}`: what publishers gave, found by words and filters.

use ports::inbound::Beside;
use ports::{Grant, Installation};

use super::harness::{Client, Service, Value, json};
use crate::published_sample::{edition, id};

/// A service whose installation has the editions of 2034 and 2035 beside what every service of the tests has.
fn with_years() -> Service {
    let service = Service::start();
    for year in [2034, 2035] {
        let app = service.app();
        let add = async move {
            let operator = Grant::for_maintenance(Installation, "test");
            app.factor_set_imports().add_factor_set(&operator, edition(year, 1), Beside::Refused).await.map(|_| ())
        };
        service.wait(add).unwrap();
    }
    service
}

/// What a search finds: how many, then year and cell of each that is shown.
fn found(client: &Client, query: &str) -> Vec<String> {
    let answer = client.get(&format!("/v1/factor?{query}")).ok();
    let one = |factor: &Value| {
        let (year, cell) = (factor["set"]["validFrom"].as_str().unwrap(), factor["cell"].as_str().unwrap());
        format!("{} {cell}", &year[..4])
    };
    let count = answer["count"].to_string();
    [count].into_iter().chain(answer["data"].as_array().unwrap().iter().map(one)).collect()
}

#[test]
fn factors_are_found_by_words_the_best_first() {
    let service = with_years();
    let admin = service.admin();
    // Whole words and shorter names first, then the newer set.
    assert_eq!(found(&admin, "q=ministry+diesel"), ["4", "2035 A1", "2034 A1", "2035 A3", "2034 A3"]);
    assert_eq!(
        found(&admin, "q=MINISTRY+DI%C3%88S"),
        found(&admin, "q=ministry+diesel"),
        "case, marks and the end of a word do not count"
    );
    assert_eq!(found(&admin, "q=ministry+tank+dies"), ["2", "2035 A3", "2034 A3"]);
    assert_eq!(found(&admin, "q=ministry+grid+kwh"), ["4", "2035 A2", "2034 A2", "2035 A4", "2034 A4"]);
    assert_eq!(found(&admin, "q=ministry+diesel&pageSize=1&page=3"), ["4", "2035 A3"]);
    assert_eq!(found(&admin, "q=peat"), ["0"]);
    assert_eq!(found(&admin, "q=ministry")[0], "10");
}

#[test]
fn set_region_unit_year_and_use_narrow_a_search() {
    let service = with_years();
    let admin = service.admin();
    let of_2034 = &id(2034, 1).to_string()[..8];
    assert_eq!(found(&admin, &format!("q=ministry+diesel&set={of_2034}")), ["2", "2034 A1", "2034 A3"]);
    assert_eq!(found(&admin, "q=ministry+diesel&year=2035"), ["2", "2035 A1", "2035 A3"]);
    assert_eq!(found(&admin, "year=2036"), ["0"]);
    assert_eq!(found(&admin, "unit=kWh&year=2035"), ["2", "2035 A2", "2035 A4"]);
    assert_eq!(found(&admin, "q=ministry&use=grid-loss"), ["2", "2035 A4", "2034 A4"]);
    assert_eq!(
        (&found(&admin, "q=ministry&region=gb")[0], &found(&admin, "region=FR")[0]),
        (&"10".to_owned(), &"0".to_owned())
    );
    assert_eq!(found(&admin, "unit=L&use=upstream&region=GB&year=2034&q=well"), ["1", "2034 A3"]);
    let wrong = admin.get("/v1/factor?set=12&unit=gallon&year=20x5&use=fun");
    assert_eq!(wrong.problem(), "400 invalid-parameters set unit use year");
    assert_eq!(admin.get("/v1/factor?set=00000000").problem(), "400 invalid-parameters set");
}

#[test]
fn a_factor_is_shown_with_its_source_and_read_under_another_set_or_the_reason_why_not() {
    let service = with_years();
    let admin = service.admin();
    let set = id(2035, 1).to_string();
    let seen = admin.get(&format!("/v1/factor/{}/A1?gwp=AR6", &set[..8])).ok();
    assert_eq!([&seen["set"]["id"], &seen["set"]["licence"]], [set.as_str(), "Open Government Licence v3.0"]);
    assert_eq!(seen["rows"], json!([{ "row": 7, "cells": [{ "header": "Activity", "value": "Diesel" }] }]));
    // 2.1 + 0.001 * 30, and 2.1 + 0.001 * 29.8
    assert_eq!(json!([seen["co2e"], seen["gwp"]]), json!(["2.13", "AR5"]));
    assert_eq!(seen["under"], json!({ "gwp": "AR6", "co2e": "2.1298", "reason": null }));
    let alone = admin.get(&format!("/v1/factor/{set}/A2?gwp=AR6")).ok();
    assert_eq!((&alone["co2e"], &alone["under"]["co2e"]), (&json!("0.21"), &Value::Null));
    let reason = alone["under"]["reason"].as_str().unwrap();
    assert!(reason.contains("published as CO2e alone, under AR5"), "{reason}");
    assert_eq!(admin.get(&format!("/v1/factor/{set}/A2")).ok()["under"], Value::Null);
    for path in [format!("/v1/factor/{set}/A9"), "/v1/factor/00000000/A1".to_owned()] {
        assert_eq!(admin.get(&path).status, 404, "{path}");
    }
}

#[test]
fn sets_are_listed_the_newest_first_and_known_ones_are_not_sent_again() {
    let service = with_years();
    let admin = service.admin();
    let answer = admin.get("/v1/factor-set");
    let sets = answer.json();
    let ids: Vec<_> = sets["data"].as_array().unwrap().iter().map(|set| set["id"].as_str().unwrap()).collect();
    assert_eq!(ids[..2], [id(2035, 1).to_string(), id(2034, 1).to_string()]);
    assert_eq!(sets["count"], ids.len());
    assert_eq!(json!([sets["data"][0]["factors"], sets["data"][0]["by"]]), json!([5, "test"]));
    for path in ["/v1/factor-set", "/v1/factor?q=ministry+diesel"] {
        let known = admin.get(path);
        let again = admin.request("GET", path).header("If-None-Match", known.etag()).send();
        assert_eq!(again.status, 304, "{path}");
    }
    let csv = admin.request("GET", "/v1/factor-set").header("Accept", "text/csv").send().expect(200);
    assert_eq!(csv.text().lines().count(), ids.len() + 1);
}

#[test]
fn all_that_a_search_finds_comes_as_a_table_in_its_order_and_a_page_of_it_where_one_is_asked_for() {
    let service = with_years();
    let admin = service.admin();
    let table = |query: &str| {
        let answer =
            admin.request("GET", &format!("/v1/factor?{query}")).header("Accept", "text/csv").send().expect(200);
        assert_eq!(answer.header("content-disposition"), Some("attachment; filename=\"published-factors.csv\""));
        answer.text().lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let all = table("q=ministry+diesel");
    let columns: Vec<_> = all[0].split(',').collect();
    let at = |name: &str| columns.iter().position(|column| *column == name).unwrap();
    // The columns before these have neither commas nor quotes in them.
    let (edition, cell) = (at("setEdition"), at("cell"));
    let shown = |lines: &[String]| {
        let cells = lines[1..].iter().map(|line| line.split(',').collect::<Vec<_>>());
        cells.map(|cells| format!("{} {}", &cells[edition][..4], cells[cell])).collect::<Vec<_>>()
    };
    assert_eq!(shown(&all), ["2035 A1", "2034 A1", "2035 A3", "2034 A3"]);
    assert_eq!(shown(&table("q=ministry+diesel&pageSize=1&page=3")), ["2035 A3"]);
    assert!(all[1].contains(",Diesel,") && all[1].contains(",L,direct,GB,2.13,AR5,"), "{}", all[1]);
    assert_eq!(table("q=peat").len(), 1);
    assert!(table("q=peat&bom=true")[0].starts_with('\u{feff}'));
    let wrong = admin.request("GET", "/v1/factor?unit=gallon&cells=x").header("Accept", "text/csv").send();
    assert_eq!(wrong.problem(), "400 invalid-parameters cells unit");
}
