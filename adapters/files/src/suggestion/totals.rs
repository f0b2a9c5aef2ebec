//! Rows that add up others.

use std::collections::BTreeMap;

use domain::is_name_of_total;

use super::column::{Column, Content};
use super::sample::SampleRow;

/// Whether a row adds up others: its first cell says so, or one in a column of names.
pub(super) fn is_total(row: &SampleRow, columns: &[Column]) -> bool {
    naming(row, columns).is_some()
}

/// The words by which rows say that they add up others, by the column that has them.
pub(super) fn words_of_totals(rows: &[SampleRow], columns: &[Column]) -> BTreeMap<usize, Vec<String>> {
    let mut found: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for row in rows {
        let Some(index) = naming(row, columns).filter(|index| columns[*index].has_name()) else { continue };
        let words = found.entry(index).or_default();
        if !words.iter().any(|word| word == row.cell(index)) {
            words.push(row.cell(index).to_owned());
        }
    }
    found
}

/// The column in which a row says that it adds up others.
fn naming(row: &SampleRow, columns: &[Column]) -> Option<usize> {
    let first = (0..columns.len()).find(|index| !row.cell(*index).is_empty());
    let is_named = |index: &usize| {
        let column = &columns[*index];
        let is_place = super::words::speaks_of(&column.name, &super::words::ORGS);
        (Some(*index) == first || is_place)
            && matches!(column.content, Content::Texts | Content::Dates(_) | Content::Numbers)
    };
    (0..columns.len()).filter(is_named).find(|index| is_name_of_total(row.cell(*index)))
}
