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
