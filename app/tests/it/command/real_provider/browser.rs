//! The same in a browser that runs no scripts: what it makes of cookies, forms and redirects.

use super::World;
use crate::browser::session::{Scripts, Session};

#[test]
fn a_browser_goes_to_the_provider_and_back_to_the_page_that_was_asked_for() {
    let world = World::start();
    let mut session = Session::start(Scripts::Off);
    // The provider's pages ask others for their looks.
    session.leave_unjudged();
    let asked_for = world.page("/settings/me");
    session.open(&asked_for);
    assert!(session.address().starts_with(&world.page("/login?return_to=")), "{}", session.address());
    session.follow("main a[href*='/login/oidc']");
    assert!(session.address().starts_with(&world.provider.issuer), "{}", session.address());
    session.keys("input[name=login]", "ana-1");
    session.follow("button[value=yes]");
    session.wait("the page that was asked for", || session.address() == asked_for);
    assert!(session.source().contains("ana"), "{}", session.source());
}
