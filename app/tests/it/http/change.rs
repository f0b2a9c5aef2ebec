//! `GET /v1/change`: what changed, in order, each change once.

use std::collections::BTreeSet;

use domain::Timestamp;

use super::harness::{Service, json};

#[test]
fn changes_are_listed_in_order_and_each_once() {
    let service = Service::start();
    let admin = service.admin();
    let org = admin.org("North", None);
    admin.patch(&format!("/v1/org/{org}"), &json!({ "name": "South" })).ok();
    admin.delete(&format!("/v1/org/{org}")).expect(204);
    let (mut seen, mut path) = (Vec::new(), "/v1/change?limit=2".to_owned());
    let (mut last, mut actors) = (None::<Timestamp>, BTreeSet::new());
    loop {
        let answer = admin.get(&path);
        let link = answer.header("link").map(str::to_owned);
        let page = answer.ok();
        for change in page["data"].as_array().unwrap() {
            let record = &change["records"][0];
            let at = Timestamp::parse(change["at"].as_str().unwrap()).unwrap();
            assert!(last.is_none_or(|last| last <= at), "{change}");
            last = Some(at);
            actors.insert(change["actor"].as_str().unwrap().to_owned());
            seen.push((change["number"].as_u64().unwrap(), record["verb"].as_str().unwrap().to_owned()));
            assert_eq!((&record["kind"], &record["uuid"]), (&"org".into(), &org.as_str().into()));
        }
        if link.is_none() {
            assert_eq!(page["next"], page["newest"]);
            break;
        }
        path = format!("/v1/change?limit=2&after={}", page["next"].as_str().unwrap());
    }
    let words = [(1, "added"), (2, "updated"), (3, "removed")].map(|(number, verb)| (number, verb.to_owned()));
    assert_eq!(seen, words);
    assert!(actors.len() == 1 && actors.iter().all(|actor| actor.starts_with("key:")), "{actors:?}");
}

#[test]
fn a_place_of_another_history_is_gone_and_one_ahead_is_refused() {
    let service = Service::start();
    let admin = service.admin();
    admin.org("North", None);
    let newest = admin.get("/v1/change").ok()["newest"].as_str().unwrap().to_owned();
    let gone = admin.get("/v1/change?after=0198c0de-0000-7000-8000-000000000000.1");
    assert_eq!(gone.problem(), "410 history-replaced");
    assert!(gone.text().contains(&newest), "{gone:?}");
    let (epoch, _) = newest.split_once('.').unwrap();
    assert_eq!(admin.get(&format!("/v1/change?after={epoch}.2")).problem(), "400 invalid-parameters after");
    assert_eq!(admin.get(&format!("/v1/change?after={epoch}.1")).ok()["data"], json!([]));
    assert_eq!(admin.get("/v1/change?after=17").problem(), "400 invalid-parameters after");
}

#[test]
fn a_large_change_goes_on_in_the_next_answer_and_records_that_may_not_be_read_are_left_out() {
    let service = Service::with(|config| config.limits.requests_per_minute = 0);
    let admin = service.admin();
    admin.org("North", None);
    let row = |n: u32| format!("{{\"syncId\":\"{n}\",\"name\":\"A\",\"startDate\":\"2025-01-01\"}}\n");
    let rows = (0..15_000).map(row).collect::<Vec<_>>().concat();
    let request =
        admin.request("POST", "/v1/activity/batch?atomic=true").header("Content-Type", "application/x-ndjson");
    request.body(rows).send().ok();
    let reader = service.caller("activity:read");
    let first = reader.get("/v1/change").ok();
    assert_eq!(first["data"][0]["records"], json!([]), "an org");
    let part = &first["data"][1];
    assert_eq!(part["goesOn"], true);
    let second = reader.get(&format!("/v1/change?after={}", first["next"].as_str().unwrap())).ok();
    let rest = &second["data"][0];
    assert_eq!((&rest["number"], &rest["goesOn"]), (&part["number"], &false.into()));
    let count = [part, rest].map(|part| part["records"].as_array().unwrap().len()).iter().sum::<usize>();
    assert_eq!(count, 15_000);
}

#[test]
fn a_replaced_text_is_blanked_for_a_reason_that_a_change_keeps() {
    let service = Service::start();
    let admin = service.admin();
    let org = admin.org("Jane Doe", None);
    admin.patch(&format!("/v1/org/{org}"), &json!({ "name": "Works" })).ok();
    let body = json!({ "kind": "org", "uuid": org, "reason": "asked to be forgotten" });
    let told = admin.post("/v1/change/blank", &body).ok();
    assert_eq!(told, json!({ "kind": "org", "uuid": org, "change": 3, "versions": [1], "already": 0 }));
    let page = admin.get("/v1/change").ok();
    let change = &page["data"][2];
    assert_eq!(change["cause"], "blank history: asked to be forgotten");
    assert_eq!(change["records"], json!([{ "kind": "org", "uuid": org, "verb": "blanked" }]));
    assert_eq!(admin.get(&format!("/v1/org/{org}")).ok()["name"], "Works");
    let again = admin.post("/v1/change/blank", &body).ok();
    assert_eq!(again, json!({ "kind": "org", "uuid": org, "change": null, "versions": [], "already": 1 }));
    assert_eq!(admin.get("/v1/change").ok()["data"].as_array().unwrap().len(), 3, "nothing was written");
}

#[test]
fn what_a_record_is_now_is_not_blanked_and_what_never_was_is_told() {
    let service = Service::start();
    let admin = service.admin();
    let org = admin.org("Jane Doe", None);
    admin.patch(&format!("/v1/org/{org}"), &json!({ "name": "Works" })).ok();
    let blank = |body: &serde_json::Value| admin.post("/v1/change/blank", body);
    let of_version =
        |version: u64| blank(&json!({ "kind": "org", "uuid": org, "version": version, "reason": "asked" }));
    let now = of_version(2);
    assert!(now.text().contains("change or remove it"), "{now:?}");
    assert_eq!(now.problem(), "422 invalid-input /version");
    assert_eq!(of_version(7).problem(), "422 invalid-input /version");
    assert_eq!(of_version(1).ok()["versions"], json!([1]));
    let nobody = "0198c0de-0000-7000-8000-000000000000";
    let unknown = blank(&json!({ "kind": "org", "uuid": nobody, "reason": "asked" }));
    assert_eq!(unknown.problem(), "422 invalid-input /uuid");
    let empty = blank(&json!({ "kind": "person" }));
    assert_eq!(empty.problem(), "422 invalid-input /kind /reason /uuid");
}
