//! Every page, with and without data and with a wrong address, in both sets of colors: nothing keeps people out, nothing is
//! refused by the browser, and nothing comes from elsewhere.

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
/// Addresses that say what cannot be.
const WRONG: [&str; 9] = [
    "nothing",
    "?date=2025-13",
    "report?by=nothing",
    "activities?org=nowhere",
    "completeness?by=month",
    "statement/nonsense",
    "history?before=0",
    "products?page=0",
    "footprints?status=lost",
];

/// Lists whose first record has a page of its own.
const RECORDS: [&str; 5] = ["activities", "products", "models", "switches", "footprints"];

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

#[test]
fn nothing_keeps_people_out_of_a_page_in_either_set_of_colors() {
    let demo = Demo::start();
    let session = Session::start(Scripts::On);
    demo.sign_in(&session);
    let mut found = Vec::new();
    for theme in [Theme::Light, Theme::Dark] {
        session.show(theme);
        for page in PAGES.iter().chain(&WRONG) {
            let address = format!("{}{page}", demo.pages());
            session.open(&address);
            let faults = faults(&session, demo.pages(), &address);
            found.extend(faults.into_iter().map(|fault| format!("/{page} {theme:?}: {fault}")));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
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

#[test]
fn nothing_keeps_people_out_of_the_page_where_they_sign_in_and_of_what_it_refuses() {
    let demo = Demo::start();
    let session = Session::start(Scripts::On);
    let mut found = Vec::new();
    session.open(demo.link());
    look(&session, &mut found);
    session.open(demo.pages());
    assert!(session.address().contains("/login"), "{}", session.address());
    look(&session, &mut found);
    session.keys("input[name=name]", "nobody");
    session.keys("input[name=password]", "no such password");
    session.click("main form button");
    session.wait("the refusal", || !session.elements("main .notice.bad").is_empty());
    look(&session, &mut found);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn nothing_keeps_people_out_of_what_is_told_where_they_may_not_look_or_nothing_is() {
    let here = SignedIn::start(Service::start(), "viewer", Scripts::On);
    let mut found = Vec::new();
    for (page, said) in [
        ("settings/users", "This needs the permission"),
        ("imports/new", "This needs the permission"),
        ("nothing", "There is nothing at this address."),
        ("products/00000000-0000-0000-0000-000000000001", "There is no such record."),
    ] {
        here.open(&format!("/{page}"));
        let text = here.session.texts("main").concat();
        assert!(text.contains(said), "{page}: {text}");
        look(&here.session, &mut found);
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn nothing_keeps_people_out_of_the_page_of_a_record() {
    let demo = Demo::start();
    let session = Session::start(Scripts::On);
    demo.sign_in(&session);
    let mut found = Vec::new();
    for list in RECORDS {
        session.open(&format!("{}{list}", demo.pages()));
        session.follow("tbody th a");
        look(&session, &mut found);
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn nothing_keeps_people_out_of_how_a_figure_comes_about_and_of_the_form_that_changes_it() {
    let demo = Demo::start();
    let session = Session::start(Scripts::On);
    demo.sign_in(&session);
    let mut found = Vec::new();
    session.open(&format!("{}activities", demo.pages()));
    session.follow("tbody th a");
    let activity = session.address();
    let activity = activity.split('?').next().unwrap();
    for page in ["explanation", "edit"] {
        session.open(&format!("{activity}/{page}"));
        let titles = session.texts("main h1");
        assert!(titles.len() == 1 && titles[0] != "Not found", "{page}: {}", session.source());
        look(&session, &mut found);
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Looks at the page that is open in both sets of colors, and at its width on a phone.
fn look(session: &Session, found: &mut Vec<String>) {
    for theme in [Theme::Light, Theme::Dark] {
        session.show(theme);
        let faults = session.violations();
        found.extend(faults.into_iter().map(|fault| format!("{} {theme:?}: {fault}", session.address())));
    }
    session.narrow(320);
    let width = session.run("return document.documentElement.scrollWidth");
    // A bar to scroll by takes some of it.
    if width.as_u64().is_none_or(|width| width > 320) {
        found.push(format!("{} is {width} wide", session.address()));
    }
    session.narrow(1_280);
}

#[test]
fn nothing_keeps_people_out_of_the_steps_of_an_import() {
    let demo = Demo::start();
    let session = Session::start(Scripts::On);
    demo.sign_in(&session);
    let mut found = Vec::new();
    let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    let rows =
        "Number,What,Date,Amount,Unit\na,Office,01/02/2025,5,kWh\nb,Office,03/04/2025,6,kWh\nc,,03/04/2025,6,kWh\n";
    std::fs::write(file.path(), rows).unwrap();
    session.open(&format!("{}imports/new", demo.pages()));
    session.keys("input[type=file]", &file.path().display().to_string());
    session.follow("form[enctype] button");
    look(&session, &mut found);
    session.follow("button[value=next]");
    assert_eq!(session.texts("fieldset.notice legend").len(), 1, "a date must be decided");
    look(&session, &mut found);
    // Refused, with a fault at a column.
    session.run("document.querySelectorAll('input[type=radio]').forEach(one => one.required = false)");
    session.choose("column-4", "quantity");
    session.click("form > p button[value=try]");
    session.wait("the faults", || !session.elements("td.field .fault").is_empty());
    look(&session, &mut found);
    session.choose("column-4", "unit");
    session.choose("column-0", "syncId");
    session.choose("column-1", "name");
    session.click("input[name=doubt-0][value='0']");
    session.follow("button[value=check]");
    session.wait("the check", || !session.elements("button[value=good]").is_empty());
    look(&session, &mut found);
    session.follow("button[value=good]");
    session.wait("the end", || !session.elements("main .notice.ok").is_empty());
    look(&session, &mut found);
    session.open(&format!("{}imports", demo.pages()));
    look(&session, &mut found);
    assert!(found.is_empty(), "{}", found.join("\n"));
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
        let width = session.run("return document.documentElement.scrollWidth");
        // A bar to scroll by takes some of it.
        if width.as_u64().is_none_or(|width| width > 320) {
            wide.push(format!("/{page}: {width}"));
        }
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
        let width = session.run("return document.documentElement.scrollWidth");
        assert_eq!(session.run("return devicePixelRatio"), 2);
        if width.as_u64().is_none_or(|width| width > 640) {
            wide.push(format!("/{page}: {width}"));
        }
    }
    assert!(wide.is_empty(), "{}", wide.join("\n"));
}
