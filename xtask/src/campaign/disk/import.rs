//! An import from the command line while the disk fails: a small table, whose first commit it does not reach, or one of several
//! commits, with the fault between them, in them and behind them.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use super::Attack;
use crate::bench::process::output;
use crate::bench::store::Store;
use crate::campaign::fault_library::FaultLibrary;
use crate::campaign::service::Service;
use crate::campaign::tally::Tally;
use crate::campaign::watch;
use crate::campaign::writer::{sync_ids, table as csv_of, verified};

/// The rows of a table that is one commit, and of one that is several: twenty thousand rows are one.
const ROWS: [usize; 2] = [1_500, 50_000];
/// How long an import may take to fail.
const PATIENCE: Duration = Duration::from_mins(1);
const PAUSE: Duration = Duration::from_millis(5);

/// Imports a table while the operation fails, looks at what is there, and imports it again on a disk that is well.
pub(super) fn attack(attack: &Attack<'_>) -> Result<Tally> {
    let Attack { store, library, at, error, .. } = *attack;
    let rows = ROWS[usize::from(attack.is_long)];
    let table = store.folder.with_file_name("table.csv");
    let names = names(rows);
    fs::write(&table, csv_of(&names)).context("cannot write a table")?;
    let import = || {
        let mut command = store.command(["import", "activities"]);
        command.arg(&table);
        command
    };
    watch::doing("an import on a disk that fails");
    library.fail_at(at, error)?;
    let (status, said) = ended(import().envs(library.variables(&store.folder)), &table.with_extension("said"))?;
    library.mend()?;
    ensure!(!said.contains("panicked"), "the import panicked: {said}");
    let code = status.code().with_context(|| format!("the import ended with {status}: {said}"))?;
    ensure!(code == 0 || code == 1, "the import ended with {code}: {said}");
    ensure!(code == 0 || said.contains("error"), "the import failed without a word: {said:?}");

    verified(store)?;
    let found = found(attack)?;
    let part = &names[..found.len().min(names.len())];
    ensure!(found == part, "what is there is not the beginning of the table: {} rows", found.len());
    ensure!(code == 1 || found.len() == rows, "the import ended well with {} of {rows} rows", found.len());
    let kept = kept(&said);
    ensure!(
        code == 0 || kept.is_some() || found.is_empty(),
        "{} rows are there, and the import said: {said}",
        found.len()
    );
    if let Some((kept, is_unknown)) = kept {
        let is_so = found.len() == kept || (is_unknown && found.len() > kept);
        ensure!(is_so, "{kept} rows were said to be kept, {} are there: {said}", found.len());
    }
    // The same file completes it.
    watch::doing("the same import on a disk that is well");
    // An import that could not write how it ended reads as one that runs for a while.
    output(import().arg("--again")).context("the import on a disk that is well")?;
    ensure!(self::found(attack)? == names, "importing the table again does not complete it");
    verified(store)?;
    let mut tally = Tally::default();
    tally.count(if code == 0 { "imports that ended well" } else { "imports that failed" }, 1);
    tally.count("rows kept", found.len() as u64);
    if code == 1 && !found.is_empty() {
        tally.count("imports that kept a part", 1);
    }
    Ok(tally)
}

/// How many operations a long import asks for on a disk that is well.
pub(super) fn operations(store: &Store, library: &FaultLibrary) -> Result<u32> {
    let table = store.folder.with_file_name("table.csv");
    fs::write(&table, csv_of(&names(ROWS[1]))).context("cannot write a table")?;
    library.count()?;
    let mut command = store.command(["import", "activities"]);
    output(command.arg(&table).envs(library.variables(&store.folder)))?;
    library.forget()?;
    library.operations()
}

fn names(rows: usize) -> Vec<String> {
    (0..rows).map(|row| format!("row-{row:06}")).collect()
}

/// How many rows an import that failed said are kept, and whether it did not know of those behind them.
fn kept(said: &str) -> Option<(usize, bool)> {
    let word = |before: &str| said.split_once(before)?.1.split(' ').next()?.parse().ok();
    match word("the import ended; ") {
        Some(kept) => Some((kept, true)),
        None => word("the import ended after ").map(|kept| (kept, false)),
    }
}

/// How a command ended, and what it said on standard error, which goes through a file.
fn ended(command: &mut Command, said: &Path) -> Result<(ExitStatus, String)> {
    let file = fs::File::create(said).context("cannot make a file")?;
    let mut child = command.stdout(Stdio::null()).stderr(file).spawn().context("cannot run an import")?;
    let begin = Instant::now();
    loop {
        if let Some(status) = child.try_wait().context("cannot wait for an import")? {
            return Ok((status, fs::read_to_string(said).context("cannot read what an import said")?));
        }
        if begin.elapsed() > PATIENCE {
            child.kill().context("cannot kill an import")?;
            child.wait().context("cannot wait for an import")?;
            bail!("the import did not end within {} s", PATIENCE.as_secs());
        }
        std::thread::sleep(PAUSE);
    }
}

/// The syncIds that are there, in ascending order.
fn found(attack: &Attack<'_>) -> Result<Vec<String>> {
    let service = Service::start(attack.store, &[])?;
    let mut found = sync_ids(&service, attack.key)?;
    found.sort_unstable();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_import_says_it_kept_is_read() {
        assert_eq!(kept("a.csv: the import ended after 20000 rows, which are kept; and"), Some((20_000, false)));
        assert_eq!(kept("a.csv: the import ended; 0 rows are kept, and whether"), Some((0, true)));
        assert_eq!(kept("error: no room"), None);
    }
}
