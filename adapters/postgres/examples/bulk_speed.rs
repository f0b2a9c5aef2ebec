//! How many activities a second go into the database and come out of it, batch by batch, each in a transaction.
//!
//! `TONNE_TEST_POSTGRES` is a superuser's address of a server, on which a database is made for this and dropped again.
//! The first argument is the number of activities, the second `sorted` (the days of a year one after another, as in
//! most exports) or `spread` (at random over three years, so that many have a cell of their own).
//!
//! `cargo run --release -p tonne-postgres --example bulk_speed -- 400000 sorted`

#![expect(clippy::expect_used, reason = "a measurement that cannot go on stops")]

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::{
    Activity, Calculation, CalculationParts, Co2e, Decimal, Factor, Filter, Measured, Measures, Moment, Org, Product,
    Quantity, Scope, Span, Taxonomy, Timestamp,
};
use ports::clock::Clock;
use ports::contract::sample;
use ports::id_source::Ids;
use ports::repo::{ActivityWrite, Place};
use ports::store::{Intent, Store};
use ports::{Grant, Maintenance};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use tonne_postgres::{Database, Options, PostgresStore};
use uuid::Uuid;

const BATCH: u32 = 20_000;
const PRODUCTS: u64 = 30;
const SITES: u64 = 20;
const TAXONOMIES: u64 = 5;
const DATABASE: &str = "tonne_bulk_speed";

struct World;

impl Clock for World {
    fn now(&self) -> Timestamp {
        sample::at(0)
    }
}

impl Ids for World {
    fn next(&self, _: Timestamp) -> Uuid {
        Uuid::nil()
    }

    fn random(&self) -> Uuid {
        Uuid::from_u128(4)
    }
}

/// What activities refer to.
struct Company {
    scopes: Vec<Scope>,
    sites: Vec<Org>,
    taxonomies: Vec<Taxonomy>,
    products: Vec<Product>,
    factors: Vec<Factor>,
}

impl Company {
    fn new() -> Self {
        let products: Vec<Product> = (1..=PRODUCTS).map(sample::product).collect();
        let factors = (1..).zip(&products).map(|(at, product)| sample::factor(at, product, "2020-01-01")).collect();
        let taxonomies = (1..=TAXONOMIES).map(|at| sample::taxonomy(at, &format!("kind-{at}"))).collect();
        let (scopes, sites) = ((1..=3).map(sample::scope).collect(), (1..=SITES).map(sample::org).collect());
        Self { scopes, sites, taxonomies, products, factors }
    }

    /// The activity with that number of so many.
    fn activity(&self, number: u32, of: u32, is_sorted: bool) -> Activity {
        let dice = |which: u64| mixed(u64::from(number) * 8 + which);
        let pick = |of: usize, which: u64| usize::try_from(dice(which)).unwrap_or_default() % of;
        let kind = pick(self.taxonomies.len(), 6);
        let day = if is_sorted { u64::from(number) * 365 / u64::from(of) } else { dice(1) % 1_095 };
        let first = sample::day("2023-01-01").number();
        let day = domain::Day::from_number(first + i32::try_from(day).unwrap_or_default()).expect("a day");
        let start = Moment::parse(&format!("{day}T00:00:00Z")).expect("a moment");
        let at = pick(self.products.len(), 2);
        let amount = |thousandths: u64| {
            Decimal::from_scaled(i128::from(thousandths) * 1_000_000_000_000_000).expect("an amount")
        };
        let quantity = dice(3) % 100_000_000;
        let calculation = Calculation::from_parts(
            CalculationParts::default()
                .with_upstream(Some(Co2e::new(amount(quantity / 5))))
                .with_downstream(Some(Co2e::new(amount(quantity / 3))))
                .with_factor(Some(self.factors[at].id())),
        );
        // As a version 7 UUID: made one after another.
        let id = Uuid::from_u64_pair((u64::from(number) << 16) | 0x7000, (dice(4) >> 2) | 1 << 63);
        Activity::new(
            id.into(),
            sample::name(&format!("Meter reading {number}")),
            Span::new(start, None).expect("a span"),
        )
        .with_sync_id(Some(sample::sync_id(&format!("erp-2023-{number}"))))
        .with_measured(Some(Measured { quantity: Quantity::new(amount(quantity)), unit: sample::unit("kWh") }))
        .with_product(Some(self.products[at].id))
        .with_scope(Some(self.scopes[kind % self.scopes.len()].id))
        .with_taxonomy(Some(self.taxonomies[kind].id))
        .with_org(Some(self.sites[pick(self.sites.len(), 7)].id))
        .with_calculation(calculation.expect("a calculation"))
        .with_measures(Measures::default())
    }
}

