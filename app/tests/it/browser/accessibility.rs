//! Every page, with and without data and with a wrong address, in both sets of colors: nothing keeps people out, nothing is
//! refused by the browser, and nothing comes from elsewhere.

mod records;
mod refused;
mod secrets;
mod sign_in;
mod steps;

use super::company::SignedIn;
use super::demo::Demo;
use super::session::{Scripts, Session, Theme};
use crate::http::harness::Service;

/// The pages that an administrator may open.
pub(super) const PAGES: [&str; 30] = [
    "",
    "report?by=org,month",
    "report?by=scope",
    "report?by=org,month&view=chart",
    "report?by=taxonomy&view=chart",
    "report/explanation",
    "activities",
    "activities/new",
    "completeness",
    "completeness?by=taxonomy",
    "statement",
    "periods",
    "history",
    "imports",
    "imports/new",
    "catalog/org",
    "catalog/scope",
    "catalog/taxonomy",
    "products",
    "products?q=nothing+is+called+so",
    "models",
    "switches",
    "footprints",
    "footprints?valid=no",
    "settings/me",
    "settings/users",
    "settings/keys",
    "settings/clients",
    "settings/partners",
    "settings/sign-in",
];
/// Addresses that say what cannot be, or where nothing is.
const WRONG: [&str; 18] = [
    "nothing",
    "?date=2025-13",
    "report?by=nothing",
    "activities?org=nowhere",
    "completeness?by=month",
    "statement/nonsense",
    "history?before=0",
    "history/activity/nothing",
    "products?page=0",
    "footprints?status=lost",
    "catalog/nothing",
    "catalog/org?date=2025-13",
    "models?page=0",
    "switches?page=0",
    "imports?page=0",
    "imports/nothing",
    "periods/nothing",
    "settings/users/nothing",
];

/// What is wrong with the page that is open at that address, beside that the address itself may be.
fn faults(session: &Session, origin: &str, address: &str) -> Vec<String> {
    let mut faults = session.violations();
    let status = if address.ends_with("/nothing") { "404" } else { "400" };
    let refusal = format!("the server responded with a status of {status}");
    let is_expected = |said: &String| said.contains(&refusal) && said.contains(address);
    faults.extend(session.console().into_iter().filter(|said| !is_expected(said)));
    let asked = session.run("return performance.getEntriesByType('resource').map(one => one.name)");
    let asked: Vec<String> = serde_json::from_value(asked).unwrap();
    faults.extend(asked.into_iter().filter(|name| !name.starts_with(origin)));
    faults
}

/// Looks at those pages of a demo in both sets of colors.
fn look_at_all(pages: &[&str]) {
    let demo = Demo::start();
    let session = Session::start(Scripts::On);
    demo.sign_in(&session);
    let mut found = Vec::new();
    for theme in [Theme::Light, Theme::Dark] {
        session.show(theme);
        for page in pages {
            let address = format!("{}{page}", demo.pages());
            session.open(&address);
            let faults = faults(&session, demo.pages(), &address);
            found.extend(faults.into_iter().map(|fault| format!("/{page} {theme:?}: {fault}")));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn nothing_keeps_people_out_of_a_page_in_either_set_of_colors() {
    look_at_all(&PAGES);
}

#[test]
fn nothing_keeps_people_out_of_what_is_said_of_an_address_that_is_wrong() {
    look_at_all(&WRONG);
}

#[test]
fn nothing_keeps_people_out_of_the_pages_of_a_company_with_nothing_recorded() {
    let here = SignedIn::start(Service::start(), "admin", Scripts::On);
    let mut found = Vec::new();
    for page in PAGES {
        here.open(&format!("/{page}"));
        look(&here.session, &mut found);
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Looks at the page that is open in both sets of colors, at its width on a phone, and at twice its size.
fn look(session: &Session, found: &mut Vec<String>) {
    for theme in [Theme::Light, Theme::Dark] {
        session.show(theme);
        let faults = session.violations();
        found.extend(faults.into_iter().map(|fault| format!("{} {theme:?}: {fault}", session.address())));
    }
    session.narrow(320);
    found.extend(wider_than(session, 320));
    session.enlarge(2);
    assert_eq!(session.run("return devicePixelRatio"), 2);
    found.extend(wider_than(session, 640));
    session.narrow(1_280);
}

/// That the page that is open has more than so many pixels in width, which one would scroll to the side for.
fn wider_than(session: &Session, most: u64) -> Option<String> {
    let width = session.run("return document.documentElement.scrollWidth");
    // A bar to scroll by takes some of it.
    let is_wider = width.as_u64().is_none_or(|width| width > most);
    is_wider.then(|| format!("{} is {width} wide, beyond {most}", session.address()))
}

/// Types into fields of the page, presses a button once, and waits for what the answer shows.
fn send(session: &Session, fields: &[(&str, &str)], button: &str, shown: &str) {
    for (name, text) in fields {
        session.keys(&format!("main [name={name}]"), text);
    }
    let buttons = session.elements(button).len();
    assert_eq!(buttons, 1, "{button} in {}", session.source());
    session.click(button);
    session.wait(shown, || !session.elements(shown).is_empty());
}

#[test]
fn pages_fit_a_width_of_320_pixels() {
    let demo = Demo::start();
    let session = Session::start(Scripts::On);
    demo.sign_in(&session);
    session.narrow(320);
    let mut wide = Vec::new();
    for page in PAGES {
        session.open(&format!("{}{page}", demo.pages()));
        wide.extend(wider_than(&session, 320));
    }
    assert!(wide.is_empty(), "{}", wide.join("\n"));
}

#[test]
fn pages_need_no_scrolling_to_the_side_at_twice_their_size() {
    let demo = Demo::start();
    let session = Session::start(Scripts::On);
    demo.sign_in(&session);
    session.enlarge(2);
    let mut wide = Vec::new();
    for page in PAGES {
        session.open(&format!("{}{page}", demo.pages()));
        assert_eq!(session.run("return devicePixelRatio"), 2);
        wide.extend(wider_than(&session, 640));
    }
    assert!(wide.is_empty(), "{}", wide.join("\n"));
}
