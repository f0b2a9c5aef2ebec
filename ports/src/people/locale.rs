//! The language and region that a user reads numbers and words in.

use std::fmt;

/// A language tag (BCP 47), such as `de-CH`: ASCII letters and digits in parts of 1-8 characters, at most 35 altogether.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Locale(String);

impl Locale {
    /// Reads it; whether there are words in that language is the reader's business.
    pub fn parse(text: &str) -> Result<Self, LocaleError> {
        let mut parts = text.split('-');
        let is_language =
            |part: &str| (2..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphabetic());
        let is_part =
            |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let fits = text.len() <= 35 && parts.next().is_some_and(is_language) && parts.all(is_part);
        if fits { Ok(Self(text.to_owned())) } else { Err(LocaleError) }
    }

    /// The tag as it was given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Locale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// That a text is no language tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is no language tag such as en or de-CH")]
pub struct LocaleError;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn language_tags_are_read_and_others_refused() {
        assert!(["en", "de-CH", "zh-Hant-TW", "es-419"].into_iter().all(|text| Locale::parse(text).is_ok()));
        for text in ["", "e", "de_CH", "de-", "de--CH", "d\u{e9}", "1a", "en-abcdefghi"] {
            assert_eq!(Locale::parse(text), Err(LocaleError), "{text}");
        }
    }
}
