//! A disk that fails at one of the first two hundred writes and syncs, under single writes and under an import, and at places
//! spread over the whole of an import of several commits.
//!
//! What was acknowledged is there afterwards, what was refused is not, and what is in doubt was said to be.

mod import;
mod single;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::fault_library::{DiskError, FaultLibrary};
use super::ground::Ground;
use super::part::{Form, Part, Round, Task};
use super::tally::Tally;
use crate::bench::store::{Kind, Store};

/// The last operation that fails.
const LAST: u32 = 200;

/// Which operations fail, one after the other, each of a program of its own.
#[derive(Clone, Debug)]
pub(super) struct Faults {
    way: Way,
    error: DiskError,
    places: Vec<Place>,
}

/// Where an operation fails.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// At the operation of that number.
    At(u32),
    /// After so many of a hundred of all operations.
    Percent(u32),
}

/// What writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Single,
    Import,
    LongImport,
}

/// A round for each way and error and twenty-five operations; of the short form some operations of all.
pub(super) fn rounds(form: Form) -> Vec<Round> {
    let mut rounds = Vec::new();
    let mut add = |way, word, error: DiskError, first: u32, places| {
        let name = format!("disk-{word}-{}-{first:03}", error.word());
        rounds.push(Round { part: Part::Disk, name, task: Task::Disk(Faults { way, error, places }) });
    };
    for error in [DiskError::Eio, DiskError::Enospc] {
        let percents = if form == Form::Short { vec![60] } else { (2..100).step_by(4).collect() };
        add(Way::LongImport, "long-import", error, 1, percents.into_iter().map(Place::Percent).collect());
    }
    for (way, word) in [(Way::Single, "single"), (Way::Import, "import")] {
        for error in [DiskError::Eio, DiskError::Enospc] {
            if form == Form::Short {
                // Both errors fail other operations.
                let first = if error == DiskError::Enospc { 8 } else { 1 };
                add(way, word, error, 1, (first..=LAST).step_by(48).map(Place::At).collect());
            } else {
                for first in (1..=LAST).step_by(25) {
                    add(way, word, error, first, (first..first + 25).map(Place::At).collect());
                }
            }
        }
    }
    rounds
}

/// Has each of the operations fail.
pub(super) fn run(ground: &mut Ground, name: &str, faults: &Faults) -> Result<Tally> {
    let store = ground.store(name, Kind::Sqlite)?;
    let room = store.folder.parent().context("a store without a folder")?.to_owned();
    let key = store.key("activity:read,activity:write")?;
    let untouched = room.join("untouched");
    fs::rename(&store.folder, &untouched).context("cannot set a store aside")?;
    let library = FaultLibrary::compile(&room)?;
    let is_long = faults.way == Way::LongImport;
    copy(&untouched, &store.folder)?;
    let all = if is_long { import::operations(&store, &library)? } else { 0 };
    let mut tally = Tally::default();
    for place in &faults.places {
        let at = match *place {
            Place::At(at) => at,
            Place::Percent(percent) => (all * percent / 100).max(1),
        };
        fs::remove_dir_all(&store.folder).context("cannot remove a store")?;
        copy(&untouched, &store.folder)?;
        library.forget()?;
        let attack = Attack { store: &store, key: &key, library: &library, at, error: faults.error, is_long };
        let attacked = match faults.way {
            Way::Single => single::attack(&attack),
            Way::Import | Way::LongImport => import::attack(&attack),
        };
        let failed = library.failed();
        tally.add(
            &attacked.with_context(|| format!("operation {at} failed ({})", failed.as_deref().unwrap_or("none")))?,
        );
        tally.count(if failed.is_some() { "faults" } else { "operations never reached" }, 1);
    }
    ensure!(tally.counts.contains_key("faults"), "no operation failed");
    if is_long {
        let parts = tally.counts.get("imports that kept a part").copied().unwrap_or_default();
        ensure!(parts > 0, "no import failed between its commits");
    }
    ground.clear(name)?;
    Ok(tally)
}

/// One operation that fails.
struct Attack<'a> {
    store: &'a Store,
    key: &'a str,
    library: &'a FaultLibrary,
    at: u32,
    error: DiskError,
    /// Whether an import is one of several commits.
    is_long: bool,
}

/// Copies a folder with all that is below it.
fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot make {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot list {}", from.display()))? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target).with_context(|| format!("cannot copy to {}", target.display()))?;
        }
    }
    Ok(())
}
