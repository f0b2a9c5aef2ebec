//! The company's activities as tables: always the same, however often they are made.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};

use super::company::{ORGS, PRODUCTS, SCOPE_COUNT, SCOPES, TAXONOMIES};
use super::dice::Dice;

/// The days that activities are on: those of the years 2022 to 2024.
pub(super) const DAYS: u32 = 1_096;
/// The first day as a Julian day number: 1 January 2022.
pub(super) const FIRST_JULIAN_DAY: u32 = 2_459_581;

/// In which order activities come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Random days, ascending syncIds.
    RandomDays,
    /// Ascending days and syncIds.
    Ascending,
    /// Random days and syncIds.
    RandomSyncIds,
}

impl Order {
    /// The word for it in names of files.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::RandomDays => "random",
            Self::Ascending => "ascending",
            Self::RandomSyncIds => "scattered",
        }
    }
}

/// An activity in numbers, each below the count of what it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Activity {
    pub(super) sync_number: u64,
    /// In thousandths.
    pub(super) quantity: u32,
    pub(super) product: u32,
    pub(super) scope: u32,
    pub(super) org: u32,
    pub(super) taxonomy: u32,
    pub(super) day: u32,
}

/// So many activities in an order.
pub(super) fn activities(count: u32, order: Order) -> impl Iterator<Item = Activity> {
    let mut dice = Dice::of(1);
    (0..count).map(move |at| {
        let (quantity, product, scope) = (dice.below(100_000_000), dice.below(PRODUCTS), dice.below(SCOPE_COUNT));
        let (org, taxonomy, random_day, scattered) =
            (dice.below(ORGS), dice.below(TAXONOMIES), dice.below(DAYS), dice.next());
        let day = match order {
            Order::RandomDays | Order::RandomSyncIds => random_day,
            Order::Ascending => scaled(at, DAYS, count),
        };
        let sync_number = if order == Order::RandomSyncIds { scattered } else { u64::from(at) };
        Activity { sync_number, quantity, product, scope, org, taxonomy, day }
    })
}

/// `at * of / all` without leaving the bounds.
fn scaled(at: u32, of: u32, all: u32) -> u32 {
    u32::try_from(u64::from(at) * u64::from(of) / u64::from(all.max(1))).unwrap_or(u32::MAX)
}

impl Activity {
    /// Its syncId, which begins with the prefix.
    pub(super) fn sync_id(&self, prefix: &str) -> String {
        let Self { sync_number, .. } = self;
        if *sync_number > u64::from(u32::MAX) {
            format!("{prefix}{sync_number:020}")
        } else {
            format!("{prefix}{sync_number:08}")
        }
    }

    /// Its quantity as a number in plain decimals.
    pub(super) fn quantity(&self) -> String {
        format!("{}.{:03}", self.quantity / 1_000, self.quantity % 1_000)
    }

    /// Its day as `2022-01-31`.
    pub(super) fn date(&self) -> String {
        date(self.day)
    }
}

/// The day so many days after the first one.
pub(super) fn date(day: u32) -> String {
    let (mut year, mut left) = (2022, day);
    loop {
        let leap = u32::from(year % 4 == 0);
        for (month, days) in (1..).zip([31, 28 + leap, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
            if left < days {
                return format!("{year}-{month:02}-{:02}", left + 1);
            }
            left -= days;
        }
        year += 1;
    }
}

/// Writes the table of so many activities to a file, unless it is there already.
pub(super) fn write_file(path: &Path, count: u32, order: Order, prefix: &str) -> Result<()> {
    if path.is_file() {
        return Ok(());
    }
    let shown = || format!("cannot write {}", path.display());
    // Whole or not there: an earlier run may have been ended while it wrote.
    let half = path.with_extension("half");
    let mut file = BufWriter::with_capacity(1 << 20, File::create(&half).with_context(shown)?);
    write(&mut file, count, order, prefix).and_then(|()| file.flush()).with_context(shown)?;
    std::fs::rename(&half, path).with_context(shown)
}

fn write(to: &mut impl Write, count: u32, order: Order, prefix: &str) -> io::Result<()> {
    writeln!(to, "syncId,name,quantity,unit,product,scope,org,taxonomy,startDate")?;
    for activity in activities(count, order) {
        let Activity { sync_number, product, scope, org, taxonomy, .. } = activity;
        writeln!(
            to,
            "{},Meter reading {:08},{},kWh,fuel{product},{},site{org},kind{taxonomy},{}",
            activity.sync_id(prefix),
            sync_number % 100_000_000,
            activity.quantity(),
            SCOPES[scope as usize],
            activity.date()
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(count: u32, order: Order) -> String {
        let mut bytes = Vec::new();
        write(&mut bytes, count, order, "a").unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn the_table_is_the_same_however_often_it_is_made() {
        for order in [Order::RandomDays, Order::Ascending, Order::RandomSyncIds] {
            assert_eq!(text(100, order), text(100, order), "{order:?}");
        }
        assert_ne!(text(100, Order::RandomDays), text(100, Order::Ascending));
    }

    #[test]
    fn ascending_days_begin_with_the_first_and_end_with_the_last() {
        let days: Vec<_> = activities(5_000, Order::Ascending).map(|activity| activity.day).collect();
        assert!(days.is_sorted());
        assert_eq!((days.first(), days.last()), (Some(&0), Some(&(DAYS - 1))));
    }

    #[test]
    fn every_syncid_of_a_table_is_another_one() {
        for order in [Order::RandomDays, Order::RandomSyncIds] {
            let mut all: Vec<_> = activities(10_000, order).map(|activity| activity.sync_id("a")).collect();
            all.sort();
            all.dedup();
            assert_eq!(all.len(), 10_000, "{order:?}");
        }
    }

    #[test]
    fn days_are_counted_from_2022_through_the_leap_year() {
        assert_eq!(date(0), "2022-01-01");
        assert_eq!(date(364), "2022-12-31");
        assert_eq!(date(365 + 365 + 59), "2024-02-29");
        assert_eq!(date(DAYS - 1), "2024-12-31");
    }
}
