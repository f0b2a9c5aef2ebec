//! Whole official files in the layout of another year: columns elsewhere, without an ID, under other names, behind other rows. The
//! same factors come out; a row that is broken is told with its place and what is wrong, and costs its own factor alone; a
//! header that lacks a column is refused by its name.

use std::collections::BTreeSet;

use tonne_files::PublishedFile;

use super::book::{rows, sheet_rows, xls, xlsx, xlsx_with_hidden};
use super::official::bytes;
use super::{counts, findings, read, refused};

const UK: &str = "desnz-2024-flat.xlsx";
const UK_SHEET: &str = "Factors by Category";
const EPA: &str = "epa-hub-2025.xlsx";
const EPA_SHEET: &str = "Emission Factors Hub";
const SUPPLY_CHAIN: &str = "us-supply-chain-1.3.0-co2e.csv";

/// Each factor by all but where it stands.
fn factors(file: &PublishedFile) -> Vec<String> {
    let told = |factor: &domain::PublishedFactor| {
        let domain::PublishedFactor { name, path, unit, usage, region, co2e, gases, .. } = factor;
        format!("{name} {path:?} {unit} {usage} {region:?} {co2e:?} {gases:?}")
    };
    file.factors.iter().map(told).collect()
}

/// Those of the first that are not in the second, by their names.
fn lost(whole: &PublishedFile, broken: &PublishedFile) -> Vec<String> {
    let kept: BTreeSet<_> = factors(broken).into_iter().collect();
    let lost = whole.factors.iter().zip(factors(whole)).filter(|(_, told)| !kept.contains(told));
    lost.map(|(factor, _)| format!("{} {}", factor.name, factor.unit)).collect()
}

#[track_caller]
fn same(one: &PublishedFile, other: &PublishedFile) {
    assert_eq!(lost(one, other), Vec::<String>::new());
    assert_eq!(factors(one), factors(other));
    assert_eq!(counts(&one.account.skipped), counts(&other.account.skipped));
    assert_eq!((one.account.rows, one.account.used), (other.account.rows, other.account.used));
}

/// The UK's file as it was laid out in 2020, and how many rows its header stands below that of 2024.
fn uk_of_2020(of_2024: &[Vec<String>]) -> (Vec<Vec<String>>, usize) {
    const ABOVE: usize = 3;
    let header = of_2024.iter().position(|row| row[0] == "ID").unwrap();
    let older = |name: &str| match name {
        "GHG Conversion Factor 2024" => "GHG Conversion\nFactor 2020".to_owned(),
        "GHG/Unit" => "GHG".to_owned(),
        "UOM" => " uom".to_owned(),
        "kg CO2e of CO2 per unit" => "kg CO2".to_owned(),
        "kg CO2e of CH4 per unit" => "kg CH4".to_owned(),
        "kg CO2e of N2O per unit" => "kg N2O".to_owned(),
        other => other.to_owned(),
    };
    let mut moved = vec![vec!["Index".to_owned()], Vec::new(), vec!["Expiry:".to_owned(), "31/05/2021".to_owned()]];
    assert_eq!(moved.len(), ABOVE);
    moved.extend(of_2024[..header].iter().cloned());
    for row in &of_2024[header..] {
        // Without the ID; the figure first, the unit and what is per unit before the levels.
        let [scope, levels @ .., unit, gas, figure] = &row[1..] else { panic!("{row:?}") };
        let simple = match unit.as_str() {
            "UOM" => "UOM (simple)",
            "" => "",
            _ => "tonnes",
        };
        let front = [figure, &simple.to_owned(), gas, unit, scope].map(|cell| older(cell));
        moved.push(front.into_iter().chain(levels.iter().cloned()).collect());
    }
    (moved, ABOVE)
}

