//! Worked examples: figures that their publishers print, computed anew from what they are made of, digit for digit.
//!
//! UK: UK Government GHG Conversion Factors for Company Reporting 2024 v1.1, flat file (Open Government Licence v3.0). EPA: US
//! EPA, Emission Factors for Greenhouse Gas Inventories, January 15, 2025 (public domain in the United States).

use tonne_domain::{Decimal, Gas, GasAmount, GasSplit, GwpSet, Intensity, Quantity, Unit, convert, emissions};

fn decimal(text: &str) -> Decimal {
    Decimal::parse(text).unwrap()
}

fn unit(code: &str) -> Unit {
    Unit::parse(code).unwrap()
}

/// UK, `Factors by Category`: kg CO2e of CO2, CH4 and N2O per unit, and kg CO2e.
#[test]
fn gases_of_the_uk_factors_add_up_to_the_totals_that_are_printed() {
    for (name, co2, ch4, n2o, total) in [
        ("Butane, per tonne", "3029.26", "2.52", "1.60067", "3033.38067"),
        ("Butane, per litre", "1.74296", "0.00144", "0.00092", "1.74532"),
        ("Natural gas, per tonne", "2563.12", "3.8528", "1.19161", "2568.16441"),
        ("Natural gas, per cubic metre", "2.0414", "0.00307", "0.00095", "2.04542"),
        ("Natural gas, per kWh gross", "0.18253", "0.00028", "0.00009", "0.1829"),
        ("Diesel (100% mineral), per tonne", "3164.33", "0.3472", "39.23423", "3203.91143"),
        ("Diesel (100% mineral), per litre", "2.62818", "0.00029", "0.03308", "2.66155"),
        ("Diesel (100% mineral), per kWh net", "0.26475", "0.00003", "0.0033", "0.26808"),
        ("Petrol (100% mineral), per tonne", "3135", "11.0432", "8.03893", "3154.08213"),
        ("Petrol (100% mineral), per litre", "2.33955", "0.0082", "0.00597", "2.35372"),
        ("Petrol (100% mineral), per kWh gross", "0.2404", "0.00085", "0.00061", "0.24186"),
        ("Electricity: UK, per kWh", "0.20493", "0.0009", "0.00122", "0.20705"),
        ("T&D of UK electricity, per kWh", "0.01811", "0.00008", "0.00011", "0.0183"),
        ("Onsite heat and steam, per kWh", "0.17791", "0.00122", "0.00052", "0.17965"),
        ("All HGVs, average laden, per tonne.km", "0.09601", "0.00002", "0.00149", "0.09752"),
        ("Short-haul flight, economy, with RF, per passenger.km", "0.18196", "0.00001", "0.0009", "0.18287"),
    ] {
        let parts = [(Gas::CO2, co2), (Gas::CH4, ch4), (Gas::N2O, n2o)];
        let split = GasSplit::new(GwpSet::Ar5, parts.map(|(gas, co2e)| (gas, GasAmount::Co2e(decimal(co2e))))).unwrap();
        assert_eq!(split.co2e(GwpSet::Ar5).unwrap().total.to_string(), total, "{name}");
    }
}

/// EPA, Table 1: kg CO2 per mmBtu times mmBtu per short ton, scf or gallon, and kg CO2 per that unit as it is printed.
#[test]
fn combustion_factors_of_the_epa_are_those_of_heat_times_the_heat_content() {
    for (fuel, per_heat, heat_content, places, printed) in [
        ("Anthracite", "103.69", "25.09", 0, "2602"),
        ("Bituminous", "93.28", "24.93", 0, "2325"),
        ("Lignite", "97.72", "14.21", 0, "1389"),
        ("Wood and Wood Residuals", "93.8", "17.48", 0, "1640"),
        ("Natural Gas", "53.06", "0.001026", 5, "0.05444"),
        ("Motor Gasoline", "70.22", "0.125", 2, "8.78"),
        ("Distillate Fuel Oil No. 2", "73.96", "0.138", 2, "10.21"),
        ("Propane", "62.87", "0.091", 2, "5.72"),
        ("Kerosene-Type Jet Fuel", "72.22", "0.135", 2, "9.75"),
        ("Liquefied Petroleum Gases (LPG)", "61.71", "0.092", 2, "5.68"),
        ("Ethanol (100%)", "68.44", "0.084", 2, "5.75"),
        ("Biodiesel (100%)", "73.84", "0.128", 2, "9.45"),
    ] {
        let product = decimal(per_heat).checked_mul(decimal(heat_content)).unwrap();
        assert_eq!(product.round_half_even(places).unwrap().to_string(), printed, "{fuel}");
    }
}

