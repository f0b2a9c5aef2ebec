//! From what the demo prints to the dashboard, and on to what a figure is made of.

use super::demo::Demo;
use super::session::{Scripts, Session};

#[test]
fn the_link_that_the_demo_prints_leads_to_the_dashboard_without_typing_and_only_once() {
    let demo = Demo::start();
    let session = Session::start(Scripts::On);
    demo.sign_in(&session);
    session.open(demo.pages());
    assert_eq!(session.address(), demo.pages());
    assert!(session.source().contains("CO₂e"), "{}", session.source());

    let stranger = Session::start(Scripts::On);
    stranger.open(demo.link());
    stranger.click("main form button");
    stranger.open(demo.pages());
    assert!(stranger.address().contains("/login?return_to="), "a used link signs in again: {}", stranger.address());
}
