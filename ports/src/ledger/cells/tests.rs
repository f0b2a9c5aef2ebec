//! The cells of a ledger in memory are the sum of all that it has, in runs of whatever size.

use async_trait::async_trait;
use domain::{Amounts, Cell, Cube, Day, Decimal, PackedCells, Postings, SeriesKey, Total};
use futures_util::FutureExt as _;
use proptest::prelude::*;
use uuid::Uuid;

use super::{CheckpointCells as _, Placed, StoredCells, cells_in_runs, has_postings_since, packed_in_runs};
use crate::ledger::{Checkpoint, PackedItems, PackedLines, PartPlace};
use crate::repo::LedgerReader;
use crate::store::StoreError;
use crate::{Change, RecordKind, Version};

/// How many series there are.
const SERIES: u32 = 4;

/// A checkpoint of change 1 and later postings.
#[derive(Clone, Debug)]
struct Ledger {
    checkpoint: Vec<PackedCells>,
    postings: Vec<(PartPlace, PackedCells)>,
    /// How many parts of postings were read.
    read: usize,
}

#[async_trait]
impl LedgerReader for Ledger {
    async fn series(&mut self, _: u32) -> Result<Vec<SeriesKey>, StoreError> {
        Ok(vec![SeriesKey::default(); SERIES as usize])
    }

    async fn checkpoint(&mut self) -> Result<Option<Checkpoint>, StoreError> {
        Ok(Some(Checkpoint { number: 1, parts: u32::try_from(self.checkpoint.len()).unwrap() }))
    }

    async fn checkpoint_part(&mut self, part: u32) -> Result<PackedCells, StoreError> {
        Ok(self.checkpoint[part as usize].clone())
    }

    async fn postings_since(
        &mut self,
        after: PartPlace,
        limit: u32,
    ) -> Result<Vec<(PartPlace, PackedCells)>, StoreError> {
        let behind = self.postings.iter().filter(|(place, _)| (place.change, place.part) > (after.change, after.part));
        let found: Vec<_> = behind.take(limit as usize).cloned().collect();
        self.read += found.len();
        Ok(found)
    }

    async fn changes_since(&mut self, _: u64, _: u32) -> Result<Vec<Change>, StoreError> {
        Ok(Vec::new())
    }

    async fn items_since(&mut self, _: PartPlace, _: u32) -> Result<Vec<(PartPlace, PackedItems)>, StoreError> {
        Ok(Vec::new())
    }

    async fn lines_since(&mut self, _: PartPlace, _: u32) -> Result<Vec<(PartPlace, PackedLines)>, StoreError> {
        Ok(Vec::new())
    }

    async fn version_of(&mut self, _: RecordKind, _: Uuid) -> Result<Option<Version>, StoreError> {
        Ok(None)
    }

    async fn removal_before(&mut self, _: RecordKind, _: Uuid, _: u64) -> Result<Option<u64>, StoreError> {
        Ok(None)
    }
}

impl Ledger {
    /// Packs the cells of a checkpoint in parts of that size, and those of each later change.
    fn new(checkpoint: &Postings, part: usize, changes: &[Vec<Placed>]) -> Self {
        let cells: Vec<_> = checkpoint.cells().collect();
        let postings = (2..).zip(changes).flat_map(|(change, cells)| {
            let packed = sum(cells).pack().unwrap().into_iter().zip(0..);
            packed.map(move |(packed, part)| (PartPlace { change, part }, packed))
        });
        Self {
            checkpoint: cells.chunks(part).map(|some| PackedCells::pack(some.iter().copied()).unwrap()).collect(),
            postings: postings.collect(),
            read: 0,
        }
    }

    fn cells(&mut self, run: usize) -> StoredCells {
        cells_in_runs(self, run).now_or_never().expect("waits for nothing").unwrap()
    }

    fn packed(&mut self, run: usize) -> Vec<PackedCells> {
        let packed = packed_in_runs(self, run).now_or_never().expect("waits for nothing").unwrap();
        packed.parts().map(Result::unwrap).collect()
    }

    fn has_postings(&mut self, cells: usize) -> bool {
        has_postings_since(self, 1, cells).now_or_never().expect("waits for nothing").unwrap()
    }
}

fn sum<'a>(cells: impl IntoIterator<Item = &'a Placed>) -> Postings {
    let mut sum = Postings::new();
    for (series, day, cell) in cells {
        sum.add_cell(*series, *day, cell.clone()).unwrap();
    }
    sum
}

fn total(scaled: i128) -> Total {
    Decimal::from_scaled(scaled).unwrap().into()
}

fn day(number: i32) -> Day {
    Day::from_number(2_460_000 + number).unwrap()
}

