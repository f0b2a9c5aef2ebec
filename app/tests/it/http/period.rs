//! Closed periods: they hold against every way to write, keep their report, and say what differs once they are open again.

mod base_year;
mod named;
mod recalculation;
mod restated_causes;
mod restatement;

use std::collections::BTreeSet;

use domain::Digest;

use super::harness::{Answer, Client, Service, Value, activity, json, to};

/// Operations that write and could alter a figure of a closed period: each is refused below.
const REFUSED: [(&str, &str); 10] = [
    ("POST", "/v1/activity"),
    ("PATCH", "/v1/activity/{uuid}"),
    ("DELETE", "/v1/activity/{uuid}"),
    ("POST", "/v1/activity/batch"),
    ("DELETE", "/v1/import/{uuid}"),
    ("DELETE", "/v1/recalculation/{uuid}"),
    ("PATCH", "/v1/scope/{uuid}"),
    ("PATCH", "/v1/org/{uuid}"),
    ("PATCH", "/v1/taxonomy/{uuid}"),
    ("POST", "/v1/period"),
];

/// Operations that write what no figure of activities comes from until somebody writes those, or what none can refer to yet.
const FREE: [&str; 12] = [
    "/2/events",
    "/3/events",
    "/v1/change/blank",
    "/v1/exclusion",
    "/v1/partner",
    "/v1/switch",
    "/v1/model",
    "/v1/footprint",
    "/v1/product",
    "/v1/client",
    "/v1/key",
    "/v1/period/{uuid}/reopen",
];

/// Leaves out what stands in a closed period.
const RECALCULATION: &str = "/v1/recalculation";

/// Nodes are added freely; those that activities carry cannot be removed.
const NODES: [&str; 3] = ["/v1/scope", "/v1/org", "/v1/taxonomy"];

#[test]
fn each_operation_that_writes_is_known_to_be_refused_or_to_alter_no_figure() {
    let is_writing = |method: &str| method != "GET";
    let mut unknown = BTreeSet::new();
    for (method, path) in ::http::operations().into_iter().filter(|(method, _)| is_writing(method)) {
        let is_node = NODES.iter().any(|node| path.starts_with(node)) && method != "PATCH";
        let is_free =
            path == RECALCULATION || FREE.iter().any(|free| path.starts_with(free)) || path.starts_with("/auth/");
        if !REFUSED.contains(&(method.as_str(), path)) && !is_free && !is_node {
            unknown.insert((method, path));
        }
    }
    assert_eq!(unknown, BTreeSet::new(), "say in this file whether it can alter a figure of a closed period");
}

/// A company with one activity in 2025 of an org, a scope and a taxonomy, all below others.
struct Closed {
    service: Service,
    admin: Client,
    org: String,
    scope: String,
    taxonomy: String,
    product: String,
    /// The activity of 2025.
    activity: String,
    /// The import that wrote another one of that year.
    import: String,
    period: String,
}

impl Closed {
    fn new() -> Self {
        let service = Service::start();
        let admin = service.admin();
        let (scope, root) = (admin.scope("scope1"), admin.org("Group", None));
        let (org, taxonomy) = (admin.org("Site", Some(&root)), admin.taxonomy("Heat", None));
        let product = admin.product("kg");
        let members = json!({
            "org": to(&org), "scope": to(&scope), "taxonomy": to(&taxonomy), "UpstreamCO2e": "7",
            "startDate": "2025-12-30", "endDate": "2026-01-02T12:00:00Z",
        });
        let activity = admin.activity(members);
        let incomplete = json!({ "product": to(&product), "quantity": 10, "unit": "kg", "scope": to(&scope) });
        admin.activity(incomplete);
        let import = batch(&admin, "", "imported").ok()["import"].as_str().unwrap().to_owned();
        admin.factor(&product, "kg", [json!("2"), Value::Null], "2020-01-01");
        let closing = json!({ "first": "2025-01-01", "last": "2025-12-31", "reason": "audited" });
        let period = admin.post("/v1/period", &closing).uuid();
        Self { service, admin, org, scope, taxonomy, product, activity, import, period }
    }

    fn address(&self) -> String {
        format!("/v1/period/{}", self.period)
    }

    /// What is reported of the year, day by day and by first days.
    fn figures(&self) -> Vec<Value> {
        let by = |query: &str| self.admin.get(&format!("/v1/report?{query}")).ok()["data"].clone();
        vec![
            by("date=2025&by=scope,org"),
            by("date=2025&by=taxonomy&attribution=daily"),
            self.admin.get("/v1/activity?date=2025").ok()["data"].clone(),
        ]
    }

    /// That the answer refuses a write, and names the period, who closed it and when.
    #[track_caller]
    fn is_refused(&self, answer: &Answer) {
        self.is_refused_at(answer, "");
    }

