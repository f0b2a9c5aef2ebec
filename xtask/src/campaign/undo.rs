//! Large imports that are taken back, killed once midway: every total and the store are as before. An import of all rows or
//! none that is killed leaves all or none.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::ground::Ground;
use super::memory::mebibytes;
use super::tally::Tally;
use super::watch;
use super::writer::verified;
use crate::bench::dice::Dice;
use crate::bench::process::{Watch, output, run as run_command};
use crate::bench::store::{Kind, Store};

/// More are taken back batch by batch, of so many.
const BATCH: &str = "1000";
/// The setting that says how many rows are written or taken back at once.
const ATOMIC_ROWS: &str = "TONNE_LIMITS__ATOMIC_ROWS";
/// The most that it may say.
const AT_ONCE: &str = "1000000";
/// How often an undoing that had ended before it was killed is tried with another import.
const TRIES: u32 = 10;
const PATIENCE: Duration = Duration::from_mins(10);

/// What is there before: amounts of many digits, and syncIds that the large import changes.
const BEFORE: &str = "name,syncId,startDate,UpstreamCO2e\nVan,row-1,2025-01-31,0.000000000000000007\n\
                      Van,row-19999,2025-02-28,5.25\nVan,other,2025-03-31,7\n";

/// Imports so many rows and takes them back.
pub(super) fn run(ground: &mut Ground, name: &str, kind: Kind, rows: u32, seed: u64) -> Result<Tally> {
    let store = ground.store(name, kind)?;
    let mut tally = Tally::default();
    let (few, many) = (table(&store, "before.csv")?, table(&store, "rows.csv")?);
    fs::write(&few, BEFORE)?;
    fs::write(&many, rows_of(rows))?;
    import(&store, &few, &[])?;
    let before = totals(&store)?;
    let killed = (0..TRIES).find_map(|_| killed_midway(&store, &many, rows).transpose()).transpose()?;
    let Some(id) = killed else { bail!("{TRIES} times it was undone before it was killed") };
    watch::doing("what was killed midway is looked at");
    verified(&store)?;
    let left = count(&store)?;
    ensure!(3 < left && left < u64::from(rows) + 1, "{left} activities are left of an undoing that was killed midway");
    tally.count("rows left when it was killed", left);
    watch::doing_for("the undoing goes on", PATIENCE);
    let undone = json(store.command(["import", "undo"]).args([&id, "--json"]).env(ATOMIC_ROWS, BATCH))?;
    ensure!(undone["state"] == "undone" && undone["kept"] == 0, "it is not undone: {undone}");
    as_before(&store, &before)?;
    tally.count("rows undone", u64::from(rows));
    at_once(&store, (&many, rows), &before, seed, &mut tally)?;
    tally.count("rows at once", u64::from(rows));
    ground.clear(name)?;
    Ok(tally)
}

/// An import of all rows or none that is killed leaves all or none; a whole one is undone in one change.
fn at_once(store: &Store, (many, rows): (&Path, u32), before: &str, seed: u64, tally: &mut Tally) -> Result<()> {
    let undo = |id: &str| {
        let mut command = store.command(["import", "undo"]);
        command.args([id, "--json"]).env(ATOMIC_ROWS, AT_ONCE);
        command
    };
    watch::doing_for("an import of all rows or none is killed", PATIENCE);
    let mut command = store.command(["import", "activities"]);
    command.arg(many).args(["--atomic", "--again", "--json"]).env(ATOMIC_ROWS, AT_ONCE);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    // Many rows take longer than few.
    let most = (rows / 40).max(3_000);
    std::thread::sleep(Duration::from_millis(u64::from(Dice::of(seed).below(most))));
    // It may have ended by then.
    let _ = child.kill();
    child.wait()?;
    let there = count(store)?;
    if there == u64::from(rows) + 1 {
        let listed = json(&mut store.command(["import", "list", "--json"]))?;
        let id = listed[0]["uuid"].as_str().context("an import without a uuid")?.to_owned();
        // What was killed behind its commit is running still, as far as the store knows, for a minute.
        let begin = Instant::now();
        while output(&mut undo(&id)).is_err() {
            ensure!(begin.elapsed() < PATIENCE, "an import that was killed behind its commit cannot be undone");
            std::thread::sleep(Duration::from_secs(2));
        }
    } else {
        ensure!(there == 3, "an import of all or none that was killed left {there} activities");
    }
    as_before(store, before)?;
    watch::doing_for("an import of all rows or none", PATIENCE);
    let (id, memory) = import(store, many, &["--atomic", "--again"])?;
    tally.peak("import at once MiB", memory);
    ensure!(count(store)? == u64::from(rows) + 1, "rows of an import of all or none are lacking");
    watch::doing_for("it is undone at once", PATIENCE);
    let (undone, memory) = measured(&mut undo(&id))?;
    tally.peak("undoing at once MiB", memory);
    ensure!(undone["state"] == "undone", "it is not undone: {undone}");
    as_before(store, before)
}