/// A number that looks random (`SplitMix64`).
const fn mixed(number: u64) -> u64 {
    let z = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[tokio::main]
async fn main() {
    let count: u32 = std::env::args().nth(1).map_or(400_000, |text| text.parse().expect("a number of activities"));
    let is_sorted = std::env::args().nth(2).is_none_or(|word| word == "sorted");
    let server = std::env::var("TONNE_TEST_POSTGRES").expect("TONNE_TEST_POSTGRES is a server's address");
    let mut admin = PgConnection::connect(&server).await.expect("connects");
    let drop = format!("DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)");
    for text in [drop.clone(), format!("CREATE DATABASE {DATABASE}")] {
        sqlx::raw_sql(AssertSqlSafe(text)).execute(&mut admin).await.expect("makes a database");
    }
    let url = server.replacen("/postgres?", &format!("/{DATABASE}?"), 1);
    let database = Database::open(Options::new(url, Arc::new(World), Arc::new(World))).await.expect("opens");
    let store = PostgresStore::new(Arc::new(database));
    let grant = Grant::for_maintenance(sample::id(1), "measurement");
    store.prepare(&grant).await.expect("prepares");
    let company = Company::new();
    write_company(&store, &grant, &company).await;
    put(&store, &grant, &company, (count, is_sorted)).await;
    read(&store, &grant).await;
    sqlx::raw_sql(AssertSqlSafe(drop)).execute(&mut admin).await.expect("drops the database");
}

async fn write_company(store: &PostgresStore, grant: &Grant<Maintenance>, company: &Company) {
    let mut tx = store.write(&grant.to_write(), intent()).await.expect("begins");
    for scope in &company.scopes {
        tx.scopes_mut().add(scope.clone()).await.expect("adds");
    }
    for org in &company.sites {
        tx.orgs_mut().add(org.clone()).await.expect("adds");
    }
    for taxonomy in &company.taxonomies {
        tx.taxonomies_mut().add(taxonomy.clone()).await.expect("adds");
    }
    for product in &company.products {
        tx.products_mut().add(product.clone()).await.expect("adds");
    }
    for factor in &company.factors {
        tx.factors_mut().add(factor.clone()).await.expect("adds");
    }
    tx.commit().await.expect("commits");
}

async fn put(store: &PostgresStore, grant: &Grant<Maintenance>, company: &Company, (count, is_sorted): (u32, bool)) {
    let (mut best, mut all) = (Duration::MAX, Duration::ZERO);
    for from in (0..count).step_by(usize::try_from(BATCH).unwrap_or(1)) {
        let batch: Vec<ActivityWrite> =
            (from..from + BATCH).map(|number| ActivityWrite::Add(company.activity(number, count, is_sorted))).collect();
        let begin = Instant::now();
        let mut tx = store.write(&grant.to_write(), intent()).await.expect("begins");
        tx.activities_mut().put_all(batch).await.expect("puts all");
        tx.commit().await.expect("commits");
        best = best.min(begin.elapsed());
        all += begin.elapsed();
    }
    let mut tx = store.read(&grant.to_read()).await.expect("begins");
    let cells = ports::ledger::cells(tx.ledger()).await.expect("reads").cube().cells().count();
    println!(
        "in: {:.0} rows/s, the best batch of {BATCH} {:.0} rows/s; {cells} cells",
        f64::from(count.div_ceil(BATCH) * BATCH) / all.as_secs_f64(),
        f64::from(BATCH) / best.as_secs_f64()
    );
}

async fn read(store: &PostgresStore, grant: &Grant<Maintenance>) {
    let mut tx = store.read(&grant.to_read()).await.expect("begins");
    let (filter, begin) = (Filter::default(), Instant::now());
    let (mut after, mut rows) = (None, 0_u32);
    loop {
        let some = tx.activities().range(&filter, &HashSet::new(), after, 2_000).await.expect("reads");
        rows += u32::try_from(some.len()).unwrap_or_default();
        match some.last() {
            Some(last) => after = Some(Place::of(&last.value)),
            None => break,
        }
    }
    println!("out: {:.0} rows/s", f64::from(rows) / begin.elapsed().as_secs_f64());
}

fn intent() -> Intent {
    Intent { cause: "bulk_speed".to_owned(), ..sample::intent() }
}
