//! What is wrong with an input: every fault of it at once, each with its place and the way to mend it.
//!
//! Values do not make faults: their errors know no place. Faults are here because every way in collects them, from
//! requests, from rows of a table and from a caller who embeds this crate alone, and all show them alike.

use std::fmt;

/// What sort of fault it is: a word for programs that stays the same, whatever the sentence beside it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultCode {
    /// Something that must be given is absent or null.
    Required,
    /// There is nothing of that name to be given.
    Unknown,
    /// It is given more than once.
    Repeated,
    /// It cannot be written.
    ReadOnly,
    /// It is of another type, such as a number where a text belongs.
    Type,
    /// It is of the right type, but not of the form or within the bounds that it must have.
    Invalid,
    /// There is too much of it: too many items, too deep, too long.
    TooMuch,
    /// It refers to a record that does not exist.
    NotFound,
    /// It does not go together with something else that is given or known.
    Mismatch,
    /// Another record stands in the way.
    Conflict,
}

impl FaultCode {
    /// Every code.
    pub const ALL: [Self; 10] = [
        Self::Required,
        Self::Unknown,
        Self::Repeated,
        Self::ReadOnly,
        Self::Type,
        Self::Invalid,
        Self::TooMuch,
        Self::NotFound,
        Self::Mismatch,
        Self::Conflict,
    ];

    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::Unknown => "unknown",
            Self::Repeated => "repeated",
            Self::ReadOnly => "read_only",
            Self::Type => "type",
            Self::Invalid => "invalid",
            Self::TooMuch => "too_much",
            Self::NotFound => "not_found",
            Self::Mismatch => "mismatch",
            Self::Conflict => "conflict",
        }
    }
}

/// One thing that is wrong with an input.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    /// Where: a JSON pointer into the input, such as `/org/uuid`; empty for the whole of it.
    pub pointer: String,
    /// What sort of fault it is.
    pub code: FaultCode,
    /// What is wrong there and how to mend it.
    pub detail: String,
}

/// The faults of one input, in the order they were found. Empty means that nothing is wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// A list without faults.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Just this one, of the code [`FaultCode::Invalid`].
    #[must_use]
    pub fn one(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        Self::one_coded(FaultCode::Invalid, pointer, detail)
    }

    /// A list of one fault.
    #[must_use]
    pub fn one_coded(code: FaultCode, pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        let mut faults = Self::new();
        faults.add_coded(code, pointer, detail);
        faults
    }

    /// Notes a fault of the code [`FaultCode::Invalid`].
    pub fn add(&mut self, pointer: impl Into<String>, detail: impl Into<String>) {
        self.add_coded(FaultCode::Invalid, pointer, detail);
    }

    /// Adds a fault; faults stay in the order in which they were found.
    pub fn add_coded(&mut self, code: FaultCode, pointer: impl Into<String>, detail: impl Into<String>) {
        self.0.push(Fault { pointer: pointer.into(), code, detail: detail.into() });
    }

    /// Notes all of another's faults.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// The value, or `None` with its fault noted at `pointer`.
    pub fn check<T>(&mut self, pointer: &str, value: Result<T, impl fmt::Display>) -> Option<T> {
        value.map_err(|error| self.add(pointer, error.to_string())).ok()
    }

    /// Whether nothing is wrong.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The faults in the order in which they were found.
    #[must_use]
    pub fn as_slice(&self) -> &[Fault] {
        &self.0
    }

    /// `Ok` when nothing is wrong, all the faults otherwise.
    pub fn into_result(self) -> Result<(), Self> {
        if self.0.is_empty() { Ok(()) } else { Err(self) }
    }
}

impl IntoIterator for Faults {
    type Item = Fault;
    type IntoIter = std::vec::IntoIter<Fault>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(f, "{separator}{}: {}", fault.pointer, fault.detail)?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}
