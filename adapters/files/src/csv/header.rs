//! The header row: which column is which, and what is wrong with it.

use std::collections::HashMap;

use domain::Faults;

use crate::activity::{CO2E_UNIT, COMPUTED_COLUMNS, IMPORT_COLUMNS, PERIOD_CO2E};
use crate::error::FileError;
use crate::suggest::did_you_mean;

/// Where the columns of a table stand.
#[derive(Debug)]
pub(crate) struct Columns {
    places: HashMap<String, usize>,
    count: usize,
}

impl Columns {
    /// The columns of a header that names an activity's fields; all that is wrong with it otherwise.
    pub(crate) fn new(names: &[String]) -> Result<Self, Faults> {
        let columns = check_names(names)?;
        let mut faults = Faults::new();
        for name in names.iter().map(|name| name.trim()).filter(|name| !known().any(|known| known == *name)) {
            faults.add("", format!("column {name:?} is not known{}", did_you_mean(name, known())));
        }
        for name in ["name", "startDate"] {
            // With a syncId a row may change an activity that is there, of which the other columns are kept.
            if columns.find(name).is_none() && columns.find("syncId").is_none() {
                faults.add("", format!("column {name:?} is missing"));
            }
        }
        if let [only] = names
            && let Some(mark) = only.chars().find(|c| matches!(c, ';' | '\t' | '|'))
        {
            faults.add(
                "",
                format!("cells seem to be set apart by {mark:?}; a mapping file can say so (table.delimiter)"),
            );
        }
        faults.into_result().map(|()| columns)
    }

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
pub(crate) fn check_names(names: &[String]) -> Result<Columns, Faults> {
    let mut places = HashMap::with_capacity(names.len());
    let mut faults = Faults::new();
    for (index, name) in names.iter().map(|name| name.trim()).enumerate() {
        if name.is_empty() {
            faults.add("", format!("column {} has no name", index + 1));
        } else if places.insert(name.to_owned(), index).is_some() {
            faults.add("", format!("column {name:?} stands twice"));
        }
    }
    faults.into_result().map(|()| Columns { places, count: names.len() })
}

/// A header that cannot be read; `detail` completes "it ...".
pub(crate) fn header_fault(detail: &str) -> FileError {
    FileError::Header(Faults::one("", format!("it {detail}")))
}

fn known() -> impl Iterator<Item = &'static str> {
    IMPORT_COLUMNS.into_iter().chain(COMPUTED_COLUMNS).chain([PERIOD_CO2E, CO2E_UNIT])
}
