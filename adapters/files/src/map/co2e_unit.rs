//! Units of CO2e as tables write them, such as `t`, `kg`, `tCO2e` or `kg CO2-eq`.

use domain::{Co2e, Decimal, Dimension, Intensity, Quantity, Unit, emissions};

/// What stands behind the unit, in lower case; the longest first.
const ENDS: [&str; 5] = ["co2-eq", "co2eq", "co2-e", "co2e", "co2"];

/// The unit of mass that the text names; what it is of may stand behind it.
pub(super) fn parse(text: &str) -> Result<Unit, String> {
    let text = text.trim();
    let lower = text.to_ascii_lowercase();
    let end = ENDS.into_iter().find(|end| lower.ends_with(end)).map_or(0, str::len);
    let code = text[..text.len() - end].trim_end_matches([' ', '_', '-']);
    let unit = Unit::parse(code).map_err(|error| error.to_string())?;
    if unit.dimension() == Dimension::Mass { Ok(unit) } else { Err("is no unit of mass: say g, kg or t".to_owned()) }
}

/// The amount in kilograms, rounded half to even once, at the 18th fractional digit; exact from g, kg and t.
pub(super) fn kilograms(amount: Decimal, unit: Unit) -> Result<Co2e, String> {
    let (one, kilogram) = (Intensity::parse("1"), Unit::parse("kg"));
    let (one, kilogram) = (one.map_err(|error| error.to_string())?, kilogram.map_err(|error| error.to_string())?);
    emissions(Quantity::new(amount), unit, one, kilogram).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(amount: &str, unit: &str) -> Result<String, String> {
        kilograms(Decimal::parse(amount).unwrap(), parse(unit)?).map(|co2e| co2e.to_string())
    }

    #[test]
    fn amounts_are_kilograms_to_the_digit() {
        for (amount, unit, kilograms) in [
            ("1.234567890123456789", "t", "1234.567890123456789"),
            ("1500", "g", "1.5"),
            ("2", "kg", "2"),
            ("0.25", "tCO2e", "250"),
            ("0.25", "t CO2-eq", "250"),
            ("3", "kgCO2", "3"),
            ("1", "lbs", "0.45359237"),
        ] {
            assert_eq!(read(amount, unit).as_deref(), Ok(kilograms), "{amount} {unit}");
        }
    }

    #[test]
    fn what_is_no_mass_is_refused() {
        for unit in ["", "kWh", "CO2e", "ton", "T"] {
            assert!(read("1", unit).is_err(), "{unit}");
        }
    }
}
