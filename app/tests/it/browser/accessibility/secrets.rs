//! What is shown once: a key, the secret of a client, a link that signs in.

use super::{look, send};
use crate::browser::company::SignedIn;
use crate::browser::session::Scripts;
use crate::http::harness::Service;

#[test]
fn nothing_keeps_people_out_of_a_secret_that_is_shown_once() {
    const SHOWN: &str = "main .notice.ok code";
    let here = SignedIn::start(Service::start(), "admin", Scripts::On);
    let session = &here.session;
    let mut found = Vec::new();
    for page in ["/settings/keys", "/settings/clients"] {
        here.open(page);
        send(session, &[("name", "A program"), ("permissions", "catalog:read")], "main button[value=add]", SHOWN);
        look(session, &mut found);
    }
    here.open("/settings/users");
    session.follow("main tbody th a");
    look(session, &mut found);
    send(session, &[], "main button[value=link]", SHOWN);
    look(session, &mut found);
    assert!(found.is_empty(), "{}", found.join("\n"));
}