    /// The same, with the members of the record that alter figures.
    #[track_caller]
    fn is_refused_at(&self, answer: &Answer, members: &str) {
        let expected = format!("409 period-closed {members}");
        assert_eq!(answer.problem(), expected.trim_end(), "{}", answer.text());
        let (detail, seen) = (answer.json()["detail"].clone(), self.admin.get(&self.address()).ok());
        let detail = detail.as_str().unwrap();
        for part in [&seen["uuid"], &seen["closed"]["by"], &seen["closed"]["at"], &seen["first"], &seen["last"]] {
            assert!(detail.contains(part.as_str().unwrap()), "{part} in {detail}");
        }
    }
}

fn batch(admin: &Client, query: &str, sync_id: &str) -> Answer {
    let row = json!({ "syncId": sync_id, "name": "Row", "startDate": "2025-03-01", "UpstreamCO2e": "1" });
    let path = format!("/v1/activity/batch{query}");
    admin.request("POST", &path).header("Content-Type", "application/x-ndjson").body(row.to_string()).send()
}

#[test]
fn a_closed_period_holds_against_every_way_to_write() {
    let it = Closed::new();
    let (admin, own) = (&it.admin, format!("/v1/activity/{}", it.activity));
    let figures = it.figures();
    let open = admin.activity(json!({ "startDate": "2026-05-01", "UpstreamCO2e": "1", "org": to(&it.org) }));
    let open = format!("/v1/activity/{open}");

    it.is_refused(&admin.post("/v1/activity", &activity(json!({ "startDate": "2025-06-01" }))));
    it.is_refused(
        &admin.post("/v1/activity", &activity(json!({ "startDate": "2024-06-01", "endDate": "2025-01-01" }))),
    );
    it.is_refused(&admin.patch(&own, &json!({ "UpstreamCO2e": "8" })));
    it.is_refused(&admin.patch(&own, &json!({ "startDate": "2026-01-01" })));
    it.is_refused(&admin.patch(&open, &json!({ "startDate": "2025-12-31" })));
    it.is_refused(&admin.delete(&own));

    let rows = batch(admin, "", "row").ok();
    assert_eq!((&rows["created"], &rows["rejected"]), (&0.into(), &1.into()), "{rows}");
    assert!(rows["errors"][0]["detail"].as_str().unwrap().contains(&it.period), "{rows}");
    let rows = batch(admin, "?dryRun=true", "row").ok();
    assert_eq!(rows["rejected"], 1, "{rows}");
    assert!(batch(admin, "?atomic=true", "row").text().contains(&it.period));
    it.is_refused(&admin.delete(&format!("/v1/import/{}", it.import)));
    assert_eq!(admin.get(&format!("/v1/import/{}", it.import)).ok()["state"], "done");

    let other = admin.org("Other", None);
    it.is_refused_at(&admin.patch(&format!("/v1/org/{}", it.org), &json!({ "parent": to(&other) })), "/parent");
    let scope = |members: Value| admin.patch(&format!("/v1/scope/{}", it.scope), &members);
    it.is_refused_at(&scope(json!({ "kind": "scope2" })), "/kind");
    it.is_refused_at(&scope(json!({ "kind": "scope3", "category": 4 })), "/category /kind");
    let above = admin.scope("scope1");
    it.is_refused_at(&scope(json!({ "parent": to(&above), "name": "Moved" })), "/parent");
    let above = admin.taxonomy("Above", None);
    let moved = admin.patch(&format!("/v1/taxonomy/{}", it.taxonomy), &json!({ "parent": to(&above) }));
    it.is_refused_at(&moved, "/parent");
    assert_eq!(admin.post(RECALCULATION, &json!({})).ok()["changed"], 0);
    it.is_refused(&admin.post("/v1/period", &json!({ "first": "2025-01-01", "last": "2025-12-31" })));
    for node in
        [format!("/v1/org/{}", it.org), format!("/v1/scope/{}", it.scope), format!("/v1/taxonomy/{}", it.taxonomy)]
    {
        assert_eq!(admin.delete(&node).status, 409, "{node} is in use");
    }
    assert_eq!(it.figures(), figures);
    assert_eq!(admin.get(&format!("{}/restatement", it.address())).ok()["lines"], json!([]));
}

#[test]
fn what_alters_no_figure_of_it_is_written_beside_a_closed_period() {
    let it = Closed::new();
    let admin = &it.admin;
    let open = admin.activity(json!({ "startDate": "2026-01-01", "UpstreamCO2e": "1", "org": to(&it.org) }));
    admin.patch(&format!("/v1/activity/{open}"), &json!({ "UpstreamCO2e": "2" })).expect(200);
    admin.delete(&format!("/v1/activity/{open}")).expect(204);
    admin.patch(&format!("/v1/org/{}", it.org), &json!({ "name": "Site 1" })).expect(200);
    let unused = admin.org("Unused", None);
    admin.patch(&format!("/v1/org/{unused}"), &json!({ "parent": to(&it.org) })).expect(200);
    let spare = admin.scope("scope1");
    admin.patch(&format!("/v1/scope/{spare}"), &json!({ "kind": "scope2" })).expect(200);
    admin.patch(&format!("/v1/product/{}", it.product), &json!({ "name": "Gas" })).expect(200);
    let same = admin.patch(&format!("/v1/activity/{}", it.activity), &json!({ "UpstreamCO2e": "7" }));
    same.expect(200);
    assert_eq!(admin.get(&format!("{}/restatement", it.address())).ok()["difference"], "0");
}

