//! Reading units: codes, aliases, words that mean several units, and what was probably meant by the rest.

use super::currency::CURRENCIES;
use super::table::UNITS;
use super::{Entry, Unit};

/// Why a text is not a unit; the message completes "`unit` ..." and says what to write instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnitError {
    /// Nothing in it.
    #[error("must not be empty; write a unit code such as kg or kWh")]
    Empty,
    /// A word that means several units, or less than a unit.
    #[error("{text:?} {advice}")]
    Ambiguous {
        /// The text.
        text: String,
        /// Why it is refused, and the codes to choose from.
        advice: &'static str,
    },
    /// Nothing that is known, but close to something.
    #[error("{text:?} is not a unit; did you mean {suggestion}?")]
    Misspelt {
        /// The text.
        text: String,
        /// The unit it comes closest to.
        suggestion: Unit,
    },
    /// Nothing that is known; the text is shown up to its 40th character.
    #[error("{0:?} is not a unit; the list of units has every code")]
    Unknown(String),
}

/// How much of a text is shown again, and compared with what is known.
const LONGEST: usize = 40;

/// Words that people use for several units, or for less than a unit; compared in lower case.
const AMBIGUOUS: [(&[&str], &str); 13] = [
    (&["ton", "tons", "tn"], "means several units: write t (1,000 kg), ton_short (2,000 lb) or ton_long (2,240 lb)"),
    (&["gallon", "gallons", "gals"], "means two units: write gal (US liquid) or gal_uk (imperial)"),
    (&["mbtu", "mbtus"], "is a thousand Btu to some and a million to others: write kBtu or MMBtu"),
    (
        &["sm3", "nm3", "scm", "ncm", "sm\u{b3}", "nm\u{b3}"],
        "is gas at reference conditions, which m3 does not say: convert to m3 at one condition, or to energy (kWh, MJ)",
    ),
    (
        &["scf", "mcf", "ccf", "mmcf", "mscf"],
        "is gas at reference conditions, or a multiple that is read in two ways: write ft3, or energy (MMBtu, therm)",
    ),
    (&["pound", "pounds", "\u{a3}"], "may be a mass or money: write lbs, or a currency such as GBP"),
    (
        &["ounce", "ounces", "fl oz", "floz"],
        "may be a mass or a volume: write oz for the mass, or a volume in L or gal",
    ),
    (&["barrel", "barrels"], "has several sizes: write bbl for the barrel of oil (42 US gallons)"),
    (&["dollar", "dollars", "$"], "is the name of many currencies: write one's ISO 4217 code, such as USD"),
    (&["\u{a5}"], "is the sign of two currencies: write JPY or CNY"),
    (&["stn"], "is the short ton in Recommendation 20 and the dobra in ISO 4217: write ton_short for the mass"),
    (
        &["ton mile", "ton-mile", "ton-miles", "ton miles", "tmi"],
        "means several units: write tmi_short (short ton-mile), or convert to tkm",
    ),
    (&["month", "months", "year", "years", "yr"], "has no fixed length: write d or h"),
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
    if text == "T" {
        let advice = "is not a unit of this list (it is the tesla): write t for the tonne";
        return Err(UnitError::Ambiguous { text: shown, advice });
    }
    let lower = text.to_lowercase();
    if let Some((_, advice)) = AMBIGUOUS.iter().find(|(words, _)| words.contains(&lower.as_str())) {
        return Err(UnitError::Ambiguous { text: shown, advice });
    }
    Err(match nearest(&lower) {
        Some(suggestion) => UnitError::Misspelt { text: shown, suggestion },
        None => UnitError::Unknown(shown),
    })
}

/// Every spelling of an entry but the Recommendation 20 code that means money too.
fn spellings(entry: &'static Entry) -> impl Iterator<Item = &'static str> {
    let rec20 = entry.rec20.filter(|code| *code != "STN");
    [entry.code, entry.name].into_iter().chain(rec20).chain(entry.aliases.iter().copied())
}

fn table() -> impl Iterator<Item = (Unit, &'static Entry)> {
    Unit::all().zip(UNITS.iter())
}

fn currency(code: &str) -> Option<Unit> {
    let index = CURRENCIES.binary_search_by_key(&code, |(code, _)| code).ok()?;
    u16::try_from(index).ok().map(Unit::of_currency)
}

fn known(text: &str) -> Option<Unit> {
    table()
        .find(|(_, entry)| spellings(entry).any(|spelling| spelling == text))
        .map(|(unit, _)| unit)
        .or_else(|| currency(text))
}

/// The unit whose spelling differs least: in case alone, or else in one letter (two from six letters on). Currencies
/// are offered for a difference in case alone, since most three letters are one letter from some currency.
fn nearest(lower: &str) -> Option<Unit> {
    let most = if lower.chars().count() >= 6 { 2 } else { 1 };
    let distance = |entry: &'static Entry| spellings(entry).map(|known| distance(lower, &known.to_lowercase())).min();
    let best = table().filter_map(|(unit, entry)| Some((distance(entry)?, unit))).min_by_key(|(steps, _)| *steps);
    match best {
        Some((0, unit)) => Some(unit),
        Some((steps, unit)) => {
            currency(&lower.to_uppercase()).or_else(|| (steps <= most && lower.chars().count() > 1).then_some(unit))
        }
        None => None,
    }
}

/// How many letters must be put in, left out, changed or swapped with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut next = vec![i];
        for j in 1..=b.len() {
            let change = row[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut steps = change.min(row[j] + 1).min(next[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                steps = steps.min(before[j - 2] + 1);
            }
            next.push(steps);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

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

    #[test]
    fn distance_counts_letters_and_swaps() {
        for (a, b, steps) in [("", "", 0), ("kwh", "kwh", 0), ("kwh", "khw", 1), ("kg", "g", 1), ("", "abc", 3)] {
            assert_eq!((distance(a, b), distance(b, a)), (steps, steps), "{a} {b}");
        }
    }
}
