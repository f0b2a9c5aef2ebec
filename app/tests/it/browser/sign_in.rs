//! From what the demo prints to the dashboard, and on to what a figure is made of.

use thirtyfour::By;

use super::demo::Demo;
use super::session::{Scripts, Session};

#[tokio::test]
async fn the_link_that_the_demo_prints_leads_to_the_dashboard_without_typing_and_only_once() {
    let demo = Demo::start();
    let session = Session::start(Scripts::On).await;
    demo.sign_in(&session).await;
    session.open(demo.pages()).await;
    assert_eq!(session.page.current_url().await.unwrap().as_str(), demo.pages());
    assert!(session.texts("h1").await.concat().contains("t CO2e") || session.source().await.contains("CO2e"));
    session.end().await;

    let stranger = Session::start(Scripts::On).await;
    stranger.open(demo.link()).await;
    for button in stranger.page.find_all(By::Css("main form button")).await.unwrap() {
        button.click().await.unwrap();
    }
    stranger.open(demo.pages()).await;
    assert!(stranger.page.current_url().await.unwrap().path().ends_with("/login"), "a used link signs in again");
    stranger.end().await;
}
