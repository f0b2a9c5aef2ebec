//! The US EPA's Emission Factors Hub. The sample has rows of each of its tables of January 2025, with long notes cut (public
//! domain in the United States).

use domain::{GwpSet, Unit};
use tonne_files::{PublishedFile, PublishedLayout};

use super::book::{rows, xlsx};
use super::{counts, findings, read, refused, told};

const SAMPLE: &str = include_str!("samples/epa-2025.csv");
const SHEET: &str = "Emission Factors Hub";

fn of(rows: &[Vec<String>]) -> PublishedFile {
    read(xlsx(&[("Other", &[vec!["Material".to_owned()]]), (SHEET, rows)]), "hub.xlsx")
}

fn all(file: &PublishedFile) -> Vec<String> {
    file.factors.iter().map(told).collect()
}

#[test]
fn each_table_is_read_by_its_own_header() {
    let file = of(&rows(SAMPLE));
    assert_eq!((file.layout, file.set.gwp), (PublishedLayout::EpaHub, Some(GwpSet::Ar5)));
    assert_eq!(file.set.edition.as_str(), "2025 (January 15, 2025)");
    let all = all(&file);
    for expected in [
        "Natural Gas MMBtu_gross direct 53.1145",
        "Anthracite MMBtu_gross direct 104.422",
        "Anthracite ton_short direct 2620.328",
        "Motor Gasoline gal direct 8.81184",
        "Diesel Fuel gal direct 10.21",
        "Gasoline Passenger Cars, 1973-1974 vmi direct 0.0099693",
        "Gasoline Light-Duty Trucks, 1975 vmi direct 0.0181697",
        "Passenger Cars, Diesel, 1983-2006 vmi direct 0.000279",
        "Light-Duty Cars, Ethanol vmi direct 0.001396",
        "Ships and Boats, Residual Fuel Oil gal direct 0.11295",
        "Ships and Boats, Gasoline (2 stroke) gal direct 0.15196",
        "Agricultural Equipment, Gasoline (2 stroke) gal direct 0.31775",
        "Steam and Heat MMBtu purchased-energy 66.398125",
        "Medium- and Heavy-Duty Truck vmi value-chain 1.308286",
        "Medium- and Heavy-Duty Truck tmi_short value-chain 0.1874758",
        "Aluminum Cans, Recycled ton_short value-chain 60",
        "LDPE, Combusted ton_short value-chain 2800",
        "Asphalt Concrete, Recycled ton_short value-chain 3.52053849546667",
        "Air Travel - Short Haul (< 300 miles) pmi value-chain 0.2089282",
        "Methane kg direct 28",
        "HFC-134a kg direct 1300",
        "R-401A kg direct 18",
        "R-404A kg direct 3943",
        "R-406A kg direct 0",
        "R-410A kg direct 1924",
        "R-508B kg direct 11698",
    ] {
        assert!(all.iter().any(|found| found == expected), "{expected}: {all:#?}");
    }
    assert!(!all.iter().any(|found| found.starts_with("LDPE, Recycled")), "NA is no value");
}

#[test]
fn carbon_dioxide_of_living_matter_is_apart_wherever_the_fuel_stands() {
    let file = of(&rows(SAMPLE));
    let biogenic = |cell: &str| {
        let factor = file.factors.iter().find(|factor| factor.cell.as_str().ends_with(cell)).unwrap();
        let co2e = factor.gases.as_ref().unwrap().co2e(GwpSet::Ar5).unwrap();
        (factor.name.to_string(), co2e.biogenic.to_string(), co2e.total.to_string())
    };
    let wood = file.factors.iter().find(|factor| factor.name.as_str() == "Wood and Wood Residuals").unwrap();
    let cell = wood.cell.as_str().split_once('!').unwrap().1.to_owned();
    assert_eq!(biogenic(&cell), ("Wood and Wood Residuals".into(), "93.8".into(), "1.1556".into()));
    // Table 2 does not tell biofuels apart; the headings of table 1 do.
    let mobile = file
        .factors
        .iter()
        .find(|factor| factor.name.as_str() == "Ethanol (100%)" && factor.path[0].as_str().starts_with("Table 2"));
    let mobile = mobile.unwrap().gases.as_ref().unwrap().co2e(GwpSet::Ar5).unwrap();
    assert_eq!((mobile.biogenic.to_string(), mobile.total.to_string()), ("5.75".into(), "0".into()));
}

