//! Columns of factors: CO2e per unit of something, which is no amount of CO2e.

use domain::{Dimension, Unit};

use super::words::speaks_of;

/// Words of names that are figures per unit.
const FACTORS: [&str; 7] = ["factor", "faktor", "facteur", "fattore", "intensity", "intensit\u{e4}t", "intensit\u{e9}"];
/// What stands before the unit in them.
const PER: [&str; 6] = [" per ", "/", " pro ", " je ", " par ", " por "];
/// Spans of time: an amount a month is an amount.
const SPANS: [&str; 14] =
    ["month", "months", "year", "quarter", "week", "day", "period", "a", "yr", "monat", "jahr", "mois", "an", "annum"];

/// What a column of CO2e per something is per.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Per {
    /// Of that unit.
    Unit(Unit),
    /// The name does not say, or says no unit.
    Unknown,
}

/// What the name of a column about CO2e is per; `None` where it seems to be an amount.
pub(super) fn per(name: &str) -> Option<Per> {
    let lower = name.to_lowercase();
    let at = PER.iter().filter_map(|per| lower.rfind(per).map(|at| at + per.len())).max();
    // In lower case some letters have other lengths.
    let behind = at.and_then(|at| name.get(at..)).unwrap_or_default();
    let behind = behind.trim().trim_end_matches([')', ']']).trim();
    if SPANS.contains(&behind.to_lowercase().as_str()) {
        return None;
    }
    match Unit::parse(behind) {
        Ok(unit) if unit.dimension() != Dimension::Time => Some(Per::Unit(unit)),
        Err(_) if !behind.is_empty() || speaks_of(name, &FACTORS) => Some(Per::Unknown),
        Ok(_) | Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_per_unit_are_told_from_amounts() {
        let of = |code: &str| Some(Per::Unit(Unit::parse(code).unwrap()));
        for (name, is) in [
            ("Intensity kg CO2e per kWh", of("kWh")),
            ("kgCO2e/L", of("L")),
            ("Emission factor (kg CO2e / m3)", of("m3")),
            ("Emissionsfaktor", Some(Per::Unknown)),
            ("kg CO2e per employee", Some(Per::Unknown)),
            ("Emissions (kgCO2e)", None),
            ("kg CO2e/month", None),
            ("tCO2e per year", None),
            ("GHG emissions", None),
        ] {
            assert_eq!(per(name), is, "{name}");
        }
    }
}
