//! Many companies on few connections, with clients that leave anywhere: nobody ever gets a byte of another's records,
//! nothing that was acknowledged is lost or counted twice, and no connection is.

mod model;
mod reader;
mod writer;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use postgres::testing::Fresh;
use serde_json::{Value, json};

use super::load::until_in_transactions;
use super::node::{Company, Node};
use super::wire::{Answer, Leave, Request};
use model::Model;

const TENANTS: usize = 32;
const REQUESTS: usize = 20_000;
const CONNECTIONS: u32 = 4;
/// Activities that every company has from the start.
const SEEDS: u64 = 12;

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        // splitmix64
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((word ^ (word >> 31)) % sides as u64).unwrap()
    }

    /// Where a client leaves.
    fn leave(&mut self) -> Leave {
        match self.roll(3) {
            0 => Leave::Asking(self.roll(1_000)),
            1 => Leave::Reading(0),
            _ => Leave::Reading(self.roll(100_000)),
        }
    }
}

/// A company, and what it has from the start: these are never changed.
struct Place {
    company: Company,
    number: usize,
    scope: String,
    org: String,
    product: String,
    switch: String,
    activity: String,
}

impl Place {
    /// What is in the address and in every name of the company, and in those of no other.
    fn mark(&self) -> String {
        mark(self.number)
    }

    /// The paths of its records.
    fn paths(&self) -> [String; 5] {
        let Self { scope, org, product, switch, activity, .. } = self;
        [("scope", scope), ("org", org), ("product", product), ("switch", switch), ("activity", activity)]
            .map(|(kind, uuid)| format!("/v1/{kind}/{uuid}"))
    }

    /// Checks that nothing in an answer is another's.
    fn check(&self, answer: &str) {
        for (at, _) in answer.match_indices("mark") {
            let found = &answer[at + 4..];
            // Where the answer, or a chunk of it, ends there, a mark may be cut.
            let digits = found.find(|one: char| !one.is_ascii_digit()).map_or(found, |end| &found[..end]);
            assert!(self.mark()[4..].starts_with(digits), "{} was answered mark{digits}: {answer}", self.mark());
        }
    }

    /// Sends a request, now and then without waiting for the end of the answer.
    async fn send(&self, request: Request, dice: &mut Dice, tally: &Tally) -> Done {
        if dice.roll(8) == 0 {
            tally.left.fetch_add(1, Ordering::Relaxed);
            let place = dice.leave();
            self.check(&String::from_utf8_lossy(&request.leave(place).await));
            return match place {
                Leave::Asking(_) => Done::Not,
                Leave::Reading(_) => Done::Perhaps,
            };
        }
        let answer = request.send().await;
        self.check(&answer.head);
        self.check(&answer.body);
        if answer.is_busy() {
            tally.busy.fetch_add(1, Ordering::Relaxed);
            return Done::Perhaps;
        }
        tally.answered.fetch_add(1, Ordering::Relaxed);
        Done::Answered(answer)
    }
}

fn mark(number: usize) -> String {
    format!("mark{number:02}")
}

/// What the client knows of its request.
enum Done {
    /// It was never asked for.
    Not,
    /// It left before it knew, or the service was busy.
    Perhaps,
    /// All of the answer came.
    Answered(Answer),
}

/// What became of all requests.
#[derive(Default)]
struct Tally {
    asked: AtomicUsize,
    answered: AtomicUsize,
    busy: AtomicUsize,
    left: AtomicUsize,
}

impl Tally {
    /// Whether there is one more request to make.
    fn more(&self) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed) < REQUESTS
    }
}

/// A company with its first records. The others call theirs the same in other systems.
async fn settle(node: &Node, number: usize) -> (Place, Model) {
    let company = node.company(&mark(number)).await;
    let (admin, name) = (company.admin.clone(), mark(number));
    let make = async |path: &str, body: Value| admin.post(path, &body).await.uuid();
    let scope = make("/v1/scope", json!({ "name": name, "kind": "scope1", "syncId": "s" })).await;
    let org = make("/v1/org", json!({ "name": name, "syncId": "o" })).await;
    let product = make("/v1/product", json!({ "name": name, "unit": "kWh", "syncId": "p" })).await;
    let factor = json!({
        "unit": "kWh", "validFrom": "2000-01-01", "source": name,
        "upstream": "0", "downstream": model::factor(number).to_string(),
    });
    make(&format!("/v1/product/{product}/factor"), factor).await;
    let switch = make("/v1/switch", json!({ "name": name, "syncId": "w" })).await;
    let mut place = Place { company, number, scope, org, product, switch, activity: String::new() };
    let mut model = Model::default();
    for n in 0..SEEDS {
        let activity = model::draft(&place, n);
        let uuid = make("/v1/activity", activity.body.clone()).await;
        if n == 0 {
            place.activity.clone_from(&uuid);
            model.kept(activity);
        } else {
            model.added(activity, uuid);
        }
    }
    (place, model)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_company_ever_gets_a_byte_of_another_whoever_leaves_when() {
    let database = Fresh::migrated().await;
    let node = Node::start(database.url(), |config| {
        config.database.connections = CONNECTIONS;
        config.database.connections_per_tenant = 2;
    })
    .await;
    let (mut places, mut models) = (Vec::new(), Vec::new());
    for number in 0..TENANTS {
        let (place, model) = settle(&node, number).await;
        places.push(place);
        models.push(model);
    }
    let (places, tally) = (Arc::new(places), Arc::new(Tally::default()));
    let begun = Instant::now();
    let (mut writers, mut readers) = (Vec::new(), Vec::new());
    for (number, model) in models.into_iter().enumerate() {
        writers.push(tokio::spawn(writer::run(Arc::clone(&places), number, model, Arc::clone(&tally))));
        readers.push(tokio::spawn(reader::run(Arc::clone(&places), number, Arc::clone(&tally))));
    }
    for reader in readers {
        reader.await.unwrap();
    }
    let mut models = Vec::new();
    for writer in writers {
        models.push(writer.await.unwrap());
    }
    let count = |of: &AtomicUsize| of.load(Ordering::Relaxed);
    let (answered, busy, left) = (count(&tally.answered), count(&tally.busy), count(&tally.left));
    println!("{answered} answered, {busy} busy, {left} left in {:?}", begun.elapsed());
    assert_eq!(answered + busy + left, REQUESTS);
    // How many are told that the service is busy hangs on the machine.
    assert!(left > REQUESTS / 10 && answered > REQUESTS / 2, "{answered} answered, {busy} busy, {left} left");

    until_in_transactions(&database.url(), 0).await;
    for (place, model) in places.iter().zip(&models) {
        model.check(place).await;
        assert_eq!(node.app.store().verify(&place.company.grant()).await.unwrap().findings, []);
    }

    // All connections but the one that is kept for the directory can be used.
    let mut snapshots = Vec::new();
    for place in places.iter().take(CONNECTIONS as usize - 1) {
        snapshots.push(node.app.store().read(&place.company.grant().to_read()).await.unwrap());
    }
    until_in_transactions(&database.url(), snapshots.len()).await;
    drop(snapshots);
    until_in_transactions(&database.url(), 0).await;
    node.end().await;
}
