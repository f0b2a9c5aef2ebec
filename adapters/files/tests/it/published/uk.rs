//! The flat file of the UK Government's GHG conversion factors. The sample has rows of the file of 2024 v1.1: contains public
//! sector information licensed under the Open Government Licence v3.0.

use domain::{GwpSet, PublishedUse};
use tonne_files::{PublishedFile, PublishedLayout};

use super::book::{rows, xls, xlsx};
use super::{counts, findings, read, refused, told};

const SAMPLE: &str = include_str!("samples/uk-2024.csv");
const SHEET: &str = "Factors by Category";

fn of(rows: &[Vec<String>]) -> PublishedFile {
    read(xlsx(&[(SHEET, rows)]), "uk.xlsx")
}

fn edited(edit: impl Fn(&mut Vec<String>)) -> Vec<Vec<String>> {
    let mut rows = rows(SAMPLE);
    rows.iter_mut().for_each(edit);
    rows
}

fn all(file: &PublishedFile) -> Vec<String> {
    file.factors.iter().map(told).collect()
}

/// The same factors, wherever they stand.
fn same(one: &PublishedFile, other: &PublishedFile) {
    assert_eq!(all(one), all(other));
    for (one, other) in one.factors.iter().zip(&other.factors) {
        assert_eq!((&one.gases, &one.path, &one.region), (&other.gases, &other.path, &other.region));
    }
}

#[test]
fn rows_of_one_factor_come_together_with_their_gases() {
    let file = of(&rows(SAMPLE));
    assert_eq!((file.layout, file.set.gwp), (PublishedLayout::UkFlatFile, Some(GwpSet::Ar5)));
    assert_eq!((file.set.edition.as_str(), file.set.valid_from.to_string().as_str()), ("2024", "2024-01-01"));
    assert_eq!(file.set.valid_to.unwrap().to_string(), "2025-01-01");
    assert!(file.set.licence.as_str().starts_with("Open Government Licence v3.0. Contains public sector information"));
    let butane = &file.factors[0];
    assert_eq!(told(butane), "Butane t direct 3033.38067");
    assert_eq!((butane.cell.as_str(), butane.region.as_ref().unwrap().as_str()), ("Factors by Category!J4", "GB"));
    assert_eq!(butane.path.iter().map(domain::Name::as_str).collect::<Vec<_>>(), ["Scope 1", "Fuels", "Gaseous fuels"]);
    assert_eq!(butane.intensity_under(&file.set, GwpSet::Ar6).unwrap().to_string(), "3033.41999211320754717");
    assert_eq!(butane.rows.iter().map(|row| row.row).collect::<Vec<_>>(), [4, 5, 6, 7]);
    let source = &butane.rows[2].cells;
    assert_eq!(source[0], ("ID".to_owned(), "1_100_1000_15_3".to_owned()));
    assert_eq!(source.last().unwrap(), &("GHG Conversion Factor 2024".to_owned(), "2.52".to_owned()));
}

#[test]
fn what_emissions_are_in_an_inventory_is_told_by_scope_and_category() {
    let file = of(&rows(SAMPLE));
    let all = all(&file);
    for expected in [
        "Natural gas kWh_gross direct 0.1829",
        "Natural gas kWh_net direct 0.20264",
        "Natural gas m3 direct 2.04542",
        "Electricity: UK kWh purchased-energy 0.20705",
        "Electricity: UK kWh grid-loss 0.0183",
        "5% loss kWh grid-loss 0.00946",
        "Electricity: UK kWh upstream 0.0459",
        "Butane t upstream 344.30947",
        "Short-haul, to/from UK, Economy class, With RF pkm value-chain 0.18287",
        "All HGVs, Average laden tkm value-chain 0.09752",
        "UK room_night value-chain 10.4",
        "Water supply million_L value-chain 153.10865",
        "Water supply m3 value-chain 0.15311",
        "Office Equipment fte_h value-chain 0.03144",
        "Wood logs t direct 46.25524",
        "Wood logs t outside-scopes 1436.23",
        "Average car, Diesel km direct 0.16984",
    ] {
        assert!(all.iter().any(|found| found == expected), "{expected}: {all:#?}");
    }
    let wood = file.factors.iter().find(|factor| told(factor) == "Wood logs t outside-scopes 1436.23").unwrap();
    assert_eq!(wood.gases.as_ref().unwrap().amounts()[0].0.name(), "CO2_biogenic");
    // CO2 from living matter is the same under any set.
    assert_eq!(wood.intensity_under(&file.set, GwpSet::Ar6).unwrap().to_string(), "1436.23");
    let hotel = file.factors.iter().find(|factor| factor.name.as_str() == "UK").unwrap();
    assert_eq!(hotel.region, None);
}

