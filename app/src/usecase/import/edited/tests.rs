//! How much of later changes is read to see who edited what an import left.

use async_trait::async_trait;
use domain::{Digest, PackedCells, SeriesKey};
use ports::ledger::{Checkpoint, PackedItems, PackedLines, PartPlace};
use ports::{Action, Change, ChangeItem, Version};
use uuid::Uuid;

use super::*;

/// A later change of so many parts, and how many of them were read.
struct Counted {
    parts: Vec<PackedItems>,
    read: usize,
}

const CHANGE: u64 = 7;
const PARTS: u32 = 400;
/// Activities of a part.
const ITEMS: u32 = 3;

fn id(part: u32, item: u32) -> ActivityId {
    ActivityId::new(Uuid::from_u128(u128::from(part * ITEMS + item)))
}

/// Of a change that wrote everything once, and in each part the first activity a second time.
fn change() -> Counted {
    let item = |id: ActivityId, version| {
        let replaced = Replaced { version: Version(version), digest: Digest::of(b"was"), text: None };
        ChangeItem {
            kind: RecordKind::Activity,
            id: id.uuid(),
            action: Action::Updated { digest: Digest::of(b"is"), replaced },
        }
    };
    let part = |part| {
        let mut items: Vec<_> = (0..ITEMS).map(|one| item(id(part, one), 3)).collect();
        items.push(item(id((part + 1) % PARTS, 0), CHANGE));
        PackedItems::pack(&items).remove(0)
    };
    Counted { parts: (0..PARTS).map(part).collect(), read: 0 }
}

#[async_trait]
impl LedgerReader for Counted {
    async fn items_since(&mut self, after: PartPlace, limit: u32) -> Result<Vec<(PartPlace, PackedItems)>, StoreError> {
        let from = if after.change < CHANGE { 0 } else { after.part as usize + 1 };
        let parts = self.parts.iter().zip(0..).skip(from).take(limit as usize);
        let found: Vec<_> = parts.map(|(part, at)| (PartPlace { change: CHANGE, part: at }, part.clone())).collect();
        self.read += found.len();
        Ok(found)
    }

    async fn series(&mut self, _: u32) -> Result<Vec<SeriesKey>, StoreError> {
        unreachable!("not asked for")
    }

    async fn checkpoint(&mut self) -> Result<Option<Checkpoint>, StoreError> {
        unreachable!("not asked for")
    }

    async fn checkpoint_part(&mut self, _: u32) -> Result<PackedCells, StoreError> {
        unreachable!("not asked for")
    }

    async fn postings_since(&mut self, _: PartPlace, _: u32) -> Result<Vec<(PartPlace, PackedCells)>, StoreError> {
        unreachable!("not asked for")
    }

    async fn changes_since(&mut self, _: u64, _: u32) -> Result<Vec<Change>, StoreError> {
        unreachable!("not asked for")
    }

    async fn lines_since(&mut self, _: PartPlace, _: u32) -> Result<Vec<(PartPlace, PackedLines)>, StoreError> {
        unreachable!("not asked for")
    }

    async fn version_of(&mut self, _: RecordKind, _: Uuid) -> Result<Option<Version>, StoreError> {
        unreachable!("not asked for")
    }

    async fn removal_before(&mut self, _: RecordKind, _: Uuid, _: u64) -> Result<Option<u64>, StoreError> {
        unreachable!("not asked for")
    }
}

/// What the change replaced of those parts' activities, all of them.
async fn replaced(ledger: &mut Counted, parts: std::ops::Range<u32>, places: &mut Places) -> Vec<u64> {
    let ids: Vec<ActivityId> = parts.flat_map(|part| (0..ITEMS).map(move |item| id(part, item))).collect();
    let found = replaced_by(ledger, CHANGE, &ids, places).await.unwrap();
    ids.iter().map(|id| found[id].version.0).collect()
}

#[tokio::test]
async fn a_later_change_is_read_about_once_however_often_something_is_looked_for_in_it() {
    let all: Vec<u32> = (0..PARTS).step_by(2).collect();
    for order in [all.clone(), all.iter().rev().copied().collect()] {
        let (mut ledger, mut places) = (change(), Places::default());
        for first in order {
            let found = replaced(&mut ledger, first..first + 2, &mut places).await;
            assert_eq!(found, [3; 6], "what was there before the change, not what it wrote first");
        }
        assert!(ledger.read <= 7 * PARTS as usize, "{} parts were read", ledger.read);
    }
}

#[tokio::test]
async fn what_a_change_wrote_is_found_wherever_it_is() {
    let (mut ledger, mut places) = (change(), Places::default());
    for first in [200, 0, 398, 3, 399, 201] {
        assert_eq!(replaced(&mut ledger, first..first + 1, &mut places).await, [3; 3], "{first}");
    }
    let nobody = ActivityId::new(Uuid::from_u128(1 << 100));
    for _ in 0..2 {
        let found = replaced_by(&mut ledger, CHANGE, &[nobody, id(5, 1)], &mut places).await.unwrap();
        assert_eq!(found.into_keys().collect::<Vec<_>>(), [id(5, 1)]);
    }
}
