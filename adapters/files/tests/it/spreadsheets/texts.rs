//! Texts.

use tonne_files::{MAX_ROW_BYTES, Map};

use super::{Table, has, mended, told};

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
fn a_year_and_a_month_in_columns_of_their_own_are_one_date() {
    for (months, form) in [
        (["1", "12"], "YYYY-M"),
        (["01", "12"], "YYYY-M"),
        (["Jan", "Dec"], "YYYY-MMM"),
        (["January", "December"], "YYYY-MMM"),
    ] {
        let [first, last] = months;
        let table = Table::text(&format!(
            "Site,Year,Month,Consumption,Unit\nA,2025,{first},10,kWh\nB,2025,{last},20,kWh\nTotal,,,30,\n"
        ));
        let map = table.suggested();
        has(&map, "startDate = \"{Year}-{Month}\"");
        has(&map, &format!("dates = [\"{form}\"]"));
        let rows = ["2 A 2025-01-01..2025-01-31 10 kWh", "3 B 2025-12-01..2025-12-31 20 kWh"];
        assert_eq!(table.read(&map), rows, "{map}");
    }
}

#[test]
fn quarters_and_days_beside_a_year_are_one_date_too() {
    let quarters = Table::text("Site,Year,Quarter,Consumption,Unit\nA,2025,Q1,10,kWh\nB,2025,Q4,20,kWh\n");
    let rows = ["2 A 2025-01-01..2025-03-31 10 kWh", "3 B 2025-10-01..2025-12-31 20 kWh"];
    assert_eq!(quarters.read(&quarters.suggested()), rows);
    let numbers = Table::text("Site,Year,Quarter,Consumption,Unit\nA,2025,1,10,kWh\nB,2025,4,20,kWh\n");
    assert_eq!(numbers.read(&numbers.suggested()), rows);
    let days = Table::text("Site;Jahr;Monat;Tag;Verbrauch;Einheit\nA;2025;2;7;10;kWh\nB;2025;12;31;20;kWh\n");
    assert_eq!(days.read(&days.suggested()), ["2 A 2025-02-07..- 10 kWh", "3 B 2025-12-31..- 20 kWh"]);
}

