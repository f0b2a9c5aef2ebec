//! What is refused: forms with faults, pages that need a permission, and addresses where nothing is.

use super::{look, send};
use crate::browser::company::SignedIn;
use crate::browser::session::Scripts;
use crate::http::harness::Service;

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
fn nothing_keeps_people_out_of_a_form_of_records_that_is_refused() {
    let here = SignedIn::start(Service::start(), "admin", Scripts::On);
    let session = &here.session;
    let mut found = Vec::new();
    here.open("/activities/new");
    // The first day has today in it.
    let faulty = [("name", "Van"), ("startDate", "x"), ("quantity", "1,5")];
    send(session, &faulty, "main form.form > p button", "main .fault");
    look(session, &mut found);
    here.open("/periods");
    let faulty = [("days", "nonsense"), ("baseYear", "x")];
    send(session, &faulty, "main button[value=close]", "main .notice.bad");
    look(session, &mut found);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn nothing_keeps_people_out_of_a_form_of_the_settings_that_is_refused() {
    let here = SignedIn::start(Service::start(), "admin", Scripts::On);
    let session = &here.session;
    let mut found = Vec::new();
    here.open("/settings/me");
    let unequal = [("password", "correct horse"), ("again", "another horse")];
    send(session, &unequal, "main button[value=password]", "main .notice.bad");
    look(session, &mut found);
    here.open("/settings/users");
    session.choose("role", "permissions");
    send(session, &[("name", "a b")], "main form.form button", "main .notice.bad");
    look(session, &mut found);
    for page in ["/settings/keys", "/settings/clients"] {
        here.open(page);
        let faulty = [("name", "A program"), ("permissions", "nonsense")];
        send(session, &faulty, "main button[value=add]", "main .notice.bad");
        look(session, &mut found);
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
