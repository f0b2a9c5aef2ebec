//! What was meant by a text that is almost a unit.
//!
//! A wrong suggestion is worse than none: whoever follows it is off by a power of ten. So symbols are compared letter by
//! letter, case and blanks aside, and never across SI prefixes; only words may have one slip in them.

use super::parse::{currency, spellings, table};
use super::{Entry, Unit};

/// The symbols that take an SI prefix.
const STEMS: [&str; 6] = ["g", "t", "Wh", "J", "L", "m"];
/// What stands behind a symbol of energy for the calorific value of a fuel that it is counted by.
const BASES: [&str; 6] = ["gross", "net", "grosscv", "netcv", "hhv", "lhv"];
/// The letters of SI prefixes. `K` is none, so `KG` can only mean kg.
const PREFIXES: &str = "YZEPTGMkhdcmunpf";
/// The words that make another unit of the one behind them.
const PREFIX_WORDS: [&str; 17] = [
    "peta", "tera", "giga", "mega", "kilo", "hecto", "deca", "deka", "deci", "centi", "milli", "micro", "nano", "pico",
    "thousand", "million", "billion",
];
/// What people write for the million Btu, whose M is no SI prefix.
const MILLION_BTU: [&str; 2] = ["mmbtu", "mm btu"];
/// The fewest letters of a word that may have a slip in it.
const SHORTEST_WORD: usize = 6;

/// The one unit that differs in case, blanks and dots alone, or a word with one slip in it; `None` where several units
/// come as near, or the nearest is of another prefix.
pub(super) fn suggestion(text: &str) -> Option<Unit> {
    if MILLION_BTU.contains(&text.to_lowercase().as_str()) {
        return Unit::parse("MMBtu").ok();
    }
    same_letters(text)
        .or_else(|| currency(&text.trim().to_uppercase()))
        .or_else(|| one_slip(&text.trim().to_lowercase()))
}

fn same_letters(text: &str) -> Option<Unit> {
    let plain = squashed(text);
    let is_it = |entry: &'static Entry| {
        symbols(entry).map(squashed).any(|symbol| {
            symbol.eq_ignore_ascii_case(&plain) && (symbol.len() > 1 || symbol == plain) && same_prefix(&symbol, &plain)
        })
    };
    only(table().filter(|(_, entry)| is_it(entry)).map(|(unit, _)| unit))
}

/// The spellings of a unit but a Recommendation 20 code that is its own code in other letters, such as `MWH`.
fn symbols(entry: &'static Entry) -> impl Iterator<Item = &'static str> {
    spellings(entry).filter(|symbol| *symbol == entry.code || !symbol.eq_ignore_ascii_case(entry.code))
}

/// The text without blanks, dots, hyphens and underscores.
pub(super) fn squashed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '.' | '\u{b7}' | '-' | '_')).collect()
}

/// Whether both begin with the same SI prefix, if the symbol has one. They differ in case at most.
fn same_prefix(symbol: &str, text: &str) -> bool {
    let (Some(prefix), Some(first)) = (symbol.chars().next(), text.chars().next()) else { return true };
    let rest = &symbol[prefix.len_utf8()..];
    let is_basis = |tail: &str| BASES.contains(&tail.trim_matches(['(', ')']).to_lowercase().as_str());
    let prefixed =
        STEMS.iter().filter_map(|stem| rest.strip_prefix(stem)).any(|tail| tail.is_empty() || is_basis(tail));
    prefix == first || !prefixed || !PREFIXES.contains(first)
}

fn one_slip(text: &str) -> Option<Unit> {
    if names_basis(text) {
        return None;
    }
    let is_it = |entry: &'static Entry| {
        spellings(entry).filter(|known| is_word(known)).map(str::to_lowercase).any(|known| {
            let prefix = prefix_word(text);
            (prefix.is_none() || prefix == prefix_word(&known)) && is_one_slip(text, &known)
        })
    };
    only(table().filter(|(_, entry)| is_it(entry)).map(|(unit, _)| unit))
}

/// Whether the last word of a text in lower case is a basis: a slip in it may make the other basis of it, and one before it
/// another unit.
fn names_basis(text: &str) -> bool {
    let last = text.split([' ', '_', '-']).next_back().unwrap_or_default().trim_matches(['(', ')']);
    last == "cv" || BASES.contains(&last)
}

fn is_word(text: &str) -> bool {
    let first = text.split(' ').next().unwrap_or_default();
    let is_prefixed = |stem: &&str| first.strip_suffix(*stem).is_some_and(|prefix| prefix.chars().count() <= 1);
    let is_symbol = STEMS.iter().any(is_prefixed) || first.ends_with("Btu");
    !is_symbol
        && text.chars().count() >= SHORTEST_WORD
        && text.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '-'))
}

fn prefix_word(text: &str) -> Option<&'static str> {
    PREFIX_WORDS.into_iter().find(|prefix| text.starts_with(prefix))
}

/// Whether one letter put in, left out, changed or swapped with its neighbour makes one text of the other.
fn is_one_slip(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let same_start = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[same_start..], &b[same_start..]);
    match a.len().abs_diff(b.len()) {
        0 => a.get(1..) == b.get(1..) || (a.len() > 1 && a[0] == b[1] && a[1] == b[0] && a[2..] == b[2..]),
        1 if a.len() > b.len() => a[1..] == *b,
        1 => *a == b[1..],
        _ => false,
    }
}

/// The unit, if there is exactly one.
fn only(mut units: impl Iterator<Item = Unit>) -> Option<Unit> {
    units.next().filter(|_| units.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_one_letter_or_a_swap_of_two() {
        for (a, b, one) in [
            ("gram", "gramm", true),
            ("gram", "gam", true),
            ("gram", "grem", true),
            ("gram", "garm", true),
            ("gram", "grma", true),
            ("gram", "gramme", false),
            ("gram", "mgar", false),
            ("gram", "", false),
            ("", "a", true),
        ] {
            assert_eq!((is_one_slip(a, b), is_one_slip(b, a)), (one, one), "{a} {b}");
        }
    }

    #[test]
    fn no_slip_makes_one_basis_of_another() {
        for text in ["therm LHV", "therm (LHV)", "therm net", "MMBtu net", "therm (Net CV)", "therm lhv"] {
            assert_eq!(suggestion(text), None, "{text}");
        }
    }

    #[test]
    fn no_spelling_of_one_unit_is_a_slip_of_another() {
        for (unit, entry) in table() {
            for word in spellings(entry) {
                let found = suggestion(word);
                assert!(found.is_none_or(|found| found == unit), "{word} would be taken for {found:?}");
            }
        }
    }
}
