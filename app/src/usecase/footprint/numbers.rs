//! Which numbers a tenant's footprints have. They grow from record to record, with a gap where one was removed, so a
//! search that halves finds a number; where there is no gap, the two ends of a stretch tell all that lies between.

use std::collections::BTreeMap;

use ports::inbound::Error;
use ports::repo::Page;
use ports::store::ReadTx;

use super::read;

/// The numbers of one snapshot, as far as they were looked at.
#[derive(Debug)]
pub(super) struct Numbers {
    /// How many records there are.
    count: u64,
    /// The places of records by their numbers. Places count from 0; the first and the last are always known.
    known: BTreeMap<u64, u64>,
}

/// A record among the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    /// How many come before it.
    pub(super) place: u64,
    /// Its number.
    pub(super) number: u64,
}

impl Numbers {
    /// Looks at the first and the last number.
    pub(super) async fn read(tx: &mut dyn ReadTx) -> Result<Self, Error> {
        let count = read(tx, Page { number: 1, size: 1 }).await?.count;
        let mut numbers = Self { count, known: BTreeMap::new() };
        if let Some(last) = numbers.count.checked_sub(1) {
            numbers.look(tx, 0).await?;
            numbers.look(tx, last).await?;
        }
        Ok(numbers)
    }

    /// Whether a record has that number.
    pub(super) async fn contains(&mut self, tx: &mut dyn ReadTx, number: u64) -> Result<bool, Error> {
        let Some(before) = number.checked_sub(1) else { return Ok(false) };
        Ok(self.first_above(tx, before).await?.is_some_and(|spot| spot.number == number))
    }

    /// The first record with a number above `after`.
    pub(super) async fn first_above(&mut self, tx: &mut dyn ReadTx, after: u64) -> Result<Option<Spot>, Error> {
        let Some(next) = after.checked_add(1) else { return Ok(None) };
        loop {
            let spot = |(number, place): (&u64, &u64)| Spot { place: *place, number: *number };
            let Some(high) = self.known.range(next..).next().map(spot) else { return Ok(None) };
            let Some(low) = self.known.range(..next).next_back().map(spot) else { return Ok(Some(high)) };
            let places = high.place.saturating_sub(low.place);
            if places <= 1 {
                return Ok(Some(high));
            }
            if high.number - low.number == places {
                return Ok(Some(Spot { place: low.place + (next - low.number), number: next }));
            }
            let middle = self.look(tx, low.place.midpoint(high.place)).await?;
            if middle <= low.number || middle >= high.number {
                return Err(out_of_order());
            }
        }
    }

    /// Notes the number of the record at that place.
    async fn look(&mut self, tx: &mut dyn ReadTx, place: u64) -> Result<u64, Error> {
        let page = Page { number: u32::try_from(place + 1).unwrap_or(u32::MAX), size: 1 };
        let found = read(tx, page).await?.data.pop().ok_or_else(out_of_order)?.value.number;
        self.known.insert(found, place);
        Ok(found)
    }
}

fn out_of_order() -> Error {
    Error::Failed("footprints are not listed in the order of their numbers".into())
}
