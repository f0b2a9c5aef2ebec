//! Each event takes effect once, whichever of the two is killed when.

use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::super::run::Base;
use super::{Two, footprint, product, until};

const KILLS: usize = 20;

#[test]
fn two_services_exchange_footprints_each_event_once_while_one_of_them_is_killed_twenty_times() {
    let Two { mut supplier, mut buyer } = Two::start();
    let mut ids = Vec::new();
    for number in 0..KILLS {
        let added = supplier.ask("POST", "/v1/footprint", &format!("footprint-{number}"), &footprint(number));
        let id = added["uuid"].as_str().unwrap().to_owned();
        let body = json!({ "partners": [supplier.partner] });
        supplier.ask("PUT", &format!("/v1/footprint/{id}/sharing"), "", &body);
        ids.push(id);
        if number % 4 == 3 {
            supplier.kill();
        }
        let body = json!({ "productIds": [product(number)] });
        buyer.ask("POST", &format!("/v1/partner/{}/request", buyer.partner), &format!("request-{number}"), &body);
        // Killed at once, or when the request is somewhere on its way.
        if number % 4 == 1 {
            until("not sent", || {
                if buyer.listed("request")[0]["state"] == "waiting" { Err(String::new()) } else { Ok(()) }
            });
        }
        match number % 4 {
            0 | 1 => supplier.kill(),
            2 => buyer.kill(),
            _ => {}
        }
    }
    until("not all requests are fulfilled", || {
        let open: Vec<_> = buyer.listed("request").into_iter().filter(|one| one["state"] != "fulfilled").collect();
        if open.is_empty() { Ok(()) } else { Err(format!("{open:?}; {:?}", supplier.listed("delivery"))) }
    });
    until("not all is sent", || {
        let all = [supplier.listed("delivery"), buyer.listed("delivery")].concat();
        let open: Vec<_> = all.into_iter().filter(|one| one["state"] != "sent").collect();
        if open.is_empty() { Ok(()) } else { Err(format!("{open:?}")) }
    });
    let requests = buyer.listed("request");
    assert_eq!(requests.len(), KILLS);
    for (number, request) in requests.iter().rev().enumerate() {
        assert_eq!(
            (&request["productIds"], &request["footprints"]),
            (&json!([product(number)]), &json!([ids[number]]))
        );
    }
    let sent = supplier.listed("delivery");
    let of_kind = |kind: &str| sent.iter().filter(|one| one["event"] == kind).count();
    assert_eq!(of_kind("answer"), KILLS, "each request is answered once");
    let told: String =
        sent.iter().filter(|one| one["event"] == "published").map(|one| one["about"].to_string()).collect();
    for id in &ids {
        assert_eq!(told.matches(id.as_str()).count(), 1, "{id} is told once: {told}");
    }
    let partner = buyer.ask("GET", &format!("/v1/partner/{}", buyer.partner), "", &Value::Null);
    assert_eq!(partner["announced"], KILLS);
    let arguments = ["pact", "pull", "Other", "--announced", "--json"];
    for number in 0..4 {
        let mut pull = buyer.place.command(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Killed a little later each time: before it began, or somewhere in the middle.
        let end = Instant::now() + Duration::from_millis(number * 40);
        while Instant::now() < end {
            std::thread::yield_now();
        }
        if number % 2 == 1 {
            supplier.kill();
        }
        let _ = pull.kill();
        pull.wait().unwrap();
    }
    let pull = || buyer.place.json(&arguments[..4]);
    assert_eq!(pull()["refused"], json!([]));
    assert_eq!(pull()["came"], 0, "all are taken over");
    let data = |path: &str| {
        let (status, body) = Base::new(&buyer.base()).get(path, &[&buyer.header]);
        assert_eq!(status, 200, "{body}");
        serde_json::from_str::<Value>(&body).unwrap()["data"].as_array().unwrap().clone()
    };
    let products = data("/v1/product?pageSize=100");
    assert_eq!(products.len(), KILLS);
    for product in products {
        assert_eq!(data(&format!("/v1/product/{}/factor", product["uuid"].as_str().unwrap())).len(), 1, "{product}");
    }
}
