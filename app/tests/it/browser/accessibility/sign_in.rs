//! Signing in: what is there before, and what is refused.

use super::{look, send};
use crate::browser::company::SignedIn;
use crate::browser::demo::Demo;
use crate::browser::session::{Scripts, Session};
use crate::http::harness::Service;

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
fn nothing_keeps_people_out_of_setting_a_password_and_of_why_it_is_not_set() {
    let here = SignedIn::start(Service::start(), "viewer", Scripts::On);
    let session = &here.session;
    assert_eq!(here.path(), "/login/password");
    let mut found = Vec::new();
    look(session, &mut found);
    let unequal = [("password", "correct horse"), ("again", "another horse")];
    send(session, &unequal, "main form button", "main .notice.bad");
    look(session, &mut found);
    assert!(found.is_empty(), "{}", found.join("\n"));
}
