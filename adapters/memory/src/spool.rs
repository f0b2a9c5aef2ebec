//! The spool of staged imports, in memory.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use ports::spool::{Added, Spool, SpoolEntry, SpoolPart};
use ports::store::StoreError;
use ports::{Grant, Read, StagedId, TenantId, Write};

/// A spool in memory. Clones share what is in it.
#[derive(Clone, Debug, Default)]
pub struct MemorySpool(Arc<Mutex<Staged>>);

type Staged = BTreeMap<(TenantId, StagedId), Kept>;

#[derive(Clone, Debug)]
struct Kept {
    version: u64,
    content: String,
    chunks: BTreeMap<(SpoolPart, u32), Vec<u8>>,
}

impl MemorySpool {
    fn staged(&self) -> MutexGuard<'_, Staged> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn entry(&self, id: StagedId) -> SpoolEntry {
        SpoolEntry { id, version: self.version, content: self.content.clone() }
    }
}

#[async_trait]
impl Spool for MemorySpool {
    async fn list(&self, grant: &Grant<Read>) -> Result<Vec<SpoolEntry>, StoreError> {
        let staged = self.staged();
        let own = staged.iter().rev().filter(|((tenant, _), _)| *tenant == grant.tenant());
        Ok(own.map(|((_, id), kept)| kept.entry(*id)).collect())
    }

    async fn find(&self, grant: &Grant<Read>, id: StagedId) -> Result<Option<SpoolEntry>, StoreError> {
        Ok(self.staged().get(&(grant.tenant(), id)).map(|kept| kept.entry(id)))
    }

    async fn add(&self, grant: &Grant<Write>, id: StagedId, content: &str, most: usize) -> Result<Added, StoreError> {
        let mut staged = self.staged();
        if staged.keys().filter(|(tenant, _)| *tenant == grant.tenant()).count() >= most {
            return Ok(Added::Full);
        }
        let kept = Kept { version: 1, content: content.to_owned(), chunks: BTreeMap::new() };
        staged.insert((grant.tenant(), id), kept);
        Ok(Added::Added)
    }

    async fn update(&self, grant: &Grant<Write>, id: StagedId, seen: u64, content: &str) -> Result<u64, StoreError> {
        let mut staged = self.staged();
        let kept = staged.get_mut(&(grant.tenant(), id)).filter(|kept| kept.version == seen);
        let kept = kept.ok_or(StoreError::Stale)?;
        kept.version += 1;
        content.clone_into(&mut kept.content);
        Ok(kept.version)
    }

    async fn put_chunk(
        &self,
        grant: &Grant<Write>,
        id: StagedId,
        part: SpoolPart,
        number: u32,
        bytes: Vec<u8>,
    ) -> Result<(), StoreError> {
        let mut staged = self.staged();
        let kept = staged.get_mut(&(grant.tenant(), id)).ok_or(StoreError::Stale)?;
        kept.chunks.insert((part, number), bytes);
        Ok(())
    }

    async fn chunk(
        &self,
        grant: &Grant<Read>,
        id: StagedId,
        part: SpoolPart,
        number: u32,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let staged = self.staged();
        Ok(staged.get(&(grant.tenant(), id)).and_then(|kept| kept.chunks.get(&(part, number)).cloned()))
    }

    async fn clear(&self, grant: &Grant<Write>, id: StagedId, part: SpoolPart) -> Result<(), StoreError> {
        if let Some(kept) = self.staged().get_mut(&(grant.tenant(), id)) {
            kept.chunks.retain(|(of, _), _| *of != part);
        }
        Ok(())
    }

    async fn remove(&self, grant: &Grant<Write>, id: StagedId) -> Result<(), StoreError> {
        self.staged().remove(&(grant.tenant(), id));
        Ok(())
    }
}
