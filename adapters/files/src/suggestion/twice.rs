//! Columns that would count the same thing twice: one quantity in several units, or a sum beside its parts.

use super::column::Column;
use super::words::speaks_of;

/// Words of names of sums.
const SUMS: [&str; 10] = [
    "total",
    "sum",
    "summe",
    "gesamt",
    "overall",
    "site energy",
    "source energy",
    "energy use",
    "energy consumption",
    "gesamtverbrauch",
];

/// For each column why it would count again what the others do; `None` of those that are to be kept.
pub(super) fn counted_twice(columns: &[&Column]) -> Vec<Option<String>> {
    let is_sum = |column: &Column| speaks_of(&column.name, &SUMS);
    let reason = |(index, column): (usize, &&Column)| {
        let dimension = |column: &Column| column.unit.map(domain::Unit::dimension);
        let is_part = |other: &&&Column| dimension(other) == dimension(column) && !is_sum(other);
        if is_sum(column) && columns.iter().any(|other| is_part(&other)) {
            return Some("it seems to be a sum of others, which would count twice".to_owned());
        }
        let before = columns.iter().take(index).find(|other| thing(&other.name) == thing(&column.name))?;
        Some(format!("it seems to be what {:?} says, in another unit", before.name))
    };
    columns.iter().enumerate().map(reason).collect()
}

/// What a column is about: its name without the unit.
fn thing(name: &str) -> String {
    let name = name.trim();
    let bare =
        name.rsplit_once(['(', '[']).or_else(|| name.rsplit_once([' ', '_', '/'])).map_or(name, |(bare, _)| bare);
    bare.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
