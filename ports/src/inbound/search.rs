//! What records are sought by, and a part of those that are found.

use domain::{Factor, FactorId, Name, ProductId};

use crate::Stored;

/// Words that a record must have, all of them, each anywhere in one of its texts and in whatever case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchWords {
    text: String,
    words: Vec<String>,
}

impl SearchWords {
    /// The words of a text, which have blanks between them. Every record has all words of an empty one.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let text = text.trim().to_owned();
        let words = text.to_lowercase().split_whitespace().map(str::to_owned).collect();
        Self { text, words }
    }

    /// As they were written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether each is in one of the texts of a record.
    pub fn are_in<'a>(&self, texts: impl IntoIterator<Item = &'a str>) -> bool {
        let texts: Vec<_> = texts.into_iter().map(str::to_lowercase).collect();
        self.words.iter().all(|word| texts.iter().any(|text| text.contains(word)))
    }

    /// Whether one of them at least is in one of those texts, or there are no words.
    pub fn any_is_in<'a>(&self, texts: impl IntoIterator<Item = &'a str>) -> bool {
        let is_in = |text: String| self.words.iter().any(|word| text.contains(word));
        self.words.is_empty() || texts.into_iter().map(str::to_lowercase).any(is_in)
    }

    /// The factor that they name by its id, where they are one.
    #[must_use]
    pub fn factor(&self) -> Option<FactorId> {
        domain::parse_uuid(&self.text).ok().map(FactorId::new)
    }
}

/// Which products are sought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProductSearch {
    /// What is in their names, syncIds, units or ids.
    pub words: SearchWords,
    /// Only those with an id behind this one.
    pub after: Option<ProductId>,
    /// How many at most, 1 at least.
    pub limit: u32,
    /// How many are looked at before the answer is given, however few have the words.
    pub look_at: u32,
}

/// Which factors are sought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactorSearch {
    /// What is in the names, syncIds, units or ids of their products, one word at least, and the others there or in their sources,
    /// days, units or ids; or the id of a factor.
    pub words: SearchWords,
    /// Only those behind this place.
    pub after: Option<FactorPlace>,
    /// So many are enough, 1 at least: no more are read then.
    pub limit: u32,
    /// How many products and factors are looked at before the answer is given.
    pub look_at: u32,
}

/// A place among the factors that a search looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FactorPlace {
    /// The product that was looked at last.
    pub product: ProductId,
    /// The parts of its factors that are left; 0 where all of them were looked at.
    pub parts: u32,
}

/// A factor that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct ProductFactor {
    /// What its product is called.
    pub product: Name,
    /// The factor.
    pub factor: Stored<Factor>,
}

/// Which footprints are sought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FootprintSearch {
    /// What is in the names of their products and companies, their product ids, their numbers or ids.
    pub words: SearchWords,
    /// Only those with this status.
    pub status: Option<String>,
    /// Only those that keep the rules of the version they are written in, or that do not.
    pub is_valid: Option<bool>,
    /// Only those with a number above this one.
    pub after: u64,
    /// How many at most, 1 at least.
    pub limit: u32,
}

/// A part of the records that are found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<T, P> {
    /// The records. There may be none of them and still be more behind `end`.
    pub data: Vec<T>,
    /// The place behind which to go on; `None` where there are no more.
    pub end: Option<P>,
    /// How many records were looked at.
    pub looked_at: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_found_in_some_text() {
        let words = SearchWords::of(" DIESEL b7 ");
        assert!(words.are_in(["diesel oil", "B7-2025"]) && !words.are_in(["diesel oil", "E10"]));
        assert_eq!(words.as_str(), "DIESEL b7");
        assert!(SearchWords::of("").are_in(["anything"]) && SearchWords::of("").any_is_in(["anything"]));
        assert!(words.any_is_in(["B7", "E10"]) && !words.any_is_in(["E10"]));
    }
}
