//! What became of the rows of a file.

use std::collections::BTreeMap;
use std::fmt;

/// At most so many findings are kept of a file; of more the number alone.
const MOST_FINDINGS: usize = 1_000;

/// Every row of a file below its header: read as part of a factor, or skipped for a reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PublishedAccount {
    /// The rows that were read, those of them that are empty too.
    pub rows: u64,
    /// The rows of them that factors were made of.
    pub used: u64,
    /// The other rows by reason: with `used` they add up to `rows`.
    pub skipped: BTreeMap<Skipped, u64>,
    /// Single values that were passed over in rows that were used, by reason.
    pub values_skipped: BTreeMap<Skipped, u64>,
    /// What is wrong, row by row, in the order of the file; at most 1,000.
    pub findings: Vec<Finding>,
    /// How many findings are left out.
    pub more_findings: u64,
}

/// Why a row or a value is no factor.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Skipped {
    /// Nothing is in the row.
    Empty,
    /// It has no value: nothing, `NA` or `-`. That is not zero.
    NoValue,
    /// It gives energy, such as the kWh that a vehicle takes, and no emissions.
    Energy,
    /// It is a heading, a note, or the end.
    Note,
    /// It is the sum of other rows that are factors themselves, and would count twice.
    SumOfOthers,
    /// It is for comparing, and not for an inventory, as its publisher says.
    NotForInventories,
    /// It is a rate, such as the share that a grid loses, and no emissions.
    Rate,
    /// Its unit is none that is known.
    UnknownUnit(
        /// The unit as the file writes it.
        String,
    ),
    /// Its figures contradict each other in the source, where they could be read: a finding says how. No factor is made of it.
    Contradictory,
    /// It cannot be read: a finding says why.
    Faulty,
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("empty"),
            Self::NoValue => f.write_str("without a value"),
            Self::Energy => f.write_str("energy, not emissions"),
            Self::Note => f.write_str("headings, notes and ends"),
            Self::SumOfOthers => f.write_str("sums of other rows"),
            Self::NotForInventories => f.write_str("not meant for inventories"),
            Self::Rate => f.write_str("rates, not emissions"),
            Self::UnknownUnit(unit) => write!(f, "per {unit:?}, which is no unit that is known"),
            Self::Contradictory => f.write_str("contradictory in the source"),
            Self::Faulty => f.write_str("faulty"),
        }
    }
}

/// Something that is wrong in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The sheet it is in; `None` in a file without sheets.
    pub sheet: Option<String>,
    /// The number of the row, from 1.
    pub row: u32,
    /// What is wrong there; completes "the row ...".
    pub detail: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.sheet {
            Some(sheet) => write!(f, "sheet {sheet:?}, row {}: {}", self.row, self.detail),
            None => write!(f, "row {}: {}", self.row, self.detail),
        }
    }
}

impl PublishedAccount {
    /// Counts rows that are skipped.
    pub(super) fn skip(&mut self, reason: Skipped, rows: u64) {
        if rows > 0 {
            *self.skipped.entry(reason).or_default() += rows;
        }
    }

    /// Counts a value that is passed over.
    pub(super) fn skip_value(&mut self, reason: Skipped) {
        *self.values_skipped.entry(reason).or_default() += 1;
    }

    /// Tells what is wrong.
    pub(super) fn find(&mut self, sheet: Option<&str>, row: u32, detail: impl Into<String>) {
        if self.findings.len() < MOST_FINDINGS {
            self.findings.push(Finding { sheet: sheet.map(str::to_owned), row, detail: detail.into() });
        } else {
            self.more_findings += 1;
        }
    }
}
