//! Columns that tell the rows of a table apart together, where none does alone.

use std::collections::HashMap;

use super::column::{Column, Content};
use super::role::Roles;
use super::sample::SampleRow;
use super::totals::is_total;

/// So many rows may repeat another where columns nearly tell them apart: one of ten, or two.
const FEW: usize = 2;
/// So many columns are tried beside those of the date.
const MOST: usize = 8;

/// What tells the rows apart, all or nearly all.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Together {
    /// The names of the columns, as a template has them: `{Site}-{Date}`.
    pub(super) template: String,
    /// The lines of rows that say the same as an earlier one, whose line stands first.
    pub(super) repeated: Vec<(u64, u64)>,
}

impl Together {
    /// The fewest columns that tell all rows apart; else those that nearly do.
    pub(super) fn of(columns: &[Column], roles: &Roles<'_>, rows: &[SampleRow]) -> Option<Self> {
        let rows: Vec<&SampleRow> = rows.iter().filter(|row| !is_total(row, columns)).collect();
        if rows.len() < 2 {
            return None;
        }
        let at = |wanted: &Column| columns.iter().position(|column| column.name == wanted.name);
        let date: Vec<usize> = match &roles.parted {
            Some(date) => [date.year, Some(date.month), date.day].into_iter().flatten().filter_map(at).collect(),
            None => roles.start.into_iter().filter_map(at).collect(),
        };
        let date = date.as_slice();
        let is_candidate = |index: &usize| {
            let column = &columns[*index];
            let is_one = columns.iter().filter(|other| other.name == column.name).count() == 1;
            let is_key = roles.named_key.is_some_and(|key| key.name == column.name);
            let is_word = matches!(column.content, Content::Texts | Content::Units) || is_key;
            is_one && column.has_name() && is_word && column.month.is_none() && !date.contains(index)
        };
        let mut candidates: Vec<usize> = (0..columns.len()).filter(is_candidate).collect();
        // What is called a number comes first, then places and products.
        let of_roles = [roles.named_key, roles.org, roles.product, roles.name, roles.taxonomy];
        let places: Vec<usize> = of_roles.into_iter().flatten().filter_map(at).collect();
        candidates.sort_by_key(|index| places.iter().position(|place| place == index).unwrap_or(places.len()));
        candidates.truncate(MOST);
        let mut tried: Vec<Vec<usize>> = Vec::new();
        if let Some(key) = roles.named_key.and_then(at) {
            tried.push(vec![key]);
        }
        if !date.is_empty() || !roles.months.is_empty() {
            let ones = candidates.iter().map(|one| vec![*one]);
            let twos = candidates.iter().enumerate();
            let twos = twos.flat_map(|(place, one)| candidates[place + 1..].iter().map(|two| vec![*one, *two]));
            let with_date = |mut names: Vec<usize>| {
                names.extend(date);
                names
            };
            tried.extend(ones.chain(twos).map(with_date));
        }
        let found = tried
            .into_iter()
            .filter_map(|names| repeated(&rows, &names).map(|repeated| (names, repeated)))
            .filter(|(_, repeated)| repeated.len() <= FEW.max(rows.len() / 10) && repeated.len() * 2 < rows.len());
        let (names, repeated) = found.min_by_key(|(_, repeated)| repeated.len())?;
        let template: Vec<String> = names.iter().map(|index| format!("{{{}}}", columns[*index].name)).collect();
        Some(Self { template: template.join("-"), repeated })
    }

    /// What the columns do, and which rows repeat.
    pub(super) fn why(&self) -> String {
        if self.repeated.is_empty() {
            return "unsure: no column tells the rows apart, but these together do: importing the table again changes nothing then, \
                    and a row that is mended there changes its activity"
                .to_owned();
        }
        let rows: Vec<String> = self
            .repeated
            .iter()
            .take(3)
            .map(|(line, first)| format!("line {line} says the same as line {first}"))
            .collect();
        let more = self.repeated.len().saturating_sub(3);
        let more = if more == 0 { String::new() } else { format!(", and {more} more") };
        format!(
            "unsure: it tells all rows apart but these, which would be rejected: {}{more}; mend those rows, or name another column too",
            rows.join(", ")
        )
    }
}

/// Rows that say the same in the columns as an earlier one; `None` where a cell is empty.
fn repeated(rows: &[&SampleRow], names: &[usize]) -> Option<Vec<(u64, u64)>> {
    let mut seen: HashMap<Vec<&str>, u64> = HashMap::new();
    let mut repeated = Vec::new();
    for row in rows {
        let cells: Vec<&str> = names.iter().map(|index| row.cell(*index)).collect();
        if cells.iter().any(|cell| cell.is_empty()) {
            return None;
        }
        match seen.get(&cells) {
            Some(first) => repeated.push((row.line, *first)),
            None => {
                seen.insert(cells, row.line);
            }
        }
    }
    Some(repeated)
}
