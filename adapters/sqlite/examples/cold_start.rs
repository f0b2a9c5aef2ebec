//! How long the first report after a start takes for a tenant of ten million activities in ten thousand series, how much
//! memory it needs, and how long writers wait while such a checkpoint is written.
//!
//! ```sh
//! cargo run --release -p tonne-sqlite --example cold_start make /tmp/cold   # writes the checkpoint, beside writers
//! cargo run --release -p tonne-sqlite --example cold_start read /tmp/cold   # in a new process: the first report
//! ```
//!
//! Of the activities one of each series is stored: a report reads none, but the checkpoint of all of them.

#![expect(clippy::expect_used, clippy::print_stdout, reason = "an example that cannot go on fails by panicking")]

use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::{Attribution, Co2e, CubeBuilder, Day, Decimal, Filter, Period, Posting, Postings, SeriesKey, report};
use ports::contract::sample::{self, SampleClock, SampleIds};
use ports::repo::ActivityWrite;
use ports::store::Store as _;
use ports::{Grant, Maintenance, ledger};
use tonne_sqlite::{Options, SqliteStore};

const SERIES: u64 = 10_000;
const DAYS: u32 = 3 * 365;
const ACTIVITIES: u32 = 10_000_000;

#[tokio::main]
async fn main() {
    let [_, mode, folder] = std::env::args().collect::<Vec<_>>().try_into().expect("make or read, and a folder");
    let options = Options::new(SampleClock::shared(), SampleIds::shared());
    let store = SqliteStore::open(Path::new(&folder), options);
    let grant = Grant::for_maintenance(sample::id(1), "cli:example");
    if mode == "make" {
        make(&store, &grant).await;
    } else {
        read(&store, &grant).await;
    }
    store.close().await;
}

async fn make(store: &SqliteStore, grant: &Grant<Maintenance>) {
    store.prepare(grant).await.expect("prepares");
    let mut tx = store.write(&grant.to_write(), sample::intent()).await.expect("writes");
    for number in 0..SERIES {
        tx.orgs_mut().add(sample::org(number)).await.expect("adds");
    }
    let batch = (0..SERIES).map(|number| {
        let org = Some(sample::org(number).id);
        ActivityWrite::Add(sample::activity(number).with_org(org))
    });
    tx.activities_mut().put_all(batch.collect()).await.expect("adds");
    tx.commit().await.expect("commits");

    let mut tx = store.read(&grant.to_read()).await.expect("reads");
    let keys: Vec<SeriesKey> = tx.ledger().series(0).await.expect("reads");
    let head = tx.head().await.expect("reads");
    drop(tx);
    let start = Instant::now();
    let mut chance = Chance(42);
    let mut postings = Postings::new();
    for _ in 0..ACTIVITIES {
        let series = chance.below(10_000);
        postings.add(series, &posting(&mut chance));
    }
    let mut builder = CubeBuilder::new(keys);
    for (series, day, cell) in postings {
        builder.push(series, day, cell).expect("in order");
    }
    let cube = Arc::new(builder.finish());
    println!("{ACTIVITIES} activities, {} cells, added up in {:?}", cube.cell_count(), start.elapsed());

    let start = Instant::now();
    let (is_done, mut waits, mut number) = (Cell::new(false), Vec::new(), 0);
    let keeping = async {
        store.checkpoint(grant, head.revision(), cube).await.expect("writes the checkpoint");
        is_done.set(true);
    };
    let writing = async {
        while !is_done.get() {
            number += 1;
            let start = Instant::now();
            let mut tx = store.write(&grant.to_write(), sample::intent()).await.expect("writes");
            waits.push(start.elapsed());
            tx.products_mut().add(sample::product(number)).await.expect("adds");
            tx.commit().await.expect("commits");
        }
    };
    tokio::join!(keeping, writing);
    println!("checkpoint written in {:?}, beside writes", start.elapsed());
    report_waits(waits);
}

fn report_waits(mut waits: Vec<Duration>) {
    waits.sort_unstable();
    let at = |part: usize| waits[(waits.len() - 1) * part / 1_000];
    println!("{} writes: median wait {:?}, 99.9 % {:?}, longest {:?}", waits.len(), at(500), at(999), at(1_000));
}

async fn read(store: &SqliteStore, grant: &Grant<Maintenance>) {
    let start = Instant::now();
    let mut tx = store.read(&grant.to_read()).await.expect("reads");
    let kept = ledger::cells(tx.ledger()).await.expect("reads the cells");
    let orgs = tx.orgs().all().await.expect("reads the orgs");
    println!("cells read in {:?}", start.elapsed());
    let cube = kept.cube();
    println!("{} cells and {} orgs in memory after {:?}", cube.cell_count(), orgs.len(), start.elapsed());
    let period = Period::new(Some(day(100)), Some(day(500))).expect("in order");
    let filter = Filter::default().with_period(period).with_attribution(Attribution::Daily);
    let totals = report(&cube, &filter, &|_| None).totals;
    println!("{} activities touch the period: {} kg; after {:?}", totals.count, totals.uncategorized, start.elapsed());
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    for line in status.lines().filter(|line| line.starts_with("VmHWM") || line.starts_with("VmRSS")) {
        println!("{line}");
    }
}

fn day(offset: u32) -> Day {
    Day::from_number(2_460_000 + offset.cast_signed()).expect("a day of this century")
}

fn posting(chance: &mut Chance) -> Posting {
    let first = chance.below(DAYS);
    let length = match chance.below(4) {
        0 => 1,
        1 => 7,
        _ => 30,
    };
    let amount = i128::from(chance.below(1_000_000_000)) * 1_000_000_000_000;
    let co2e = Decimal::from_scaled(amount).map(Co2e::new);
    Posting::new(day(first), day(first + length - 1), co2e)
}

/// Repeatable numbers without pattern (the constants are Knuth's for MMIX).
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from(self.0 >> 32).unwrap_or_default() % bound
    }
}
