//! The scopes of the GHG Protocol, added by a page.

use super::visitor::{Visitor, plain};
use crate::http::harness::{Service, json};

const BUTTON: &str = "Add the scopes of the GHG Protocol";
const PATH: &str = "/catalog/scope/standard";

#[test]
fn a_new_company_gets_the_scopes_of_the_standard_by_a_button_of_its_first_pages() {
    let service = Service::start();
    let (editor, admin) = (Visitor::signed_in(&service.own(), "editor"), service.admin());
    let viewer = Visitor::signed_in(&service.own(), "viewer");
    for path in ["/", "/catalog/scope"] {
        assert!(editor.page(path).contains(BUTTON), "{path}");
        assert!(!viewer.page(path).contains(BUTTON), "{path}: a viewer may not");
    }
    assert!(!editor.page("/catalog/org").contains(BUTTON));
    let answer = editor.send(PATH, &[("do", "add")]).expect(303);
    assert!(answer.header("location").unwrap().ends_with("/catalog/scope"));
    assert_eq!(admin.get("/v1/scope").ok()["count"], 21);
    let page = editor.page("/catalog/scope");
    for name in ["Scope 1", "3.15 ", "Outside the scopes"] {
        assert!(plain(&page).contains(name), "{name}");
    }
    assert!(!page.contains(BUTTON), "nothing is left to add");
}

#[test]
fn scopes_that_are_there_stay_and_adding_them_again_changes_nothing() {
    let service = Service::start();
    let (editor, admin) = (Visitor::signed_in(&service.own(), "editor"), service.admin());
    let own = json!({ "name": "Combustion", "kind": "scope1", "syncId": "scope1" });
    admin.post("/v1/scope", &own).uuid();
    assert!(editor.page("/catalog/scope").contains(BUTTON), "most are missing");
    editor.send(PATH, &[("do", "add")]).expect(303);
    let newest = || admin.get("/v1/change?limit=1").ok()["newest"].clone();
    let (before, scopes) = (newest(), admin.get("/v1/scope?pageSize=100").ok());
    assert_eq!(scopes["count"], 21);
    let names: Vec<_> = scopes["data"].as_array().unwrap().iter().map(|scope| scope["name"].clone()).collect();
    assert!(names.contains(&"Combustion".into()) && !names.contains(&"Scope 1".into()), "{names:?}");
    editor.send(PATH, &[("do", "add")]).expect(303);
    assert_eq!(newest(), before);
}
