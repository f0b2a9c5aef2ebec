//! Latin letters without their marks, for addresses.

/// The lower-case letters of the alphabets of Europe, Turkey and Vietnam that are not ASCII, and the digits of CO₂ and m³,
/// by what is written for them.
const LETTERS: [(&str, &str); 30] = [
    ("a", "àáâãäåāăąǎǻạảấầẩẫậắằẳẵặª"),
    ("ae", "æǽ"),
    ("b", "ḃ"),
    ("c", "çćĉċč"),
    ("d", "ďđðḋ"),
    ("e", "èéêëēĕėęěẹẻẽếềểễệə"),
    ("f", "ḟƒ"),
    ("g", "ĝğġģǧ"),
    ("h", "ĥħ"),
    ("i", "ìíîïĩīĭįıǐỉị"),
    ("ij", "ĳ"),
    ("j", "ĵ"),
    ("k", "ķĸǩ"),
    ("l", "ĺļľŀł"),
    ("m", "ṁ"),
    ("n", "ñńņňŉŋ"),
    ("o", "òóôõöøōŏőǒǿơọỏốồổỗộớờởỡợº"),
    ("oe", "œ"),
    ("p", "ṗ"),
    ("r", "ŕŗř"),
    ("s", "śŝşšșſṡ"),
    ("ss", "ß"),
    ("t", "ţťŧțṫ"),
    ("th", "þ"),
    ("u", "ùúûüũūŭůűųǔưụủứừửữự"),
    ("w", "ŵẁẃẅ"),
    ("y", "ýÿŷỳỵỷỹ"),
    ("z", "źżž"),
    ("2", "²₂"),
    ("3", "³₃"),
];

/// What is written for a lower-case character: its letters without marks, nothing for a mark of its own (U+0300 to
/// U+036F); `None` for one that has no such spelling, ASCII among them.
pub(crate) fn fold(c: char) -> Option<&'static str> {
    if c.is_ascii() {
        return None;
    }
    if ('\u{300}'..='\u{36f}').contains(&c) {
        return Some("");
    }
    LETTERS.iter().find(|(_, marked)| marked.contains(c)).map(|(plain, _)| *plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Name, Slug};

    fn slug(name: &str) -> String {
        Slug::from_name(&Name::parse(name).unwrap()).to_string()
    }

    #[test]
    fn latin_letters_lose_their_marks_and_nothing_else() {
        for (name, expected) in [
            ("Öl & Gas", "ol-gas"),
            ("Énergie électrique", "energie-electrique"),
            ("STRASSE/Straße/STRAẞE", "strasse-strasse-strasse"),
            ("Smørrebrød på Ærø", "smorrebrod-pa-aero"),
            ("Łódź, Œuvre, Þór, Đà Nẵng", "lodz-oeuvre-thor-da-nang"),
            ("İstanbul ılık", "istanbul-ilik"),
            ("CO₂ per m²", "co2-per-m2"),
            ("O\u{308}l", "ol"),
            ("蒸気 Steam", "steam"),
            ("蒸気", "node"),
            ("\u{301}", "node"),
        ] {
            assert_eq!(slug(name), expected, "{name:?}");
        }
    }

    #[test]
    fn a_slug_of_the_longest_name_is_a_slug_with_any_number() {
        for letter in ["a", "ß", "ø", "-", "a-"] {
            let name = Name::parse(&letter.repeat(255 / letter.chars().count())).unwrap();
            let numbered = Slug::from_name(&name).numbered(u32::MAX);
            assert_eq!(Slug::parse(numbered.as_str()), Ok(numbered), "{letter}");
        }
    }

    #[test]
    fn each_letter_is_lower_case_and_stands_for_itself_alone() {
        let all: Vec<char> = LETTERS.iter().flat_map(|(_, marked)| marked.chars()).collect();
        for c in &all {
            assert_eq!(c.to_lowercase().collect::<Vec<_>>(), [*c]);
            assert_eq!(all.iter().filter(|other| *other == c).count(), 1, "{c}");
            assert!(!c.is_ascii());
        }
    }
}
