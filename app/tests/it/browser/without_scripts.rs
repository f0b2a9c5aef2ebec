//! What people do without scripts: all of it, as links and forms.

use super::company::SignedIn;
use super::session::Scripts;
use crate::http::harness::{Service, json, to};

#[test]
fn without_scripts_one_signs_in_filters_pages_explains_and_prints() {
    let service = Service::start();
    let admin = service.admin();
    let (oslo, bergen, scope) = (admin.org("Oslo", None), admin.org("Bergen", None), admin.scope("scope1"));
    let fuel = admin.priced("L", "0.61", "2.05");
    for number in 0..130 {
        let org = if number % 13 == 0 { &bergen } else { &oslo };
        admin.activity(json!({
            "name": format!("Van {number}"), "org": to(org), "scope": to(&scope), "product": to(&fuel), "quantity": "1",
            "unit": "L", "startDate": format!("2025-{:02}-{:02}", 1 + number % 12, 1 + number % 28),
        }));
    }
    let here = SignedIn::start(service, "auditor", Scripts::Off);
    let session = &here.session;
    here.open("/activities");
    let rows = || session.texts("tr[data-row]").len();
    assert_eq!(rows(), 100);
    session.follow("a[rel=next]");
    assert_eq!(rows(), 30);
    session.follow("a[rel=prev]");
    assert_eq!(rows(), 100);

    session.keys("form.bar select[name=org]", "Bergen");
    session.follow("form.bar button");
    assert!(here.path().contains(&bergen), "{}", here.path());
    assert_eq!(rows(), 10);
    session.follow("a[data-explain]");
    let text = session.texts("main").concat();
    assert!(text.contains("× 2.05 kg/L") && text.contains("the same digits"), "{text}");

    here.open("/statement/2025");
    let printed = session.printed();
    assert!(printed.starts_with(b"%PDF-") && printed.len() > 10_000, "{} bytes", printed.len());
    assert_eq!(session.console(), Vec::<String>::new());
}
