//! Which factors a question finds, and in which order.

use super::*;
use crate::text::Source;

fn name(text: &str) -> Name {
    Name::parse(text).unwrap()
}

fn set(publisher: &str, from: &str) -> FactorSet {
    let (file, licence) = (name("factors.csv"), Source::parse("CC0").unwrap());
    let (title, edition) = (name("Factors"), name("1"));
    FactorSet::new(
        Digest::of(from.as_bytes()),
        file,
        name(publisher),
        title,
        edition,
        licence,
        Day::parse(from).unwrap(),
    )
}

fn factor(cell: &str, text: &str, path: &[&str]) -> PublishedFactor {
    let kwh = Unit::parse("kWh").unwrap();
    PublishedFactor::new(name(cell), name(text), kwh, PublishedUse::Direct)
        .with_path(path.iter().map(|step| name(step)).collect())
}

fn ask(words: &str) -> FactorQuery {
    FactorQuery::default().with_words(SearchWords::parse(words).unwrap())
}

/// The cells that answer, in order.
fn found(query: &FactorQuery, all: &[(FactorSet, PublishedFactor)]) -> Vec<String> {
    let ranked = all.iter().filter_map(|(set, factor)| Some((query.rank(set, factor)?, factor.cell.to_string())));
    let mut ranked: Vec<_> = ranked.collect();
    ranked.sort();
    ranked.into_iter().map(|(_, cell)| cell).collect()
}

#[test]
fn every_word_begins_a_word_of_name_path_region_unit_or_publisher() {
    let factor = factor("A1", "Natural gas", &["Fuels", "Gaseous"]).with_region(Some(name("GB")));
    let all = [(set("DESNZ", "2024-01-01"), factor)];
    for words in ["nat", "gas nat", "FUELS gas", "gb", "kWh natural", "desnz gás"] {
        assert_eq!(found(&ask(words), &all), ["A1"], "{words}");
    }
    for words in ["atural", "natural oil", "natural-gas-x"] {
        assert!(found(&ask(words), &all).is_empty(), "{words}");
    }
}

#[test]
fn names_of_letters_and_digits_are_found_however_they_are_written() {
    for called in ["R-410A", "R410A", "r 410 a", "Refrigerant R-410a (blend)"] {
        let all = [(set("P", "2024-01-01"), factor("A1", called, &[]))];
        for words in ["R-410A", "R410A", "r 410 a", "r410", "410a"] {
            assert_eq!(found(&ask(words), &all), ["A1"], "{words} in {called}");
        }
        assert!(found(&ask("R-404A"), &all).is_empty());
    }
}

#[test]
fn the_united_kingdom_is_found_by_both_of_its_codes() {
    let all = [
        (set("P", "2024-01-01"), factor("gb", "x", &[]).with_region(Some(name("GB")))),
        (set("P", "2024-01-01"), factor("uk", "x", &[]).with_region(Some(name("UK-SCT")))),
    ];
    for asked in ["uk", "GB"] {
        assert_eq!(found(&FactorQuery::default().with_region(Some(name(asked))), &all), ["gb", "uk"]);
    }
}

#[test]
fn exact_words_stand_first_then_words_of_the_name_then_short_names_new_sets_and_cells() {
    let (old, new) = (set("P", "2023-01-01"), set("P", "2024-01-01"));
    let all = [
        (new.clone(), factor("in-path", "Z", &["gas"])),
        (new.clone(), factor("begun", "gasoline", &[])),
        (new.clone(), factor("long", "gas of cows", &[])),
        (old, factor("old", "gas", &[])),
        (new.clone(), factor("b", "gas", &[])),
        (new, factor("a", "gas", &[])),
    ];
    assert_eq!(found(&ask("gas"), &all), ["a", "b", "old", "long", "in-path", "begun"]);
}

#[test]
fn what_is_burnt_stands_before_its_upstream_emissions_and_rows_are_in_the_order_of_the_file() {
    let row = |row: u32| vec![crate::published::factor::SourceRow { row, cells: Vec::new() }];
    let burnt = |cell: &str, number: u32| factor(cell, "Natural gas", &[]).with_rows(row(number));
    let mut upstream = factor("J10", "Natural gas", &[]).with_rows(row(10));
    upstream.usage = PublishedUse::Upstream;
    let set = set("P", "2024-01-01");
    let all = [(set.clone(), upstream), (set.clone(), burnt("J1000", 1_000)), (set, burnt("J90", 90))];
    assert_eq!(found(&ask("natural gas"), &all), ["J90", "J1000", "J10"]);
}

#[test]
fn filters_leave_what_is_of_that_set_region_unit_year_and_use() {
    let (first, second) = (set("P", "2023-01-01"), set("P", "2024-01-01"));
    let first = first.with_valid_to(Some(Day::parse("2024-01-01").unwrap()));
    let wide = factor("us", "x", &[]).with_region(Some(name("US")));
    let narrow = factor("rfcw", "x", &[]).with_region(Some(name("US-RFCW")));
    let all = [(first.clone(), wide), (second, narrow)];
    let query = FactorQuery::default;
    assert_eq!(found(&query(), &all), ["rfcw", "us"]);
    assert_eq!(found(&query().with_set(Some(first.id)), &all), ["us"]);
    assert_eq!(found(&query().with_region(Some(name("us"))), &all), ["rfcw", "us"]);
    assert_eq!(found(&query().with_region(Some(name("us-rfcw"))), &all), ["rfcw"]);
    assert!(found(&query().with_region(Some(name("U"))), &all).is_empty());
    assert_eq!(found(&query().with_year(Some(2023)), &all), ["us"]);
    assert_eq!(found(&query().with_year(Some(2031)), &all), ["rfcw"]);
    assert!(found(&query().with_year(Some(2022)), &all).is_empty());
    assert!(found(&query().with_unit(Some(Unit::parse("MWh").unwrap())), &all).is_empty());
    assert!(found(&query().with_usage(Some(PublishedUse::Upstream)), &all).is_empty());
}
