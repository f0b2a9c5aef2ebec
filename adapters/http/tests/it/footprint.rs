//! The list of footprints.

use crate::api::get;

#[actix_web::test]
async fn all_valid_footprints_are_listed_with_every_field() {
    let answer = get("/api/pact/2/footprints", "footprint:read").await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
    let json = answer.json();
    let data = json["data"].as_array().unwrap();
    assert_eq!(data.iter().map(|one| one["id"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!((data[0].as_object().unwrap().len(), data[0]["pcf"].as_object().unwrap().len()), (19, 33));
    assert_eq!(data[2]["companyName"], "Company 3");
}

#[actix_web::test]
async fn listing_needs_the_permission() {
    let answer = get("/api/pact/2/footprints", "switch:read").await;
    assert_eq!((answer.status, answer.problem().as_str()), (403, "missing-permission"));
}
