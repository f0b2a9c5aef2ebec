//! Reading units: codes, aliases, and words that mean several units or none.

use super::currency::CURRENCIES;
use super::suggest::{squashed, suggestion};
use super::table::UNITS;
use super::{Entry, Unit};

/// Why a text is not a unit; the message completes "`unit` ..." and says what to write instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnitError {
    /// The text is empty.
    #[error("must not be empty; write a unit code such as kg or kWh")]
    Empty,
    /// A word that means several units, or less than a unit.
    #[error("{text:?} {advice}")]
    Ambiguous {
        /// The text that was given.
        text: String,
        /// Why it is refused, and the codes to choose from.
        advice: &'static str,
    },
    /// Nothing that is known, but a slip in the spelling of something.
    #[error("{text:?} is not a unit; did you mean {suggestion}?")]
    Misspelt {
        /// The text that was given.
        text: String,
        /// The unit that was meant: never one of another prefix or dimension than the text's.
        suggestion: Unit,
    },
    /// Nothing that is known; the text is shown up to its 40th character.
    #[error("{0:?} is not a unit; the list of units has every code")]
    Unknown(String),
}

/// How much of a text is shown again, and compared with what is known.
const LONGEST: usize = 40;

/// Words that people use for several units, or for what is no unit of the list; compared in lower case, after what is
/// known in its own case.
const AMBIGUOUS: [(&[&str], &str); 18] = [
    (&["ton", "tons", "tn"], "means several units: write t (1,000 kg), ton_short (2,000 lb) or ton_long (2,240 lb)"),
    (&["mt"], "is a tonne to some and a megatonne to others: write t or Mt"),
    (&["gallon", "gallons", "gals"], "means two units: write gal (US liquid) or gal_uk (imperial)"),
    (&["mbtu", "mbtus"], "is a thousand Btu to some and a million to others: write kBtu or MMBtu"),
    (
        &["sm3", "nm3", "scm", "ncm", "sm\u{b3}", "nm\u{b3}"],
        "is gas at reference conditions, which m3 does not say: convert to m3 at one condition, or to energy (kWh, MJ)",
    ),
    (
        &["mcf", "ccf", "mmcf", "mscf"],
        "is a multiple that is read in two ways, of gas at reference conditions: write scf, ft3, or energy (MMBtu, therm)",
    ),
    (&["pound", "pounds", "\u{a3}"], "may be a mass or money: write lbs, or a currency such as GBP"),
    (
        &["ounce", "ounces", "fl oz", "floz"],
        "may be a mass or a volume: write oz for the mass, or a volume in L or gal",
    ),
    (&["barrel", "barrels"], "has several sizes: write bbl for the barrel of oil (42 US gallons)"),
    (&["cwt", "hundredweight", "hundredweights"], "is 100 lb in the US and 112 lb in Britain: convert to lbs or kg"),
    (&["dollar", "dollars", "$"], "is the name of many currencies: write one's ISO 4217 code, such as USD"),
    (&["\u{a5}"], "is the sign of two currencies: write JPY or CNY"),
    (&["stn"], "is the short ton in Recommendation 20 and the dobra in ISO 4217: write ton_short for the mass"),
    (
        &["ton mile", "ton-mile", "ton-miles", "ton miles", "tmi"],
        "means several units: write tmi_short (short ton-mile), or convert to tkm",
    ),
    (&["w", "kw", "mw", "gw", "tw"], "measures power: multiply it by the hours and write the energy, such as kWh"),
    (&["cup", "cups"], "is a volume of several sizes, or money: write mL, or CUP for Cuban pesos"),
    (&["km2", "km\u{b2}", "km^2"], "is not in the list of units: write ha (1 km2 is 100 ha)"),
    (&["month", "months", "year", "years", "yr"], "has no fixed length: write d or h"),
];

/// What a word may mean: codes with their names.
type Meanings = &'static [(&'static str, &'static str)];

/// Codes of this list that people use for other units too, in lower case, and what each may mean: a code that means nothing else,
/// and its name.
const SEVERAL: [(&[&str], Meanings); 2] = [
    (&["gal"], &[("gal_us", "US liquid gallon"), ("gal_uk", "imperial gallon")]),
    (&["therm", "therms", "thm"], &[("therm_us", "therm of the US"), ("therm_ec", "therm of the EC and the UK")]),
];

