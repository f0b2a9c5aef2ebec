//! What people do without scripts: all of it, as links and forms.

use super::company::SignedIn;
use super::pdf;
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
    assert_eq!(session.texts("[data-copy-link]"), [""], "what needs scripts is not shown");
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
    let shown = session.texts("main h1").concat();
    let printed = pdf::texts(&session.printed());
    assert!(printed.iter().any(|text| text.trim() == shown), "{shown}: {printed:?}");
    assert_eq!(session.console(), Vec::<String>::new());
}

#[test]
fn without_scripts_a_file_is_imported_once_its_dates_are_decided() {
    let here = SignedIn::start(Service::start(), "editor", Scripts::Off);
    let session = &here.session;
    let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    std::fs::write(file.path(), "Number,What,Date,Amount,Unit\na,Office,01/02/2025,5,kWh\nb,Office,03/04/2025,6,kWh\n")
        .unwrap();
    here.open("/imports/new");
    session.keys("input[type=file]", &file.path().display().to_string());
    session.follow("form[enctype] button");
    session.follow("button[value=next]");
    session.click("input[name=doubt-0][value='0']");
    session.choose("column-0", "syncId");
    session.choose("column-1", "name");
    session.follow("button[value=check]");
    // The browser loads these pages again by itself, until they are of what came of it.
    session.wait("the check", || !session.elements("button[value=good]").is_empty());
    assert!(session.texts("main .lead").concat().starts_with("2 new"), "{:?}", session.texts("main"));
    session.follow("button[value=good]");
    session.wait("the end", || session.texts("main .notice.ok").concat().contains("2 new"));
    here.open("/activities");
    let days = session.texts("tr[data-row]").concat();
    assert!(days.contains("2025-04-03") && days.contains("2025-02-01"), "day first, as was chosen: {days}");
}
