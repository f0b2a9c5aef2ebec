//! The words of a text as searches compare them: in lower case, Latin letters without their marks.

use crate::text::fold::fold;

/// The most different words that are searched for at once.
pub const MAX_SEARCH_WORDS: usize = 32;

/// The most parts that are written together.
const MOST_PARTS: usize = 4;

/// Why a text cannot be searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchWordsError {
    /// No letter and no digit.
    #[error("the text holds no word to search for: a word is of letters and digits")]
    None,
    /// More than [`MAX_SEARCH_WORDS`].
    #[error("the text has more than {MAX_SEARCH_WORDS} words")]
    TooMany,
}

/// The words of a text in their order: letters and digits that stand together, in lower case, Latin letters without their
/// marks. `Électricité (kWh_gross)` has the words `electricite`, `kwh` and `gross`.
#[must_use]
pub fn search_words(text: &str) -> Vec<String> {
    let (mut words, mut word) = (Vec::new(), String::new());
    for c in text.chars().flat_map(char::to_lowercase) {
        if let Some(letters) = fold(c) {
            word.push_str(letters);
        } else if c.is_alphanumeric() {
            word.push(c);
        } else if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

/// The words that a text has beside its own where letters and digits take turns, however they are told apart: by them
/// `R-410A`, `R410A` and `r 410 a` find each other. A run of such parts is written together, from each of its parts on.
#[must_use]
pub fn joined_words(text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    for word in search_words(text) {
        let mut rest = word.as_str();
        while let Some(first) = rest.chars().next() {
            let end = rest.find(|c: char| c.is_numeric() != first.is_numeric()).unwrap_or(rest.len());
            let (part, behind) = rest.split_at(end);
            parts.push(part.to_owned());
            rest = behind;
        }
    }
    let is_number = |part: &String| part.starts_with(char::is_numeric);
    let mut joined = Vec::new();
    for (place, part) in parts.iter().enumerate() {
        let behind = parts.iter().enumerate().skip(place + 1).take(MOST_PARTS - 1);
        let run = behind
            .take_while(|(place, part)| parts.get(place - 1).is_some_and(|last| is_number(last) != is_number(part)));
        let run: String = run.map(|(_, part)| part.as_str()).collect();
        if !run.is_empty() || place > 0 && parts.get(place - 1).is_some_and(|last| is_number(last) != is_number(part)) {
            joined.push(format!("{part}{run}"));
        }
    }
    joined
}

/// The words of a question, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchWords(Vec<String>);

impl SearchWords {
    /// Reads at least one word, and at most [`MAX_SEARCH_WORDS`] different ones.
    pub fn parse(text: &str) -> Result<Self, SearchWordsError> {
        let mut words = search_words(text);
        words.sort_unstable();
        words.dedup();
        match words.len() {
            0 => Err(SearchWordsError::None),
            count if count > MAX_SEARCH_WORDS => Err(SearchWordsError::TooMany),
            _ => Ok(Self(words)),
        }
    }

    /// The words, none twice.
    #[must_use]
    pub fn as_slice(&self) -> &[String] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_letters_and_digits_without_case_and_marks() {
        for (text, words) in [
            ("Électricité (kWh_gross)", &["electricite", "kwh", "gross"][..]),
            ("Diesel, average biofuel blend - 7.5t", &["diesel", "average", "biofuel", "blend", "7", "5t"]),
            ("CO₂ & CH4", &["co2", "ch4"]),
            ("O\u{308}l  ÖL", &["ol", "ol"]),
            ("蒸気 Steam", &["蒸気", "steam"]),
            ("-- ", &[]),
        ] {
            assert_eq!(search_words(text), words, "{text}");
        }
    }

    #[test]
    fn letters_and_digits_that_take_turns_are_written_together() {
        assert_eq!(joined_words("R-410A"), ["r410a", "410a", "a"]);
        assert_eq!(joined_words("R410A"), joined_words("r 410 a"));
        assert_eq!(joined_words("HFC-43-10mee"), ["hfc43", "43", "10mee", "mee"]);
        assert_eq!(joined_words("Natural gas"), [""; 0]);
    }

    #[test]
    fn a_question_has_a_word_and_not_too_many() {
        assert_eq!(SearchWords::parse("?!"), Err(SearchWordsError::None));
        assert_eq!(SearchWords::parse("gas Gas GÁS").unwrap().as_slice(), ["gas"]);
        let many = |count: usize| (0..count).map(|n| format!("w{n}")).collect::<Vec<_>>().join(" ");
        assert!(SearchWords::parse(&many(MAX_SEARCH_WORDS)).is_ok());
        assert_eq!(SearchWords::parse(&many(MAX_SEARCH_WORDS + 1)), Err(SearchWordsError::TooMany));
    }
}
