//! Files of published factors.

mod book;
mod epa;
mod official;
mod other_year;
mod plain;
mod supply_chain;
mod uk;

use domain::PublishedFactor;
use tonne_files::{FileError, PublishedFile, read_published};

fn read(bytes: impl AsRef<[u8]>, file: &str) -> PublishedFile {
    let found = read_published(bytes.as_ref(), file).unwrap_or_else(|error| panic!("{error}"));
    check_account(&found);
    found
}

fn refused(bytes: impl AsRef<[u8]>) -> String {
    let error: FileError = read_published(bytes.as_ref(), "a.csv").unwrap_err();
    error.to_string()
}

/// Every row is used or skipped, what is faulty is told, and no cell is two factors.
fn check_account(file: &PublishedFile) {
    let account = &file.account;
    let skipped: u64 = account.skipped.values().sum();
    assert_eq!(account.rows, account.used + skipped, "{account:?}");
    assert!(account.findings.len() as u64 >= u64::from(account.skipped.contains_key(&tonne_files::Skipped::Faulty)));
    let mut cells: Vec<_> = file.factors.iter().map(|factor| factor.cell.as_str()).collect();
    cells.sort_unstable();
    assert!(cells.windows(2).all(|pair| pair[0] != pair[1]), "a cell is two factors");
    for factor in &file.factors {
        factor.intensity().unwrap();
        assert!(!factor.rows.is_empty(), "{factor:?}");
    }
}

/// Name, unit, use and CO2e.
fn told(factor: &PublishedFactor) -> String {
    format!("{} {} {} {}", factor.name, factor.unit, factor.usage, factor.intensity().unwrap())
}

/// What is wrong, place by place.
fn findings(file: &PublishedFile) -> Vec<String> {
    file.account.findings.iter().map(ToString::to_string).collect()
}

/// The rows or values skipped, by the words for why.
fn counts<'a>(skipped: impl IntoIterator<Item = (&'a tonne_files::Skipped, &'a u64)>) -> Vec<String> {
    skipped.into_iter().map(|(reason, count)| format!("{count} {reason}")).collect()
}
