//! What the header cells of the hub's tables say.

use domain::{Decimal, Gas, Unit};

use crate::published::sheet::header_words;

/// A column of a gas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Measure {
    pub(super) gas: Gas,
    /// How many kilograms one of its figures is.
    pub(super) kilograms: Decimal,
    /// The unit that it is per, as the header writes it; `None` where each row says it.
    pub(super) per: Option<String>,
}

/// The column of a header such as `g CH4 per mmBtu`, `(lb CO2 / MWh)` and `CO2 Factor (kg CO2 / unit)`.
pub(super) fn measure(cell: &str) -> Option<Measure> {
    let words = header_words(cell);
    let inner = words.split_once('(').map_or(words.as_str(), |(_, rest)| rest.trim_end_matches(')')).trim();
    let (amount, per) = inner.split_once(" / ").or_else(|| inner.split_once(" per "))?;
    let (mass, gas) = amount.split_once(' ')?;
    let gas = match gas {
        "co2" => Gas::CO2,
        "ch4" => Gas::CH4,
        "n2o" => Gas::N2O,
        _ => return None,
    };
    // Exact: the international pound.
    let kilograms = match mass {
        "kg" => "1",
        "g" => "0.001",
        "lb" => "0.45359237",
        _ => return None,
    };
    let per = Some(per.trim().to_owned()).filter(|per| per != "unit");
    Some(Measure { gas, kilograms: Decimal::parse(kilograms).ok()?, per })
}

/// Whether a header cell is that of waste, whose figures are tonnes of CO2e.
pub(super) fn is_waste(cell: &str) -> bool {
    header_words(cell) == "metric tons co2e / short ton material"
}

/// The basis of mmBtu of fuel in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeatContent {
    /// By the higher heating value, as the table says.
    Gross,
    /// Of heat or steam.
    Plain,
}

/// The unit of words such as `short ton`, as the hub means them; `None` for those of no unit that is known.
pub(super) fn unit(words: &str, heat: HeatContent) -> Option<Unit> {
    let code = match header_words(words).as_str() {
        "mmbtu" if heat == HeatContent::Gross => "MMBtu_gross",
        "mmbtu" => "MMBtu",
        "short ton" => "ton_short",
        "gallon" => "gal",
        "vehicle-mile" => "vmi",
        "passenger-mile" => "pmi",
        "short ton-mile" => "tmi_short",
        "mwh" => "MWh",
        "scf" => "scf",
        _ => return None,
    };
    Unit::parse(code).ok()
}

/// A label without the letter of a footnote behind it, such as `RecycledA` and `Passenger Car A`.
pub(super) fn without_footnote(label: &str) -> &str {
    let Some(rest) = label.strip_suffix(['A', 'B', 'C', 'D', 'E', 'F', 'G']) else { return label };
    let before = rest.trim_end();
    let is_word = before.ends_with(|c: char| c.is_ascii_lowercase() || c == ')');
    let is_long = before.split_whitespace().next_back().is_some_and(|word| word.len() > 2);
    if is_word && is_long { before } else { label }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_says_gas_mass_and_unit() {
        for (cell, gas, kilograms, per) in [
            ("kg CO2 per mmBtu", Gas::CO2, "1", Some("mmbtu")),
            ("CH4 Factor \n(g CH4 / vehicle-mile)", Gas::CH4, "0.001", Some("vehicle-mile")),
            ("N2O Factor \n(g N2O / gallon) ", Gas::N2O, "0.001", Some("gallon")),
            ("(lb CO2 / MWh)", Gas::CO2, "0.45359237", Some("mwh")),
            ("kg CO2 per unit", Gas::CO2, "1", None),
        ] {
            let kilograms = Decimal::parse(kilograms).unwrap();
            assert_eq!(measure(cell), Some(Measure { gas, kilograms, per: per.map(str::to_owned) }), "{cell}");
        }
        for cell in
            ["mmBtu per short ton", "CO2 Factor", "Heat Content (HHV)", "Anthracite", "Naphtha (<401 deg F)", ""]
        {
            assert_eq!(measure(cell), None, "{cell}");
        }
    }

    #[test]
    fn letters_of_footnotes_are_no_part_of_a_name() {
        for (label, name) in [
            ("RecycledA", "Recycled"),
            ("Passenger Car A", "Passenger Car"),
            ("Medium- and Heavy-Duty TruckC", "Medium- and Heavy-Duty Truck"),
            ("Transit Rail (i.e. Subway, Tram) E", "Transit Rail (i.e. Subway, Tram)"),
            ("HDPE", "HDPE"),
            ("R-401A", "R-401A"),
            ("PLA", "PLA"),
        ] {
            assert_eq!(without_footnote(label), name);
        }
    }
}
