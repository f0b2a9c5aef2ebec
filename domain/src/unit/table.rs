//! The units other than money, each with its exact size.
//!
//! Codes are those of UN/ECE Recommendation 20; sizes are the definitions, since the recommendation's own conversion
//! column is rounded.

use super::Dimension;
use super::Dimension::{
    Accommodation, Area, Count, Energy, FreightTransport, FuelEnergyGross, FuelEnergyNet, Length, Mass,
    PassengerTransport, StandardGasVolume, Time, VehicleTransport, Volume, WorkingTime,
};

/// One unit of the table.
pub(super) struct Entry {
    pub(super) code: &'static str,
    pub(super) symbol: &'static str,
    pub(super) name: &'static str,
    pub(super) rec20: Option<&'static str>,
    pub(super) dimension: Dimension,
    /// Numerator and denominator of its size in the base unit of the dimension.
    pub(super) factor: (i128, i128),
    /// What else means this unit and no other.
    pub(super) aliases: &'static [&'static str],
}

/// How many units the table holds.
pub(super) const COUNT: u16 = 64;

const E2: i128 = 100;
const E3: i128 = 1_000;
const E6: i128 = 1_000_000;
const E9: i128 = 1_000_000_000;
const E12: i128 = 1_000_000_000_000;
const E14: i128 = 100_000_000_000_000;

const fn unit(
    code: &'static str,
    symbol: &'static str,
    name: &'static str,
    rec20: &'static str,
    dimension: Dimension,
    factor: (i128, i128),
    aliases: &'static [&'static str],
) -> Entry {
    let rec20 = if rec20.is_empty() { None } else { Some(rec20) };
    Entry { code, symbol, name, rec20, dimension, factor, aliases }
}

