//! Tests: how a read model is made from the one before it.

use memory::MemoryStore;
use ports::Grant;
use ports::contract::sample;
use ports::store::Store as _;

use super::*;

/// Commits an activity of that number on a day of its own.
async fn commit(store: &MemoryStore, number: u64) {
    let grant = Grant::for_maintenance(sample::id(1), "test");
    let mut write = store.write(&grant.to_write(), sample::intent()).await.unwrap();
    let day = format!("2025-01-{number:02}");
    let activity = sample::activity_in(number, sample::span(&day, &day), "1");
    write.activities_mut().add(activity).await.unwrap();
    write.commit().await.unwrap();
}

#[tokio::test]
async fn with_more_later_postings_than_are_summed_in_memory_the_newest_checkpoint_is_read() {
    let store = Arc::new(sample_store());
    let grant = Grant::for_maintenance(sample::id(1), "test");
    store.prepare(&grant).await.unwrap();
    let checkpoints = Arc::new(Checkpoints::new(store.clone()));
    for (most, from) in [(MOST, 0), (2, 3)] {
        let models = ReadModels { most_postings: most, ..ReadModels::new(1 << 20, Arc::clone(&checkpoints)) };
        let read = async || store.read(&grant.to_read()).await.unwrap();
        let first = models.of(sample::id(1), read().await.as_mut()).await.unwrap().unwrap();
        for number in 1..=3 {
            commit(&store, number + first.revision().number).await;
        }
        let mut tx = read().await;
        let cells = ledger::cells(tx.ledger()).await.unwrap().cube();
        let revision = tx.head().await.unwrap().revision();
        store.checkpoint(&grant, revision, Arc::new(cells)).await.unwrap();
        let second = models.of(sample::id(1), read().await.as_mut()).await.unwrap().unwrap();
        assert_eq!(second.cube().cell_count(), first.cube().cell_count() + 3);
        let held = models.lock().touch(sample::id(1)).held.clone().unwrap();
        let is_rebuilt = held.tail.checkpoint == revision.number;
        assert_eq!(is_rebuilt, from > 0, "at most {most}");
    }
}

fn sample_store() -> MemoryStore {
    MemoryStore::new(Arc::new(sample::SampleIds::default()))
}
