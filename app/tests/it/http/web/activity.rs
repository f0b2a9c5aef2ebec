//! Writing activities by forms.

use super::visitor::{Books, Visitor, field, plain};
use crate::http::harness::{Service, json};

/// The fields of the form of an activity, as its page has them.
fn form(html: &str) -> Vec<(String, String)> {
    let names = [
        "version",
        "before-name",
        "before-quantity",
        "before-unit",
        "before-startDate",
        "before-product",
        "before-org",
        "before-scope",
        "before-taxonomy",
    ];
    let mut fields: Vec<_> = names.iter().map(|name| ((*name).to_owned(), field(html, name))).collect();
    for name in ["name", "quantity", "unit", "startDate", "product", "org", "scope", "taxonomy"] {
        fields.push((name.to_owned(), field(html, &format!("before-{name}"))));
    }
    fields
}

fn changed<'a>(fields: &'a [(String, String)], name: &'a str, value: &'a str) -> Vec<(&'a str, &'a str)> {
    let kept = fields.iter().filter(|(known, _)| known != name).map(|(name, value)| (name.as_str(), value.as_str()));
    kept.chain([(name, value)]).collect()
}

#[test]
fn an_activity_is_added_by_a_form_and_faults_stand_at_their_fields() {
    let service = Service::start();
    let visitor = Visitor::signed_in(&service.own(), "editor");
    let refused =
        visitor.send("/activities/new", &[("name", ""), ("startDate", "2025-02-30"), ("quantity", "1,5")]).expect(422);
    for said in ["! First day", "! Name", "! Quantity", "value=\"1,5\""] {
        assert!(refused.text().contains(said), "{said}: {}", refused.text());
    }
    let added = visitor.send("/activities/new", &[("name", "Van 9"), ("startDate", "2025-02-28")]).expect(303);
    assert!(plain(&visitor.page(added.header("location").unwrap())).contains("Van 9"));
}

#[test]
fn a_change_writes_what_was_changed_and_is_in_the_history() {
    let service = Service::start();
    let books = Books::new(&service);
    let visitor = Visitor::signed_in(&service.own(), "editor");
    let at = format!("/activities/{}", books.activity);
    let fields = form(&visitor.page(&format!("{at}/edit")));
    visitor.send(&format!("{at}/edit"), &changed(&fields, "quantity", "121")).expect(303);
    let now = service.admin().get(&format!("/v1/activity/{}", books.activity)).ok();
    assert_eq!((now["quantity"].to_string(), now["name"].as_str()), ("121".to_owned(), Some("Van 7")));
    let text = plain(&visitor.page(&at));
    assert!(text.contains("120.500000000000000001 → 121"), "{text}");
}

#[test]
fn whoever_was_too_late_sees_both_versions_and_writes_nothing() {
    let service = Service::start();
    let books = Books::new(&service);
    let visitor = Visitor::signed_in(&service.own(), "editor");
    let at = format!("/activities/{}", books.activity);
    let fields = form(&visitor.page(&format!("{at}/edit")));
    service.admin().patch(&format!("/v1/activity/{}", books.activity), &json!({ "quantity": "130" })).ok();
    let stale = visitor.send(&format!("{at}/edit"), &changed(&fields, "quantity", "121")).expect(412);
    let text = plain(stale.text());
    assert!(
        text.contains("Somebody else changed this activity") && text.contains("130") && text.contains("121"),
        "{text}"
    );
    let now = || service.admin().get(&format!("/v1/activity/{}", books.activity)).ok()["quantity"].to_string();
    assert_eq!(now(), "130");
    // What the page shows can be sent as it is, and then counts.
    visitor.send(&format!("{at}/edit"), &changed(&form(stale.text()), "quantity", "121")).expect(303);
    assert_eq!(now(), "121");
}

#[test]
fn an_activity_is_removed_with_the_version_that_was_seen() {
    let service = Service::start();
    let books = Books::new(&service);
    let visitor = Visitor::signed_in(&service.own(), "editor");
    let at = format!("/activities/{}", books.activity);
    let version = field(&visitor.page(&format!("{at}/edit")), "version");
    visitor.send(&format!("{at}/remove"), &[("version", &version)]).expect(303);
    visitor.get(&at).expect(404);
    visitor.send(&format!("{at}/remove"), &[("version", &version)]).expect(404);
}
