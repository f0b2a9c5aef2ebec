//! What the pages put into the clipboard.

use serde_json::json;

use super::company::SignedIn;
use super::session::{Scripts, Session};
use crate::http::harness::Service;
use crate::http::web::visitor::Books;

/// What the clipboard has, by pasting it into a field.
fn pasted(session: &Session) -> String {
    session.run(
        "const field = document.createElement('textarea'); field.id = 'pasted'; document.body.append(field); field.focus()",
    );
    session.press_with_control('v');
    let value = || session.run("return document.querySelector('#pasted').value");
    session.wait("what is pasted", || value() != "");
    value().as_str().unwrap().to_owned()
}

#[test]
fn a_figure_that_is_copied_is_its_exact_number_of_kg() {
    let service = Service::start();
    let books = Books::new(&service);
    let here = SignedIn::start(service, "auditor", Scripts::On);
    let session = &here.session;
    let exact = here.service.admin().get(&format!("/v1/activity/{}", books.activity)).ok()["CO2e"].clone();
    here.open("/activities?date=2025");
    let figure = json!(format!("tr:has(a[href$='{}']) td:nth-child(6) data", books.activity));
    let shown = session.run(&format!(
        "const text = document.querySelector({figure}).firstChild;
        getSelection().setBaseAndExtent(text, 0, text, text.length);
        return getSelection().toString()"
    ));
    assert_ne!(shown, exact, "what is chosen is rounded");
    session.press_with_control('c');
    assert_eq!(pasted(session), exact);
}

#[test]
fn copy_link_copies_the_address_of_the_page_and_says_so() {
    let service = Service::start();
    Books::new(&service);
    let here = SignedIn::start(service, "auditor", Scripts::On);
    let session = &here.session;
    here.open("/report?by=scope&date=2025");
    let address = session.address();
    session.run(
        "window.said = [];
        const button = document.querySelector('[data-copy-link]');
        new MutationObserver(() => said.push(button.textContent)).observe(button, { childList: true });",
    );
    session.click("[data-copy-link]");
    session.wait("the word for it", || session.run("return said.includes('Copied')") == json!(true));
    session.wait("its name again", || session.texts("[data-copy-link]") == ["Copy link"]);
    assert_eq!(pasted(session), address);
}
