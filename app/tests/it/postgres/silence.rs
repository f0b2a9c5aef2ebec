//! A database that cannot be reached over the network, or takes connections and does not answer.

use std::time::{Duration, Instant};

use super::load::{Done, Load};
use super::node::Node;
use super::relay::{Relay, State};
use super::server::Server;

const ROUNDS: usize = 3;
/// How long a request takes at most to fail because the database is away: far below the minutes that the network
/// itself gives a lost peer, far above what a loaded machine needs.
const TOLD: Duration = Duration::from_secs(20);
/// How long a statement may run.
const STATEMENT_S: u64 = 1;
/// How long a request takes at most that had reached the database before it went silent.
const BROKEN_OFF: Duration = Duration::from_secs(STATEMENT_S + 30);

/// A service on a server of its own, and the way between them.
async fn begin(name: &str) -> (Server, Relay, String, Load) {
    let (server, url) = Server::start_new(name).await;
    let relay = Relay::to(&server.socket()).await;
    let node = Node::start(relay.url(), |config| config.database.statement_s = STATEMENT_S).await;
    (server, relay, url, Load::begin(node).await)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_refuses_connections_is_told_soon() {
    let (_server, relay, url, mut load) = begin("refusing").await;
    for _ in 0..ROUNDS {
        load.until_all(Instant::now(), Done::is_well).await;
        relay.set(State::Closed);
        load.until_all(Instant::now(), Done::is_busy).await;
        load.is_not_ready(TOLD).await;
        relay.set(State::Open);
        load.recovers(Instant::now()).await;
    }
    let told = load.told.iter().map(|(_, told)| *told).max().unwrap();
    println!("{} told that it is away, after {told:?} at most", load.told.len());
    assert!(told < TOLD, "a request was told after {told:?}");
    load.end(&url).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_falls_silent_keeps_nobody_waiting() {
    let (_server, relay, url, mut load) = begin("silent").await;
    let (mut before, mut since) = (Duration::ZERO, Duration::ZERO);
    for _ in 0..ROUNDS {
        load.until_all(Instant::now(), Done::is_well).await;
        load.told.clear();
        relay.set(State::Silent);
        let silent = Instant::now();
        load.is_not_ready(TOLD).await;
        load.until_all(silent, Done::is_busy).await;
        load.is_not_ready(TOLD).await;
        for (begun, told) in &load.told {
            let longest = if *begun < silent { &mut before } else { &mut since };
            *longest = (*longest).max(*told);
        }
        relay.set(State::Open);
        load.recovers(Instant::now()).await;
    }
    println!("told after {since:?} at most, what was under way after {before:?} at most");
    assert!(since < TOLD && before < BROKEN_OFF, "told after {since:?}, what was under way after {before:?}");
    load.end(&url).await;
}