/// EPA, Table 12: what is HFC or PFC in a kilogram, the potential that is printed (AR5), and the one under AR6 (IPCC WGI Table
/// 7.SM.7).
#[test]
fn blends_have_the_potentials_of_their_hfc_and_pfc() {
    for (blend, composition, printed, ar6) in [
        ("R-402A", "HFC-125 0.6", "1902", "2244"),
        ("R-403B", "PFC-218 0.39", "3471", "3623.1"),
        ("R-407A", "HFC-32 0.2 HFC-125 0.4 HFC-134a 0.4", "1923", "2262.2"),
        ("R-407B", "HFC-32 0.1 HFC-125 0.7 HFC-134a 0.2", "2547", "3001.1"),
        ("R-407D", "HFC-32 0.15 HFC-125 0.15 HFC-134a 0.7", "1487", "1747.65"),
        ("R-410B", "HFC-32 0.45 HFC-125 0.55", "2048", "2403.95"),
        ("R-417A", "HFC-125 0.466 HFC-134a 0.5", "2127", "2507.84"),
        ("R-422D", "HFC-125 0.651 HFC-134a 0.315", "2473", "2916.69"),
        ("R-434A", "HFC-125 0.632 HFC-134a 0.16 HFC-143a 0.18", "3075", "3654.28"),
        ("R-508A", "HFC-23 0.39 PFC-116 0.61", "11607", "13258"),
    ] {
        let words: Vec<_> = composition.split(' ').collect();
        let part = |pair: &[&str]| (Gas::parse(pair[0]).unwrap(), GasAmount::Mass(decimal(pair[1])));
        let split = GasSplit::new(GwpSet::Ar5, words.chunks(2).map(part)).unwrap();
        let ar5 = split.co2e(GwpSet::Ar5).unwrap().total.round_half_even(0).unwrap();
        assert_eq!(ar5.to_string(), printed, "{blend}");
        assert_eq!(split.co2e(GwpSet::Ar6).unwrap().total.to_string(), ar6, "{blend}");
    }
}

/// Factors: UK. Sizes: NIST Special Publication 811 (US gallon, US therm, short and long ton, mile), the UK's Units of
/// Measurement Regulations 1995 (imperial gallon), Council Directive 80/181/EEC (therm).
#[test]
fn units_that_sound_alike_come_to_different_emissions() {
    for (quantity, of, factor, per, expected) in [
        ("1", "gal", "2.66155", "L", "10.0750627337052"),
        ("1", "gal_uk", "2.66155", "L", "12.0996458395"),
        ("1", "therm_gross", "0.1829", "kWh_gross", "5.358990322222222222"),
        ("1", "therm_ec_gross", "0.1829", "kWh_gross", "5.360269873449944444"),
        ("1", "MMBtu_gross", "0.1829", "kWh_gross", "53.602698734499444444"),
        ("1", "ton_short", "3203.91143", "t", "2906.5395576075782"),
        ("1", "ton_long", "3203.91143", "t", "3255.324304520487584"),
        ("100", "tmi_short", "0.09752", "tkm", "14.23765004718938112"),
        ("1000", "mi", "0.16984", "km", "273.33098496"),
        ("2.5", "million_L", "0.15311", "m3", "382.775"),
    ] {
        let (quantity, factor) = (Quantity::parse(quantity).unwrap(), Intensity::parse(factor).unwrap());
        assert_eq!(emissions(quantity, unit(of), factor, unit(per)).unwrap().to_string(), expected, "{quantity} {of}");
    }
}

/// UK, 2024, natural gas: 0.1829 kg CO2e per kWh gross, 0.20264 per kWh net: the same gas, counted by two calorific values.
#[test]
fn energy_by_gross_and_by_net_calorific_value_never_becomes_the_other() {
    let one = Quantity::parse("1").unwrap();
    for (from, to) in
        [("kWh_gross", "kWh_net"), ("kWh", "kWh_gross"), ("MMBtu_gross", "MMBtu"), ("therm", "therm_gross")]
    {
        assert_eq!(convert(one, unit(from), unit(to)), None, "{from} {to}");
        assert!(emissions(one, unit(from), Intensity::parse("0.1829").unwrap(), unit(to)).is_err());
    }
}
