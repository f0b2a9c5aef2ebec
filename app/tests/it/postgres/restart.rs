//! A database that is stopped and started under load: a caller gets an error soon, nothing acknowledged is lost, and
//! everything goes on by itself.

use std::time::{Duration, Instant};

use super::load::{Done, Load};
use super::node::Node;
use super::server::Server;

const ROUNDS: usize = 10;
/// How long a request takes at most to fail because the database is away: far below the minutes that the network
/// itself gives a lost peer, far above what a loaded machine needs.
const TOLD: Duration = Duration::from_secs(20);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_comes_and_goes_ten_times_loses_nothing() {
    let (server, url) = Server::start_new("away").await;
    let mut load = Load::begin(Node::start(url.clone(), |_| {}).await).await;
    let mut longest = Duration::ZERO;
    for round in 0..ROUNDS {
        load.until_all(Instant::now(), Done::is_well).await;
        let stop: &[&str] = if round % 2 == 0 { &["stop"] } else { &["stop", "--immediate"] };
        load.during(server.chore(stop)).await;
        load.until_all(Instant::now(), Done::is_busy).await;
        load.is_not_ready(TOLD).await;
        load.during(server.chore(&["start"])).await;
        longest = longest.max(load.recovers(Instant::now()).await);
    }
    let told = load.told.iter().map(|(_, told)| *told).max().unwrap();
    println!(
        "{} told that it is away, after {told:?} at most; at work again after {longest:?} at most",
        load.told.len()
    );
    assert!(told < TOLD, "a request was told after {told:?}");
    load.end(&url).await;
}
