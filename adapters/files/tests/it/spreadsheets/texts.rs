//! Texts.

use super::{Table, has, mended};

#[test]
fn decimal_commas_semicolons_and_windows_1252() {
    let table = Table::latin(
        "Standort;Datum;Verbrauch;Einheit;Kosten\nK\u{f6}ln;31.01.2025;1.234,5;kWh;12,00\nM\u{fc}nchen;28.02.2025;0,75;kWh;3,00\n",
    );
    let map = table.suggested();
    for line in [
        "encoding = \"windows-1252\"",
        "delimiter = \";\"",
        "decimal = \",\"",
        "thousands = \".\"",
        "dates = [\"DD.MM.YYYY\"]",
        "startDate = \"{Datum}\"",
        "quantity = \"{Verbrauch}\"",
        "unit = \"{Einheit}\"",
        "org = [\"{Standort}\"]",
    ] {
        has(&map, line);
    }
    assert_eq!(table.read(&map), ["2 K\u{f6}ln 2025-01-31..- 1234.5 kWh", "3 M\u{fc}nchen 2025-02-28..- 0.75 kWh"]);
}

#[test]
fn a_row_of_totals_is_left_out() {
    let table = Table::text("Site,Date,Consumption,Unit\nA,2025-01-31,10,kWh\nB,2025-01-31,5,kWh\nTotal,,15,\n");
    let map = table.suggested();
    has(&map, "skip = { equals = { \"Site\" = [\"Total\"] } }");
    assert_eq!(table.read(&map), ["2 A 2025-01-31..- 10 kWh", "3 B 2025-01-31..- 5 kWh"]);
}

#[test]
fn a_title_and_blank_lines_around_the_table() {
    let table = Table::text(
        "Energy report 2025,,,\n\nSite,Month,Gas (kWh),Note\nA,2025-01,10,\n,,,\nB,2025-01,20,estimated\n\n",
    );
    let map = table.suggested();
    for line in ["header = 3", "dates = [\"YYYY-MM\"]", "startDate = \"{Month}\"", "endDate = \"{Month}\""] {
        has(&map, line);
    }
    let rows = ["4 A: Gas (kWh) 2025-01-01..2025-01-31 10 kWh", "6 B: Gas (kWh) 2025-01-01..2025-01-31 20 kWh"];
    assert_eq!(table.read(&map), rows);
}

#[test]
fn numbers_that_can_be_read_in_two_ways_are_left_to_whoever_knows_whatever_other_columns_show() {
    // Dates of months say nothing about numbers.
    let table = Table::text("Monat;Standort;Strom (kWh)\n01.2025;Berlin;1.234\n02.2025;Berlin;12.345\n");
    let map = table.suggested();
    for line in ["# decimal = \",\"  # unsure: \"1.234\" in \"Strom (kWh)\"", "# thousands = \".\"", "# quantity = "] {
        has(&map, line);
    }
    assert!(!map.contains("numbers show it"), "{map}");
    let map = ["decimal", "thousands", "quantity"]
        .iter()
        .zip(["\",\"", "\".\"", "\"{Strom (kWh)}\""])
        .fold(map, |map, (key, value)| mended(&map, key, value));
    let name = "Berlin: Strom (kWh)";
    let rows =
        [format!("2 {name} 2025-01-01..2025-01-31 1234 kWh"), format!("3 {name} 2025-02-01..2025-02-28 12345 kWh")];
    assert_eq!(table.read(&map), rows);
    // The point of another column is no point of this one, whose comma may be one too.
    for weight in ["1,234", "1.234"] {
        let table =
            Table::text(&format!("Date;Site;Lat;Weight t\n2025-01-31;A;48.13;{weight}\n2025-01-31;B;52.52;2\n"));
        let map = table.suggested();
        has(&map, "# decimal = ");
        has(&map, "# quantity = \"{Weight t}\"");
        assert!(!map.contains("numbers show it"), "{map}");
    }
}

