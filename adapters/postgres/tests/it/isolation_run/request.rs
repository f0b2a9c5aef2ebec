//! What one request of a tenant does, and how much of what it meets is the tenant's own.

use std::collections::HashSet;
use std::ops::AddAssign;
use std::panic::resume_unwind;

use domain::{Activity, Day, Filter, Name, Total};
use ports::contract::sample;
use ports::repo::{Page, Query};
use ports::store::{Store as _, StoreError};
use tonne_postgres::PostgresStore;

use crate::harness::{reading, writing};
use crate::isolation_stress::{ACTIVITIES, Dice, PRODUCTS, mark};

/// The records of each tenant.
pub(super) const RECORDS: u64 = PRODUCTS + ACTIVITIES;

/// What requests met, each compared with what the tenant owns: rows, and sums of all its rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Met {
    pub(super) own: u64,
    pub(super) foreign: u64,
}

impl AddAssign for Met {
    fn add_assign(&mut self, other: Self) {
        self.own += other.own;
        self.foreign += other.foreign;
    }
}

impl Met {
    fn of<T>(found: impl IntoIterator<Item = T>, is_own: impl Fn(&T) -> bool) -> Self {
        let mut met = Self::default();
        for one in found {
            if is_own(&one) {
                met.own += 1;
            } else {
                met.foreign += 1;
            }
        }
        met
    }

    fn named(number: u64, found: impl IntoIterator<Item = Name>) -> Self {
        let mark = mark(number);
        Self::of(found, |name| *name == mark)
    }

    fn activities(number: u64, found: impl IntoIterator<Item = Activity>) -> Self {
        let (mark, co2e) = (mark(number), sample::co2e(&number.to_string()));
        Self::of(found, |activity| activity.name == mark && activity.co2e() == Some(co2e))
    }
}

/// Whether a request ends in a panic, with its transaction open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Panics {
    Never,
    Halfway,
}

impl Panics {
    fn here(self) {
        if self == Self::Halfway {
            // As a panic does, without a line in the test's output for each.
            resume_unwind(Box::new("injected"));
        }
    }
}

/// One request of a tenant, drawn at random.
pub(super) async fn request(
    store: &PostgresStore,
    number: u64,
    dice: &mut Dice,
    panics: Panics,
) -> Result<Met, StoreError> {
    let (grant, id) = (reading(number), sample::id(dice.roll(ACTIVITIES) + 1));
    match dice.roll(10) {
        0 | 1 => write(store, number, dice, panics).await,
        2 => {
            let mut read = store.read(&grant).await?;
            panics.here();
            let cube = ports::ledger::cells(read.ledger()).await?.cube();
            let (mut starts, mut co2e) = (0, Total::ZERO);
            for (_, _, cell) in cube.cells() {
                starts += cell.starts;
                co2e += cell.co2e.amount;
            }
            // One answer, which is the tenant's own where both sums are.
            let own = (i64::try_from(ACTIVITIES).unwrap(), Total::parse(&(ACTIVITIES * number).to_string()).unwrap());
            Ok(Met::of([(starts, co2e)], |found| *found == own))
        }
        3 => {
            let mut read = store.read(&grant).await?;
            panics.here();
            Ok(Met::named(number, read.products().names().await?.into_iter().map(|(_, name)| name)))
        }
        4 => {
            let mut read = store.read(&grant).await?;
            panics.here();
            let some = read.activities().range(&Filter::default(), &HashSet::new(), None, 50).await?;
            Ok(Met::activities(number, some.into_iter().map(|stored| stored.value)))
        }
        5 => {
            let mut read = store.read(&grant).await?;
            panics.here();
            let listing = read.products().list(&Query::all(Page::FIRST)).await?;
            let mut met = Met::named(number, listing.data.into_iter().map(|stored| stored.value.name));
            met.foreign += listing.count.saturating_sub(PRODUCTS);
            Ok(met)
        }
        6 | 7 => {
            // One message, without a transaction of its own.
            let (_, found) = store.activity(&grant, id).await?;
            panics.here();
            Ok(Met::activities(number, found.into_iter().map(|stored| stored.value)))
        }
        _ => {
            let mut read = store.read(&grant).await?;
            panics.here();
            let found = read.activities().find(id).await?;
            Ok(Met::activities(number, found.map(|stored| stored.value)))
        }
    }
}

async fn write(store: &PostgresStore, number: u64, dice: &mut Dice, panics: Panics) -> Result<Met, StoreError> {
    let mut write = store.write(&writing(number), sample::intent()).await?;
    let Some(seen) = write.activities().find(sample::id(dice.roll(ACTIVITIES) + 1)).await? else {
        return Ok(Met::default());
    };
    let met = Met::activities(number, [seen.value.clone()]);
    let day = Day::from_number(sample::day("2025-01-01").number() + i32::try_from(dice.roll(28)).unwrap()).unwrap();
    let moved = seen.value.with_span(sample::span(&day.to_string(), &day.to_string()));
    write.activities_mut().update(moved, seen.version).await?;
    panics.here();
    // Some are undone.
    if dice.roll(5) > 0 {
        write.commit().await?;
    }
    Ok(met)
}
