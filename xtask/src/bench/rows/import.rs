//! `tonne import activities` of a table, alone on the machine.

use std::time::Duration;

use anyhow::{Context, Result, anyhow};

use super::{Figures, goal};
use crate::bench::activities::Order;
use crate::bench::figure::{Figure, Goal, Unit, number};
use crate::bench::floor;
use crate::bench::process::Usage;
use crate::bench::store::{Kind, Store};
use crate::bench::subject::Subject;

/// The part that is compared where a table is longer than two of them.
const MILLION: u32 = 1_000_000;

pub(super) fn random(subject: &Subject, figures: &mut Figures) -> Result<()> {
    let usage = subject.make_store()?;
    let rate = (Goal::AtLeast(70_000.0), Goal::AtLeast(70_000.0));
    add(subject, &subject.store()?, &usage, Order::RandomDays, goal(subject, rate), figures);
    Ok(())
}

pub(super) fn ascending(subject: &Subject, figures: &mut Figures) -> Result<()> {
    let rate = (Goal::AtLeast(90_000.0), Goal::AtLeast(70_000.0));
    import(subject, Order::Ascending, goal(subject, rate), figures)
}

pub(super) fn scattered(subject: &Subject, figures: &mut Figures) -> Result<()> {
    import(subject, Order::RandomSyncIds, Goal::Open, figures)
}

fn import(subject: &Subject, order: Order, rate: Goal, figures: &mut Figures) -> Result<()> {
    let table = subject.table(subject.activities, order)?;
    let store = subject.new_store(order.word())?;
    let usage = store.import(&table)?;
    add(subject, &store, &usage, order, rate, figures);
    subject.remove_store(order.word())
}

fn add(subject: &Subject, store: &Store, usage: &Usage, order: Order, rate: Goal, figures: &mut Figures) {
    let count = f64::from(subject.activities);
    let name = match order {
        Order::RandomDays => "import, random days",
        Order::Ascending => "import, ascending days",
        Order::RandomSyncIds => "import, random days and syncIds",
    };
    let measured = count / usage.took.as_secs_f64();
    let floor = floor::import(subject, store, order);
    let share = floor.as_ref().map(|floor| measured / floor).map_err(|error| anyhow!("{error:#}"));
    let figure = Figure::new(name, Unit::RowsPerSecond, Ok(measured)).goal(rate).floor(floor);
    figures.add(if order == Order::RandomDays {
        figure.peer("DuckDB", subject.duckdb().map(|duckdb| duckdb.rows_per_second))
    } else {
        figure
    });
    if subject.kind == Kind::Sqlite {
        let share = Figure::new(format!("{name}: share of the floor"), Unit::Ratio, share);
        figures.add(share.goal(Goal::AtLeast(0.7)));
    }
    let processor = usage.processor_seconds().map(|seconds| seconds * 1e6 / count);
    figures.add(Figure::new(format!("{name}: processor time of 1 M rows"), Unit::Seconds, processor));
    let memory = Figure::new(format!("{name}: memory at most"), Unit::Megabytes, usage.megabytes());
    figures.add(memory.goal(Goal::AtMost(400.0)));
    if store.log().is_some() {
        let log = number(usage.log) / f64::from(1 << 20);
        let log = Figure::new(format!("{name}: WAL at most"), Unit::Mebibytes, Ok(log));
        figures.add(log.goal(Goal::AtMost(256.0)));
    }
    let size = subject.size(store).map(|bytes| number(bytes) / count);
    let size = Figure::new(format!("{name}: size of the store"), Unit::BytesPerRow, size);
    figures.add(size.goal(goal(subject, (Goal::AtMost(400.0), Goal::Open))));
    if subject.activities >= 2 * MILLION {
        let at_most = match order {
            Order::Ascending => Goal::AtMost(1.3),
            Order::RandomSyncIds => Goal::AtMost(3.0),
            Order::RandomDays => Goal::Open,
        };
        let slower = last_to_first(usage, subject.activities);
        figures.add(
            Figure::new(format!("{name}: time of the last million to the first"), Unit::Ratio, slower).goal(at_most),
        );
    }
}

/// How much longer the last million rows took to be read than the first.
fn last_to_first(usage: &Usage, activities: u32) -> Result<f64> {
    let (_, size) = usage.progress.last().context("it was not seen how far the import was")?;
    let row_at = |row: u32| -> Result<Duration> {
        let position = u64::try_from(u128::from(*size) * u128::from(row) / u128::from(activities))?;
        let found = usage.progress.iter().find(|(_, read)| *read >= position);
        Ok(found.context("it was not seen how far the import was")?.0)
    };
    let first = row_at(MILLION)?.saturating_sub(row_at(1)?);
    let last = row_at(activities)?.saturating_sub(row_at(activities - MILLION)?);
    Ok(last.as_secs_f64() / first.as_secs_f64().max(1e-9))
}
