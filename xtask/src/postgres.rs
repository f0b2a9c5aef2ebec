//! PostgreSQL for the tests and for developers: servers of their own in a directory, never one of the system's.
//!
//! A server listens on a socket in its directory alone, trusts whoever can reach it, and does not survive a power cut.

mod account;
mod citus;
mod cluster;
mod debian;
mod directory;
mod durable;
mod pooler;
mod programs;
mod temporary;

use std::path::PathBuf;

use anyhow::Result;
use clap::Subcommand;

use cluster::{Cluster, Safety, Shutdown};
use debian::Debian;
use pooler::Pooler;
use programs::Programs;

pub(crate) use citus::{Machine, Machines, check_citus};
pub(crate) use durable::Durable;
pub(crate) use temporary::TemporaryServer;

/// What can be done with a server of one's own.
#[derive(Subcommand)]
pub(crate) enum Chore {
    /// Start the server of DIR and print its URL; one that runs is left as it is.
    ///
    /// A new or empty DIR gets a new server, any other must be one that this command made: its data is kept. As root
    /// the server runs as `postgres` (or `nobody`), and DIR is made that user's. Stop it with
    /// `cargo xtask postgres stop DIR`; to be rid of it, remove DIR after that.
    Start {
        /// The server's directory: data, log and socket. Its path must be short and plain, such as /tmp/tonne-pg.
        dir: PathBuf,
    },
    /// Stop the server of DIR, and its pooler before it; what does not run is no mistake.
    Stop {
        /// The directory that `start` was given.
        dir: PathBuf,
        /// As if the server had been killed: connections break off, and the next start recovers from the log.
        #[arg(long)]
        immediate: bool,
    },
    /// Start PgBouncer in transaction mode before the server of DIR and print its URL; one that runs is left as it is.
    Pooler {
        /// The directory that `start` was given.
        dir: PathBuf,
    },
    /// Print the URL of a throw-away server, which is stopped and removed when standard input ends.
    Temporary,
}

/// Does it; always true, what goes wrong is an error.
pub(crate) fn run(chore: &Chore) -> Result<bool> {
    match chore {
        Chore::Start { dir } => {
            let cluster = Cluster::prepare(dir, Programs::find_or_install()?)?;
            cluster.start(Safety::ThrowAway)?;
            println!("{}", cluster.url());
        }
        Chore::Stop { dir, immediate } => {
            let cluster = Cluster::existing(dir, Programs::find()?)?;
            Pooler::of(&cluster).stop()?;
            cluster.stop(if *immediate { Shutdown::Immediate } else { Shutdown::Fast })?;
        }
        Chore::Pooler { dir } => {
            let cluster = Cluster::existing(dir, Programs::find()?)?;
            let pooler = Pooler::of(&cluster);
            pooler.start(&pooler::find_or_install()?)?;
            println!("{}", pooler.url());
        }
        Chore::Temporary => temporary::serve()?,
    }
    Ok(true)
}

/// Finds what the tests need of PostgreSQL. What is missing is installed where that is allowed; without a server it is
/// an error, without PgBouncer the one test that starts it says so.
pub(crate) fn prepare() -> Result<()> {
    Programs::find_or_install()?;
    if pooler::find().is_none() && Debian::may_install() {
        pooler::find_or_install()?;
    }
    Ok(())
}