#[test]
fn a_month_without_a_year_and_a_numbered_period_are_left_to_whoever_knows() {
    let months = Table::text("Site,Month,Consumption,Unit\nA,Jan,10,kWh\nB,Dec,20,kWh\n").suggested();
    has(&months, "# startDate = \"2025-{Month}\"  # required: which year it is is not in the table");
    let periods = Table::text("Site,Year,Period,Consumption,Unit\nA,2025,1,10,kWh\nB,2025,12,20,kWh\n").suggested();
    has(&periods, "# startDate = \"{Year}-{Period}\"  # unsure: required; a period may be a month of a fiscal year");
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
    let map = ["decimal", "thousands", "quantity", "unit"]
        .iter()
        .zip(["\",\"", "\".\"", "\"{Strom (kWh)}\"", "\"kWh\""])
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
fn tonnes_of_carbon_are_offered_with_their_unit() {
    let map = |name: &str| Table::text(&format!("Site,Date,Usage,Unit,{name}\nA,2025-01-31,10,kWh,2.5\n")).suggested();
    let kilograms = map("CO2e (kg)");
    has(&kilograms, "# UpstreamCO2e = \"{CO2e (kg)}\"");
    assert!(!kilograms.contains("CO2eUnit"), "{kilograms}");
    has(&map("CO2e"), "# UpstreamCO2e = \"{CO2e}\"  # unsure: only where it is CO2e");
    for (name, unit) in [
        ("CO2 (t)", "t"),
        ("tCO2e", "t"),
        ("CO2e in tonnes", "t"),
        ("GHGEmissions(MetricTonsCO2e)", "t"),
        ("CO2e [g]", "g"),
    ] {
        let map = map(name);
        has(&map, &format!("# UpstreamCO2e = \"{{{name}}}\""));
        has(&map, &format!("# CO2eUnit = \"{unit}\""));
    }
}

#[test]
fn one_thing_in_several_units_and_a_sum_beside_its_parts_are_counted_once() {
    let table = Table::text(
        "Building,Year,SiteEnergyUse(kBtu),Electricity(kWh),Electricity(kBtu),Gas [therms],Gas [kBtu],Water (m3)\n\
         A,2025,4750,1000,3412,10,1000,7\nB,2025,341,100,341,0,0,3\n",
    );
    let map = table.suggested();
    // A therm of the US is not quite one of Europe: whoever knows the table says which.
    has(&map, "# unit = \"therm\"  # unsure: required");
    let map = map.replace("# unit = \"therm\"", "unit = \"therm\"");
    has(&map, "# Left out: it seems to be a sum of others");
    has(&map, "# Left out: it seems to be what \"Electricity(kWh)\" says, in another unit.");
    let names: Vec<String> = table.read(&map).iter().map(|row| row.split(" 2025").next().unwrap().to_owned()).collect();
    assert_eq!(names[..3], ["2 A: Electricity(kWh)", "2 A: Gas [therms]", "2 A: Water (m3)"], "{map}");
    // What is left out is a comment that can be taken in whole.
    let all = map.replace("# Left out", "## Left out");
    let all: Vec<&str> = all.lines().map(|line| line.strip_prefix("# ").unwrap_or(line)).collect();
    assert!(all.iter().filter(|line| **line == "[[activity]]").count() == 6, "{map}");
}

#[test]
fn short_years_names_of_months_and_quarters_are_dates() {
    for (dates, form, first) in [
        (["31-Jan-25", "28-Feb-25"], "D-MMM-YY", "2025-01-31"),
        (["31/01/25", "28/02/25"], "DD/MM/YY", "2025-01-31"),
        (["Q1 2025", "Q2 2025"], "Qq YYYY", "2025-01-01"),
        (["2025-Q1", "2025-Q2"], "YYYY-Qq", "2025-01-01"),
        (["2025Q1", "2025Q2"], "YYYYQq", "2025-01-01"),
        (["2025 Q1", "2025 Q2"], "YYYY Qq", "2025-01-01"),
        (["Jan 2025", "Feb 2025"], "MMM YYYY", "2025-01-01"),
    ] {
        let rows = dates.map(|date| format!("A,{date},10,kWh\n")).concat();
        let table = Table::text(&format!("Site,Date,Usage,Unit\n{rows}"));
        let map = table.suggested();
        has(&map, &format!("dates = [\"{form}\"]"));
        assert!(table.read(&map)[0].starts_with(&format!("2 A {first}..")), "{map}");
    }
}

#[test]
fn carbon_of_a_column_is_read_in_the_unit_that_another_says() {
    let table = Table::text(
        "Site,Date,CO2e,Unit\nA,2025-01-31,2.5,t\nB,2025-01-31,800,kg CO2e\nC,2025-01-31,1,\nD,2025-01-31,1,kWh\n",
    );
    let map =
        "[[activity]]\nname = \"{Site}\"\nstartDate = \"{Date}\"\nDownstreamCO2e = \"{CO2e}\"\nCO2eUnit = \"{Unit}\"\n";
    let Table::Text(bytes) = &table else { unreachable!() };
    let rows: Vec<_> = Map::parse(map).unwrap().rows(&bytes[..], MAX_ROW_BYTES).unwrap().map(Result::unwrap).collect();
    let kilograms = |at: usize| rows[at].draft.downstream.given().map(ToString::to_string);
    assert_eq!((kilograms(0).as_deref(), kilograms(1).as_deref()), (Some("2500"), Some("800")));
    assert!(told(&rows[2]).contains("/DownstreamCO2e has no unit beside it: CO2eUnit is empty"), "{}", told(&rows[2]));
    assert!(told(&rows[3]).contains("is no unit of mass"), "{}", told(&rows[3]));
    for (wrong, told) in [
        (map.replace("\"{Unit}\"", "\"lb of it\""), "CO2eUnit"),
        (map.replace("DownstreamCO2e = \"{CO2e}\"\n", ""), "needs UpstreamCO2e or DownstreamCO2e"),
    ] {
        let error = Map::parse(&wrong).unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
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
fn what_one_column_shows_of_its_days_is_said_to_be_taken_for_another() {
    let table =
        Table::text("Invoice,Date,Until,Usage,Unit\n1,13/04/2025,03/04/2025,10,kWh\n2,14/06/2025,05/06/2025,20,kWh\n");
    let map = table.suggested();
    has(&map, "dates = [\"DD/MM/YYYY\"]");
    has(&map, "# columns = { \"Until\" = { dates = [\"MM/DD/YYYY\"] } }");
    let rows = table.read(&mended(&map, "columns", "{ Until = { dates = [\"MM/DD/YYYY\"] } }"));
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert!(rows.iter().all(|row| row.contains("..2025-0")), "{rows:?}");
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

#[test]
fn a_few_cells_that_are_something_else_hide_no_column_and_are_named() {
    let table = Table::text(
        "Site,Neighborhood,Date,Consumption,Unit\n\
         Mill,DOWNTOWN,2025-01-01,10,kWh\n\
         Works,DOWNTOWN,2025-01-02,see invoice,kWh\n\
         Office,SOUTHEAST,sometime,12,kWh\n\
         Depot,SOUTHEAST,2025-01-04,13,?\n\
         Store,NORTHEAST,2025-01-05,14,kWh\n\
         Yard,NORTHEAST,2025-01-06,?,kWh\n",
    );
    let map = table.suggested();
    has(&map, "startDate = \"{Date}\"");
    has(&map, "quantity = \"{Consumption}\"");
    has(&map, "unit = \"{Unit}\"");
    assert!(map.contains("but for \"see invoice\""), "{map}");
    assert!(map.contains("but for \"sometime\""), "{map}");
    let rows = table.read(&map);
    assert_eq!(rows.len(), 6);
    assert!(rows[0].contains("Mill") && rows[0].contains("10 kWh"), "{}", rows[0]);
}

#[test]
fn a_neighborhood_is_a_place_and_a_type_of_building_is_none() {
    let table = Table::text(
        "BuildingID,DataYear,BuildingType,PropertyName,Neighborhood,Electricity(kWh)\n\
         1,2015,NonResidential,MAYFLOWER,DOWNTOWN,1080307\n\
         2,2015,NonResidential,PARAMOUNT,DOWNTOWN,1144563\n\
         3,2015,Multifamily MR,OAK COURT,SOUTHEAST,\n\
         5,2015,Multifamily MR,ELM COURT,SOUTHEAST,98000\n",
    );
    let map = table.suggested();
    has(&map, "org = [\"{Neighborhood}\"]");
    has(&map, "taxonomy = [\"{BuildingType}\"]");
    has(&map, "name = \"{PropertyName}: Electricity(kWh)\"");
}

#[test]
fn one_day_among_many_shows_which_form_dates_have() {
    let rows: Vec<_> = (1..=11).map(|day| format!("A,{day:02}/03/2025,10,kWh\n")).collect();
    let rows = rows.concat();
    let table = Table::text(&format!("Site,Date,Usage,Unit\n{rows}A,25/03/2025,10,kWh\n"));
    has(&table.suggested(), "dates = [\"DD/MM/YYYY\"]");
}

#[test]
fn a_table_of_our_own_answers_needs_no_map() {
    let own = "syncId,name,startDate,UpstreamCO2e,supplied,product,productName,CO2e,uuid,created\na,A,2025-01-31,1,UpstreamCO2e,,,1,,\n";
    let said = Table::text(own).suggested();
    assert!(said.starts_with("# No map is needed") && said.contains("tonne import activities FILE"), "{said}");
    assert!(said.lines().all(|line| line.starts_with('#')));
    for other in [own.replace("supplied", "meter"), own.replace(',', ";"), own.replace("startDate", "endDate")] {
        assert!(Table::text(&other).suggested().contains("[[activity]]"), "{other}");
    }
}
