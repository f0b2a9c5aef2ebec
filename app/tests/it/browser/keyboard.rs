//! What people do with a keyboard alone.

use super::company::SignedIn;
use super::session::{Scripts, key};
use crate::http::harness::Service;
use crate::http::web::visitor::Books;

#[test]
fn by_keyboard_alone_an_activity_is_opened_and_explained() {
    let service = Service::start();
    Books::new(&service);
    let here = SignedIn::start(service, "auditor", Scripts::On);
    let session = &here.session;
    here.open("/activities");
    session.press('j');
    session.press('j');
    session.press('k');
    let chosen = session.texts("tr[aria-selected=true] th");
    assert_eq!(chosen, session.texts("tr[data-row]:first-child th"));
    session.press(key::ENTER);
    session.wait("the activity", || here.path().starts_with("/activities/"));
    assert_eq!(session.texts("h1"), chosen);
    session.press('e');
    session.wait("the explanation", || here.path().ends_with("/explanation"));

    // The same by the tab key, which shows where it is.
    here.open("/activities");
    session.press(key::TAB);
    assert!(session.is_focused("a.skip"), "the first is the way past the navigation");
    session.tab_to("tr[data-row] th a");
    let outline = session.run("return getComputedStyle(document.activeElement).outlineStyle");
    assert_ne!(outline, "none", "what has the focus is marked");
    session.press(key::ENTER);
    session.wait("the activity", || here.path().starts_with("/activities/"));
}

#[test]
fn by_x_every_digit_is_shown_and_then_rounded_again() {
    let service = Service::start();
    let books = Books::new(&service);
    let here = SignedIn::start(service, "auditor", Scripts::On);
    let session = &here.session;
    let exact = here.service.admin().get(&format!("/v1/activity/{}", books.activity)).ok()["CO2e"].clone();
    let digits = |text: &str| {
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        digits.trim_start_matches('0').to_owned()
    };
    let exact = digits(exact.as_str().unwrap());
    let shown =
        || digits(&session.texts(&format!("tr:has(a[href$='{}']) td:nth-child(6) data", books.activity)).concat());
    here.open("/activities?date=2025");
    let rounded = shown();
    assert!(rounded.len() < exact.len() && !rounded.is_empty(), "{rounded}");
    session.press('x');
    session.wait("every digit", || here.path() == "/activities?date=2025&digits=all");
    assert_eq!(shown(), exact);
    session.press('x');
    session.wait("rounded figures", || here.path() == "/activities?date=2025");
    assert_eq!(shown(), rounded);

    session.press('/');
    session.press('x');
    let typed = session.run("return document.activeElement.value");
    assert!(typed.as_str().unwrap().ends_with('x'), "in a field it is a letter: {typed}");
}

#[test]
fn by_keyboard_alone_one_goes_through_the_filter_bar() {
    let service = Service::start();
    let books = Books::new(&service);
    let here = SignedIn::start(service, "auditor", Scripts::On);
    let session = &here.session;
    here.open("/activities");
    session.press('/');
    assert!(session.is_focused("input[data-search], form.bar input"), "a slash leads to the search");
    here.open("/activities");
    for name in ["date", "org", "scope", "taxonomy", "attribution", "scope2"] {
        session.tab_to(&format!("form.bar [name={name}]"));
    }
    session.tab_to("form.bar button[type=submit]");

    here.open("/activities");
    session.tab_to("form.bar [name=date]");
    "2025".chars().for_each(|digit| session.press(digit));
    session.press(key::ENTER);
    session.wait("the year", || here.path().contains("date=2025"));
    assert!(!here.path().contains("org="), "what says nothing is left out: {}", here.path());
    session.tab_to("form.bar [name=org]");
    "Gro".chars().for_each(|letter| session.press(letter));
    session.wait("the org", || here.path().contains(&format!("org={}", books.org)));
    assert!(here.path().contains("date=2025"), "{}", here.path());

    here.open("/");
    session.tab_to("svg[data-marks] a");
    let first = session.run("return document.activeElement.getAttribute('href')");
    session.press(key::DOWN);
    let second = session.run("return document.activeElement.getAttribute('href')");
    assert_ne!(first, second, "arrows lead from mark to mark");
    session.press(key::ENTER);
    session.wait("what is behind the mark", || here.path() != "/");
}

#[test]
fn by_keyboard_alone_a_file_is_imported_once_its_dates_are_decided() {
    let here = SignedIn::start(Service::start(), "editor", Scripts::On);
    let session = &here.session;
    let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    std::fs::write(file.path(), "Number,What,Date,Amount,Unit\na,Office,01/02/2025,5,kWh\nb,Office,03/04/2025,6,kWh\n")
        .unwrap();
    here.open("/imports/new");
    session.keys("input[type=file]", &file.path().display().to_string());
    let press_until = |button: &str, step: &str| {
        session.tab_to(button);
        session.press(key::ENTER);
        session.wait(step, || here.path().ends_with(step));
    };
    press_until("form[enctype] button", "/table");
    press_until("button[value=next]", "/map");
    // Nothing is chosen, and the browser says so where it is asked to go on.
    session.tab_to("button[value=check]");
    session.press(key::ENTER);
    session.wait("what must be decided", || session.is_focused("input[type=radio]"));
    session.press(key::DOWN);
    session
        .wait("the other way", || session.run("return document.querySelector('[name=doubt-0]:checked')?.value") == "1");
    session.press(key::UP);
    session
        .wait("the first way", || session.run("return document.querySelector('[name=doubt-0]:checked')?.value") == "0");
    session.tab_to("select[name=column-0]");
    "syncId".chars().for_each(|letter| session.press(letter));
    session.tab_to("select[name=column-1]");
    "Name".chars().for_each(|letter| session.press(letter));
    session.tab_to("button[value=check]");
    session.press(key::ENTER);
    session.wait("the check", || here.path().ends_with("/check") && !session.elements("button[value=good]").is_empty());
    assert!(session.texts("main .lead").concat().starts_with("2 new"), "{:?}", session.texts("main"));
    session.tab_to("button[value=good]");
    session.press(key::ENTER);
    session.wait("the end", || session.texts("main .notice.ok").concat().contains("2 new"));
    here.open("/activities");
    let days = session.texts("tr[data-row]").concat();
    assert!(days.contains("2025-04-03") && days.contains("2025-02-01"), "day first, as was chosen: {days}");
}
