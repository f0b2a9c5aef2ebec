//! Texts with rules: names, sync ids, descriptions, slugs, addresses.

mod address;
pub(crate) mod fold;
mod visible;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use fold::fold;
use visible::{is_hidden, is_seen};

/// The most characters of a [`Slug`].
const MAX_SLUG: usize = 255;

/// The most characters of a [`Source`] and of a [`Reason`].
const MAX_SOURCE: usize = 1_000;

/// Why a text is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    /// Nothing in it, or nothing to see.
    #[error("the text must not be empty")]
    Empty,
    /// The text is longer than this many characters.
    #[error("the text has more than {0} characters")]
    TooLong(usize),
    /// A control character, such as a line break.
    #[error("the text must not contain control characters")]
    Control,
    /// A character that nobody sees, such as one that turns the direction of writing.
    #[error("the text must not contain the invisible character U+{:04X}", u32::from(*.0))]
    Invisible(char),
    /// Not of the form that the field asks for.
    #[error("{0}")]
    Form(&'static str),
}

macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident, $parse:expr;)*) => {$(
        $(#[$doc])*
        // Shared: an import hands the same text from its row to the record to the store.
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Arc<str>);

        impl $name {
            /// Reads it, or says what is wrong with it.
            pub fn parse(text: &str) -> Result<Self, TextError> {
                let parse: fn(&str) -> Result<Arc<str>, TextError> = $parse;
                parse(text).map(Self)
            }

            /// The text as it was given.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = TextError;

            fn from_str(text: &str) -> Result<Self, TextError> {
                Self::parse(text)
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
    /// What something is called: 1-255 characters after trimming, no control or invisible characters, never unique.
    Name, |text| bounded(text.trim(), 255);
    /// What another system calls it: 1-255 characters, no control or invisible ones, unique per tenant and kind, kept as
    /// it came.
    SyncId, |text| bounded(text, 255);
    /// Free text of at most 10,000 characters; line breaks and tabs are welcome.
    Description, |text| free(text, 10_000);
    /// The part of an address that names a taxonomy node: `[a-z0-9](-?[a-z0-9])*`, 1-255 characters.
    Slug, |text| slug(text, MAX_SLUG);
    /// The absolute http or https address of an image, without user info: stored, never fetched. At most 2,048 characters.
    ImageAddress, |text| match address::fault(text) {
        Some(fault) => Err(TextError::Form(fault)),
        None => within(text, 2_048),
    };
    /// The absolute http or https address of a piece of evidence, without user info: stored, never fetched. At most 2,048
    /// characters.
    Link, |text| match address::fault(text) {
        Some(fault) => Err(TextError::Form(fault)),
        None => within(text, 2_048),
    };
    /// The address that a host of PACT stands at: absolute, http or https, without user info, query, fragment, and without a
    /// slash at its end, which is cut. At most 1,000 characters.
    HostAddress, |text| match address::fault(text) {
        Some(fault) => Err(TextError::Form(fault)),
        None if text.contains(['?', '#']) => {
            Err(TextError::Form("the address must have no query and no fragment: paths are put behind it"))
        }
        None => within(text.trim_end_matches('/'), 1_000),
    };
    /// The id that a host knows a client by: 1-255 characters, no control or invisible ones, kept as it came.
    HostClientId, |text| bounded(text, 255);
    /// Where a factor was published: 1-1,000 characters after trimming, no control or invisible characters.
    Source, |text| bounded(text.trim(), MAX_SOURCE);
    /// Why somebody did something: 1-1,000 characters after trimming, no control or invisible characters.
    Reason, |text| bounded(text.trim(), MAX_SOURCE);
}

impl Source {
    /// Those names with commas between them, without the first ones where all are longer than a source may be.
    pub(crate) fn of_names(names: &[&Name]) -> Self {
        let joined = names.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(", ");
        match names {
            [_, rest @ ..] if !rest.is_empty() && joined.chars().count() > MAX_SOURCE => Self::of_names(rest),
            _ => Self(joined.into()),
        }
    }
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

    /// The same slug with a number behind it: `waste-2`. Of a long one the end gives way to the number.
    #[must_use]
    pub fn numbered(&self, number: u32) -> Self {
        let behind = format!("-{number}");
        let most = self.0.len().min(MAX_SLUG - behind.len());
        Self(format!("{}{behind}", self.0[..most].trim_end_matches('-')).into())
    }
}

fn bounded(text: &str, most: usize) -> Result<Arc<str>, TextError> {
    if text.is_empty() {
        return Err(TextError::Empty);
    }
    // Nearly all texts are of letters, digits and signs of ASCII, of which none is hidden.
    if text.len() <= most && text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) && text.trim() != "" {
        return Ok(text.into());
    }
    if text.chars().any(char::is_control) {
        return Err(TextError::Control);
    }
    if let Some(hidden) = text.chars().find(|c| is_hidden(*c)) {
        return Err(TextError::Invisible(hidden));
    }
    if !is_seen(text) {
        return Err(TextError::Empty);
    }
    within(text, most)
}

fn free(text: &str, most: usize) -> Result<Arc<str>, TextError> {
    if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
        return Err(TextError::Control);
    }
    within(text, most)
}

fn within(text: &str, most: usize) -> Result<Arc<str>, TextError> {
    if text.chars().count() > most { Err(TextError::TooLong(most)) } else { Ok(text.into()) }
}

fn slug(text: &str, most: usize) -> Result<Arc<str>, TextError> {
    let edge = |b: Option<&u8>| b.is_some_and(|b| *b != b'-');
    let bytes = text.as_bytes();
    let allowed = bytes.iter().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || *b == b'-');
    if !allowed || text.contains("--") || !edge(bytes.first()) || !edge(bytes.last()) {
        return Err(TextError::Form(
            "the slug must be lower-case letters and digits, with single hyphens between them",
        ));
    }
    within(text, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_be_written_in_any_script_and_with_emoji() {
        for name in [
            "Łódź",
            "שלום עולם",
            "می\u{200c}خواهم",
            "क\u{94d}\u{200d}ष",
            "👩\u{200d}🌾 farm",
            "葛\u{e0100}城",
            "❤\u{fe0f}",
        ] {
            assert_eq!(Name::parse(name).map(|name| name.to_string()), Ok(name.to_owned()));
        }
    }

    #[test]
    fn names_hide_nothing() {
        for hidden in [
            '\u{202e}',
            '\u{202a}',
            '\u{2066}',
            '\u{2069}',
            '\u{200e}',
            '\u{200f}',
            '\u{61c}',
            '\u{200b}',
            '\u{2060}',
            '\u{feff}',
            '\u{ad}',
            '\u{2028}',
            '\u{3164}',
            '\u{e0041}',
        ] {
            let (text, error) = (format!("Invoice{hidden}fdp.exe"), Err(TextError::Invisible(hidden)));
            assert_eq!(Name::parse(&text).map(|_| ()), error, "{text:?}");
            assert_eq!(Source::parse(&text).map(|_| ()), error, "{text:?}");
            assert_eq!(SyncId::parse(&text).map(|_| ()), error, "{text:?}");
        }
        let error = TextError::Invisible('\u{202e}');
        assert_eq!(error.to_string(), "the text must not contain the invisible character U+202E");
        assert_eq!(Name::parse("\u{200d}\u{fe0f}"), Err(TextError::Empty));
    }

    #[test]
    fn a_number_takes_the_place_of_the_end_of_the_longest_slug() {
        for text in ["a".repeat(255), format!("{}-bb", "a".repeat(252)), format!("{}-b", "a".repeat(253))] {
            let numbered = Slug::parse(&text).unwrap().numbered(2);
            assert_eq!(Slug::parse(numbered.as_str()), Ok(numbered.clone()), "{numbered}");
            assert!(numbered.as_str().ends_with("-2"), "{numbered}");
        }
        assert_eq!(Slug::parse("waste").unwrap().numbered(12).as_str(), "waste-12");
    }
}
