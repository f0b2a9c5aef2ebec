//! A store by the flags that choose it, and the program's commands on it.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::process::{self, Usage, Watch};
use crate::program::program;

/// Settings that measure the work in place of its limits, and a quiet log; one that a version does not have is passed
/// over.
const SETTINGS: [(&str, &str); 8] = [
    ("log.level", "warn"),
    ("limits.streams", "1000"),
    ("limits.streams_per_tenant", "1000"),
    ("limits.streams_per_credential", "1000"),
    ("limits.stream_s", "86400"),
    ("limits.requests_per_minute", "0"),
    ("server.allowed_hosts", "localhost"),
    ("limits.connections_per_address", "4096"),
];

/// The kinds of stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Sqlite,
    Postgres,
}

impl Kind {
    /// What tables call it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
        }
    }

    /// The one of two values that is for it.
    pub(crate) fn pick<T>(self, sqlite: T, postgres: T) -> T {
        match self {
            Self::Sqlite => sqlite,
            Self::Postgres => postgres,
        }
    }
}

/// A store, and the program that works on it.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    pub(crate) kind: Kind,
    /// The folder of its data; of a database the secret alone.
    pub(crate) folder: PathBuf,
    pub(crate) url: Option<String>,
    program: PathBuf,
    settings: Vec<(OsString, &'static str)>,
}

impl Store {
    /// The store in a folder.
    pub(crate) fn in_folder(program: &Path, folder: PathBuf) -> Result<Self> {
        Self::of(Kind::Sqlite, program, folder, None)
    }

    /// The store in a database.
    pub(crate) fn in_database(program: &Path, folder: PathBuf, url: String) -> Result<Self> {
        Self::of(Kind::Postgres, program, folder, Some(url))
    }

    fn of(kind: Kind, program: &Path, folder: PathBuf, url: Option<String>) -> Result<Self> {
        let mut store = Self { kind, folder, url, program: program.to_owned(), settings: Vec::new() };
        let known = process::output(&mut store.command(["config"]))?;
        let is_known = |name: &str| known.lines().any(|line| line.split([' ', '=']).next() == Some(name));
        let variable = |name: &str| OsString::from(format!("TONNE_{}", name.replace('.', "__").to_uppercase()));
        let some = SETTINGS.into_iter().filter(|(name, _)| is_known(name));
        store.settings = some.map(|(name, value)| (variable(name), value)).collect();
        Ok(store)
    }

    /// A command of the program on it, with no configuration but `SETTINGS`.
    pub(crate) fn command<const N: usize>(&self, words: [&str; N]) -> Command {
        let mut command = program(&self.program);
        command.args(words).arg("--data-dir").arg(&self.folder);
        if let Some(url) = &self.url {
            command.args(["--database-url", url]);
        }
        command.envs(self.settings.iter().map(|(name, value)| (name, value)));
        command
    }

    /// The program that works on it.
    pub(crate) fn program(&self) -> &Path {
        &self.program
    }

    /// Imports a table and says what that took.
    pub(crate) fn import(&self, table: &Path) -> Result<Usage> {
        let (log, table) = (self.log(), fs::canonicalize(table)?);
        let watch = Watch { log: log.as_deref(), input: Some(&table) };
        process::run(self.command(["import", "activities"]).arg(&table), watch)
    }

    /// The name of its database, which is that of its folder.
    pub(crate) fn database(&self) -> String {
        self.folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The file of the company's data.
    pub(crate) fn file(&self) -> PathBuf {
        self.folder.join("tenants/main.db")
    }

    /// The file's write-ahead log.
    pub(crate) fn log(&self) -> Option<PathBuf> {
        (self.kind == Kind::Sqlite).then(|| self.folder.join("tenants/main.db-wal"))
    }

    /// A new API key with these permissions.
    pub(crate) fn key(&self, permissions: &str) -> Result<String> {
        let words = ["key", "create", "--name", "bench", "--permissions", permissions];
        process::output(&mut self.command(words)).context("cannot make a key")
    }
}
