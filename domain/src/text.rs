//! Texts with rules: names, sync ids, descriptions, slugs, addresses.

mod fold;

use std::fmt;

use fold::fold;

/// Why a text is refused; the message completes "`<field>` ...".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    /// Nothing in it.
    #[error("must not be empty")]
    Empty,
    /// Too many characters.
    #[error("has more than {0} characters")]
    TooLong(usize),
    /// A control character, such as a line break.
    #[error("must not contain control characters")]
    Control,
    /// Not of the form that the field asks for.
    #[error("{0}")]
    Form(&'static str),
}

macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident, $parse:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Box<str>);

        impl $name {
            /// Reads it, or says what is wrong with it.
            pub fn parse(text: &str) -> Result<Self, TextError> {
                let parse: fn(&str) -> Result<Box<str>, TextError> = $parse;
                parse(text).map(Self)
            }

            /// The text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }
    )*};
}

texts! {
    /// What something is called: 1-255 characters after trimming, no control characters, never unique.
    Name, |text| bounded(text.trim(), 255);
    /// What another system calls it: 1-255 characters, unique per tenant and kind, kept as it came.
    SyncId, |text| bounded(text, 255);
    /// Free text of at most 10,000 characters; line breaks and tabs are welcome.
    Description, |text| free(text, 10_000);
    /// The part of an address that names a taxonomy node: `[a-z0-9](-?[a-z0-9])*`, 1-255 characters.
    Slug, |text| slug(text, 255);
    /// The http(s) address of an image: stored, never fetched. At most 2,000 characters.
    ImageAddress, |text| address(text, 2_000);
    /// Where a factor was published: 1-1,000 characters after trimming, no control characters.
    Source, |text| bounded(text.trim(), 1_000);
}

impl Slug {
    /// A slug made from a name: lower-case letters and digits, Latin ones without their marks (`Öl` gives `ol`), all else
    /// a hyphen; `node` when none is left.
    #[must_use]
    pub fn from_name(name: &Name) -> Self {
        let mut slug = String::new();
        for c in name.as_str().chars().flat_map(char::to_lowercase) {
            if let Some(letters) = fold(c) {
                slug.push_str(letters);
            } else if c.is_ascii_alphanumeric() {
                slug.push(c);
            } else if !slug.is_empty() && !slug.ends_with('-') {
                slug.push('-');
            }
            if slug.len() >= 240 {
                break;
            }
        }
        let slug = slug.trim_end_matches('-');
        Self(if slug.is_empty() { "node" } else { slug }.into())
    }

    /// The same slug with a number behind it: `waste-2`.
    #[must_use]
    pub fn numbered(&self, number: u32) -> Self {
        Self(format!("{}-{number}", self.0).into())
    }
}

fn bounded(text: &str, most: usize) -> Result<Box<str>, TextError> {
    if text.is_empty() {
        return Err(TextError::Empty);
    }
    if text.chars().any(char::is_control) {
        return Err(TextError::Control);
    }
    within(text, most)
}

fn free(text: &str, most: usize) -> Result<Box<str>, TextError> {
    if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
        return Err(TextError::Control);
    }
    within(text, most)
}

fn within(text: &str, most: usize) -> Result<Box<str>, TextError> {
    if text.chars().count() > most { Err(TextError::TooLong(most)) } else { Ok(text.into()) }
}

fn slug(text: &str, most: usize) -> Result<Box<str>, TextError> {
    let edge = |b: Option<&u8>| b.is_some_and(|b| *b != b'-');
    let bytes = text.as_bytes();
    let allowed = bytes.iter().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || *b == b'-');
    if !allowed || text.contains("--") || !edge(bytes.first()) || !edge(bytes.last()) {
        return Err(TextError::Form("must be lower-case letters and digits, with single hyphens between them"));
    }
    within(text, most)
}

fn address(text: &str, most: usize) -> Result<Box<str>, TextError> {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let host = rest.map(|rest| rest.split(['/', '?', '#']).next().unwrap_or(""));
    if host.is_none_or(str::is_empty) || text.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Err(TextError::Form("must be an address that starts with http:// or https://"));
    }
    within(text, most)
}