#[test]
fn the_whole_uk_file_as_it_was_laid_out_in_2020_gives_the_same_factors() {
    let Some(bytes) = bytes(UK) else { return };
    let official = read(bytes.clone(), UK);
    let rows = sheet_rows(bytes, UK_SHEET);
    let (moved, below) = uk_of_2020(&rows);
    // A hidden sheet with the same header, as that file has one.
    let lookup: Vec<_> = moved.iter().map(|row| [vec!["9".to_owned()], row.clone()].concat()).collect();
    for file in [
        read(xlsx_with_hidden(&[("Front page", &moved[..2]), (UK_SHEET, &moved)], &[("Lookup", &lookup)]), "2020.xlsx"),
        read(xls("Factors", &moved), "2020.xls"),
    ] {
        same(&official, &file);
        assert_eq!((file.set.edition.as_str(), file.set.gwp), ("2020", official.set.gwp));
        let place = |file: &PublishedFile| file.factors[0].rows[0].row as usize;
        assert_eq!(place(&file), place(&official) + below);
        assert!(file.factors[0].cell.as_str().contains("!A"), "{}", file.factors[0].cell);
    }
}

#[test]
fn rows_that_are_broken_in_a_whole_uk_file_are_told_and_cost_their_own_factors_alone() {
    let Some(bytes) = bytes(UK) else { return };
    let (mut moved, _) = uk_of_2020(&sheet_rows(bytes, UK_SHEET));
    let whole = read(xlsx(&[(UK_SHEET, &moved)]), "2020.xlsx");
    let expected = [
        ("Butane", "t", "0.1.2", "has \"0.1.2\" where a number belongs"),
        ("Natural gas", "m3", "7", "has parts that add up to 2.04542 and a total of 7: rounding explains"),
    ];
    let mut places = Vec::new();
    for (name, unit, figure, _) in expected {
        let factor = whole.factors.iter().find(|factor| factor.name.as_str() == name && factor.unit.code() == unit);
        let rows = &factor.unwrap().rows;
        let total = rows.iter().find(|row| row.cells.iter().any(|(_, cell)| cell == "kg CO2e")).unwrap();
        moved[total.row as usize - 1][0] = figure.to_owned();
        // What contradicts itself is told at the first row of its factor.
        places.push(if figure == "7" { rows[0].row } else { total.row });
    }
    let last = moved.iter().rposition(|row| row.get(2).is_some_and(|gas| gas == "kg CO2e") && !row[0].is_empty());
    let last = last.unwrap() + 1;
    moved[last - 1][2] = "kg of everything".to_owned();
    let file = read(xlsx(&[(UK_SHEET, &moved)]), "2020.xlsx");
    let (before, found) = (findings(&whole), findings(&file));
    let new: Vec<_> = found.iter().filter(|one| !before.contains(one)).collect();
    assert_eq!(new.len(), 3, "{new:?}");
    for (found, ((.., words), row)) in new.iter().zip(expected.iter().zip(places)) {
        assert!(found.starts_with(&format!("sheet {UK_SHEET:?}, row {row}: ")) && found.contains(words), "{found}");
    }
    assert!(new[2].starts_with(&format!("sheet {UK_SHEET:?}, row {last}: has \"kg of everything\"")), "{}", new[2]);
    let of_last = whole.factors.iter().find(|factor| factor.rows.iter().any(|row| row.row as usize == last)).unwrap();
    let of_last = format!("{} {}", of_last.name, of_last.unit);
    assert_eq!(lost(&whole, &file), ["Butane t", "Natural gas m3", of_last.as_str()]);
}

#[test]
fn a_uk_file_of_another_year_that_lacks_a_column_is_refused_with_its_name() {
    let Some(bytes) = bytes(UK) else { return };
    let (mut moved, _) = uk_of_2020(&sheet_rows(bytes, UK_SHEET));
    moved.truncate(100);
    read(xlsx(&[(UK_SHEET, &moved)]), "2020.xlsx");
    for (column, name) in [("Scope", "scope"), ("Level 1", "level 1"), ("GHG", "ghg/unit")] {
        let mut without = moved.clone();
        let header = without.iter_mut().find(|row| row.iter().any(|cell| cell == column)).unwrap();
        header.iter_mut().filter(|cell| *cell == column).for_each(|cell| cell.push('?'));
        let error = refused(xlsx(&[(UK_SHEET, &without)]));
        assert!(error.contains(&format!("without its column {name:?}")), "{error}");
    }
    // Either column of units will do.
    let mut without = moved.clone();
    without.iter_mut().flatten().filter(|cell| *cell == " uom" || *cell == "UOM (simple)").for_each(String::clear);
    assert!(refused(xlsx(&[(UK_SHEET, &without)])).contains("without its column \"uom\""));
}

