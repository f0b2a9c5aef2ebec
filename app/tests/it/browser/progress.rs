//! The page of a file while its rows are checked.

use std::fmt::Write as _;

use serde_json::json;

use super::demo::Demo;
use super::session::{Scripts, Session, Theme};

/// Rows whose check takes longer than the looks at it.
const ROWS: u32 = 100_000;

#[test]
fn a_page_of_what_goes_on_keeps_nobody_out_and_tells_it_anew_without_being_loaded_again() {
    let demo = Demo::start();
    let session = Session::start(Scripts::On);
    demo.sign_in(&session);
    let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    let rows = (0..ROWS).fold("syncId,name,startDate,UpstreamCO2e\n".to_owned(), |mut text, row| {
        let _ = writeln!(text, "r{row},Van,2025-01-02,1.5");
        text
    });
    std::fs::write(file.path(), rows).unwrap();
    session.open(&format!("{}imports/new", demo.pages()));
    session.keys("input[type=file]", &file.path().display().to_string());
    session.follow("form[enctype] button");
    session.follow("button[value=next]");
    session.follow("button[value=check]");
    session.wait("the check", || !session.elements("main[data-refresh]").is_empty());
    session.run("window.isTheSame = true");
    let before = session.texts("[role=status]");
    let mut told = String::new();
    session.wait("another number of rows", || {
        let status = session.texts("[role=status]");
        told = status.concat();
        status != before
    });
    assert!(told.contains("rows so far, ") && told.contains('%'), "{told}");
    assert_eq!(session.run("return window.isTheSame"), json!(true), "loaded again: {}", session.source());
    assert!(!session.elements("main[data-refresh]").is_empty(), "it goes on: {}", session.source());
    // It asks no more how far it is, and is not replaced while it is looked at.
    session.run("window.fetch = () => new Promise(() => {})");
    let mut found = Vec::new();
    for theme in [Theme::Light, Theme::Dark] {
        session.show(theme);
        found.extend(session.violations());
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
