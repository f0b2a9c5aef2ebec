//! Every stored figure is computed anew from its explanation, on both stores that keep files: gases, units that convert into each
//! other, instruments of the market, biogenic CO2, supplied parts, and what has no figure.
//!
//! `TONNE_REPLAY_ROWS` says how many rows are imported, in place of 3,000.

mod demo;
mod edited;

use std::env;
use std::fmt::Write as _;

use super::postgres::{Node, bare};
use super::run::Place;

const FACTORS: &str = "\
name,path1,unit,use,region,gwp,co2e,CO2,CO2_biogenic,CH4,N2O,publisher,title,edition,licence,validFrom,validTo
Natural gas,Combustion,MMBtu,direct,US,AR5,,53.06,,0.001,0.0001,Example Ltd,Own factors,2025,CC0,2025-01-01,2026-01-01
Wood,Combustion,MMBtu,direct,US,AR5,,,93.8,0.0072,0.0036,Example Ltd,Own factors,2025,CC0,2025-01-01,2026-01-01
Grid,Electricity,kWh,purchased-energy,US,AR5,0.4,,,,,Example Ltd,Own factors,2025,CC0,2025-01-01,2026-01-01
Wind,Electricity,MWh,purchased-energy,US,AR5,7,,,,,Example Ltd,Own factors,2025,CC0,2025-01-01,2026-01-01
";

/// How many rows are imported.
fn rows() -> usize {
    env::var("TONNE_REPLAY_ROWS").map_or(3_000, |rows| rows.parse().unwrap())
}

/// A table of that many activities, none like another, with the factor that instruments name.
fn table(rows: usize, certificate: &str) -> String {
    let mut table = "syncId,name,startDate,endDate,quantity,unit,product,scope,DownstreamCO2e,biogenicCO2,quality,\
                     marketInstrument,marketFactor,marketReference\n"
        .to_owned();
    for n in 0..rows {
        let (month, day) = (n % 12 + 1, n % 28 + 1);
        let quantity = format!("{}.{:06}", n * 7_919 % 100_003, n * 104_729 % 1_000_000);
        let tier = ["measured", "estimated", "proxy", ""][n % 4];
        let of =
            |product, units: &[&str], scope| format!("{quantity},{},{product},{scope}", units[n / 8 % units.len()]);
        let heat = ["MMBtu", "kWh", "MJ", "GJ", "therm", "kBtu"];
        let what = match n % 8 {
            0 | 1 => format!("{},,,{tier},,,", of("Natural gas", &heat, "scope1")),
            2 => format!("{},,,{tier},,,", of("Wood", &heat, "scope1")),
            3 => format!("{},,12.{n},{tier},,,", of("Natural gas", &heat, "scope1")),
            4 => format!("{},,,{tier},,,", of("Grid", &["kWh", "MWh"], "scope2")),
            5 => format!("{},,,{tier},certificate,{certificate},GO {n}", of("Grid", &["kWh", "MWh"], "scope2")),
            6 => format!(",,,scope3.6,{quantity},,{tier},,,"),
            _ => format!("{},,,{tier},,,", of("Natural gas", &["kg"], "scope1"))
                .replace(",kg,Natural gas,", ",kWh,Unpriced,"),
        };
        writeln!(table, "r-{n},Meter {n},2025-{month:02}-{day:02},2025-{month:02}-28,{what}").unwrap();
    }
    table
}

/// Imports the table and computes every figure anew; gives what was said of it, and how many figures there must be.
fn replay(run: impl Fn(&[&str]) -> String, place: &Place) -> String {
    let rows = rows();
    place.file("factors.csv", FACTORS);
    place.file("unpriced.toml", "[[product]]\nsyncId = \"unpriced\"\nname = \"Unpriced\"\nunit = \"kWh\"\n");
    let set = run(&["import", "factors", "factors.csv"]);
    let set = set.split_once("added set ").unwrap().1.split(':').next().unwrap().to_owned();
    run(&["import", "catalog", "--standard", "ghg-protocol"]);
    run(&["import", "catalog", "unpriced.toml"]);
    let mut certificate = String::new();
    for cell in ["H2", "I3", "G4", "G5"] {
        let used: serde_json::Value =
            serde_json::from_str(&run(&["factor", "use", "--new", &set, cell, "--json"])).unwrap();
        certificate = used["uuid"].as_str().unwrap_or_default().to_owned();
    }
    place.file("rows.csv", &table(rows, &certificate));
    let imported: serde_json::Value =
        serde_json::from_str(&run(&["import", "activities", "rows.csv", "--json"])).unwrap();
    assert_eq!((&imported["created"], &imported["rejected"]), (&rows.into(), &0.into()), "{imported}");
    run(&["verify", "--explain", "--json"])
}

/// Every record has been computed anew, none came out otherwise, and those without a figure are the ones that have no factor.
#[track_caller]
fn check(told: &str) {
    let told: serde_json::Value = serde_json::from_str(told).unwrap();
    let figures = &told["parts"][1]["figures"];
    assert_eq!(figures["wrong"], 0, "{told}");
    assert_eq!(figures["activities"], rows() - rows() / 8, "{told}");
    assert_eq!(figures["incomplete"], rows() / 8, "{told}");
}

#[test]
fn every_figure_of_an_import_is_replayed_from_its_explanation_on_sqlite() {
    let place = Place::new();
    check(&replay(|words| place.ok(words), &place));
}

#[test]
fn every_figure_of_an_import_is_replayed_from_its_explanation_on_postgresql() {
    let fresh = bare();
    let node = Node::new(&fresh.url());
    check(&replay(|words| node.ok(words), &node.0));
}
