//! An import from the command line while the disk fails.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use super::Attack;
use crate::bench::process::output;
use crate::campaign::service::Service;
use crate::campaign::tally::Tally;
use crate::campaign::writer::{sync_ids, table as csv_of, verified};

const ROWS: usize = 1_500;
/// How long an import may take to fail.
const PATIENCE: Duration = Duration::from_mins(1);
const PAUSE: Duration = Duration::from_millis(5);

/// Imports a table while the operation fails, looks at what is there, and imports it again on a disk that is well.
pub(super) fn attack(attack: &Attack<'_>) -> Result<Tally> {
    let Attack { store, library, at, error, .. } = *attack;
    let table = store.folder.with_file_name("table.csv");
    let names: Vec<_> = (0..ROWS).map(|row| format!("row-{row:06}")).collect();
    fs::write(&table, csv_of(&names)).context("cannot write a table")?;
    let import = || {
        let mut command = store.command(["import", "activities"]);
        command.arg(&table);
        command
    };
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
    ensure!(code == 1 || found.len() == ROWS, "the import ended well with {} of {ROWS} rows", found.len());
    // The same file again completes it.
    output(&mut import()).context("the import on a disk that is well")?;
    ensure!(self::found(attack)? == names, "importing the table again does not complete it");
    verified(store)?;
    let mut tally = Tally::default();
    tally.count(if code == 0 { "imports that ended well" } else { "imports that failed" }, 1);
    tally.count("rows kept", found.len() as u64);
    Ok(tally)
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
