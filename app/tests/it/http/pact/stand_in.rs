//! A stand-in of another company's host, written from the standard alone, as the reference endpoint behaves: no discovery
//! document, links that count from the beginning and forget the filter, `$filter` ignored. Our client talks to it.

mod host;

use std::sync::Arc;

use domain::footprint::Edition;
use pact_client::{Client, Limits, Roots, SystemNetwork};
use ports::inbound::{Pull, Pulled, SupplierFactors as _};
use ports::partner_host::{HostError, PartnerAddress, PartnerHost as _};
use tonne::usecase::pact::host_test::{EventSource, Outcome, test_host};

use super::super::footprint::publish;
use super::super::harness::{Service, json, to};
use host::{SECRET, StandIn};

fn client() -> Client {
    Client::new(Arc::new(SystemNetwork), Roots::only([]).unwrap(), Limits::default())
}

fn at(host: &StandIn) -> PartnerAddress {
    PartnerAddress {
        base_url: host.base.clone(),
        auth_url: None,
        client_id: "us".to_owned(),
        client_secret: SECRET.to_owned(),
        private_addresses: true,
        plain_http: true,
    }
}

#[tokio::test]
async fn all_its_cases_pass_but_those_of_plain_http_and_the_filter_that_it_ignores() {
    let host = StandIn::start();
    for (edition, failing) in [(Edition::V3, &[9, 10, 11, 17][..]), (Edition::V2, &[9, 10, 11, 17, 20])] {
        let source = EventSource { base_url: "https://us.example/api".to_owned(), run: "run".to_owned() };
        let tested = test_host(&client(), &at(&host), edition, None, Some(source)).await;
        let failed: Vec<u8> = tested
            .results
            .iter()
            .filter(|result| result.outcome == Outcome::Failed)
            .map(|result| result.case.number)
            .collect();
        assert_eq!(failed, failing, "{tested:#?}");
        assert_eq!(tested.count(Outcome::NotApplicable), 0, "{tested:#?}");
    }
}

#[test]
fn its_footprints_are_pulled_through_all_its_links_in_both_versions() {
    for edition in Edition::ALL {
        let (host, service) = (StandIn::start(), Service::start());
        let (app, operator, at) = (service.app(), service.operator(), at(&host));
        let pulled = service.wait(async move {
            let factors = app.supplier_factors(Arc::new(client()));
            let wanted = || Pull { edition, product_ids: vec![], since: None };
            let first = factors.pull(&operator, None, &at, wanted()).await.unwrap();
            (first, factors.pull(&operator, None, &at, wanted()).await.unwrap())
        });
        let came = Pulled { came: 5, ..Pulled::default() };
        assert_eq!(pulled, (Pulled { added: 5, ..came.clone() }, Pulled { unchanged: 5, ..came }), "{edition}");
        assert_eq!(host.paths("footprints").len(), 6, "three parts, twice: {:?}", host.paths("footprints"));
    }
}

#[test]
fn what_is_computed_from_a_suppliers_footprint_says_how_much_of_it_is_primary_data() {
    let (host, service) = (StandIn::start(), Service::start());
    let (app, operator, at) = (service.app(), service.operator(), at(&host));
    service.wait(async move {
        let wanted = Pull { edition: Edition::V3, product_ids: vec!["urn:gtin:3".to_owned()], since: None };
        app.supplier_factors(Arc::new(client())).pull(&operator, None, &at, wanted).await.unwrap()
    });
    let admin = service.admin();
    let product = admin.get("/v1/product").ok()["data"][0]["uuid"].as_str().unwrap().to_owned();
    let factor = admin.get(&format!("/v1/product/{product}/factor")).ok()["data"][0].clone();
    assert_eq!(factor["primaryDataShare"], "50.5", "{factor}");
    let scope = admin.post("/v1/scope", &json!({ "name": "Purchased goods", "kind": "scope3", "category": 1 })).uuid();
    let activity = admin.activity(json!({
        "startDate": "2025-03-01", "product": to(&product), "quantity": "4", "unit": "kg", "scope": to(&scope),
    }));
    let explained = admin.get(&format!("/v1/activity/{activity}/explanation")).ok();
    assert_eq!(explained["CO2e"], "10", "{explained}");
    assert!(explained.to_string().contains(r#""primaryDataShare":"50.5""#), "{explained}");
    let model = json!({ "name": "Box", "unit": "kg", "amount": 10, "referenceDate": "2025-06-01" });
    let model = format!("/v1/model/{}", admin.post("/v1/model", &model).uuid());
    let input = json!({ "name": "Part", "material": to(&product), "quantity": "2", "unit": "kg" });
    admin.post(&format!("{model}/input"), &input).expect(201);
    let mut said = publish::said();
    said["pcf"].as_object_mut().unwrap().remove("productMassPerDeclaredUnit");
    let published = publish::publish(&admin, &model, &said);
    let shown = admin.get(&format!("/3/footprints/{}", published["footprint"]["uuid"].as_str().unwrap())).ok();
    assert_eq!(shown["data"]["pcf"]["primaryDataShare"], "50.5", "{published}");
}

#[test]
fn a_product_is_pulled_alone_though_its_links_forget_the_filter() {
    let (host, service) = (StandIn::start(), Service::start());
    let (app, operator, at) = (service.app(), service.operator(), at(&host));
    let pulled = service.wait(async move {
        let wanted = Pull { edition: Edition::V3, product_ids: vec!["urn:gtin:3".to_owned()], since: None };
        app.supplier_factors(Arc::new(client())).pull(&operator, None, &at, wanted).await.unwrap()
    });
    assert_eq!((pulled.added, pulled.came - pulled.left_out), (1, 1), "{pulled:?}");
}

#[tokio::test]
async fn an_event_is_taken_and_a_wrong_secret_is_told() {
    let host = StandIn::start();
    let event = r#"{"type":"org.wbcsd.pact.ProductFootprint.PublishedEvent.3","specversion":"1.0","id":"1",
        "source":"//us.example/api/3/events","data":{"pfIds":["00000000-0000-4000-8000-000000000001"]}}"#;
    client().send(&at(&host), Edition::V3, event).await.unwrap();
    let body = host.bodies("/3/events").pop().unwrap();
    assert_eq!(serde_json::from_str::<serde_json::Value>(&body).unwrap()["id"], "1");
    let wrong = PartnerAddress { client_secret: "wrong".to_owned(), ..at(&host) };
    let refused = client().send(&wrong, Edition::V3, event).await.unwrap_err();
    assert!(!refused.has_left);
    assert!(matches!(&refused.error, HostError::NoToken(told) if told.contains("invalid_client")), "{refused:?}");
}
