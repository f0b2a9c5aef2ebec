//! Names of rows that add up others, as tables of people have them.

/// Words that such a name begins or ends with.
const WORDS: [&str; 23] = [
    "total",
    "totals",
    "subtotal",
    "subtotals",
    "sum",
    "summe",
    "gesamt",
    "insgesamt",
    "gesamtsumme",
    "zwischensumme",
    "teilsumme",
    "overall",
    "average",
    "durchschnitt",
    "mittelwert",
    "moyenne",
    "promedio",
    "totale",
    "totaal",
    "subtotaal",
    "suma",
    "somme",
    "totaux",
];
/// Words that stand before the things that are added up.
const ALL: [&str; 6] = ["all", "alle", "tous", "toutes", "todos", "tutti"];
/// The things.
const THINGS: [&str; 26] = [
    "sites",
    "buildings",
    "plants",
    "locations",
    "facilities",
    "regions",
    "countries",
    "stores",
    "branches",
    "departments",
    "meters",
    "companies",
    "offices",
    "units",
    "standorte",
    "werke",
    "filialen",
    "geb\u{e4}ude",
    "regionen",
    "abteilungen",
    "z\u{e4}hler",
    "les",
    "los",
    "sedi",
    "i",
    "le",
];

/// Whether a name is that of a total, a subtotal or an average of other rows. A part of it that is set off, as by a colon, counts
/// by itself: `Subtotal North: kWh` is one, `The total eclipse trip` is none.
#[must_use]
pub fn is_name_of_total(name: &str) -> bool {
    name.split([':', ',', ';', '|', '/', '(', ')', '[', ']']).any(is_part_of_total)
}

fn is_part_of_total(part: &str) -> bool {
    let lower = part.to_lowercase();
    let words: Vec<&str> =
        lower.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let ends = [words.first(), words.last()];
    ends.into_iter().flatten().any(|word| WORDS.contains(word))
        || matches!(words.as_slice(), ["sub" | "sous", "total" | "totaux", ..] | ["grand", "total", ..])
        || matches!(words.as_slice(), [all, thing, rest @ ..]
            if ALL.contains(all) && THINGS.contains(thing) && (rest.is_empty() || rest.len() == 1 && thing.len() <= 3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_are_told_from_other_names() {
        for name in [
            "Total",
            "TOTAL: Gas",
            "Summe 2025",
            "Gas, total",
            "Subtotal Baltics: kWh",
            "Grand Total",
            "Overall",
            "Sous-total Nord",
            "Sub-total",
            "Average",
            "Summe gesamt: Verbrauch",
            "All sites: kWh",
            "Alle Standorte",
            "Tous les sites",
        ] {
            assert!(is_name_of_total(name), "{name}");
        }
        for name in [
            "Totalizer",
            "Gas",
            "Summer party",
            "The total eclipse trip",
            "All Saints Church",
            "Sub station",
            "Units",
            "",
        ] {
            assert!(!is_name_of_total(name), "{name}");
        }
    }
}