#[test]
fn a_period_that_is_closed_for_an_org_leaves_the_others_open() {
    let service = Service::start();
    let admin = service.admin();
    let (site, other) = (admin.org("Site", None), admin.org("Other", None));
    let hall = admin.org("Hall", Some(&site));
    let below = admin.activity(json!({ "org": to(&hall), "UpstreamCO2e": "1" }));
    let beside = admin.activity(json!({ "org": to(&other), "UpstreamCO2e": "1" }));
    let closing = json!({ "org": to(&site), "first": "2025-01-01", "last": "2025-12-31" });
    admin.post("/v1/period", &closing).expect(201);
    let patch = |id: &str, members: Value| admin.patch(&format!("/v1/activity/{id}"), &members);
    assert_eq!(patch(&below, json!({ "org": to(&other) })).problem(), "409 period-closed");
    assert_eq!(patch(&beside, json!({ "org": to(&hall) })).problem(), "409 period-closed");
    patch(&beside, json!({ "UpstreamCO2e": "2" })).expect(200);
    admin.activity(json!({ "UpstreamCO2e": "3" }));
    // An org with activities of the year neither comes nor goes; one that is made on the way belongs to the one above it.
    let into = admin.patch(&format!("/v1/org/{other}"), &json!({ "parent": to(&site) }));
    assert_eq!(into.problem(), "409 period-closed /parent");
    let out = admin.patch(&format!("/v1/org/{hall}"), &json!({ "parent": null }));
    assert_eq!(out.problem(), "409 period-closed /parent");
    admin.patch(&format!("/v1/org/{site}"), &json!({ "parent": to(&other) })).expect(200);
    assert_eq!(admin.delete(&format!("/v1/org/{site}")).status, 409);
}

#[test]
fn opening_again_takes_a_reason_and_the_permission_and_keeps_the_frozen_report() {
    let it = Closed::new();
    let reopen = format!("{}/reopen", it.address());
    let frozen = it.admin.get(&format!("{}/report", it.address()));
    let before = it.admin.get(&it.address()).ok();
    assert_eq!(before["sha256"], Digest::of(frozen.text().as_bytes()).to_string());
    assert_eq!((&before["state"], &before["CO2e"]), (&json!("closed"), &json!("7")));
    assert_eq!(it.admin.post(&reopen, &json!({})).status, 422);
    let writer = it.service.caller("activity:write,catalog:write");
    assert_eq!(writer.post(&reopen, &json!({ "reason": "x" })).status, 403);
    assert_eq!(writer.post("/v1/period", &json!({ "first": "2024-01-01", "last": "2024-12-31" })).status, 403);
    let closer = it.service.caller("period:close");
    let opened = closer.post(&reopen, &json!({ "reason": "a meter was read wrongly" })).ok();
    assert_eq!(
        (&opened["state"], &opened["reopened"]["reason"]),
        (&json!("reopened"), &json!("a meter was read wrongly"))
    );
    assert_eq!(opened["sha256"], before["sha256"]);
    assert_eq!(closer.post(&reopen, &json!({ "reason": "again" })).status, 409);
    it.admin.patch(&format!("/v1/activity/{}", it.activity), &json!({ "UpstreamCO2e": "8" })).expect(200);
    assert_eq!(it.admin.get(&format!("{}/report", it.address())).text(), frozen.text());
}

#[test]
fn what_is_wrong_with_a_closing_is_said_at_once() {
    let service = Service::start();
    let admin = service.admin();
    let bad = json!({ "first": "2025-02-30", "org": { "syncId": "nobody" }, "colour": 1 });
    let answer = admin.post("/v1/period", &bad);
    assert_eq!(answer.status, 422);
    let places = answer.places();
    for place in ["/first", "/last", "/org/syncId", "/colour"] {
        assert!(places.iter().any(|it| it == place), "{place} in {places:?}");
    }
    let backwards = admin.post("/v1/period", &json!({ "first": "2025-12-31", "last": "2025-01-01" }));
    assert_eq!(backwards.places(), ["/last"]);
    assert_eq!(admin.get("/v1/period").ok()["count"], 0);
}

#[test]
fn a_closing_that_is_sent_again_under_its_key_is_answered_as_the_first_time() {
    let service = Service::start();
    let admin = service.admin();
    let body = json!({ "first": "2025-01-01", "last": "2025-12-31" });
    let send = || admin.request("POST", "/v1/period").header("Idempotency-Key", "k").json(&body).send();
    let first = send();
    assert_eq!(first.status, 201);
    assert_eq!(send().text(), first.text());
    assert_eq!(admin.get("/v1/period").ok()["count"], 1);
    assert_eq!(
        admin.get(first.header("location").unwrap().split("/api").last().unwrap()).ok()["uuid"],
        first.json()["uuid"]
    );
}
