//! What words for units mean in a table, where they mean several units elsewhere or none.

use std::collections::BTreeMap;

use domain::{Faults, Unit, UnitError};

use crate::json::{Json, Wrong, pointer};

/// The units that words of a table mean, as the map says.
#[derive(Clone, Debug, Default)]
pub(super) struct UnitWords(BTreeMap<String, Unit>);

impl UnitWords {
    /// Reads `{ gal = "gal_uk", Liter = "L" }`: words as they stand in the table, each with the code of a unit.
    pub(super) fn read(json: &Json, at: &str, faults: &mut Faults) -> Option<Self> {
        let Json::Object(members) = json else {
            faults.add(at, Wrong::kind("a table of words and units", json).to_string());
            return None;
        };
        let before = faults.as_slice().len();
        let mut words = BTreeMap::new();
        for (word, json) in members {
            match json.text(Unit::parse) {
                Ok(unit) => drop(words.insert(word.trim().to_owned(), unit)),
                Err(wrong) => faults.add(pointer(at, word), wrong.to_string()),
            }
        }
        (faults.as_slice().len() == before).then_some(Self(words))
    }

    /// The unit that a word means: what the map says, else what every table means by it. A word of the table that is the code of one
    /// unit and the name of others is refused until the map says which it is; the map itself may write codes.
    pub(super) fn parse(&self, word: &str, is_of_table: bool) -> Result<Unit, String> {
        if let Some(unit) = self.0.get(word) {
            return Ok(*unit);
        }
        let choice = |code: &str| format!("units = {{ {} = {code:?} }}", key(word));
        let meanings = if is_of_table { Unit::meanings(word) } else { &[] };
        if !meanings.is_empty() {
            let choices: Vec<String> =
                meanings.iter().map(|(code, name)| format!("{} for the {name}", choice(code))).collect();
            return Err(format!("means several units: say which in [table] of the map, {}", choices.join(" or ")));
        }
        Unit::parse(word).map_err(|error| match error {
            UnitError::Ambiguous { .. } if is_of_table => {
                format!("{error}; or say what it means here, in [table] of the map: {}", choice("..."))
            }
            UnitError::Empty | UnitError::Ambiguous { .. } | UnitError::Misspelt { .. } | UnitError::Unknown(_) => {
                error.to_string()
            }
        })
    }
}

/// A word as a key of TOML.
fn key(word: &str) -> String {
    let is_bare = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    if !word.is_empty() && word.chars().all(is_bare) { word.to_owned() } else { format!("{word:?}") }
}