#[test]
fn energy_blanks_sums_and_the_end_are_counted_and_make_no_factor() {
    let file = of(&rows(SAMPLE));
    assert_eq!(
        counts(&file.account.skipped),
        ["7 without a value", "3 energy, not emissions", "1 headings, notes and ends", "7 sums of other rows"]
    );
    assert_eq!((file.account.rows, file.account.used), (87, 69));
}

#[test]
fn a_refrigerant_counts_once_and_what_the_kyoto_protocol_does_not_count_is_outside_the_scopes() {
    let file = of(&rows(SAMPLE));
    let found: Vec<_> = all(&file).into_iter().filter(|told| told.contains("Kyoto")).collect();
    assert_eq!(
        found,
        [
            "Methane, Emissions including only Kyoto products kg direct 28",
            "Nitrous oxide, Emissions including only Kyoto products kg direct 265",
            "HFC-134a, Emissions including only Kyoto products kg direct 1300",
            "R401A, Emissions including only Kyoto products kg direct 18",
            "R401A, Emissions including only non-Kyoto products kg outside-scopes 1112",
            "R404A, Emissions including only Kyoto products kg direct 3943",
            "R410A, Emissions including only Kyoto products kg direct 1924",
            "HCFC-22/R22 = chlorodifluoromethane, Emissions including only non-Kyoto products kg outside-scopes 1760",
        ]
    );
    let under = |name: &str| {
        let factor = file.factors.iter().find(|factor| factor.name.as_str().starts_with(name)).unwrap();
        factor.intensity_under(&file.set, GwpSet::Ar6).map(|found| found.to_string())
    };
    assert_eq!((under("HFC-134a").unwrap(), under("HCFC-22").unwrap()), ("1530".to_owned(), "1960".to_owned()));
    assert!(under("R410A").unwrap_err().to_string().contains("published as CO2e alone, under AR5"));
}

/// The layout of earlier years: no ID, other names of gases and columns, the header elsewhere, the older format.
#[test]
fn a_file_of_another_year_with_its_columns_moved_is_read_by_its_headers() {
    let mut moved = edited(|row| {
        row.remove(0);
        for cell in &mut *row {
            *cell = match cell.as_str() {
                "GHG Conversion Factor 2024" => "GHG  Conversion\nFactor 2020".to_owned(),
                "GHG/Unit" => "GHG".to_owned(),
                "kg CO2e of CO2 per unit" => "kg CO2".to_owned(),
                "kg CO2e of CH4 per unit" => "kg CH4".to_owned(),
                "kg CO2e of N2O per unit" => "kg N2O".to_owned(),
                other => other.to_owned(),
            };
        }
        // The figure first, and a second column of units before the one that counts.
        let figure = row.pop().unwrap_or_default();
        row.insert(0, if row[0].starts_with("UK Gov") { String::new() } else { figure });
        row.insert(3, if row[1] == "Scope" { "UOM (simple)".to_owned() } else { "kWh".to_owned() });
    });
    moved[0] = vec!["UK Government GHG Conversion Factors for Company Reporting".to_owned()];
    moved[1] = vec![String::new(), "Version:".to_owned(), "1.1".to_owned()];
    moved.insert(1, Vec::new());
    moved.insert(1, vec!["Index".to_owned()]);
    let (first, older) = (of(&rows(SAMPLE)), read(xls("Sheet 1", &moved), "old.xls"));
    same(&first, &older);
    same(&older, &of(&moved));
    assert_eq!(
        (older.set.edition.as_str(), older.set.valid_to.unwrap().to_string().as_str()),
        ("2020 v1.1", "2021-01-01")
    );
    assert_eq!(older.factors[0].cell.as_str(), "Sheet 1!A6");
    assert_eq!(older.account.rows, first.account.rows);
}