/// Few places and small numbers, so that many come together and some come to zero.
fn any_cells(most: usize) -> impl Strategy<Value = Vec<Placed>> {
    let cell = (-2..3_i64, -2..3_i128, 0..2_i128).prop_map(|(count, amount, slope)| {
        let amounts = Amounts { amount: total(amount), slope: total(slope), step: Total::ZERO };
        Cell::ZERO.with_starts(count).with_ends(-count).with_co2e(amounts)
    });
    prop::collection::vec((0..SERIES, (0..12).prop_map(day), cell), 0..most)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn runs_of_any_size_give_the_cells_of_one_sum(
        checkpoint in any_cells(40),
        part in 1..9_usize,
        changes in prop::collection::vec(any_cells(20), 0..100),
        run in prop_oneof![1..4_usize, 4..60_usize],
    ) {
        let series = vec![SeriesKey::default(); SERIES as usize];
        let all = checkpoint.iter().chain(changes.iter().flatten()).cloned();
        let expected: Vec<Placed> = Cube::new(series, all).unwrap().cells().collect();
        let later = sum(changes.iter().flatten());
        let mut ledger = Ledger::new(&sum(&checkpoint), part, &changes);
        for run in [run, usize::MAX] {
            let found = ledger.cells(run);
            prop_assert!(later.cells().count() <= found.tail && found.tail <= later.len(), "{} cells", found.tail);
            prop_assert_eq!(found.checkpoint, 1);
            let cube = found.cube();
            prop_assert_eq!(cube.cells().collect::<Vec<_>>(), expected.clone());
            prop_assert_eq!(ledger.packed(run), cube.parts().map(Result::unwrap).collect::<Vec<_>>());
        }
    }
}

#[test]
fn whether_there_are_so_many_cells_is_known_before_all_are_read() {
    let cell = Cell::ZERO.with_starts(1);
    let changes: Vec<Vec<Placed>> = (0..1_000).map(|number| vec![(0, day(number), cell.clone())]).collect();
    let mut ledger = Ledger::new(&Postings::new(), 1, &changes);
    assert!(ledger.has_postings(100));
    assert!(ledger.read < 200, "{} parts", ledger.read);
    assert!(ledger.has_postings(1_000));
    assert!(!ledger.has_postings(1_001));
}

#[test]
fn cells_are_packed_in_the_parts_of_their_cube() {
    let cell = |count| Cell::ZERO.with_starts(count);
    let come = (0..9_000).map(|number| (number % 2, day(i32::try_from(number / 2).unwrap()), cell(1))).collect();
    // Some that go again, in all parts.
    let gone = (0..500).map(|number| (0, day(8 * number), cell(-1))).collect();
    let mut ledger = Ledger::new(&Postings::new(), 1, &[come, gone]);
    let parts = ledger.packed(1_000);
    assert_eq!(parts, ledger.cells(1_000).cube().parts().map(Result::unwrap).collect::<Vec<_>>());
    assert_eq!(parts.iter().map(|part| part.cells().count()).collect::<Vec<_>>(), [4_096, 4_096, 308]);
}

#[test]
fn a_cell_of_a_series_that_is_not_there_is_damage_packed_too() {
    let mut ledger = Ledger::new(&Postings::new(), 1, &[vec![(SERIES, day(0), Cell::ZERO.with_starts(1))]]);
    let refused = packed_in_runs(&mut ledger, 9).now_or_never().expect("waits for nothing");
    let Err(StoreError::Corrupt { detail, .. }) = refused else { panic!("{refused:?}") };
    assert_eq!(detail, format!("there is no series of index {SERIES}"));
}

#[test]
fn parts_of_a_checkpoint_out_of_their_order_are_damage_packed_too() {
    let cells: Vec<Placed> = (0..10_000).map(|number| (0, day(number), Cell::ZERO.with_starts(1))).collect();
    let mut ledger = Ledger::new(&sum(&cells), PackedCells::PART, &[]);
    ledger.checkpoint.swap(0, 1);
    let from_cube = cells_in_runs(&mut ledger, 9).now_or_never().expect("waits for nothing").map(|_| ());
    let packed = packed_in_runs(&mut ledger, 9).now_or_never().expect("waits for nothing").map(|_| ());
    for refused in [from_cube, packed] {
        let Err(StoreError::Corrupt { subject, detail }) = refused else { panic!("{refused:?}") };
        assert_eq!(subject, "part 1 of the checkpoint of change 1");
        assert_eq!(detail, "the cells do not stand in the order of day and series");
    }
}

#[test]
fn postings_beyond_64_bits_are_damage_in_runs_too() {
    let most = Cell::ZERO.with_starts((1 << 47) - 1).with_ends((1 << 47) - 1);
    let changes: Vec<Vec<Placed>> = (0..20_000).map(|number| vec![(0, day(number), most.clone())]).collect();
    let mut ledger = Ledger::new(&Postings::new(), 1, &changes);
    let found = cells_in_runs(&mut ledger, 100).now_or_never().expect("waits for nothing");
    let Err(StoreError::Corrupt { subject, detail }) = found else { panic!("{found:?}") };
    assert_eq!(
        (subject.as_str(), detail.as_str()),
        ("postings of change 16386, part 0", "more activities than 64 bits count")
    );
}
