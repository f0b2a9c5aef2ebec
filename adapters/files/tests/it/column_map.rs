//! A map as a choice for each column.

use ports::inbound::WrittenForm;
use tonne_files::{AskingMap, ColumnMap, MAX_ROW_BYTES, Map, TableSample, asking_map, check_doubts, is_open};

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
        let asking = asking_map(&TableSample::of_text(table.as_bytes()).unwrap(), None).unwrap();
        let [doubt] = asking.doubts.as_slice() else { panic!("{cells}: {:?}", asking.doubts) };
        let ways: Vec<&str> = doubt.readings.iter().map(|reading| reading.becomes.as_str()).collect();
        assert_eq!(ways, [day, month], "{cells}");
        let mut map = ColumnMap::read(&asking.map).unwrap();
        let open =
            |map: &ColumnMap| check_doubts(&Map::parse(&map.to_text()).unwrap(), &asking.doubts).as_slice().len();
        assert_eq!(open(&map), 1, "{cells}");
        let ways: Vec<_> = doubt.readings.iter().map(|reading| reading.form.clone()).collect();
        map.decide(&doubt.column, &ways[0], &ways);
        map.decide(&doubt.column, &ways[1], &ways);
        assert_eq!(open(&map), 0, "{cells}: {}", map.to_text());
        let WrittenForm::Dates(second) = &ways[1] else { panic!("{ways:?}") };
        assert!(map.to_text().contains(&format!("dates = [\"{second}\"]")), "the other way is gone: {}", map.to_text());
    }
    for cells in ["13/04/2025;05/06/2025", "2025-03-04;2025-05-06", "03.04.2025;05.06.2025"] {
        let asking = asking_map(&TableSample::of_text(table_of(cells).as_bytes()).unwrap(), None).unwrap();
        assert_eq!(asking.doubts, [], "{cells}");
    }
}

/// How much a map leaves open of the doubts about a table.
fn open_in(asking: &AskingMap, map: &str) -> Vec<String> {
    let map = Map::parse(map).unwrap();
    asking.doubts.iter().filter(|doubt| is_open(&map, doubt)).map(|doubt| doubt.column.clone()).collect()
}

fn asking(table: &str) -> AskingMap {
    asking_map(&TableSample::of_text(table.as_bytes()).unwrap(), None).unwrap()
}

#[test]
fn a_decision_about_one_column_leaves_every_other_as_it_is() {
    let table = "What,Date,Until,Amount,Other,Unit\na,13/04/2025,03/04/2025,\"0,5\",1.234,kWh\nb,05/06/2025,05/06/2025,\"0,7\",2.345,kWh\n";
    let asking = asking(table);
    let asked: Vec<&str> = asking.doubts.iter().map(|doubt| doubt.column.as_str()).collect();
    assert_eq!(asked, ["Until", "Other"]);
    let mut map = ColumnMap::read(&asking.map).unwrap();
    map.choose(
        &columns(&[
            ("What", "name"),
            ("Date", "startDate"),
            ("Until", "endDate"),
            ("Amount", "quantity"),
            ("Other", "biogenicCO2"),
            ("Unit", "unit"),
        ]),
        &[],
    );
    assert_eq!(open_in(&asking, &map.to_text()), ["Until", "Other"]);
    for doubt in &asking.doubts {
        // The way that the other column of its kind does not have.
        let ways: Vec<_> = doubt.readings.iter().map(|reading| reading.form.clone()).collect();
        let is_point = |form: &&WrittenForm| matches!(form, WrittenForm::Marks { decimal: '.', .. });
        let other = ways.iter().find(is_point).unwrap_or(&ways[1]);
        map.decide(&doubt.column, other, &ways);
    }
    assert_eq!(open_in(&asking, &map.to_text()), Vec::<String>::new());
    let read = Map::parse(&map.to_text()).unwrap();
    let rows: Vec<String> = read
        .rows(table.as_bytes(), MAX_ROW_BYTES)
        .unwrap()
        .map(|row| {
            let draft = row.unwrap().draft;
            assert_eq!(draft.faults.as_slice(), [], "{}", map.to_text());
            let [start, end] = [draft.start, draft.end].map(|moment| moment.given().unwrap().day().to_string());
            format!("{start} {end} {} {}", draft.quantity.given().unwrap(), draft.biogenic.given().unwrap())
        })
        .collect();
    assert_eq!(rows, ["2025-04-13 2025-03-04 0.5 1.234", "2025-06-05 2025-05-06 0.7 2.345"], "{}", map.to_text());
}

#[test]
fn marks_are_written_of_a_column_only_where_its_own_numbers_show_them() {
    let table = "What;Date;Betrag;Other;kWh\na;2025-01-01;12,5;1.234;100\nb;2025-01-02;13,7;2.345;200\n\
                 c;2025-01-03;8,25;3.456;300\nd;2025-01-04;9,5;4.567;12.5\n";
    let asking = asking(table);
    let asked: Vec<&str> = asking.doubts.iter().map(|doubt| doubt.column.as_str()).collect();
    assert_eq!(asked, ["Other"]);
    let shown = "columns = { \"Betrag\" = { decimal = \",\", thousands = \".\" } }";
    assert!(asking.map.lines().any(|line| line.starts_with(shown)), "{}", asking.map);
}

#[test]
fn what_a_map_says_is_compared_by_what_it_means() {
    for (cells, said, is_decided) in [
        ("03/04/2025;05/06/2025", "D/M/YYYY", true),
        ("03/04/2025;05/06/2025", "M/D/YYYY", true),
        ("3/4/2025 09:05;5/6/2025 09:05", "D/M/YYYY hh:mm", true),
        ("01/01/2025;02/02/2025", "D/M/YYYY", true),
        ("03/04/2025;05/06/2025", "D.M.YYYY", false),
        ("03/04/2025;05/06/2025", "D/M/YYYY\", \"MM/DD/YYYY", false),
        ("01/01/2025;02/02/2025", "D/M/YYYY\", \"MM/DD/YYYY", false),
    ] {
        let asking = asking(&table_of(cells));
        let map =
            format!("[table]\ndates = [\"{said}\"]\n[[activity]]\nname = \"{{What}}\"\nstartDate = \"{{Date}}\"\n");
        assert_eq!(open_in(&asking, &map).is_empty(), is_decided, "{cells} {said}");
        let by_column = map.replace("dates = [", "columns.Date.dates = [");
        assert_eq!(open_in(&asking, &by_column).is_empty(), is_decided, "{cells} {said}");
    }
}

#[test]
fn what_is_asked_stands_below_the_header_that_the_map_says() {
    let table = "Nr,Was,Tag\nNumber,What,Date\na,Office,03/04/2025\nb,Office,05/06/2025\n";
    let map = "[table]\nheader = 2\n[[activity]]\nname = \"{What}\"\nstartDate = \"{Date}\"\n";
    let sample = TableSample::of_text(table.as_bytes()).unwrap();
    let guessed = asking_map(&sample, None).unwrap();
    assert_eq!(open_in(&guessed, map), Vec::<String>::new(), "another header is guessed");
    let said = asking_map(&sample, Some(&Map::parse(map).unwrap())).unwrap();
    assert_eq!(open_in(&said, map), ["Date"]);
}
