//! Names of months, whole and cut, in English, German, French, Spanish and Italian.

/// The beginnings of months in English, German, French, Spanish and Italian; letters behind them do not matter.
const NAMES: [&[&str]; 12] = [
    &["jan", "jän", "ene", "gen"],
    &["feb", "fév", "fev"],
    &["mar", "mär", "mrz"],
    &["apr", "avr", "abr"],
    &["may", "mai", "mag"],
    &["jun", "juin", "giu"],
    &["jul", "juil", "lug"],
    &["aug", "aoû", "aou", "ago"],
    &["sep", "set"],
    &["oct", "okt", "ott"],
    &["nov"],
    &["dec", "dez", "déc", "dic"],
];

/// Whole names that are longer than four letters.
const WHOLE: &str = "january february march april august september october november december januar februar september \
                     oktober november dezember janvier février avril juillet septembre octobre novembre décembre enero febrero \
                     marzo abril junio julio agosto septiembre octubre noviembre diciembre gennaio febbraio aprile maggio \
                     giugno luglio settembre ottobre novembre dicembre";

/// The month that a word in lower case is the name of, from 1: the whole name, or at most four letters that begin it.
pub(crate) fn named(text: &str) -> Option<usize> {
    let is_month = text.chars().all(char::is_alphabetic)
        && (text.chars().count() <= 4 || WHOLE.split_whitespace().any(|whole| whole == text));
    let found = NAMES.iter().position(|names| names.iter().any(|name| text.starts_with(name)));
    found.filter(|_| is_month).map(|found| found + 1)
}

/// The English name of a month, from 1; empty for a number that no month has.
#[must_use]
pub fn english_month(month: u8) -> &'static str {
    const NAMES: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    usize::from(month).checked_sub(1).and_then(|index| NAMES.get(index)).copied().unwrap_or_default()
}
