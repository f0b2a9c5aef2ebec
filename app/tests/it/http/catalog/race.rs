//! Writers at the same time: what is promised of one record holds whoever else writes.

use std::collections::BTreeSet;
use std::sync::Barrier;

use crate::http::harness::{Answer, Client, Service, json, to};

const WRITERS: usize = 8;

/// What each of several writers is answered who all begin at once.
fn at_once(client: &Client, write: impl Fn(&Client, usize) -> Answer + Sync) -> Vec<Answer> {
    let start = Barrier::new(WRITERS);
    std::thread::scope(|scope| {
        let writers: Vec<_> = (0..WRITERS)
            .map(|number| {
                let (client, write, start) = (client.clone(), &write, &start);
                scope.spawn(move || {
                    start.wait();
                    write(&client, number)
                })
            })
            .collect();
        writers.into_iter().map(|writer| writer.join().unwrap()).collect()
    })
}

/// How many were answered so.
fn count(answers: &[Answer], status: u16) -> usize {
    answers.iter().filter(|answer| answer.status == status).count()
}

#[test]
fn of_changes_with_the_same_tag_one_is_taken() {
    let service = Service::start();
    let admin = service.admin();
    let one = format!("/v1/switch/{}", admin.post("/v1/switch", &json!({ "name": "A" })).uuid());
    let tag = admin.get(&one).etag();
    let answers = at_once(&admin, |client, number| {
        let body = json!({ "name": format!("Writer {number}") });
        client.request("PATCH", &one).header("If-Match", &tag).json(&body).send()
    });
    assert_eq!((count(&answers, 200), count(&answers, 412)), (1, WRITERS - 1));
    let taken = answers.into_iter().find(|answer| answer.status == 200).unwrap();
    assert_eq!(admin.get(&one).ok(), taken.json());
}

#[test]
fn a_sync_id_goes_to_one_record() {
    let service = Service::start();
    let admin = service.admin();
    let answers = at_once(&admin, |client, _| client.post("/v1/org", &json!({ "name": "A", "syncId": "a" })));
    assert_eq!((count(&answers, 201), count(&answers, 409)), (1, WRITERS - 1));
    assert_eq!(admin.get("/v1/org").ok()["count"], 1);
}

#[test]
fn slugs_that_are_made_differ() {
    let service = Service::start();
    let admin = service.admin();
    let answers = at_once(&admin, |client, _| client.post("/v1/taxonomy", &json!({ "name": "Steam" })));
    let paths: BTreeSet<_> = answers.into_iter().map(|answer| answer.created()["path"].to_string()).collect();
    let numbered = (2..=WRITERS).map(|number| format!("\"steam-{number}\""));
    assert_eq!(paths, numbered.chain(["\"steam\"".to_owned()]).collect());
}

#[test]
fn two_nodes_are_never_moved_below_each_other() {
    let service = Service::start();
    let admin = service.admin();
    let nodes = [admin.org("A", None), admin.org("B", None)];
    let answers = at_once(&admin, |client, number| {
        let (node, parent) = (&nodes[number % 2], &nodes[(number + 1) % 2]);
        client.patch(&format!("/v1/org/{node}"), &json!({ "parent": to(parent) }))
    });
    assert_eq!((count(&answers, 200), count(&answers, 422)), (WRITERS / 2, WRITERS / 2));
    let roots = admin.get("/v1/org").ok();
    let roots = roots["data"].as_array().unwrap().iter().filter(|node| node["parent"].is_null()).count();
    assert_eq!(roots, 1);
}

#[test]
fn factors_of_a_day_are_one() {
    let service = Service::start();
    let admin = service.admin();
    let path = format!("/v1/product/{}/factor", admin.product("kg"));
    let answers = at_once(&admin, |client, number| {
        let body = json!({ "unit": "kg", "upstream": number, "validFrom": "2025-01-01", "source": "Table" });
        client.post(&path, &body)
    });
    assert_eq!((count(&answers, 201), count(&answers, 409)), (1, WRITERS - 1));
}

#[test]
fn a_block_is_made_once() {
    let service = Service::start();
    let admin = service.admin();
    let material = admin.product("kg");
    let model = admin.post("/v1/model", &json!({ "name": "Bolt", "unit": "kg" })).uuid();
    let answers = at_once(&admin, |client, _| {
        let input = json!({ "name": "Steel", "material": to(&material), "quantity": 1, "unit": "kg", "block": { "name": "Body" } });
        client.post(&format!("/v1/model/{model}/input"), &input)
    });
    let blocks: BTreeSet<_> = answers.into_iter().map(|answer| answer.created()["block"].to_string()).collect();
    assert_eq!(blocks.len(), 1, "{blocks:?}");
    assert_eq!(admin.get(&format!("/v1/model/{model}/input")).ok()["count"], WRITERS);
}

#[test]
fn footprints_are_numbered_without_a_gap() {
    let service = Service::start();
    let admin = service.admin();
    let answers = at_once(&admin, |client, _| client.post("/v1/footprint", &json!({})));
    let ids: BTreeSet<_> = answers.into_iter().map(|answer| answer.created()["id"].as_u64().unwrap()).collect();
    assert_eq!(ids, (1..=WRITERS as u64).collect());
}

#[test]
fn a_refresh_token_is_good_for_one() {
    use crate::http::token::{ask, basic};
    let service = Service::start();
    let admin = service.admin();
    let client = admin.post("/v1/client", &json!({ "name": "A", "permissions": ["activity:read"] })).created();
    let authorization = basic(client["client_id"].as_str().unwrap(), client["client_secret"].as_str().unwrap());
    let token = ask(&service, &authorization, "grant_type=client_credentials").ok();
    let form = format!("grant_type=refresh_token&refresh_token={}", token["refresh_token"].as_str().unwrap());
    let answers = at_once(&service.anybody(), |client, _| {
        client.request("POST", "/auth/token").header("Authorization", &authorization).form(&form).send()
    });
    assert_eq!((count(&answers, 200), count(&answers, 400)), (1, WRITERS - 1));
    let given = answers.into_iter().find(|answer| answer.status == 200).unwrap().json();
    let caller = service.anybody().with_key(given["access_token"].as_str().unwrap());
    assert_eq!(caller.get("/v1/activity").status, 401, "the family of a token that was used twice is revoked");
}
