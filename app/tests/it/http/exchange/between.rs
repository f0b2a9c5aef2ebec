//! Two services that exchange footprints.

use super::super::footprint::examples::{v3, with};
use super::super::footprint::publish;
use super::{Client, Host, Service, Value, event, footprint, json, listed, until};

/// A supplier and a buyer, each the other's partner.
struct Two {
    supplier: Side,
    buyer: Side,
}

/// One of them, and what the other one is called there.
struct Side {
    service: Service,
    admin: Client,
    partner: String,
}

impl Side {
    fn start() -> Self {
        let service = Service::with(|config| config.exchange.attempt_s = 2);
        let admin = service.admin();
        Self { service, admin, partner: String::new() }
    }

    /// Registers the other one, whose calls are made with the credentials that this gives.
    fn register(&mut self, base: &str, pact: &str) -> Value {
        let body = json!({
            "name": "The other", "baseUrl": base, "privateAddresses": true, "plainHttp": true, "pact": pact,
        });
        self.partner = self.admin.post("/v1/partner", &body).uuid();
        self.admin.post(&format!("/v1/partner/{}/client", self.partner), &Value::Null).ok()
    }

    fn use_credentials(&self, credentials: &Value) {
        let body = json!({ "clientId": credentials["client_id"], "clientSecret": credentials["client_secret"] });
        self.admin.patch(&format!("/v1/partner/{}", self.partner), &body).expect(200);
    }

    fn listed(&self, what: &str) -> Vec<Value> {
        listed(&self.admin, &self.partner, what)
    }

    fn share(&self, footprint: &str) {
        let body = json!({ "partners": [self.partner] });
        self.admin.put(&format!("/v1/footprint/{footprint}/sharing"), &body).expect(200);
    }

    /// The uuids of a request that is in that state.
    fn request_in(&self, state: &str) -> Option<Value> {
        self.listed("request").into_iter().find(|request| request["state"] == state)
    }
}

impl Two {
    fn start(pact: &str) -> Self {
        let (mut supplier, mut buyer) = (Side::start(), Side::start());
        let (to_buyer, to_supplier) = (buyer.service.base(), supplier.service.base());
        let of_buyer = supplier.register(&to_buyer, pact);
        let of_supplier = buyer.register(&to_supplier, pact);
        supplier.use_credentials(&of_supplier);
        buyer.use_credentials(&of_buyer);
        Self { supplier, buyer }
    }

    fn ask(&self, product: &str) -> Value {
        let body = json!({ "productIds": [product], "comment": "For 2025" });
        self.buyer.admin.post(&format!("/v1/partner/{}/request", self.buyer.partner), &body).expect(201).json()
    }
}

#[test]
fn a_request_is_answered_with_the_footprints_that_are_shared_and_with_no_others() {
    for pact in ["2", "3"] {
        let two = Two::start(pact);
        let shared = footprint(&two.supplier.admin, "urn:a:shared");
        footprint(&two.supplier.admin, "urn:a:private");
        two.supplier.share(&shared);
        two.ask("urn:A:Shared");
        let fulfilled = until("not fulfilled", || two.buyer.request_in("fulfilled"));
        assert_eq!(fulfilled["footprints"], json!([shared]), "{pact}");
        for product in ["urn:a:private", "urn:a:none"] {
            let asked = two.ask(product);
            let rejected = until("not rejected", || {
                two.buyer
                    .listed("request")
                    .into_iter()
                    .find(|one| one["id"] == asked["id"] && one["state"] == "rejected")
            });
            let code = if pact == "2" { "NoSuchFootprint" } else { "NotFound" };
            assert_eq!(rejected["code"], code);
            assert_eq!(rejected["message"], "there is no such footprint that is shared with you");
        }
        let is_done = |one: &Value| one["state"] == "sent" && one["attempts"] == 1 && one["next"].is_null();
        until("not all is noted as sent", || {
            let all = two.supplier.listed("delivery");
            let answers: Vec<_> = all.iter().filter(|one| one["event"] == "answer").collect();
            assert_eq!(answers.len(), 3, "{answers:?}");
            answers.into_iter().all(is_done).then_some(())
        });
    }
}

#[test]
fn a_partner_is_told_once_of_footprints_that_are_shared_with_it_or_deprecated() {
    let two = Two::start("3");
    let ids: Vec<_> = (0..3).map(|n| footprint(&two.supplier.admin, &format!("urn:a:{n}"))).collect();
    for id in &ids {
        two.supplier.share(id);
    }
    let announced = |count: u64| {
        let partner = two.buyer.admin.get(&format!("/v1/partner/{}", two.buyer.partner)).ok();
        (partner["announced"] == count).then_some(())
    };
    until("not announced", || announced(3));
    let all = |state: &str| two.supplier.listed("delivery").into_iter().filter(|one| one["state"] == state).count();
    until("not all is noted", || (all("waiting") == 0).then_some(()));
    let first = all("sent");
    assert!((1..=3).contains(&first), "told in {first} events");
    two.supplier.share(&ids[0]);
    two.supplier.admin.patch(&format!("/v1/footprint/{}", ids[1]), &json!({ "status": "Deprecated" })).expect(200);
    until("not told of the change", || (all("sent") == first + 1).then_some(()));
    assert_eq!(all("waiting"), 0);
    announced(3).unwrap();
}