#[test]
fn a_number_that_may_count_the_rows_of_one_file_is_no_key_without_being_asked() {
    let table = |name: &str, keys: [&str; 2]| {
        let [one, two] = keys;
        let text = format!("{name},Date,Usage,Unit\n{one},2025-01-31,10,kWh\n{two},2025-02-28,20,kWh\n");
        Table::text(&text).suggested()
    };
    has(&table("Invoice", ["F-17", "F-18"]), "syncId = \"{Invoice}\"");
    for (name, keys) in [("Id", ["1", "2"]), ("Nr", ["F-17", "F-18"]), ("Number", ["7", "3"]), ("#", ["1", "2"])] {
        let map = table(name, keys);
        has(&map, "# syncId = ");
        assert!(!map.lines().any(|line| line.starts_with("syncId")), "{map}");
    }
}

#[test]
fn tonnes_of_carbon_are_not_offered_as_kilograms() {
    let map = |name: &str| Table::text(&format!("Site,Date,Usage,Unit,{name}\nA,2025-01-31,10,kWh,2.5\n")).suggested();
    has(&map("CO2e (kg)"), "# UpstreamCO2e = \"{CO2e (kg)}\"");
    has(&map("CO2e"), "# UpstreamCO2e = \"{CO2e}\"  # unsure: only where it is in kg");
    for name in ["CO2 (t)", "tCO2e", "CO2e in tonnes", "CO2e [g]"] {
        let map = map(name);
        assert!(!map.contains("UpstreamCO2e ="), "{map}");
        has(&map, &format!("# \"{name}\" is not in kg"));
    }
}

#[test]
fn the_type_of_a_building_and_what_programs_write_are_no_places() {
    let row = |number: u32, place: &str| {
        format!("{number},2025-01-31,Hotel,\"{{'latitude': '47.6{number}'}}\",{place},10,kWh\n")
    };
    let header = "Id,Date,BuildingType,Location,Neighborhood,Usage,Unit\n";
    let map = Table::text(&format!("{header}{}{}", row(1, "DOWNTOWN"), row(2, "EAST"))).suggested();
    has(&map, "org = [\"{Neighborhood}\"]");
    has(&map, "taxonomy = [\"{BuildingType}\"]");
}

#[test]
fn days_and_months_that_could_be_either_are_left_to_whoever_knows() {
    let table = Table::text("Invoice,Date,Usage,Unit\n1,03/04/2025,10,kWh\n2,05/06/2025,20,kWh\n");
    let map = table.suggested();
    has(&map, "# dates = [");
    assert!(map.contains("unsure: \"Date\" can be read as"), "{map}");
    let rows = table.read(&mended(&map, "dates", "[\"MM/DD/YYYY\"]"));
    assert_eq!(rows, ["2 activity 2025-03-04..- 10 kWh", "3 activity 2025-05-06..- 20 kWh"]);
}

#[test]
fn one_day_shows_which_of_the_two_it_is() {
    let table = Table::text("Invoice,Date,Usage,Unit\n1,03/04/2025,10,kWh\n2,13/06/2025,20,kWh\n");
    has(&table.suggested(), "dates = [\"DD/MM/YYYY\"]");
}

#[test]
fn months_side_by_side_are_an_activity_each() {
    let table = Table::text("Site;Year;Unit;Jan;Feb;Mar\nA;2025;MWh;1,5;;2,25\nB;2025;MWh;4,0;5,0;6,0\n");
    let map = table.suggested();
    has(&map, "startDate = \"{Year}-01\"");
    assert_eq!(
        table.read(&map),
        [
            "2 A: Jan 2025-01-01..2025-01-31 1.5 MWh",
            "2 A: Mar 2025-03-01..2025-03-31 2.25 MWh",
            "3 B: Jan 2025-01-01..2025-01-31 4 MWh",
            "3 B: Feb 2025-02-01..2025-02-28 5 MWh",
            "3 B: Mar 2025-03-01..2025-03-31 6 MWh",
        ]
    );
}

