//! The header row: which column is where.

use std::collections::HashMap;

use domain::Faults;

use super::Cells;
use crate::error::FileError;

/// Where the columns of a table stand.
#[derive(Debug)]
pub(crate) struct ColumnIndex {
    places: HashMap<String, usize>,
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

    /// The names, in no order.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.places.keys().map(String::as_str)
    }
}

/// The columns of any header whose names are given and differ.
pub(crate) fn check_names(names: &Cells) -> Result<ColumnIndex, Faults> {
    let mut places = HashMap::with_capacity(names.len());
    let mut faults = Faults::new();
    for (index, name) in names.iter().map(str::trim).enumerate() {
        if name.is_empty() {
            faults.add("", format!("column {} has no name", index + 1));
        } else if places.insert(name.to_owned(), index).is_some() {
            faults.add("", format!("column {name:?} stands twice"));
        }
    }
    faults.into_result().map(|()| ColumnIndex { places, count: names.len() })
}

/// A header that cannot be read; `detail` completes "it ...".
pub(crate) fn header_fault(detail: &str) -> FileError {
    FileError::Header(Faults::one("", format!("it {detail}")))
}