#[test]
fn a_model_that_is_published_again_tells_of_its_new_footprint_and_of_the_one_it_replaces() {
    let two = Two::start("3");
    let admin = &two.supplier.admin;
    let model = publish::model(admin);
    let publish =
        |said: &Value| publish::publish(admin, &model, said)["footprint"]["uuid"].as_str().unwrap().to_owned();
    let first = publish(&publish::said());
    two.supplier.share(&first);
    let told = |of: &str| {
        let all = two.supplier.listed("delivery");
        all.into_iter().find(|one| one["state"] == "sent" && one["about"].as_str().unwrap().contains(of))
    };
    until("not told of the first", || told(&first));
    let mut said = publish::said();
    said["pcf"]["fossilCarbonContent"] = json!(1);
    let second = publish(&said);
    assert_ne!(first, second);
    let event = until("not told of the second", || told(&second));
    assert!(event["about"].as_str().unwrap().contains(&first), "{event}");
    let partner = two.buyer.admin.get(&format!("/v1/partner/{}", two.buyer.partner)).ok();
    assert_eq!(partner["announced"], 2);
}

#[test]
fn what_is_shared_with_all_is_told_to_each_partner_whose_version_shows_it() {
    let side = Side::start();
    let partner = |name: &str, pact: &str, credentials: bool| {
        let mut body = json!({ "name": name, "baseUrl": format!("https://{name}.example"), "pact": pact });
        if credentials {
            body["clientId"] = json!("a");
            body["clientSecret"] = json!("b");
        }
        side.admin.post("/v1/partner", &body).uuid()
    };
    let [two, three, silent] = [partner("two", "2", true), partner("three", "3", true), partner("silent", "3", false)];
    let both = footprint(&side.admin, "urn:a:1");
    let pieces = with(v3(), "/pcf/declaredUnitOfMeasurement", Some(json!("piece")));
    let only_3 = side.admin.post("/v1/footprint", &pieces).uuid();
    for id in [&both, &only_3] {
        side.admin.put(&format!("/v1/footprint/{id}/sharing"), &json!({ "all": true })).expect(200);
    }
    let told = |partner: &str| {
        let all = listed(&side.admin, partner, "delivery");
        all.into_iter().map(|one| one["about"].as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert!(told(&two).contains(&both) && !told(&two).contains(&only_3), "{}", told(&two));
    assert!(told(&three).contains(&both) && told(&three).contains(&only_3), "{}", told(&three));
    assert_eq!(told(&silent), "", "it cannot be called");
}

#[test]
fn what_is_no_longer_shared_is_not_told() {
    let two = Two::start("3");
    let id = footprint(&two.supplier.admin, "urn:a:1");
    two.supplier.share(&id);
    two.supplier.admin.put(&format!("/v1/footprint/{id}/sharing"), &json!({})).expect(200);
    until("not dropped", || two.supplier.listed("delivery").into_iter().find(|one| one["state"] == "dropped"));
    assert_eq!(two.buyer.admin.get(&format!("/v1/partner/{}", two.buyer.partner)).ok()["announced"], 0);
}

#[test]
fn an_event_to_a_partner_without_credentials_waits_and_goes_out_once_there_are_some() {
    let host = Host::start();
    let asked = event(3, "created", "a/1", super::NOWHERE, &json!({ "productId": ["urn:a:1"] }));
    assert_eq!(host.send(3, &asked).status, 200);
    let failed = until("not tried", || {
        host.deliveries().into_iter().find(|one| one["attempts"] != 0 && !one["answer"].is_null())
    });
    assert_eq!(failed["state"], "waiting");
    assert!(failed["answer"].as_str().unwrap().contains("clientSecret"), "{failed}");
    assert!(failed["next"].is_string());
    let partner = format!("/v1/partner/{}", host.partner);
    host.admin
        .patch(&partner, &json!({ "clientId": "a", "clientSecret": "b", "baseUrl": "https://127.0.0.1:9" }))
        .expect(200);
    assert_eq!(host.admin.post(&format!("{partner}/retry"), &Value::Null).ok(), json!({ "again": 1 }));
    let tried = until("not tried again", || {
        host.deliveries()
            .into_iter()
            .find(|one| one["answer"].as_str().is_some_and(|why| why.contains("private addresses")))
    });
    assert_eq!(tried["id"], failed["id"]);
}

#[test]
fn requests_are_checked_and_listed_for_those_who_may() {
    let two = Two::start("3");
    let path = format!("/v1/partner/{}/request", two.buyer.partner);
    let admin = &two.buyer.admin;
    assert_eq!(admin.post(&path, &json!({})).expect(422).places(), ["/productIds"]);
    let wrong = json!({ "productIds": ["urn:a:1", "a"], "comment": 7, "colour": 1 });
    assert_eq!(admin.post(&path, &wrong).expect(422).places(), ["/colour", "/comment", "/productIds/1"]);
    for what in ["request", "delivery"] {
        let path = format!("/v1/partner/{}/{what}", two.buyer.partner);
        two.buyer.service.caller("footprint:read").get(&path).expect(403);
        two.buyer.service.caller("footprint:review").get(&path).expect(200);
        admin.get(&format!("/v1/partner/00000000-0000-4000-8000-000000000000/{what}")).expect(404);
    }
    let once = |body: &Value| admin.request("POST", &path).header("Idempotency-Key", "k").json(body).send();
    let body = json!({ "productIds": ["urn:a:1"] });
    assert_eq!(once(&body).expect(201).json(), once(&body).expect(201).json());
    once(&json!({ "productIds": ["urn:a:2"] })).expect(422);
    assert_eq!(two.buyer.listed("request").len(), 1);
}
