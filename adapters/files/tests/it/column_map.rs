//! A map as a choice for each column.

use ports::inbound::WrittenForm;
use tonne_files::{ColumnMap, Map, TableSample, asking_map, check_doubts};

const MAP: &str = "[table]\nheader = 2\n[common]\norg = [\"{Site}\"]\n[[activity]]\nname = \"{Site}: {Fuel}\"\n\
                   startDate = \"{Month}\"\nendDate = \"{Month}\"\nquantity = \"{kWh}\"\nunit = \"kWh\"\n\
                   scope = { syncId = \"scope1\" }\nskip = { empty = \"kWh\" }\n";

fn columns(names: &[(&str, &str)]) -> Vec<(String, String)> {
    names.iter().map(|(column, field)| ((*column).to_owned(), (*field).to_owned())).collect()
}

#[test]
fn a_map_reads_as_choices_and_what_no_choice_says_stays() {
    let mut map = ColumnMap::read(MAP).unwrap();
    let chosen = ["Site", "Fuel", "Month", "kWh"].map(|column| map.field_of(column));
    assert_eq!(chosen, [Some("org"), None, Some("period"), Some("quantity")]);
    let names = ["Site", "Fuel", "Month", "kWh"].map(str::to_owned);
    let text = |field: &str| map.text_of(field, &names);
    assert_eq!((text("name"), text("unit")), (Some("{Site}: {Fuel}"), Some("kWh")));
    assert_eq!((text("startDate"), text("quantity"), text("scope")), (None, None, None));
    assert_eq!(map.others().len(), 2, "{:?}", map.others());

    map.choose(&columns(&[("Site", "org"), ("Fuel", "name"), ("Month", "startDate"), ("kWh", "quantity")]), &[]);
    let written = map.to_text();
    Map::parse(&written).unwrap_err();
    assert!(!written.contains("endDate") && !written.contains("unit"), "{written}");
    map.choose(
        &columns(&[("Site", "org"), ("Fuel", "name"), ("Month", "period"), ("kWh", "quantity")]),
        &columns(&[("unit", "kWh")]),
    );
    let written = map.to_text();
    Map::parse(&written).unwrap();
    for line in
        ["header = 2", "org = [\"{Site}\"]", "name = \"{Fuel}\"", "scope = { syncId = \"scope1\" }", "unit = \"kWh\""]
    {
        assert!(written.lines().any(|known| known == line), "{line}: {written}");
    }
    assert_eq!(ColumnMap::read(&written), Some(map), "{written}");
}

#[test]
fn a_row_of_several_activities_has_no_choice_for_each_column() {
    assert_eq!(ColumnMap::read(&format!("{MAP}[[activity]]\nname = \"b\"\n")), None);
    assert_eq!(ColumnMap::read("[table]\n"), None);
    assert_eq!(ColumnMap::read("no = toml = at all"), None);
}

#[test]
fn columns_with_any_name_are_written_as_toml_that_reads_the_same() {
    for name in ["a \"b\"", "back\\slash", "tab\there", "Ünïcode / 7", "two\nlines", "#", "="] {
        let mut map = ColumnMap::read("[[activity]]\nstartDate = \"2025\"\n").unwrap();
        map.choose(&columns(&[(name, "name")]), &columns(&[("startDate", "2025")]));
        let read = ColumnMap::read(&map.to_text());
        assert_eq!(read.as_ref().and_then(|map| map.field_of(name)), Some("name"), "{}", map.to_text());
    }
}

/// A table with those dates.
fn table_of(dates: &str) -> String {
    let rows: Vec<String> = dates.split(';').map(|date| format!("Office,{date},5,kWh")).collect();
    format!("What,Date,Amount,Unit\n{}\n", rows.join("\n"))
}

#[test]
fn each_form_of_dates_that_has_a_twin_is_asked_for() {
    for (cells, day, month) in [
        ("03/04/2025;05/06/2025", "3 April 2025", "4 March 2025"),
        ("3/4/2025;5/6/2025", "3 April 2025", "4 March 2025"),
        ("03/04/25;05/06/25", "3 April 2025", "4 March 2025"),
        ("03-04-2025;05-06-2025", "3 April 2025", "4 March 2025"),
        ("3/4/2025 9:05;5/6/2025 9:05", "3 April 2025", "4 March 2025"),
    ] {
        let table = table_of(cells);
        let asking = asking_map(&TableSample::of_text(table.as_bytes()).unwrap()).unwrap();
        let [doubt] = asking.doubts.as_slice() else { panic!("{cells}: {:?}", asking.doubts) };
        let ways: Vec<&str> = doubt.readings.iter().map(|reading| reading.becomes.as_str()).collect();
        assert_eq!(ways, [day, month], "{cells}");
        let mut map = ColumnMap::read(&asking.map).unwrap();
        let open =
            |map: &ColumnMap| check_doubts(&Map::parse(&map.to_text()).unwrap(), &asking.doubts).as_slice().len();
        assert_eq!(open(&map), 1, "{cells}");
        let ways: Vec<_> = doubt.readings.iter().map(|reading| reading.form.clone()).collect();
        map.decide(&ways[0], &ways);
        map.decide(&ways[1], &ways);
        assert_eq!(open(&map), 0, "{cells}: {}", map.to_text());
        let WrittenForm::Dates(second) = &ways[1] else { panic!("{ways:?}") };
        assert!(map.to_text().contains(&format!("dates = [\"{second}\"]")), "the other way is gone: {}", map.to_text());
    }
    for cells in ["13/04/2025;05/06/2025", "2025-03-04;2025-05-06", "03.04.2025;05.06.2025"] {
        let asking = asking_map(&TableSample::of_text(table_of(cells).as_bytes()).unwrap()).unwrap();
        assert_eq!(asking.doubts, [], "{cells}");
    }
}
