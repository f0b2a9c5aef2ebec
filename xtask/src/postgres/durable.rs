//! A server with the usual settings, for measuring.

use anyhow::Result;

use super::cluster::{Cluster, Safety, Shutdown};
use super::directory::Scratch;
use super::programs::Programs;

/// A server that writes to the disk what it acknowledges. It ends, and is removed, when it is dropped.
pub(crate) struct Durable {
    cluster: Cluster,
    // Removed when the server has ended.
    _scratch: Scratch,
}

impl Durable {
    /// Starts a new one; what is missing is installed where that is allowed.
    pub(crate) fn start() -> Result<Self> {
        let scratch = Scratch::new()?;
        let cluster = Cluster::prepare(scratch.path(), Programs::find_or_install()?)?;
        cluster.start(Safety::Durable)?;
        Ok(Self { cluster, _scratch: scratch })
    }

    /// How its superuser reaches its first database.
    pub(crate) fn url(&self) -> String {
        self.cluster.url()
    }
}

impl Drop for Durable {
    fn drop(&mut self) {
        if let Err(error) = self.cluster.stop(Shutdown::Immediate) {
            eprintln!("{error:#}");
        }
    }
}
