//! Addresses of pages: a path and what it shows, as links and forms have them.

use std::fmt::{self, Display, Write as _};

use crate::filter::Filter;

/// The address of a page below the company's: what it shows is all in there.
///
/// ```
/// # use tonne_web::{Address, Filter};
/// let address = Address::to("/report").with("by", "org,month").filtered(&Filter::default());
/// assert_eq!(address.to_string(), "/report?by=org%2Cmonth");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Address {
    path: String,
    query: Vec<(String, String)>,
}

impl Address {
    /// The page of that path.
    #[must_use]
    pub fn to(path: impl Into<String>) -> Self {
        Self { path: path.into(), query: Vec::new() }
    }

    /// With the filter's parameters.
    #[must_use]
    pub fn filtered(mut self, filter: &Filter) -> Self {
        for (name, value) in filter.parameters() {
            self = self.with(name, value);
        }
        self
    }

    /// With that parameter, in place of one of its name.
    #[must_use]
    pub fn with(self, name: &str, value: impl Display) -> Self {
        let mut address = self.without(name);
        address.query.push((name.to_owned(), value.to_string()));
        address
    }

    /// With that parameter where there is a value for it.
    #[must_use]
    pub fn with_some(self, name: &str, value: Option<impl Display>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// Without that parameter.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.query.retain(|(known, _)| known != name);
        self
    }

    /// The path.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The parameters, for the hidden fields of a form that sends to the path.
    #[must_use]
    pub fn parameters(&self) -> &[(String, String)] {
        &self.query
    }
}

impl Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)?;
        for (index, (name, value)) in self.query.iter().enumerate() {
            let before = if index == 0 { '?' } else { '&' };
            write!(f, "{before}{}={}", encoded(name), encoded(value))?;
        }
        Ok(())
    }
}

/// The text as a part of a query.
#[must_use]
pub(crate) fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            // Writing to a text does not fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}