/// Symbols of other units in capitals, which are units of the list in small letters.
const CAPITALS: [(&str, &str); 2] = [
    ("T", "is not a unit of this list (it is the tesla): write t for the tonne"),
    (
        "ML",
        "is not a unit of this list (it is the megalitre): write million_L or m3 for it (1,000 m3), or mL for the millilitre",
    ),
];

pub(super) fn parse(text: &str) -> Result<Unit, UnitError> {
    if text.is_empty() {
        return Err(UnitError::Empty);
    }
    if let Some(unit) = known(text) {
        return Ok(unit);
    }
    let shown: String = text.chars().take(LONGEST).collect();
    if shown.len() < text.len() {
        return Err(UnitError::Unknown(shown));
    }
    if let Some(advice) = advice(text) {
        return Err(UnitError::Ambiguous { text: shown, advice });
    }
    Err(match suggestion(text) {
        Some(suggestion) => UnitError::Misspelt { text: shown, suggestion },
        None => UnitError::Unknown(shown),
    })
}

/// What a word may mean that is a code of this list and used for other units too.
pub(super) fn meanings(word: &str) -> &'static [(&'static str, &'static str)] {
    let plain = squashed(word).to_lowercase();
    SEVERAL.iter().find(|(words, _)| words.contains(&plain.as_str())).map_or(&[], |(_, meanings)| *meanings)
}

/// What to write instead of a word that means several units, or none of the list.
fn advice(text: &str) -> Option<&'static str> {
    let plain = squashed(text);
    let said = [text.to_lowercase(), plain.to_lowercase()];
    let capital = CAPITALS.iter().find(|(symbol, _)| *symbol == plain).map(|(_, advice)| *advice);
    let is_said = |words: &[&str]| said.iter().any(|said| words.contains(&said.as_str()));
    capital.or_else(|| AMBIGUOUS.iter().find(|(words, _)| is_said(words)).map(|(_, advice)| *advice))
}

/// Every spelling of an entry but the Recommendation 20 code that means money too.
pub(super) fn spellings(entry: &'static Entry) -> impl Iterator<Item = &'static str> {
    let rec20 = entry.rec20.filter(|code| *code != "STN");
    [entry.code, entry.name].into_iter().chain(rec20).chain(entry.aliases.iter().copied())
}

pub(super) fn table() -> impl Iterator<Item = (Unit, &'static Entry)> {
    Unit::all().zip(UNITS.iter())
}

pub(super) fn currency(code: &str) -> Option<Unit> {
    let index = CURRENCIES.binary_search_by_key(&code, |(code, _)| code).ok()?;
    u16::try_from(index).ok().map(Unit::of_currency)
}

fn known(text: &str) -> Option<Unit> {
    table()
        .find(|(_, entry)| spellings(entry).any(|spelling| spelling == text))
        .map(|(unit, _)| unit)
        .or_else(|| currency(text))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn each_meaning_of_a_word_is_a_unit_of_its_own_and_the_first_is_what_the_code_means_here() {
        for (words, meanings) in SEVERAL {
            let units: Vec<Unit> = meanings.iter().map(|(code, _)| parse(code).unwrap()).collect();
            assert_eq!(parse(words[0]), Ok(units[0]));
            assert!(units.iter().skip(1).all(|unit| *unit != units[0] && unit.dimension() == units[0].dimension()));
            assert!(meanings.iter().all(|(code, _)| super::meanings(code).is_empty()), "{words:?}");
        }
    }

    #[test]
    fn no_spelling_means_two_units() {
        let mut seen = BTreeMap::new();
        for (unit, entry) in table() {
            for spelling in spellings(entry) {
                assert_eq!(*seen.entry(spelling).or_insert(unit), unit, "{spelling}");
                assert_eq!(currency(spelling), None, "{spelling}");
            }
        }
        for word in AMBIGUOUS.iter().flat_map(|(words, _)| *words) {
            assert!(!seen.contains_key(word), "{word}");
        }
    }
}