/// Imports the rows and kills the command that undoes them once some are gone; the import, unless it was undone by then.
fn killed_midway(store: &Store, many: &Path, rows: u32) -> Result<Option<String>> {
    watch::doing_for("a large import", PATIENCE);
    let (id, _) = import(store, many, &["--again"])?;
    let whole = u64::from(rows) + 1;
    ensure!(count(store)? == whole, "rows of the import are lacking");
    let mut command: Command = store.command(["import", "undo"]);
    command.arg(&id).env(ATOMIC_ROWS, BATCH).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    watch::doing_for("an undoing is killed midway", PATIENCE);
    while count(store)? == whole && child.try_wait()?.is_none() {
        watch::goes_on();
    }
    let _ = child.kill();
    child.wait()?;
    let listed = json(&mut store.command(["import", "list", "--json"]))?;
    let state = listed[0]["state"].as_str().unwrap_or_default();
    ensure!(matches!(state, "undoing" | "undone"), "an undoing that was killed reads as {state}");
    Ok((state == "undoing").then_some(id))
}

/// Every total and the store are as they were.
fn as_before(store: &Store, before: &str) -> Result<()> {
    let now = totals(store)?;
    ensure!(now == before, "totals differ: {now} was {before}");
    verified(store)
}

fn totals(store: &Store) -> Result<String> {
    output(&mut store.command(["report", "--by", "day", "--json"]))
}

fn count(store: &Store) -> Result<u64> {
    let report = json(&mut store.command(["report", "--json"]))?;
    report["count"].as_u64().context("a report without a count")
}

/// The import that was made of the file, and the most memory that took, in MiB.
fn import(store: &Store, file: &Path, flags: &[&str]) -> Result<(String, f64)> {
    let mut command = store.command(["import", "activities"]);
    command.arg(file).args(flags).arg("--json").env(ATOMIC_ROWS, AT_ONCE);
    let (done, memory) = measured(&mut command)?;
    let id = done["import"].as_str().with_context(|| format!("nothing was imported: {done}"))?.to_owned();
    Ok((id, memory))
}

fn json(command: &mut Command) -> Result<Value> {
    measured(command).map(|(value, _)| value)
}

/// What a command printed, and the most memory that it was seen to have, in MiB.
fn measured(command: &mut Command) -> Result<(Value, f64)> {
    let usage = run_command(command, Watch::default())?;
    let value = serde_json::from_str(&usage.output).context("a command printed no JSON")?;
    Ok((value, mebibytes(usage.memory.unwrap_or_default())))
}

/// A table beside the store.
fn table(store: &Store, name: &str) -> Result<std::path::PathBuf> {
    Ok(store.folder.parent().context("a store without a folder")?.join(name))
}

fn rows_of(rows: u32) -> String {
    let mut text = String::from("name,syncId,startDate,UpstreamCO2e\n");
    for row in 0..rows {
        // Writing to a text does not fail.
        let _ = writeln!(text, "Van,row-{row},2025-{:02}-{:02},{row}.125", row % 12 + 1, row % 28 + 1);
    }
    text
}
