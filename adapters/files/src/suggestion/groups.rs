//! Columns whose cells are empty below the name of a group, as merged cells are.

use super::column::{Column, Content};
use super::sample::SampleRow;
use super::words::{DATE_STARTS, NAMES, ORGS, PRODUCTS, TAXONOMIES, speaks_of};

/// The columns whose empty cells seem to mean what stands above them, from left to right: the first row says something, every
/// name stands once, there are several, and at least as many rows say nothing as say something new.
pub(super) fn of_groups<'a>(columns: &'a [Column], rows: &[SampleRow]) -> Vec<&'a Column> {
    let first_number = columns.iter().position(|column| column.content == Content::Numbers);
    let groups = columns.iter().enumerate().take(first_number.unwrap_or(columns.len()));
    groups.filter(|(index, column)| is_of_groups(*index, column, rows)).map(|(_, column)| column).collect()
}

fn is_of_groups(index: usize, column: &Column, rows: &[SampleRow]) -> bool {
    let speaks = [&ORGS[..], &TAXONOMIES, &PRODUCTS, &NAMES, &DATE_STARTS, &["scope", "region", "group", "gruppe"]]
        .iter()
        .any(|words| speaks_of(&column.name, words));
    let is_said = |row: &SampleRow| !row.cell(index).is_empty();
    let mut names: Vec<&str> = rows.iter().map(|row| row.cell(index)).filter(|cell| !cell.is_empty()).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    speaks
        && column.has_name()
        && matches!(column.content, Content::Texts | Content::Dates(_))
        && rows.first().is_some_and(is_said)
        && count >= 2
        && names.len() == count
        && count * 2 <= rows.len()
}
