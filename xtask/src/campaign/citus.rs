//! `docs/citus.md` followed on this machine, a coordinator and two workers, and what it claims asserted: certificates, roles,
//! moves, workers that are stopped or hang, rows that were there before.

mod certificates;
mod company;
mod http;
mod load;
mod moves;
mod outage;
mod page;
mod setup;
mod site;
mod tables;

use std::path::PathBuf;

use anyhow::Result;

use super::ground::Ground;
use super::part::{Part, Round, Task};
use super::tally::Tally;
pub(super) use site::Site;

/// What is asserted in a round. The rounds share a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// A certificate of version 3 is taken and checked, one of Citus's own making is refused.
    Certificates,
    /// With two addresses companies are made on both workers.
    Companies,
    /// A company is moved under writers.
    Moves,
    /// Which tables are distributed, which are on the coordinator.
    Tables,
    /// A worker is stopped.
    Stopped,
    /// A worker hangs.
    Hung,
    /// Rows that were there before the tables were distributed.
    Earlier,
    /// Statements that see a company's rows.
    Looking,
    /// A backup of the cluster, restored into a folder.
    Backup,
    /// The project's tests over HTTP.
    Http,
}

impl Row {
    /// In the order in which they run.
    const ALL: [Self; 10] = [
        Self::Certificates,
        Self::Companies,
        Self::Tables,
        Self::Earlier,
        Self::Moves,
        Self::Stopped,
        Self::Hung,
        Self::Looking,
        Self::Backup,
        Self::Http,
    ];

    const fn word(self) -> &'static str {
        match self {
            Self::Certificates => "certificates",
            Self::Companies => "companies",
            Self::Moves => "moves",
            Self::Tables => "tables",
            Self::Stopped => "stopped",
            Self::Hung => "hung",
            Self::Earlier => "earlier",
            Self::Looking => "looking",
            Self::Backup => "backup",
            Self::Http => "http",
        }
    }
}

/// A round for each row.
pub(super) fn rounds() -> Vec<Round> {
    let round = |row: Row| Round { part: Part::Citus, name: format!("citus-{}", row.word()), task: Task::Citus(row) };
    Row::ALL.into_iter().map(round).collect()
}

/// Sets the cluster up, and builds what the row needs.
pub(super) fn prepare(ground: &mut Ground, row: Row) -> Result<()> {
    if row == Row::Http {
        ground.http_tests()?;
    }
    ground.citus().map(drop)
}

/// Runs it.
pub(super) fn run(ground: &mut Ground, row: Row) -> Result<Tally> {
    let tests = if row == Row::Http { ground.http_tests()?.to_owned() } else { PathBuf::new() };
    let site = ground.citus()?;
    match row {
        Row::Certificates => certificates::run(site),
        Row::Companies => tables::companies(site),
        Row::Tables => tables::kinds(site),
        Row::Earlier => tables::earlier(site),
        Row::Moves => moves::run(site),
        Row::Stopped => outage::stopped(site),
        Row::Hung => outage::hung(site),
        Row::Looking => tables::looking(site),
        Row::Backup => tables::backup(site),
        Row::Http => http::run(site, &tests),
    }
}
