//! The interface's own list, part by part.

use super::examples::{v2, v3};
use crate::http::harness::{Answer, Client, Service, Value, json};

/// The address of the rest of a list.
fn rest(answer: &Answer) -> Option<String> {
    let (address, relation) = answer.header("link")?.strip_prefix('<').unwrap().split_once('>').unwrap();
    assert_eq!(relation, "; rel=\"next\"");
    Some(address.to_owned())
}

fn ids(answer: &Answer) -> Vec<u64> {
    answer.json()["data"].as_array().unwrap().iter().map(|one| one["id"].as_u64().unwrap()).collect()
}

/// A service with 8 footprints, of which the 3rd and 6th are not valid.
fn filled() -> (Service, Client) {
    let service = Service::start();
    let admin = service.admin();
    for number in 1..=8 {
        let record = match number {
            3 | 6 => json!({}),
            number if number % 2 == 0 => v3(),
            _ => v2(),
        };
        admin.post("/v1/footprint", &record).expect(201);
    }
    (service, admin)
}

#[test]
fn the_parts_of_the_list_are_the_list_byte_for_byte() {
    let (_service, admin) = filled();
    let whole = admin.get("/pact/2/footprints");
    let (mut items, mut next) = (Vec::new(), Some("/pact/2/footprints?limit=2".to_owned()));
    while let Some(path) = next {
        let part = admin.get(&path);
        let body = part.text();
        let inner = body.strip_prefix(r#"{"data":["#).unwrap().strip_suffix("]}").unwrap();
        items.push(inner.to_owned());
        next = rest(&part);
        assert_eq!(part.header("content-type"), whole.header("content-type"));
    }
    assert_eq!(items.len(), 3);
    assert_eq!(format!(r#"{{"data":[{}]}}"#, items.join(",")), whole.text());
}

#[test]
fn a_walk_meets_what_was_there_at_its_beginning_and_a_link_may_be_used_again() {
    let (_service, admin) = filled();
    let first = admin.get("/pact/2/footprints?limit=4");
    assert_eq!(ids(&first), [1, 2, 4, 5]);
    let next = rest(&first).unwrap();
    admin.post("/v1/footprint", &v2()).expect(201);
    for _ in 0..2 {
        let second = admin.get(&next);
        assert_eq!((ids(&second), rest(&second)), (vec![7, 8], None));
    }
    assert_eq!(ids(&admin.get("/pact/2/footprints?limit=1000")), [1, 2, 4, 5, 7, 8, 9]);
}

#[test]
fn a_mark_is_good_for_its_own_list_alone() {
    let (_service, admin) = filled();
    let next = rest(&admin.get("/pact/2/footprints?limit=1")).unwrap();
    let (_, mark) = next.split_once("next=").unwrap();
    for path in [
        format!("/pact/2/footprints?limit=2&next={mark}"),
        format!("/pact/2/footprints?limit=1&next={mark}0"),
        "/pact/2/footprints?limit=1&next=1".to_owned(),
    ] {
        assert_eq!(admin.get(&path).problem(), "400 invalid-parameters next", "{path}");
    }
    assert_eq!(admin.get(&format!("/2/footprints?limit=1&next={mark}")).status, 400);
    assert_eq!(admin.get(&format!("/pact/2/footprints?next={mark}")).problem(), "400 invalid-parameters limit");
    for limit in ["0", "-1", "ten"] {
        assert_eq!(admin.get(&format!("/pact/2/footprints?limit={limit}")).problem(), "400 invalid-parameters limit");
    }
    let _: Value = admin.get("/pact/2/footprints?limit=99999999999999999999").ok();
}
