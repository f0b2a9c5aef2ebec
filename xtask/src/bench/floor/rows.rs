//! Rows as the program writes them, made up: the same columns with values of the same lengths.

use crate::bench::activities::{Activity, FIRST_JULIAN_DAY, Order, activities, date};
use crate::bench::company::{PRODUCTS, SCOPE_COUNT, TAXONOMIES, factor};
use crate::bench::dice::Dice;
use crate::hex::hex;

/// Milliseconds since 1970 of the first row: 1 January 2026.
const MOMENT: u64 = 1_767_225_600_000;
/// Rows of one millisecond, which is about as many as an import makes.
const ROWS_PER_MILLISECOND: u64 = 50;

/// A row of the table of activities.
pub(super) struct Row {
    pub(super) id: [u8; 16],
    pub(super) day: u32,
    pub(super) series: u32,
    /// In numbers: what it refers to.
    pub(super) activity: Activity,
    pub(super) sync_id: String,
    pub(super) name: String,
    pub(super) quantity: String,
    pub(super) start_at: String,
    pub(super) upstream: String,
    pub(super) downstream: String,
    /// Milliseconds since 1970.
    pub(super) created: u64,
    pub(super) digest: [u8; 32],
}

impl Row {
    /// Its day as a Julian day number.
    pub(super) const fn julian_day(&self) -> u32 {
        FIRST_JULIAN_DAY + self.day
    }
}

/// The rows of a table in batches, each sorted by day and identifier.
pub(super) fn batches(count: u32, order: Order, size: usize) -> impl Iterator<Item = Vec<Row>> {
    let mut dice = Dice::of(3);
    let mut rows = (0_u64..).zip(activities(count, order)).map(move |(at, activity)| row(at, activity, &mut dice));
    std::iter::from_fn(move || {
        let mut batch: Vec<_> = rows.by_ref().take(size).collect();
        batch.sort_unstable_by_key(|row| (row.day, row.id));
        (!batch.is_empty()).then_some(batch)
    })
}

fn row(at: u64, activity: Activity, dice: &mut Dice) -> Row {
    let (upstream, downstream) = factor(activity.product);
    let created = MOMENT + at / ROWS_PER_MILLISECOND;
    let Activity { day, org, taxonomy, scope, .. } = activity;
    Row {
        id: identifier(created, dice),
        day,
        series: (org * TAXONOMIES + taxonomy) * SCOPE_COUNT + scope,
        activity,
        sync_id: activity.sync_id("a"),
        name: format!("Meter reading {:08}", activity.sync_number % 100_000_000),
        quantity: activity.quantity(),
        start_at: format!("{}T00:00:00Z", date(day)),
        upstream: product(activity.quantity, upstream),
        downstream: product(activity.quantity, downstream),
        created,
        digest: dice.bytes(),
    }
}

/// A UUID of version 7.
fn identifier(millis: u64, dice: &mut Dice) -> [u8; 16] {
    let mut id: [u8; 16] = dice.bytes();
    id[..6].copy_from_slice(&millis.to_be_bytes()[2..]);
    id[6] = 0x70 | (id[6] & 0x0f);
    id[8] = 0x80 | (id[8] & 0x3f);
    id
}

/// Thousandths times hundred-thousandths as a decimal without trailing zeros.
fn product(quantity: u32, factor: u32) -> String {
    let amount = u64::from(quantity) * u64::from(factor);
    let text = format!("{}.{:08}", amount / 100_000_000, amount % 100_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Made-up bytes of a record that rows refer to: the kind and its number.
pub(super) fn reference(kind: u8, number: u32) -> [u8; 16] {
    let mut id = [kind; 16];
    id[6] = 0x70;
    id[8] = 0x80;
    id[12..].copy_from_slice(&number.to_be_bytes());
    id
}

/// A UUID in text.
pub(super) fn uuid(id: [u8; 16]) -> String {
    let hex = hex(&id);
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}

/// What a row refers to, as the store counts it: kind and identifier.
pub(super) fn uses(row: &Row) -> [(u8, [u8; 16]); 5] {
    let Activity { scope, org, taxonomy, product, .. } = row.activity;
    [(1, scope), (2, org), (3, taxonomy), (4, product), (5, PRODUCTS + product)]
        .map(|(kind, number)| (kind, reference(kind, number)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_is_exact_and_has_no_trailing_zeros() {
        assert_eq!(product(12_500, 20_000), "2.5");
        assert_eq!(product(1, 1), "0.00000001");
        assert_eq!(product(100_000, 100_000), "100");
        assert_eq!(product(99_999_999, 31_919), "31918.99968081");
    }

    #[test]
    fn a_batch_is_sorted_by_day_and_all_rows_come_once() {
        let batches: Vec<_> = batches(1_000, Order::RandomDays, 300).collect();
        assert_eq!(batches.iter().map(Vec::len).collect::<Vec<_>>(), [300, 300, 300, 100]);
        assert!(batches.iter().all(|batch| batch.is_sorted_by_key(|row| (row.day, row.id))));
    }

    #[test]
    fn an_identifier_is_a_uuid_of_version_7() {
        let text = uuid(identifier(MOMENT, &mut Dice::of(1)));
        assert_eq!((text.len(), &text[14..15]), (36, "7"));
        assert!("89ab".contains(&text[19..20]), "{text}");
    }
}
