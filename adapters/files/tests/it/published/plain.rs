//! The plain table of ours.

use domain::{GasAmount, GwpSet, PublishedUse};
use tonne_files::{MAX_PUBLISHED_BYTES, PublishedLayout, published_csv, read_published};

use super::{counts, findings, read, refused, told};

const HEADER: &str = "name,path1,path2,unit,use,region,gwp,co2e,CO2 CO2e,CH4 CO2e,N2O,HFC-134a,publisher,title,edition,licence,validFrom,validTo,note\n";

fn line(begins: &str) -> String {
    format!("{begins},Example Ltd,Own factors,2025,\"CC BY 4.0, Example Ltd\",2025-01-01,2026-01-01,\n")
}

#[test]
fn a_row_is_a_factor_and_what_every_row_repeats_is_the_set() {
    let text = [
        HEADER,
        &line("Diesel,Fuels,Liquid,L,direct,GB,AR5,2.5,2.4,0.1,,"),
        &line("Leak,,,kg,direct,,AR5,,,,,1"),
        &line("Paper,Goods,,kg,value-chain,,AR5,-,NA,,,"),
    ]
    .concat();
    let file = read(&text, "folder/own.csv");
    assert_eq!(file.layout, PublishedLayout::Plain);
    assert_eq!(file.factors.iter().map(told).collect::<Vec<_>>(), ["Diesel L direct 2.5", "Leak kg direct 1300"]);
    assert_eq!(counts(&file.account.skipped), ["1 without a value"]);
    let set = &file.set;
    assert_eq!(
        (set.publisher.as_str(), set.title.as_str(), set.edition.as_str()),
        ("Example Ltd", "Own factors", "2025")
    );
    assert_eq!((set.file.as_str(), set.licence.as_str()), ("own.csv", "CC BY 4.0, Example Ltd"));
    assert_eq!((set.valid_from.to_string().as_str(), set.gwp), ("2025-01-01", Some(GwpSet::Ar5)));
    assert_eq!(set.valid_to.unwrap().to_string(), "2026-01-01");
    let diesel = &file.factors[0];
    assert_eq!((diesel.cell.as_str(), diesel.region.as_ref().unwrap().as_str()), ("H2", "GB"));
    assert_eq!(diesel.path.iter().map(domain::Name::as_str).collect::<Vec<_>>(), ["Fuels", "Liquid"]);
    assert!(matches!(diesel.gases.as_ref().unwrap().amounts()[0].1, GasAmount::Co2e(_)));
    assert_eq!((diesel.rows[0].row, diesel.rows[0].cells[3].clone()), (2, ("unit".to_owned(), "L".to_owned())));
    assert_eq!(file.factors[1].usage, PublishedUse::Direct);
    assert_eq!(file.factors[1].intensity_under(set, GwpSet::Ar6).unwrap().to_string(), "1530");
}

#[test]
fn the_name_of_a_set_is_the_digest_of_its_bytes() {
    let text = [HEADER, &line("Diesel,,,L,direct,,AR5,2.5,,,,")].concat();
    let (one, other) = (read(&text, "a.csv"), read(text.replace("2.5", "2.6"), "a.csv"));
    assert_ne!(one.set.id, other.set.id);
    assert_eq!(one.set.id, read(&text, "b.csv").set.id);
}

#[test]
fn a_row_that_is_wrong_is_told_with_its_place_and_the_others_are_read() {
    let text = [
        HEADER,
        &line("Diesel,,,L,direct,,AR5,2.5,,,,"),
        &line("Diesel,,,gallon,direct,,AR5,2.5,,,,"),
        &line("Diesel,,,L,scope1,,AR5,2.5,,,,"),
        &line("Diesel,,,L,direct,,AR5,2;5,,,,"),
        &line("Diesel,,,L,direct,,AR5,2.5,2.4,0.3,,"),
        &line("Diesel,,,L,direct,,AR6,2.5,,,,"),
        "Diesel,L\n",
        &line("Petrol,,,L,direct,,AR5,2.1,,,,"),
    ]
    .concat();
    let file = read(&text, "own.csv");
    assert_eq!(file.factors.iter().map(told).collect::<Vec<_>>(), ["Diesel L direct 2.5", "Petrol L direct 2.1"]);
    let found = findings(&file);
    for (found, (row, words)) in found.iter().zip([
        (3, "gal_uk"),
        (4, "purchased-energy"),
        (5, "\"2;5\""),
        (6, "add up to 2.7"),
        (7, "a file is one set"),
        (8, "19"),
    ]) {
        assert!(found.starts_with(&format!("row {row}: has ")) || found.contains("names no use"), "{found}");
        assert!(found.contains(words), "{found}");
    }
    assert_eq!((found.len(), counts(&file.account.skipped)), (6, vec!["6 faulty".to_owned()]));
}

#[test]
fn what_is_written_is_read_again_as_the_same_factors() {
    let text = [
        HEADER,
        &line("\"Diesel, 100 % \"\"mineral\"\"\",Fuels,Liquid > other,L,direct,GB,AR5,2.5,2.4,0.1,,"),
        &line("Leak,,,kg,direct,,AR5,,,,0.000000000000000001,1"),
        &line("Power,,,kWh,purchased-energy,US-RFCW,AR5,-0.5,,,,"),
    ]
    .concat();
    let first = read(&text, "own.csv");
    let again = read(published_csv(&first.set, &first.factors).unwrap(), "written.csv");
    assert_eq!(again.factors.len(), 3);
    for (one, other) in first.factors.iter().zip(&again.factors) {
        assert_eq!((&one.name, &one.path, one.unit, one.usage), (&other.name, &other.path, other.unit, other.usage));
        assert_eq!((one.co2e, &one.gases, &one.region), (other.co2e, &other.gases, &other.region));
    }
    let sources: Vec<_> =
        again.factors[0].rows[0].cells.iter().filter(|(name, _)| name.starts_with("source")).collect();
    assert_eq!(sources[0].1, "own.csv");
    assert_eq!(sources[1].1, first.set.id.to_string());
    assert_eq!(again.set.valid_to, first.set.valid_to);
}

#[test]
fn a_file_of_no_layout_that_is_known_is_refused_with_those_that_are() {
    for text in ["", "a,b\n1,2\n", "name,unit,use,co2e\n"] {
        let error = refused(text);
        assert!(error.contains("no header of a layout that is known") && error.contains("validFrom"), "{error}");
    }
    let error = refused("name,unit,edition,publisher,use,co2e\n");
    assert!(error.contains("a table of Tonne's own, without licence, validFrom"), "{error}");
    assert!(refused(HEADER).contains("no row that says which set it is"));
    assert!(refused(HEADER.replace("note", "coe2")).contains("did you mean co2e?"));
    assert!(refused(HEADER.replace("note", "name")).contains("twice"));
    assert!(refused([0x1f, 0x8b, 8]).contains("gzip"));
    assert!(refused("PK\u{3}\u{4}").contains("workbook"));
}

#[test]
fn a_file_that_is_too_large_is_refused_before_it_is_all_read() {
    let endless = std::io::repeat(b'a');
    let error = read_published(endless, "a.csv").unwrap_err().to_string();
    assert!(error.contains(&format!("{} MiB", MAX_PUBLISHED_BYTES >> 20)), "{error}");
}