#[test]
fn units_in_the_header_make_an_activity_of_each_column() {
    let table = Table::text(
        "Building,Period start,Period end,Electricity [kWh],Gas (m3),Cost EUR\nHQ,2025-01-01,2025-01-31,\"1,200.5\",30,99\n\
         Lab,2025-01-01,2025-01-31,n/a,\"2,030\",1\n",
    );
    let map = table.suggested();
    for line in
        ["thousands = \",\"", "nulls = [\"n/a\"]", "startDate = \"{Period start}\"", "endDate = \"{Period end}\""]
    {
        has(&map, line);
    }
    assert_eq!(
        table.read(&map),
        [
            "2 HQ: Electricity [kWh] 2025-01-01..2025-01-31 1200.5 kWh",
            "2 HQ: Gas (m3) 2025-01-01..2025-01-31 30 m3",
            "3 Lab: Gas (m3) 2025-01-01..2025-01-31 2030 m3",
        ]
    );
}

#[test]
fn unicode_text_of_a_spreadsheet_has_tabs_and_two_bytes_a_letter() {
    let text = "Site\tDate\tVolume\tUnit\r\n\u{141}\u{f3}d\u{17a}\t2025-01-31\t1 234,5\tL\r\n";
    let table = Table::Text([0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect());
    let map = table.suggested();
    has(&map, "encoding = \"utf-16le\"");
    has(&map, "delimiter = \"\\t\"");
    assert_eq!(table.read(&map), ["2 \u{141}\u{f3}d\u{17a} 2025-01-31..- 1234.5 L"]);
}

#[test]
fn two_rows_of_a_header_in_a_text() {
    let table =
        Table::text("Site,Date,Power,,Gas,\n,,kWh,EUR,kWh,EUR\nA,2025-01-31,10,1,20,2\nB,2025-01-31,30,3,40,4\n");
    let map = table.suggested();
    has(&map, "header = [1, 2]");
    assert_eq!(
        table.read(&map),
        [
            "3 A: Power kWh 2025-01-31..- 10 kWh",
            "3 A: Gas kWh 2025-01-31..- 20 kWh",
            "4 B: Power kWh 2025-01-31..- 30 kWh",
            "4 B: Gas kWh 2025-01-31..- 40 kWh",
        ]
    );
}

#[test]
fn names_with_line_breaks_and_quotes_are_written_so_that_the_map_is_sound() {
    let table = Table::text(
        "\"Site\n\"\"A\"\"\",Date,Fuel\ntype,\"Usage\n(kWh)\"\n".replace("Fuel\ntype", "\"Fuel\ntype\"").as_str(),
    );
    let map = table.suggested();
    assert!(table.read(&super::mended(&map, "startDate", "\"2025-01-01\"")).is_empty());
    let rows = Table::text("\"Site\n(old)\",Date,\"Usage\n(kWh)\"\nA,2025-01-31,5\n");
    assert_eq!(rows.read(&rows.suggested()), ["4 A: Usage (kWh) 2025-01-31..- 5 kWh"]);
}

#[test]
fn cells_that_are_no_numbers_are_refused_row_by_row() {
    let table = Table::text(
        "Site,Date,Usage,Unit\nA,2025-01-31,10,kWh\nB,31.01.25,11,kWh\nC,2025-01-31,about 5,kWh\nD,2025-01-31,7,kWh\n\
         E,2025-01-31,8,kWh\nF,2025-02-30,1,kWh\nG,2025-01-31,1,kWh,left over\n",
    );
    let map = "[[activity]]\nname = \"{Site}\"\nstartDate = \"{Date}\"\nquantity = \"{Usage}\"\nunit = \"{Unit}\"";
    let rows = table.read(map);
    assert_eq!(rows.len(), 7);
    for (row, told) in [
        (1, "3 WRONG /startDate"),
        (2, "4 WRONG /quantity is not a number"),
        (5, "7 WRONG /startDate"),
        (6, "8 WRONG  has 5 cells, but the header has 4"),
    ] {
        assert!(rows[row].starts_with(told), "{told}: {}", rows[row]);
    }
}