#[test]
fn a_file_that_does_not_say_its_potentials_keeps_its_totals_and_says_what_is_left_out() {
    let rows: Vec<_> = rows(SAMPLE).into_iter().filter(|row| row[4] != "Methane").collect();
    let file = of(&rows);
    assert_eq!((file.set.gwp, told(&file.factors[0])), (None, "Butane t direct 3033.38067".to_owned()));
    assert!(file.factors.iter().all(|factor| factor.gases.is_none()));
    assert!(findings(&file)[0].contains("row 4: has gases, which are left out"), "{:?}", findings(&file));
    assert_eq!(all(&file).iter().filter(|told| told.starts_with("Wood logs t outside-scopes")).count(), 1);
}

#[test]
fn rows_that_are_broken_are_told_with_their_places_and_the_others_are_read() {
    let mut rows = rows(SAMPLE);
    rows[4][9] = "3030".to_owned();
    rows[9][9] = "n. a.".to_owned();
    rows[15][8] = "kg CO2e of SF6 per unit".to_owned();
    rows[19][7] = "gallons".to_owned();
    rows[20][7] = "gallons".to_owned();
    let last = rows.len() - 2;
    rows[last][1] = "Scope 4".to_owned();
    let file = of(&rows);
    let found = findings(&file);
    for (found, expected) in found.iter().zip([
        "row 4: has parts that add up to 3034.12067 and a total of 3033.38067: rounding explains 0.00002 at most",
        "row 10: has \"n. a.\" where a number belongs",
        "row 16: has \"kg CO2e of SF6 per unit\" as what it gives",
    ]) {
        assert!(found.contains(expected), "{found}");
    }
    assert!(found.iter().any(|found| found.contains("row 22: has gases and no total")), "{found:?}");
    assert!(counts(&file.account.skipped).contains(&"2 per \"gallons\", which is no unit that is known".to_owned()));
    assert!(all(&file).contains(&"Natural gas kWh_net direct 0.20264".to_owned()));
}

#[test]
fn a_stray_sheet_that_lacks_a_column_is_told_and_the_table_is_read() {
    let official = rows(SAMPLE);
    let mut stray = edited(|_| {});
    for row in &mut stray {
        for cell in row.iter_mut().filter(|cell| *cell == "UOM") {
            *cell = "Per".to_owned();
        }
    }
    let file = read(xlsx(&[("Stray", &stray[2..]), (SHEET, &official)]), "uk.xlsx");
    same(&file, &of(&official));
    let told = findings(&file);
    assert!(told.iter().any(|one| one.contains("without its column \"uom\": the sheet is not read")), "{told:?}");
    assert!(refused(xlsx(&[("Stray", &stray)])).contains("without its column"));
}

#[test]
fn a_workbook_of_very_many_sheets_is_refused() {
    let official = rows(SAMPLE);
    let names: Vec<String> = (0..40).map(|number| format!("Other {number}")).collect();
    let others = names.iter().map(|name| (name.as_str(), &official[..1]));
    let sheets: Vec<_> = others.chain([(SHEET, official.as_slice())]).collect();
    assert!(refused(xlsx(&sheets)).contains("has 41 sheets, and at most 40 are read"));
}

#[test]
fn a_copy_of_the_table_without_the_publishers_title_is_not_read_and_told() {
    let official = rows(SAMPLE);
    let copy = edited(|row| {
        if let Some(figure) = row.get_mut(9).filter(|figure| figure.parse::<f64>().is_ok()) {
            *figure = "9".to_owned();
        }
    });
    let file = read(xlsx(&[("Copy", &copy[2..]), (SHEET, &official)]), "uk.xlsx");
    same(&file, &of(&official));
    assert!(findings(&file)[0].starts_with("sheet \"Copy\", row 1: has the header of the flat file too"));
    let error = refused(xlsx(&[("A", &copy), ("B", &official)]));
    assert!(error.contains("on several sheets: A, B"), "{error}");
}

#[test]
fn a_header_that_lacks_a_column_is_refused_with_its_name() {
    let without = edited(|row| row.iter_mut().filter(|cell| *cell == "UOM").for_each(|cell| *cell = "Per".to_owned()));
    let error = refused(xlsx(&[(SHEET, &without)]));
    assert!(error.contains("in row 3, without its column \"uom\""), "{error}");
}

#[test]
fn the_same_rows_as_text_are_the_same_factors() {
    let file = read(SAMPLE, "uk.csv");
    same(&file, &of(&rows(SAMPLE)));
    assert_eq!(file.factors[0].cell.as_str(), "J4");
    assert_eq!(file.factors[0].usage, PublishedUse::Direct);
}
