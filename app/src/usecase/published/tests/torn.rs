//! A search in sets that are removed while it reads gives no page with gaps.

use ports::store::StoreError;

use super::*;

/// Sets of which the last factor that is asked for is gone, so many times.
struct Torn {
    sets: Arc<MemoryDirectory>,
    times: Mutex<usize>,
}

#[async_trait]
impl FactorSets for Torn {
    async fn list_sets(&self, grant: &Grant<Read>) -> Result<Vec<InstalledSet>, StoreError> {
        self.sets.list_sets(grant).await
    }

    async fn find_set(&self, grant: &Grant<Read>, id: Digest) -> Result<Option<InstalledSet>, StoreError> {
        self.sets.find_set(grant, id).await
    }

    async fn find_factors(
        &self,
        grant: &Grant<Read>,
        keys: &[FactorKey],
    ) -> Result<Vec<(FactorKey, PublishedFactor)>, StoreError> {
        let mut found = self.sets.find_factors(grant, keys).await?;
        let mut left = self.times.lock().unwrap();
        if *left > 0 {
            *left -= 1;
            found.pop();
        }
        Ok(found)
    }

    async fn factors_behind(
        &self,
        grant: &Grant<Read>,
        set: Digest,
        behind: Option<&Name>,
        limit: usize,
    ) -> Result<Vec<PublishedFactor>, StoreError> {
        self.sets.factors_behind(grant, set, behind, limit).await
    }

    async fn add_set(
        &self,
        grant: &Grant<Maintenance, Installation>,
        set: NewFactorSet,
    ) -> Result<AddedSet, StoreError> {
        self.sets.add_set(grant, set).await
    }

    async fn remove_set(
        &self,
        grant: &Grant<Maintenance, Installation>,
        id: Digest,
    ) -> Result<Option<InstalledSet>, StoreError> {
        self.sets.remove_set(grant, id).await
    }
}

#[tokio::test]
async fn a_page_with_gaps_is_read_again_and_refused_where_each_has_some() {
    for (times, expected) in [(ATTEMPTS - 1, Some(5)), (ATTEMPTS, None)] {
        let (_, sets) = service();
        sets.add_set(&sample::installation(), new_set(1, 5)).await.unwrap();
        let torn = Torn { sets, times: Mutex::new(times) };
        let service = PublishedFactorService::new(Arc::new(torn), Arc::new(TestClock(Mutex::new(0))));
        let found = service.search_factors(&reader(), ask("fuel"), Page::FIRST).await;
        match expected {
            Some(count) => assert_eq!(found.unwrap().data.len(), count),
            None => assert!(matches!(found, Err(Error::Busy(_))), "{found:?}"),
        }
    }
}
