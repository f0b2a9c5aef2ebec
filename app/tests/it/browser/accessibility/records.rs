//! The pages of single records: what they show, how their figures come about, their history, and the form that changes them.

use super::{look, send};
use crate::browser::company::SignedIn;
use crate::browser::demo::Demo;
use crate::browser::session::{Scripts, Session};
use crate::http::harness::{Service, json};
use crate::http::web::visitor::Books;

/// Lists whose first record has a page of its own.
const RECORDS: [&str; 5] = ["activities", "products", "models", "switches", "footprints"];

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

#[test]
fn nothing_keeps_people_out_of_what_became_of_a_record() {
    let service = Service::start();
    let books = Books::new(&service);
    let here = SignedIn::start(service, "auditor", Scripts::On);
    let mut found = Vec::new();
    for page in [format!("history/activity/{}", books.activity), format!("history/org/{}", books.org)] {
        here.open(&format!("/{page}"));
        let text = here.session.texts("main").concat();
        assert!(text.contains("History of "), "{page}: {text}");
        look(&here.session, &mut found);
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn nothing_keeps_people_out_of_both_versions_of_what_somebody_else_changed_meanwhile() {
    let service = Service::start();
    let books = Books::new(&service);
    let here = SignedIn::start(service, "editor", Scripts::On);
    let session = &here.session;
    here.open(&format!("/activities/{}/edit", books.activity));
    let other = json!({ "quantity": "130" });
    here.service.admin().patch(&format!("/v1/activity/{}", books.activity), &other).ok();
    session.run("document.querySelector('main [name=quantity]').value = '121'");
    send(session, &[], "main form.form > p button", "tr.differs");
    let text = session.texts("tr.differs").concat();
    assert!(text.contains("130") && text.contains("121"), "{text}");
    let mut found = Vec::new();
    look(session, &mut found);
    assert!(found.is_empty(), "{}", found.join("\n"));
}
