//! A staged import as it is kept in the spool, with the version that it was read at.

use std::sync::Arc;

use domain::Canonical as _;
use ports::clock::Clock;
use ports::inbound::Error;
use ports::spool::{Added, Spool, SpoolEntry};
use ports::staged_import::{MOST_STAGED, StagedImport};
use ports::store::StoreError;
use ports::{Grant, StagedId, Write};

use super::StagedService;

/// A staged import and where it is kept.
pub(super) struct Kept {
    pub(super) staged: StagedImport,
    pub(super) grant: Grant<Write>,
    version: u64,
    spool: Arc<dyn Spool>,
    clock: Arc<dyn Clock>,
}

impl Kept {
    /// A new one, unless there are too many.
    pub(super) async fn add(
        service: &StagedService,
        grant: Grant<Write>,
        staged: StagedImport,
    ) -> Result<(Self, Added), Error> {
        let (spool, clock) = (Arc::clone(&service.spool), Arc::clone(&service.clock));
        let added = spool.add(&grant, staged.id, &staged.canonical(), MOST_STAGED).await?;
        Ok((Self { staged, grant, version: 1, spool, clock }, added))
    }

    /// The one of that id.
    pub(super) async fn find(service: &StagedService, grant: Grant<Write>, id: StagedId) -> Result<Self, Error> {
        let entry = service.spool.find(&grant.to_read(), id).await?.ok_or(Error::NotFound)?;
        let (spool, clock) = (Arc::clone(&service.spool), Arc::clone(&service.clock));
        Ok(Self { staged: read(&entry)?, grant, version: entry.version, spool, clock })
    }

    /// Stores it as it is now. `Stale` where somebody else has changed it.
    pub(super) async fn save(&mut self) -> Result<(), Error> {
        self.staged.updated = self.clock.now();
        let content = self.staged.canonical();
        self.version = self.spool.update(&self.grant, self.staged.id, self.version, &content).await?;
        Ok(())
    }
}

/// What an entry says.
pub(super) fn read(entry: &SpoolEntry) -> Result<StagedImport, Error> {
    let damaged = |error: domain::CanonicalError| StoreError::Corrupt {
        subject: format!("staged import {}", entry.id),
        detail: error.to_string(),
    };
    Ok(StagedImport::from_canonical((), &entry.content).map_err(damaged)?)
}
