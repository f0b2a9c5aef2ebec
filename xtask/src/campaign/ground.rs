//! Where rounds run: the program, a folder, and a Postgres that is started when the first round needs it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};

use super::citus::Site;
use super::isolation::Isolation;
use super::watch;
use crate::bench::store::{Kind, Store};
use crate::cargo::built_tests;
use crate::fuzz::Fuzzer;
use crate::postgres::Durable;

/// The program and the places of its stores.
pub(super) struct Ground {
    program: PathBuf,
    folder: PathBuf,
    server: Option<Durable>,
    fuzzer: Option<Fuzzer>,
    isolation: Option<Isolation>,
    citus: Option<Site>,
    http_tests: Option<PathBuf>,
}

impl Ground {
    pub(super) fn new(program: &Path, folder: &Path) -> Self {
        let (program, folder) = (program.to_owned(), folder.to_owned());
        Self { program, folder, server: None, fuzzer: None, isolation: None, citus: None, http_tests: None }
    }

    pub(super) fn program(&self) -> &Path {
        &self.program
    }

    /// Where tools from package registries are installed.
    pub(super) fn tools(&self) -> PathBuf {
        self.folder.join("tools")
    }

    /// The fuzz targets, built when the first is needed.
    pub(super) fn fuzzer(&mut self) -> Result<&Fuzzer> {
        Ok(match &mut self.fuzzer {
            Some(fuzzer) => fuzzer,
            none => {
                watch::doing_for("the tests are built", Duration::from_hours(1));
                none.insert(Fuzzer::build(&self.folder.join("fuzz"))?)
            }
        })
    }

    /// The isolation run, built and with its server when the first round needs it.
    pub(super) fn isolation(&mut self) -> Result<&Isolation> {
        Ok(match &mut self.isolation {
            Some(isolation) => isolation,
            none => {
                watch::doing_for("the tests are built", Duration::from_hours(1));
                none.insert(Isolation::prepare()?)
            }
        })
    }

    /// The cluster of Citus, set up when the first round needs it.
    pub(super) fn citus(&mut self) -> Result<&mut Site> {
        if self.citus.is_none() {
            self.citus = Some(Site::new(self)?);
        }
        self.citus.as_mut().context("no cluster")
    }

    /// The program that runs the tests over HTTP, built when it is needed.
    pub(super) fn http_tests(&mut self) -> Result<&Path> {
        Ok(match &mut self.http_tests {
            Some(tests) => tests,
            none => {
                watch::doing_for("the tests are built", Duration::from_hours(1));
                none.insert(built_tests("tonne", "test")?)
            }
        })
    }

    /// The folder of a round, emptied; it is kept when the round fails.
    pub(super) fn room(&self, round: &str) -> Result<PathBuf> {
        let room = self.folder.join("rounds").join(round);
        if room.exists() {
            fs::remove_dir_all(&room).with_context(|| format!("cannot remove {}", room.display()))?;
        }
        fs::create_dir_all(&room).with_context(|| format!("cannot make {}", room.display()))?;
        Ok(room)
    }

    /// Removes what a round that passed has left.
    pub(super) fn clear(&self, round: &str) -> Result<()> {
        let room = self.folder.join("rounds").join(round);
        fs::remove_dir_all(&room).with_context(|| format!("cannot remove {}", room.display()))
    }

    /// A store for a round in its folder or in a database of its name, not made yet.
    pub(super) fn store(&mut self, round: &str, kind: Kind) -> Result<Store> {
        let data = self.room(round)?.join("data");
        if kind == Kind::Sqlite {
            return Store::in_folder(&self.program, data);
        }
        let server = match &mut self.server {
            Some(server) => server,
            none => none.insert(Durable::start()?),
        };
        let database = round.replace('-', "_");
        server.ask("postgres", &format!("DROP DATABASE IF EXISTS {database} WITH (FORCE)"))?;
        server.ask("postgres", &format!("CREATE DATABASE {database}"))?;
        Store::in_database(&self.program, data, server.url_of(&database))
    }
}
