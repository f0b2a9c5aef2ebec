//! A backup, and a restore, of which an operation of the disk fails: what is called done is whole, and what is not is taken
//! for nothing.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::bench::process::output;
use crate::bench::store::{Kind, Store};
use crate::campaign::fault_library::{DiskError, FaultLibrary};
use crate::campaign::ground::Ground;
use crate::campaign::tally::Tally;
use crate::campaign::watch;
use crate::campaign::writer::{table, verified};

const ROWS: u32 = 3_000;

/// Has so many operations fail, spread over all of a backup and over all of a restore, with each error.
pub(in crate::campaign) fn run(ground: &mut Ground, name: &str, places: u32) -> Result<Tally> {
    let store = ground.store(name, Kind::Sqlite)?;
    let room = store.folder.parent().context("a store without a folder")?.to_owned();
    let rows = room.join("table.csv");
    let names: Vec<_> = (0..ROWS).map(|row| format!("row-{row}")).collect();
    fs::write(&rows, table(&names)).context("cannot write a table")?;
    store.import(&rows)?;
    let (backup, library) = (room.join("out/a.backup"), FaultLibrary::compile(&room)?);
    let target = Store::in_folder(store.program(), room.join("restored"))?;
    let back_up = || {
        let mut command = store.command(["backup"]);
        command.arg("--to").arg(&backup);
        command
    };
    let restore = || {
        let mut command = target.command(["restore"]);
        command.arg(&backup);
        command
    };
    let mut tally = Tally::default();
    for error in [DiskError::Eio, DiskError::Enospc] {
        for place in spread(&library, &room, places, || empty(&room.join("out")), back_up)? {
            let (is_done, said) = attempt(&library, &room, place, error, || empty(&room.join("out")), back_up)?;
            tally.count(if is_done { "backups made" } else { "backups refused" }, 1);
            ensure!(is_done == backup.exists(), "is it done: {is_done}; is it there: not so; {said}");
            if is_done {
                empty(&target.folder)?;
                output(&mut restore()).context("a backup that was called done")?;
                verified(&target)?;
            }
        }
        empty(&room.join("out"))?;
        output(&mut back_up())?;
        for place in spread(&library, &room, places, || empty(&target.folder), restore)? {
            let (is_done, said) = attempt(&library, &room, place, error, || empty(&target.folder), restore)?;
            tally.count(if is_done { "restores made" } else { "restores refused" }, 1);
            if !is_done {
                // Into the same place, on a disk that is well.
                output(&mut restore()).with_context(|| format!("a restore after {said}"))?;
            }
            verified(&target)?;
        }
    }
    verified(&store)?;
    ground.clear(name)?;
    Ok(tally)
}

/// The numbers of so many operations of all that the command asks for on a disk that is well.
fn spread(
    library: &FaultLibrary,
    room: &Path,
    places: u32,
    ready: impl Fn() -> Result<()>,
    command: impl Fn() -> Command,
) -> Result<Vec<u32>> {
    ready()?;
    library.forget()?;
    library.count()?;
    output(command().envs(library.variables(room)))?;
    let all = library.operations()?;
    library.forget()?;
    ready()?;
    ensure!(all > 0, "the command asked nothing of the disk");
    // The first and the last are among them.
    let steps = places.max(2) - 1;
    let mut numbers: Vec<_> = (0..=steps).map(|step| 1 + (all - 1) * step / steps).collect();
    numbers.dedup();
    Ok(numbers)
}

/// Runs the command while that operation fails; whether it ended well, and what it said.
fn attempt(
    library: &FaultLibrary,
    room: &Path,
    place: u32,
    error: DiskError,
    ready: impl Fn() -> Result<()>,
    command: impl Fn() -> Command,
) -> Result<(bool, String)> {
    watch::doing("a command on a disk that fails");
    ready()?;
    library.forget()?;
    library.fail_at(place, error)?;
    let ended = command().envs(library.variables(room)).output().context("cannot run the program")?;
    let failed = library.failed();
    library.forget()?;
    let said = String::from_utf8_lossy(&ended.stderr);
    let what = format!("operation {place} ({})", failed.as_deref().unwrap_or("none"));
    ensure!(!said.contains("panicked"), "{what}: {said}");
    let code = ended.status.code().with_context(|| format!("{what}: ended with {}", ended.status))?;
    ensure!(code == 0 || (code == 1 && said.contains("error")), "{what}: ended with {code}: {said}");
    Ok((code == 0, format!("{what}: {said}")))
}

fn empty(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}
