//! The law of the ledger: after any history the cells are what a recount of the activities gives, with checkpoints in
//! between, readers beside, and work that is left at any point.

use std::collections::BTreeMap;

use domain::{Activity, Cell, Day, SeriesKey};

use super::checkpoint::{checkpoint, checkpoint_in_part};
use super::read;
use super::sample::{self, measured_activity};
use super::tenant::Tenant;
use crate::repo::ActivityWrite;
use crate::store::{ReadTx, Store};
use crate::{Stored, Version};

/// Histories of each case: the cases together have a thousand.
const HISTORIES: u64 = 250;

pub async fn cells_are_the_recount_over_random_histories(store: &dyn Store) {
    run(store, 1).await;
}

pub async fn cells_are_the_recount_over_more_random_histories(store: &dyn Store) {
    run(store, 2).await;
}

pub async fn cells_are_the_recount_over_still_more_random_histories(store: &dyn Store) {
    run(store, 3).await;
}

pub async fn cells_are_the_recount_over_the_last_random_histories(store: &dyn Store) {
    run(store, 4).await;
}

async fn run(store: &dyn Store, seed: u64) {
    let mut chance = Chance(seed);
    let tenant = Tenant::prepare(store).await;
    for number in 1..=2 {
        tenant.add(sample::org(number)).await;
    }
    let mut history = History { store, tenant, present: BTreeMap::new(), next: 1 };
    for number in 0..HISTORIES {
        history.live(&mut chance, number).await;
    }
    let found = store.verify(history.tenant.grant()).await.expect("verifies");
    assert_eq!(found.findings, []);
}

/// What activities add up to.
type Recount = BTreeMap<(Day, SeriesKey), Cell>;

/// A tenant, and what its activities must be.
struct History<'a> {
    store: &'a dyn Store,
    tenant: Tenant<'a>,
    present: BTreeMap<u64, (Activity, Version)>,
    next: u64,
}

impl History<'_> {
    /// Some steps from where the history before ended, most of whose activities are removed first.
    async fn live(&mut self, chance: &mut Chance, number: u64) {
        self.forget(chance).await;
        let mut beside: Vec<(Box<dyn ReadTx>, Recount)> = Vec::new();
        for _ in 0..=chance.below(7) {
            match chance.below(10) {
                0..=3 => self.write(chance).await,
                4 => self.write_and_drop(chance).await,
                5 | 6 => checkpoint(self.store, &self.tenant).await,
                7 => checkpoint_in_part(self.store, &self.tenant, chance.below(12)).await,
                8 => {
                    let product = sample::product(self.number());
                    self.tenant.add(product).await;
                }
                _ => beside.push((self.tenant.read().await, self.recount())),
            }
        }
        assert_eq!(kept(&mut *self.tenant.read().await).await, self.recount(), "after history {number}");
        for (mut snapshot, recount) in beside {
            assert_eq!(kept(&mut *snapshot).await, recount, "beside history {number}");
        }
    }

    async fn forget(&mut self, chance: &mut Chance) {
        if self.present.len() < 12 {
            return;
        }
        let mut tx = self.tenant.write().await;
        for (number, (_, version)) in std::mem::take(&mut self.present) {
            if chance.below(8) == 0 {
                let (activity, version) = (tx.activities().find(sample::id(number)).await.expect("finds"), version);
                self.present.insert(number, (activity.expect("is there").value, version));
            } else {
                tx.activities_mut().remove(sample::id(number), version).await.expect("removes");
            }
        }
        tx.commit().await.expect("commits");
    }

    /// A change that adds, updates and removes some.
    async fn write(&mut self, chance: &mut Chance) {
        let mut tx = self.tenant.write().await;
        let version = Version(tx.number());
        for _ in 0..=chance.below(3) {
            let picked = self.present.keys().nth(chance.below(8) as usize).copied();
            match (picked, chance.below(4)) {
                (Some(number), 0) => {
                    let (_, seen) = self.present.remove(&number).expect("is there");
                    tx.activities_mut().remove(sample::id(number), seen).await.expect("removes");
                }
                (Some(number), 1 | 2) => {
                    let activity = any_activity(number, chance);
                    let seen = self.present[&number].1;
                    let written: Stored<Activity> = tx.activities_mut().update(activity, seen).await.expect("updates");
                    self.present.insert(number, (written.value, version));
                }
                (Some(_) | None, _) => {
                    let activity = any_activity(self.number(), chance);
                    tx.activities_mut().put_all(vec![ActivityWrite::Add(activity.clone())]).await.expect("adds");
                    self.present.insert(self.next - 1, (activity, version));
                }
            }
        }
        tx.commit().await.expect("commits");
    }

    /// A change that is dropped before its commit.
    async fn write_and_drop(&mut self, chance: &mut Chance) {
        let mut tx = self.tenant.write().await;
        for _ in 0..chance.below(3) {
            tx.activities_mut().add(any_activity(self.number(), chance)).await.expect("adds");
        }
        if let Some((number, (_, seen))) = self.present.first_key_value() {
            tx.activities_mut().remove(sample::id(*number), *seen).await.expect("removes");
        }
        drop(tx);
    }

    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }

    fn recount(&self) -> Recount {
        let mut sums: Recount = BTreeMap::new();
        for (activity, _) in self.present.values() {
            for (day, cell) in activity.posting().cells() {
                let sum: &mut Cell = sums.entry((day, activity.series())).or_default();
                *sum = std::mem::take(sum).checked_add(&cell).expect("few activities");
            }
        }
        sums.retain(|_, cell| !cell.is_zero());
        sums
    }
}

/// The cells as the store keeps them.
async fn kept(tx: &mut dyn ReadTx) -> Recount {
    let keys = tx.ledger().series(0).await.expect("reads");
    read::cells(tx).await.into_iter().map(|one| ((one.day, keys[one.series as usize]), one.cell)).collect()
}

fn any_activity(number: u64, chance: &mut Chance) -> Activity {
    const AMOUNTS: [&str; 6] =
        ["1", "-0.000000000000000001", "7.7", "99999999999999999999", "-99999999999999999999.999999999999999999", "0"];
    let day = |number: u32| domain::Day::from_number(2_460_000 + number.cast_signed()).expect("a day").to_string();
    let first = chance.below(40);
    let last = if chance.below(2) == 0 { first } else { first + chance.below(20) };
    let kilograms = AMOUNTS.get(chance.below(8) as usize).copied();
    let biogenic = AMOUNTS[chance.below(6) as usize];
    let activity = measured_activity(number, sample::span(&day(first), &day(last)), kilograms, biogenic);
    let org = chance.below(3);
    let org = (org > 0).then(|| sample::id(sample::ORG + u64::from(org)));
    let measures = if chance.below(3) == 0 { activity.measures.clone() } else { domain::Measures::NONE };
    activity.with_org(org).with_measures(measures)
}

/// Repeatable numbers without pattern (the constants are Knuth's for MMIX).
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from(self.0 >> 33).unwrap_or_default() % bound
    }
}
