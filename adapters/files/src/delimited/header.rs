//! The header row: which column is where.

use std::collections::{HashMap, HashSet};

use domain::Faults;

use super::Cells;
use crate::error::FileError;

/// Where the columns of a table stand.
#[derive(Debug)]
pub(crate) struct ColumnIndex {
    places: HashMap<String, usize>,
    /// Names that stand twice.
    doubled: HashSet<String>,
    count: usize,
}

impl ColumnIndex {
    /// Where a column stands.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    /// How many cells a row has.
    pub(crate) const fn len(&self) -> usize {
        self.count
    }

    /// Whether several columns have that name.
    pub(crate) fn is_doubled(&self, name: &str) -> bool {
        self.doubled.contains(name)
    }

    /// The names, in no order.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.places.keys().map(String::as_str)
    }
}

/// The columns of any header; of several with one name the last. Columns without a name cannot be found.
pub(crate) fn index_names(names: &[String]) -> ColumnIndex {
    let mut index =
        ColumnIndex { places: HashMap::with_capacity(names.len()), doubled: HashSet::new(), count: names.len() };
    for (place, name) in names.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
        if index.places.insert(name.clone(), place).is_some() {
            index.doubled.insert(name.clone());
        }
    }
    index
}

/// The columns of a header whose names must be given and differ.
pub(crate) fn check_names(names: &Cells) -> Result<ColumnIndex, Faults> {
    let names = joined_names(&[names]);
    let index = index_names(&names);
    let mut faults = Faults::new();
    for (place, name) in names.iter().enumerate() {
        if name.is_empty() {
            faults.add("", format!("column {} has no name", place + 1));
        } else if index.is_doubled(name) && index.find(name) == Some(place) {
            faults.add("", format!("column {name:?} stands twice"));
        }
    }
    faults.into_result().map(|()| index)
}

/// The names that the rows of a header give together, such as `Gas kWh` for `kWh` below `Gas`. A cell of an upper row, which
/// may be a merged one, counts for the empty cells behind it too, as far as they have something below.
pub(crate) fn joined_names(rows: &[&Cells]) -> Vec<String> {
    let width = rows.iter().map(|row| row.len()).max().unwrap_or_default();
    let mut names = vec![String::new(); width];
    for (level, row) in rows.iter().enumerate() {
        let below = &rows[level + 1..];
        let mut spread = "";
        for (place, name) in names.iter_mut().enumerate() {
            let own = row.get(place).unwrap_or_default().trim();
            let has_below = below.iter().any(|row| row.get(place).is_some_and(|cell| !cell.trim().is_empty()));
            if !own.is_empty() {
                // What stands above nothing is the name of its column alone.
                spread = if has_below { own } else { "" };
            }
            let part = if own.is_empty() && has_below { spread } else { own };
            if !part.is_empty() && !name.is_empty() {
                name.push(' ');
            }
            name.push_str(part);
        }
    }
    names
}

/// A header that cannot be read; `detail` completes "it ...".
pub(crate) fn header_fault(detail: &str) -> FileError {
    FileError::Header(Faults::one("", format!("it {detail}")))
}