#[rustfmt::skip]
pub(super) static UNITS: [Entry; COUNT as usize] = [
    unit("kg", "kg", "kilogram", "KGM", Mass, (1, 1), &["kilograms", "kilogramme", "kilogrammes", "kilo", "kilos"]),
    unit("g", "g", "gram", "GRM", Mass, (1, E3), &["grams", "gramme", "grammes"]),
    unit("t", "t", "tonne", "TNE", Mass, (E3, 1), &["tonnes", "metric ton", "metric tons", "metric tonne"]),
    unit("kt", "kt", "kilotonne", "KTN", Mass, (E6, 1), &["kilotonnes"]),
    unit("Mt", "Mt", "megatonne", "", Mass, (E9, 1), &["megatonnes"]),
    unit("lbs", "lb", "pound (avoirdupois)", "LBR", Mass, (45_359_237, 100_000_000), &["lb"]),
    unit("oz", "oz", "ounce (avoirdupois)", "ONZ", Mass, (28_349_523_125, E12), &[]),
    unit("ton_short", "short tn", "short ton (2,000 lb)", "STN", Mass, (90_718_474, 100_000),
        &["short ton", "short tons", "US ton"]),
    unit("ton_long", "long tn", "long ton (2,240 lb)", "LTN", Mass, (10_160_469_088, 10_000_000),
        &["long ton", "long tons", "imperial ton"]),
    unit("kWh", "kWh", "kilowatt hour", "KWH", Energy, (36, 10),
        &["kilowatt hours", "kilowatt-hour", "kilowatt-hours", "kilowatthour"]),
    unit("MWh", "MWh", "megawatt hour", "MWH", Energy, (3_600, 1),
        &["megawatt hours", "megawatt-hour", "megawatt-hours", "megawatthour"]),
    unit("GWh", "GWh", "gigawatt hour", "GWH", Energy, (3_600_000, 1),
        &["gigawatt hours", "gigawatt-hour", "gigawatt-hours", "gigawatthour"]),
    unit("TWh", "TWh", "terawatt hour", "D32", Energy, (3_600_000_000, 1),
        &["terawatt hours", "terawatt-hour", "terawatt-hours", "terawatthour"]),
    unit("kJ", "kJ", "kilojoule", "KJO", Energy, (1, E3), &["kilojoules"]),
    unit("MJ", "MJ", "megajoule", "3B", Energy, (1, 1), &["megajoules"]),
    unit("GJ", "GJ", "gigajoule", "GV", Energy, (E3, 1), &["gigajoules"]),
    unit("TJ", "TJ", "terajoule", "D30", Energy, (E6, 1), &["terajoules"]),
    unit("Btu", "Btu", "British thermal unit (international table)", "BTU", Energy, (105_505_585_262, E14), &[]),
    unit("kBtu", "kBtu", "thousand British thermal units (international table)", "", Energy,
        (105_505_585_262, E14 / E3), &["thousand Btu"]),
    unit("MMBtu", "MMBtu", "million British thermal units (international table)", "", Energy,
        (105_505_585_262, E14 / E6), &["million Btu"]),
    unit("therm", "thm", "therm (US)", "N72", Energy, (1_054_804, 10_000), &["therms", "therm_us", "therm (US)"]),
    unit("therm_ec", "thm (EC)", "therm (EC)", "N71", Energy, (105_505_585_262, E9), &["therm_uk", "therm (UK)"]),
    unit("kWh_gross", "kWh (gross)", "kilowatt hour, gross calorific value", "", FuelEnergyGross, (36, 10),
        &["kWh (gross)", "kWh gross", "kWh (Gross CV)", "kWh Gross CV", "kWh HHV", "kWh (HHV)"]),
    unit("MWh_gross", "MWh (gross)", "megawatt hour, gross calorific value", "", FuelEnergyGross, (3_600, 1),
        &["MWh (gross)", "MWh gross", "MWh (Gross CV)", "MWh Gross CV", "MWh HHV", "MWh (HHV)"]),
    unit("GWh_gross", "GWh (gross)", "gigawatt hour, gross calorific value", "", FuelEnergyGross, (3_600_000, 1),
        &["GWh (gross)", "GWh gross", "GWh (Gross CV)", "GWh Gross CV", "GWh HHV", "GWh (HHV)"]),
    unit("MJ_gross", "MJ (gross)", "megajoule, gross calorific value", "", FuelEnergyGross, (1, 1),
        &["MJ (gross)", "MJ gross", "MJ (Gross CV)", "MJ Gross CV", "MJ HHV", "MJ (HHV)"]),
    unit("GJ_gross", "GJ (gross)", "gigajoule, gross calorific value", "", FuelEnergyGross, (E3, 1),
        &["GJ (gross)", "GJ gross", "GJ (Gross CV)", "GJ Gross CV", "GJ HHV", "GJ (HHV)"]),
    unit("TJ_gross", "TJ (gross)", "terajoule, gross calorific value", "", FuelEnergyGross, (E6, 1),
        &["TJ (gross)", "TJ gross", "TJ (Gross CV)", "TJ Gross CV", "TJ HHV", "TJ (HHV)"]),
    unit("MMBtu_gross", "MMBtu (gross)", "million British thermal units, gross calorific value", "",
        FuelEnergyGross, (105_505_585_262, E14 / E6),
        &["MMBtu (gross)", "MMBtu gross", "MMBtu (Gross CV)", "MMBtu Gross CV", "MMBtu HHV", "MMBtu (HHV)"]),
    unit("therm_gross", "therm (gross)", "therm (US), gross calorific value", "", FuelEnergyGross, (1_054_804, 10_000),
        &["therm (gross)", "therm gross", "therm (Gross CV)", "therm Gross CV", "therm HHV", "therm (HHV)"]),
    unit("therm_ec_gross", "therm_ec (gross)", "therm (EC), gross calorific value", "",
        FuelEnergyGross, (105_505_585_262, E9),
        &["therm_ec (gross)", "therm_ec gross", "therm_ec (Gross CV)", "therm_ec Gross CV", "therm_ec HHV",
            "therm_ec (HHV)"]),
    unit("kWh_net", "kWh (net)", "kilowatt hour, net calorific value", "", FuelEnergyNet, (36, 10),
        &["kWh (net)", "kWh net", "kWh (Net CV)", "kWh Net CV", "kWh LHV", "kWh (LHV)"]),
    unit("MWh_net", "MWh (net)", "megawatt hour, net calorific value", "", FuelEnergyNet, (3_600, 1),
        &["MWh (net)", "MWh net", "MWh (Net CV)", "MWh Net CV", "MWh LHV", "MWh (LHV)"]),
    unit("GWh_net", "GWh (net)", "gigawatt hour, net calorific value", "", FuelEnergyNet, (3_600_000, 1),
        &["GWh (net)", "GWh net", "GWh (Net CV)", "GWh Net CV", "GWh LHV", "GWh (LHV)"]),
    unit("MJ_net", "MJ (net)", "megajoule, net calorific value", "", FuelEnergyNet, (1, 1),
        &["MJ (net)", "MJ net", "MJ (Net CV)", "MJ Net CV", "MJ LHV", "MJ (LHV)"]),
    unit("GJ_net", "GJ (net)", "gigajoule, net calorific value", "", FuelEnergyNet, (E3, 1),
        &["GJ (net)", "GJ net", "GJ (Net CV)", "GJ Net CV", "GJ LHV", "GJ (LHV)"]),
    unit("TJ_net", "TJ (net)", "terajoule, net calorific value", "", FuelEnergyNet, (E6, 1),
        &["TJ (net)", "TJ net", "TJ (Net CV)", "TJ Net CV", "TJ LHV", "TJ (LHV)"]),
    unit("L", "L", "litre", "LTR", Volume, (1, E3), &["l", "litres", "liter", "liters"]),
    unit("mL", "mL", "millilitre", "MLT", Volume, (1, E6), &["ml", "millilitres", "milliliter", "milliliters"]),
    unit("m3", "m\u{b3}", "cubic metre", "MTQ", Volume, (1, 1),
        &["m\u{b3}", "m^3", "cubic metres", "cubic meter", "cubic meters"]),
    unit("million_L", "million L", "million litres", "", Volume, (E3, 1),
        &["million liters", "megalitre", "megalitres", "megaliter", "megaliters"]),
    unit("gal", "gal", "gallon (US liquid)", "GLL", Volume, (3_785_411_784, E12), &["gal_us", "US gallon", "US gallons"]),
    unit("gal_uk", "gal (UK)", "gallon (imperial)", "GLI", Volume, (454_609, E2 * E6),
        &["gal_imp", "imperial gallon", "imperial gallons", "UK gallon", "UK gallons"]),
    unit("bbl", "bbl", "barrel of oil (42 US gallons)", "BLL", Volume, (158_987_294_928, E12),
        &["oil barrel", "barrel of oil", "barrels of oil"]),
    unit("ft3", "ft\u{b3}", "cubic foot", "FTQ", Volume, (28_316_846_592, E12),
        &["ft\u{b3}", "ft^3", "cubic feet", "cu ft"]),
    unit("scf", "scf", "standard cubic foot of gas (60 \u{b0}F, 14.7 psi)", "", StandardGasVolume, (1, 1),
        &["standard cubic foot", "standard cubic feet"]),
    unit("m", "m", "metre", "MTR", Length, (1, E3), &["metres", "meter", "meters"]),
    unit("km", "km", "kilometre", "KMT", Length, (1, 1), &["kilometres", "kilometer", "kilometers"]),
    unit("mi", "mi", "statute mile", "SMI", Length, (1_609_344, E6), &["mile", "miles"]),
    unit("nmi", "nmi", "nautical mile", "NMI", Length, (1_852, E3), &["nautical miles"]),
    unit("tkm", "t\u{b7}km", "tonne-kilometre", "TKM", FreightTransport, (1, 1),
        &["tonne kilometre", "tonne-km", "tonne.km", "t.km", "tonne kilometer", "ton kilometer"]),
    unit("tmi_short", "short tn\u{b7}mi", "short ton-mile", "", FreightTransport, (145_997_231_821_056, E14),
        &["short ton mile"]),
    unit("pkm", "p\u{b7}km", "passenger-kilometre", "", PassengerTransport, (1, 1),
        &["passenger kilometre", "passenger-km", "passenger.km", "p.km", "passenger kilometer"]),
    unit("pmi", "p\u{b7}mi", "passenger-mile", "", PassengerTransport, (1_609_344, E6),
        &["passenger mile", "passenger-miles"]),
    unit("vkm", "v\u{b7}km", "vehicle-kilometre", "", VehicleTransport, (1, 1),
        &["vehicle kilometre", "vehicle-km", "v.km", "vehicle kilometer"]),
    unit("vmi", "v\u{b7}mi", "vehicle-mile", "", VehicleTransport, (1_609_344, E6),
        &["vehicle mile", "vehicle-miles"]),
    unit("m2", "m\u{b2}", "square metre", "MTK", Area, (1, 1),
        &["m\u{b2}", "m^2", "square metres", "square meter", "square meters"]),
    unit("ft2", "ft\u{b2}", "square foot", "FTK", Area, (9_290_304, E2 * E6),
        &["ft\u{b2}", "ft^2", "square feet", "sq ft"]),
    unit("ha", "ha", "hectare", "HAR", Area, (10_000, 1), &["hectares"]),
    unit("h", "h", "hour", "HUR", Time, (1, 1), &["hours", "hr", "hrs"]),
    unit("d", "d", "day", "DAY", Time, (24, 1), &["days"]),
    unit("room_night", "room\u{b7}night", "room-night", "", Accommodation, (1, 1),
        &["room night", "room nights", "room-nights", "room per night", "Room per night"]),
    unit("fte_h", "FTE\u{b7}h", "working hour of a full-time equivalent", "", WorkingTime, (1, 1),
        &["FTE hour", "FTE hours", "FTE Working Hour", "FTE working hour", "per FTE Working Hour"]),
    unit("piece", "piece", "piece", "H87", Count, (1, 1), &["pieces", "pc", "pcs", "C62", "EA", "each"]),
];
