//! Why a text is not canonical: what is wrong, and where.

use std::fmt;

/// Why a text is not the canonical text of the value that is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CanonicalError {
    path: String,
    at: usize,
    detail: String,
}

impl CanonicalError {
    /// What is wrong with the value that is at that byte; `detail` completes a sentence whose subject is the member.
    pub(super) fn new(at: usize, detail: impl fmt::Display) -> Self {
        Self { path: String::new(), at, detail: detail.to_string() }
    }

    /// The same, said from the object or list around it.
    pub(super) fn within(mut self, name: impl fmt::Display) -> Self {
        self.path = format!("/{name}{}", self.path);
        self
    }

    /// The member that is wrong, as a JSON pointer such as `/content/span/start`; empty for the whole text.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// How many bytes of the text are before what is wrong.
    #[must_use]
    pub const fn at(&self) -> usize {
        self.at
    }

    /// What is wrong with the member, without its name: `is missing`.
    #[must_use]
    pub fn detail(&self) -> &str {
        &self.detail
    }
}

impl fmt::Display for CanonicalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let subject = if self.path.is_empty() { "the text" } else { &self.path };
        write!(f, "{subject} {}", self.detail)
    }
}

impl std::error::Error for CanonicalError {}
