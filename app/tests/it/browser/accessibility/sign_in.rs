//! Signing in: what is there before, and what is refused.

use super::look;
use crate::browser::demo::Demo;
use crate::browser::session::{Scripts, Session};

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
