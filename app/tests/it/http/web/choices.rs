//! What can be chosen on a page is what there is when it is asked for, however often pages were asked for before.

use super::visitor::{Books, Visitor};
use crate::http::harness::{Service, json};

#[test]
fn the_next_page_offers_an_org_that_was_added_renamed_or_removed_as_it_is_then() {
    let service = Service::start();
    Books::new(&service);
    let (admin, visitor) = (service.admin(), Visitor::signed_in(&service.own(), "admin"));
    let offered = |name: &str| {
        ["/", "/activities", "/report", "/activities/new", "/periods"].map(|path| visitor.page(path).contains(name))
    };
    assert_eq!(offered("Sawmill 9"), [false; 5]);
    let org = format!("/v1/org/{}", admin.org("Sawmill 9", None));
    assert_eq!(offered("Sawmill 9"), [true; 5]);
    admin.patch(&org, &json!({ "name": "Foundry 9" })).expect(200);
    assert_eq!((offered("Sawmill 9"), offered("Foundry 9")), ([false; 5], [true; 5]));
    admin.delete(&org).expect(204);
    assert_eq!(offered("Foundry 9"), [false; 5]);
}

#[test]
fn whoever_may_not_read_the_catalog_is_offered_nothing_of_it_though_others_were_offered_it_before() {
    let service = Service::start();
    Books::new(&service);
    let admin = service.admin();
    admin.org("Sawmill 9", None);
    admin.taxonomy("Fleet 9", None);
    admin.post("/v1/scope", &json!({ "name": "Boilers 9", "kind": "scope1" })).expect(201);
    let [reader, reporter] = ["admin", "activity:report"].map(|rights| Visitor::signed_in(&service.own(), rights));
    for path in ["/", "/activities", "/report", "/report/explanation"] {
        let offered = |visitor: &Visitor| {
            let page = visitor.page(path);
            ["Sawmill 9", "Fleet 9", "Boilers 9"].map(|name| page.contains(name))
        };
        assert_eq!((offered(&reader), offered(&reporter)), ([true; 3], [false; 3]), "{path}");
    }
}