/// The hub with its tables further right and down, with other spaces in its headers, and its waste table last.
fn moved_hub(hub: &[Vec<String>]) -> Vec<Vec<String>> {
    let mut moved = vec![Vec::new(); 2];
    moved.extend(hub.iter().map(|row| {
        let cells = row.iter().map(|cell| cell.replace(" per ", "  per\n").replace("100-Year GWP", "100-year  GWP"));
        vec![String::new(); 3].into_iter().chain(cells).collect()
    }));
    let table = |number: &str| moved.iter().position(|row| row.iter().any(|cell| cell == number)).unwrap();
    let (waste, travel) = (table("Table 9"), table("Table 10"));
    let waste: Vec<_> = moved.drain(waste..travel).collect();
    moved.extend(waste);
    moved
}

#[test]
fn the_whole_hub_with_its_tables_moved_gives_the_same_factors_and_a_broken_row_is_told() {
    let Some(bytes) = bytes(EPA) else { return };
    let official = read(bytes.clone(), EPA);
    let mut moved = moved_hub(&sheet_rows(bytes, EPA_SHEET));
    let whole = read(xlsx(&[("Another", &[Vec::new()]), (EPA_SHEET, &moved)]), "hub.xlsx");
    assert_eq!(lost(&official, &whole), Vec::<String>::new());
    assert_eq!(lost(&whole, &official), Vec::<String>::new());
    assert_eq!(counts(&official.account.skipped), counts(&whole.account.skipped));
    assert_eq!(counts(&official.account.values_skipped), counts(&whole.account.values_skipped));

    let gas = whole.factors.iter().find(|factor| factor.name.as_str() == "Natural Gas").unwrap();
    let row = gas.rows[0].row;
    let broken = &mut moved[row as usize - 1];
    let co2 = broken.iter().position(|cell| cell == "53.06").unwrap();
    broken[co2] = "53.06 kg".to_owned();
    let waste = moved.iter().position(|row| row.iter().any(|cell| cell == "Table 9")).unwrap();
    for cell in moved[waste + 1..waste + 6].iter_mut().flatten() {
        *cell = cell.replace("Metric Tons", "Tons");
    }
    let file = read(xlsx(&[(EPA_SHEET, &moved)]), "hub.xlsx");
    let found = findings(&file);
    let has = |words: &str| found.iter().any(|found| found.contains(words));
    assert!(has(&format!("row {row}: has \"53.06 kg\" where a number belongs")), "{found:?}");
    assert!(has("Table 9: Scope 3 Category 5") && has("which has no header that is known"), "{found:?}");
    let lost = lost(&whole, &file);
    let is_waste = |factor: &&domain::PublishedFactor| factor.path[0].as_str().starts_with("Table 9");
    let waste = whole.factors.iter().filter(is_waste).count();
    assert!(waste > 100, "{waste}");
    assert_eq!(lost.iter().filter(|lost| lost.starts_with("Natural Gas ")).count(), lost.len() - waste, "{lost:?}");
}

#[test]
fn the_whole_table_of_the_supply_chain_of_another_year_gives_the_same_factors_and_broken_rows_are_told() {
    let Some(bytes) = bytes(SUPPLY_CHAIN) else { return };
    let official = read(bytes.clone(), SUPPLY_CHAIN);
    let mut moved = rows(std::str::from_utf8(&bytes).unwrap());
    for row in &mut moved {
        row.reverse();
        for cell in row {
            *cell = cell.replace("2017 NAICS", "2022  NAICS");
        }
    }
    let book = |rows: &[Vec<String>]| xlsx(&[("CO2e", rows)]);
    same(&official, &read(book(&moved), "moved.xlsx"));

    let (figure, unit) = (1, 4);
    moved[20][figure] = "0.1 kg".to_owned();
    moved[30][unit] = "kg CO2e/2021 USD, purchaser price".to_owned();
    let file = read(book(&moved), "moved.xlsx");
    let found = findings(&file);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].contains("sheet \"CO2e\", row 21: has \"0.1 kg\" where a number belongs"), "{found:?}");
    assert!(
        found[1].contains("row 31: is per 2021 USD, purchaser price, but the rows above are per 2022"),
        "{found:?}"
    );
    assert_eq!(lost(&official, &file).len(), 4, "each row has two factors");
}
