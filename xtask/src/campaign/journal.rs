//! What is kept of a run: its seed, and of each round how it ended. A run that was broken off goes on by it.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::tally::Tally;
use crate::bench::dice::Dice;

/// How a round ended.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) part: String,
    pub(super) name: String,
    pub(super) seed: u64,
    pub(super) seconds: f64,
    /// What was claimed and not found.
    pub(super) error: Option<String>,
    pub(super) tally: Tally,
}

/// The rounds of a run, a line of JSON each, behind a line with the seed.
pub(super) struct Journal {
    path: PathBuf,
    seed: u64,
    entries: Vec<Entry>,
}

impl Journal {
    /// Begins one in the folder, or goes on with the one that is there.
    pub(super) fn open(folder: &Path, resume: bool, seed: Option<u64>) -> Result<Self> {
        let path = folder.join("journal.ndjson");
        if resume && path.is_file() {
            let text = fs::read_to_string(&path).context("cannot read the journal")?;
            let mut lines = text.lines();
            let seed = lines.next().and_then(|line| line.parse().ok()).context("the journal has no seed")?;
            // A line that was cut is of a round that did not end: it is run again.
            let entries: Vec<_> = lines.filter_map(|line| serde_json::from_str(line).ok()).collect();
            let journal = Self { path, seed, entries };
            journal.write()?;
            return Ok(journal);
        }
        let seed = match seed {
            Some(seed) => seed,
            None => crate::bench::machine::said("date", &["-u", "+%s%N"])?.parse().context("no time of day")?,
        };
        let journal = Self { path, seed, entries: Vec::new() };
        journal.write()?;
        Ok(journal)
    }

    fn write(&self) -> Result<()> {
        let mut text = format!("{}\n", self.seed);
        for entry in &self.entries {
            text.push_str(&(serde_json::to_string(entry)? + "\n"));
        }
        fs::write(&self.path, text).context("cannot write the journal")
    }

    /// Adds how a round ended, in place of how it ended before.
    pub(super) fn add(&mut self, entry: Entry) -> Result<()> {
        let is_again = self.entries.iter().any(|known| known.name == entry.name);
        self.entries.retain(|known| known.name != entry.name);
        self.entries.push(entry);
        if is_again {
            return self.write();
        }
        let mut file = fs::OpenOptions::new().append(true).open(&self.path).context("cannot open the journal")?;
        let line = self.entries.last().map(serde_json::to_string).transpose()?.unwrap_or_default();
        writeln!(file, "{line}").context("cannot write the journal")
    }

    pub(super) const fn seed(&self) -> u64 {
        self.seed
    }

    /// The seed of a round, which hangs on its name and the run's seed alone.
    pub(super) fn seed_of(&self, name: &str) -> u64 {
        name.bytes().fold(Dice::of(self.seed).next(), |seed, byte| Dice::of(seed ^ u64::from(byte)).next())
    }

    pub(super) fn has_passed(&self, name: &str) -> bool {
        self.entries.iter().any(|entry| entry.name == name && entry.error.is_none())
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::Folder;

    fn entry(name: &str, error: Option<&str>) -> Entry {
        let (part, name, error) = ("kill".to_owned(), name.to_owned(), error.map(str::to_owned));
        Entry { part, name, seed: 1, seconds: 1.5, error, tally: Tally::default() }
    }

    #[test]
    fn a_run_goes_on_with_what_failed_or_was_cut() {
        let folder = Folder::new("journal-resumed").unwrap();
        let mut journal = Journal::open(folder.path(), false, Some(7)).unwrap();
        journal.add(entry("a", None)).unwrap();
        journal.add(entry("b", Some("lost"))).unwrap();
        let path = folder.path().join("journal.ndjson");
        fs::write(&path, fs::read_to_string(&path).unwrap() + "{\"part\":\"ki").unwrap();
        let resumed = Journal::open(folder.path(), true, None).unwrap();
        assert_eq!((resumed.seed(), resumed.entries().len()), (7, 2));
        assert!(resumed.has_passed("a") && !resumed.has_passed("b"));
        assert!(!Journal::open(folder.path(), false, Some(7)).unwrap().has_passed("a"));
    }

    #[test]
    fn a_round_has_its_seed_whatever_ran_before_it() {
        let folder = Folder::new("journal-seeds").unwrap();
        let mut journal = Journal::open(folder.path(), false, Some(7)).unwrap();
        let seed = journal.seed_of("kill-sqlite-02");
        journal.add(entry("kill-sqlite-01", None)).unwrap();
        assert_eq!(journal.seed_of("kill-sqlite-02"), seed);
        assert_ne!(journal.seed_of("kill-sqlite-03"), seed);
    }
}
