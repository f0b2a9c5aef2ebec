//! The whole official files, where `TONNE_SHARED_DATA` names a folder that has them in `factors/`. They are not part of the
//! repository; the samples in the other modules hold everywhere.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use domain::{GwpSet, PublishedUse};
use tonne_files::{PublishedFile, PublishedLayout, published_csv};

use super::{counts, findings, read};

/// The bytes of an official file; `None`, which is told, where none are at hand.
pub(super) fn bytes(file: &str) -> Option<Vec<u8>> {
    let Some(folder) = std::env::var_os("TONNE_SHARED_DATA").map(PathBuf::from) else {
        eprintln!("SKIPPED: TONNE_SHARED_DATA names no folder with factors/{file}");
        return None;
    };
    Some(fs::read(folder.join("factors").join(file)).unwrap())
}

fn official(file: &str) -> Option<PublishedFile> {
    Some(read(bytes(file)?, file))
}

fn uses(file: &PublishedFile) -> BTreeMap<PublishedUse, usize> {
    file.factors.iter().fold(BTreeMap::new(), |mut uses, factor| {
        *uses.entry(factor.usage).or_default() += 1;
        uses
    })
}

fn comes_back(file: &PublishedFile) {
    let again = read(published_csv(&file.set, &file.factors).unwrap(), "again.csv");
    assert_eq!(findings(&again), Vec::<String>::new());
    assert_eq!(again.factors.len(), file.factors.len());
    for (one, other) in file.factors.iter().zip(&again.factors) {
        assert_eq!((&one.name, &one.path, one.unit, one.usage), (&other.name, &other.path, other.unit, other.usage));
        assert_eq!((one.co2e, &one.gases, &one.region), (other.co2e, &other.gases, &other.region), "{}", one.cell);
    }
}

#[test]
fn the_uk_flat_file_of_2024() {
    let Some(file) = official("desnz-2024-flat.xlsx") else { return };
    assert_eq!(file.layout, PublishedLayout::UkFlatFile);
    assert_eq!((file.set.edition.as_str(), file.set.gwp), ("2024 v1.1", Some(GwpSet::Ar5)));
    assert_eq!((file.account.rows, file.factors.len()), (8_742, 2_506));
    assert_eq!(
        counts(&file.account.skipped),
        [
            "1 empty",
            "1648 without a value",
            "514 energy, not emissions",
            "1 headings, notes and ends",
            "166 sums of other rows"
        ]
    );
    let expected = [
        (PublishedUse::Direct, 583),
        (PublishedUse::PurchasedEnergy, 71),
        (PublishedUse::Upstream, 656),
        (PublishedUse::GridLoss, 70),
        (PublishedUse::ValueChain, 976),
        (PublishedUse::OutsideScopes, 150),
    ];
    assert_eq!(uses(&file), expected.into());
    let found = findings(&file);
    // Twelve figures that were left unrounded, and a copy of the table on another sheet.
    assert_eq!(found.iter().filter(|found| found.contains("kept as 0.000004860776705386")).count(), 12);
    assert!(found.iter().any(|found| found.starts_with("sheet \"Sheet1\", row 1: ")), "{found:?}");
    assert_eq!(found.len(), 13);
    comes_back(&file);
}

#[test]
fn the_us_supply_chain_factors_of_2022() {
    let Some(file) = official("us-supply-chain-1.3.0-co2e.csv") else { return };
    assert_eq!(file.layout, PublishedLayout::UsSupplyChain);
    assert_eq!((findings(&file), counts(&file.account.skipped)), (vec![], vec![]));
    assert_eq!((file.account.rows, file.factors.len()), (1_016, 2_032));
    comes_back(&file);
}

#[test]
fn the_epa_hub_of_2025() {
    let Some(file) = official("epa-hub-2025.xlsx") else { return };
    assert_eq!(file.layout, PublishedLayout::EpaHub);
    assert_eq!((file.set.edition.as_str(), file.set.gwp), ("2025 (January 15, 2025)", Some(GwpSet::Ar5)));
    assert_eq!((file.account.rows, file.account.used, file.factors.len()), (516, 432, 612));
    assert_eq!(counts(&file.account.skipped), ["83 headings, notes and ends", "1 contradictory in the source"]);
    assert_eq!(
        counts(&file.account.values_skipped),
        ["188 without a value", "28 not meant for inventories", "27 rates, not emissions"]
    );
    let expected = [(PublishedUse::Direct, 381), (PublishedUse::PurchasedEnergy, 29), (PublishedUse::ValueChain, 202)];
    assert_eq!(uses(&file), expected.into());
    // R-424A, which the publisher gives a potential that its composition does not have.
    let found = findings(&file);
    assert!(
        found[0].starts_with("sheet \"Emission Factors Hub\", row 584: has parts that add up to 2211.85"),
        "{found:?}"
    );
    assert_eq!(found.len(), 1);
    assert_eq!(file.factors.iter().filter(|factor| factor.path.len() > 1).count(), 121);
    comes_back(&file);
}
