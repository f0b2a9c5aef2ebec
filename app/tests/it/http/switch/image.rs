//! `/v1/switch/:uuid/image`: the address of an image, stored and never fetched.

use crate::http::harness::{Service, Value, json};
use crate::http::problem::refuses;

#[test]
fn an_image_is_an_address_that_comes_back_as_it_was_given() {
    let service = Service::start();
    let admin = service.admin();
    let one = format!("/v1/switch/{}", admin.post("/v1/switch", &json!({ "name": "A", "unit": "kg" })).uuid());
    let put = |body: &Value| admin.put(&format!("{one}/image"), body);
    for address in [
        "https://example.com/a.png?x=1#y",
        "http://127.0.0.1:1/nothing",
        "http://[::1]/ä.png",
        "HTTPS://example.com/x.png",
    ] {
        assert_eq!(put(&json!({ "image": address })).ok()["image"], address);
        assert_eq!(admin.get(&one).ok()["image"], address);
        assert_eq!(admin.patch(&one, &json!({ "name": "B" })).ok()["image"], address);
    }
    let cleared = put(&json!({ "image": null })).ok();
    assert_eq!([&cleared["image"], &cleared["unit"]], [&Value::Null, &json!("kg")]);
}

#[test]
fn an_image_of_a_switch_that_was_changed_meanwhile_is_412_with_its_present_tag() {
    let service = Service::start();
    let admin = service.admin();
    let one = format!("/v1/switch/{}", admin.post("/v1/switch", &json!({ "name": "A" })).uuid());
    let tag = admin.get(&one).etag();
    let changed = admin.patch(&one, &json!({ "name": "B" })).expect(200).etag();
    let put = |tag: &str| {
        let body = json!({ "image": "https://example.com/a.png" });
        admin.request("PUT", &format!("{one}/image")).header("If-Match", tag).json(&body).send()
    };
    let stale = put(&tag);
    assert_eq!((stale.problem().as_str(), stale.etag()), ("412 stale", changed.clone()));
    assert_eq!(admin.get(&one).ok()["image"], Value::Null);
    put(&changed).expect(200);
}

#[test]
fn what_is_no_address_is_refused() {
    let service = Service::start();
    let admin = service.admin();
    let one = format!("/v1/switch/{}", admin.post("/v1/switch", &json!({ "name": "A" })).uuid());
    let put = |body: &Value| admin.put(&format!("{one}/image"), body);
    assert_eq!(put(&json!({})).problem(), "422 invalid-input /image");
    let long = format!("https://example.com/{}", "a".repeat(2048 - 19));
    let wrong = json!([
        7,
        {},
        "",
        "a.png",
        "ftp://a.example/a",
        "javascript:alert(1)",
        "https://",
        "https://a b",
        long,
        "https://x\"><script>",
        "https://me@a.example/a.png",
        "https://a.example/%zz",
        "https://a.example:99999/"
    ]);
    refuses(put, &json!({}), &[("/image", wrong)]);
    assert_eq!(put(&json!({ "image": null, "name": "B" })).problem(), "422 invalid-input /name");
    let nobody = "/v1/switch/0198c0de-0000-7000-8000-000000000000/image";
    assert_eq!(admin.put(nobody, &json!({ "image": null })).problem(), "404 not-found");
}

#[test]
fn an_image_is_read_only_among_the_members() {
    let service = Service::start();
    let admin = service.admin();
    let answer = admin.post("/v1/switch", &json!({ "name": "A", "image": "https://example.com/a.png" }));
    assert_eq!(answer.problem(), "422 invalid-input /image");
    assert!(answer.text().contains("read-only"), "{}", answer.text());
}
