//! A disk that fails at one of the first two hundred writes and syncs, under single writes and under an import.
//!
//! What was acknowledged is there afterwards, what was refused is not, and what is in doubt was said to be.

mod import;
mod single;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

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
    first: u32,
    last: u32,
    step: usize,
}

/// What writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Single,
    Import,
}

/// A round for each way and error and twenty-five operations; of the short form some operations of all.
pub(super) fn rounds(form: Form) -> Vec<Round> {
    let mut rounds = Vec::new();
    for (way, word) in [(Way::Single, "single"), (Way::Import, "import")] {
        for error in [DiskError::Eio, DiskError::Enospc] {
            let (each, step) = (form.pick(LAST, 25), form.pick(40, 1) as usize);
            for first in (1..=LAST).step_by(each as usize) {
                // Both errors of the short form fail other operations.
                let offset = if form == Form::Short && error == DiskError::Enospc { 7 } else { 0 };
                let last = first + each - 1;
                let name = format!("disk-{word}-{}-{first:03}", error.word());
                let task = Task::Disk(Faults { way, error, first: first + offset, last, step });
                rounds.push(Round { part: Part::Disk, name, task });
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
    let mut tally = Tally::default();
    for at in (faults.first..=faults.last).step_by(faults.step) {
        if store.folder.exists() {
            fs::remove_dir_all(&store.folder).context("cannot remove a store")?;
        }
        copy(&untouched, &store.folder)?;
        library.forget()?;
        let attack = Attack { store: &store, key: &key, library: &library, at, error: faults.error };
        let attacked = match faults.way {
            Way::Single => single::attack(&attack),
            Way::Import => import::attack(&attack),
        };
        let failed = library.failed();
        tally.add(
            &attacked.with_context(|| format!("operation {at} failed ({})", failed.as_deref().unwrap_or("none")))?,
        );
        tally.count(if failed.is_some() { "faults" } else { "operations never reached" }, 1);
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