#[test]
fn a_subregion_of_the_grid_is_a_region_in_exact_kilograms() {
    let file = of(&rows(SAMPLE));
    let grid = |region: &str| {
        let of = |found: &&domain::PublishedFactor| {
            found.region.as_ref().is_some_and(|found| found.as_str() == region)
                && found.path[0].as_str() == "Table 6: Electricity"
        };
        file.factors.iter().find(of).unwrap()
    };
    let west = grid("US-RFCW");
    // (911.321 + 0.071 * 28 + 0.01 * 265) lb of 0.45359237 kg
    assert_eq!(told(west), "Electricity, RFC West MWh purchased-energy 415.47201363283");
    assert_eq!(told(grid("US")).split(" MWh").next(), Some("Electricity, US Average"));
    let kept = counts(&file.account.values_skipped);
    assert!(
        kept.contains(&"4 not meant for inventories".to_owned()) && kept.contains(&"3 rates, not emissions".to_owned()),
        "{kept:?}"
    );
    assert!(west.rows[0].cells.contains(&("Grid Gross Loss (%)".to_owned(), "0.042".to_owned())), "{:?}", west.rows);
}

#[test]
fn a_blend_counts_its_hfc_and_pfc_and_can_be_read_under_another_set() {
    let file = of(&rows(SAMPLE));
    let blend = |name: &str| file.factors.iter().find(|factor| factor.name.as_str() == name).unwrap();
    let under = |name: &str, set| blend(name).intensity_under(&file.set, set).unwrap().to_string();
    for (name, ar5, ar6) in [
        ("R-401A", "18", "21.32"),
        ("R-404A", "3943", "4728"),
        ("R-410A", "1924", "2255.5"),
        ("R-508B", "11698", "13412"),
    ] {
        assert_eq!((under(name, GwpSet::Ar5), under(name, GwpSet::Ar6)), (ar5.into(), ar6.into()), "{name}");
    }
    // The publisher's 3104 is not what 50.5 % HFC-125 and 47 % HFC-134a come to.
    let found = findings(&file);
    assert!(found[0].contains("has parts that add up to 2211.85 and a total of 3104"), "{found:?}");
    assert_eq!(found.len(), 1);
}

#[test]
fn standard_cubic_feet_are_a_unit_of_their_own_that_becomes_no_other_volume() {
    let file = of(&rows(SAMPLE));
    let per_scf: Vec<_> = file.factors.iter().filter(|factor| factor.unit.code() == "scf").collect();
    assert_eq!(per_scf.len(), 2);
    for code in ["m3", "ft3", "MMBtu"] {
        assert!(per_scf.iter().all(|factor| factor.unit.ratio_to(Unit::parse(code).unwrap()).is_none()), "{code}");
    }
    assert_eq!(file.account.rows, file.account.used + file.account.skipped.values().sum::<u64>());
}

#[test]
fn tables_may_stand_further_right_and_in_another_order() {
    let first = of(&rows(SAMPLE));
    let mut moved = rows(SAMPLE);
    for row in &mut moved {
        row.splice(0..0, [String::new(), String::new()]);
    }
    let second = of(&moved);
    assert_eq!(all(&first), all(&second));
    assert_eq!(second.factors[0].cell.as_str().split_once('!').unwrap().1.chars().next(), Some('G'));
    let table = |number: &str| moved.iter().position(|row| row[3] == number).unwrap();
    let (waste, travel) = (table("Table 9"), table("Table 10"));
    let waste: Vec<_> = moved.drain(waste..travel).collect();
    moved.extend(waste);
    let (mut one, mut other) = (all(&second), all(&of(&moved)));
    one.sort_unstable();
    other.sort_unstable();
    assert_eq!(one, other);
}

#[test]
fn what_is_broken_is_told_and_what_a_hub_must_say_is_asked_for() {
    let mut broken = rows(SAMPLE);
    let row = broken.iter().position(|row| row[2] == "Natural Gas" && !row[4].is_empty()).unwrap();
    broken[row][5] = "1 g".to_owned();
    let waste = broken.iter().position(|row| row[1] == "Table 7").unwrap();
    broken[waste + 1] = Vec::new();
    let file = of(&broken);
    let found = findings(&file);
    assert!(found[0].contains("has \"1 g\" where a number belongs"), "{found:?}");
    assert!(found.iter().any(|found| found.contains("\"Table 7: Steam and Heat\", which has no header")), "{found:?}");
    assert!(all(&file).contains(&"Diesel Fuel gal direct 10.21".to_owned()));
    for (cut, words) in [("Last Modified", "when it was last modified"), ("28", "potentials of CH4 and N2O")] {
        let without: Vec<_> = rows(SAMPLE)
            .into_iter()
            .enumerate()
            .map(|(at, row)| row.into_iter().filter(|cell| at > 8 || !cell.starts_with(cut)).collect::<Vec<_>>())
            .collect();
        let error = refused(xlsx(&[(SHEET, &without)]));
        assert!(error.contains(words), "{error}");
    }
}
