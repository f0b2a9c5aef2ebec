//! What a suggested map says of groups, factors, units and days that are numbers, and of the columns that are left.

use tonne_files::TableSample;

use super::{Table, has};

#[test]
fn cells_that_are_empty_below_the_name_of_a_group_are_filled() {
    let table = Table::text(
        "Region,Site,Date,kWh\nNorth,A,2025-01-31,1\n,B,2025-01-31,2\n,C,2025-01-31,3\nSouth,D,2025-01-31,4\n,E,2025-01-31,5\n",
    );
    has(&table.suggested(), "fill = [\"Region\"]");
    // A remark now and then is no group.
    let table =
        Table::text("Site,Name,Date,kWh\nA,first,2025-01-31,1\nA,,2025-02-28,2\nA,,2025-03-31,3\nB,,2025-01-31,4\n");
    assert!(!table.suggested().contains("fill ="), "{}", table.suggested());
}

#[test]
fn a_column_of_co2e_per_unit_is_a_factor_and_no_amount() {
    let map =
        Table::text("Site,Date,Quantity,Unit,kg CO2e per kWh\nA,2025-01-31,10,kWh,0.25\nB,2025-01-31,20,kWh,0.25\n")
            .suggested();
    has(&map, "# intensity = { upstream = \"{kg CO2e per kWh}\", per = \"kWh\" }");
    assert!(!map.contains("UpstreamCO2e"), "{map}");
    let map = Table::text("Site,Date,Quantity,Unit,Emission factor\nA,2025-01-31,10,L,2.5\nB,2025-01-31,20,L,2.5\n")
        .suggested();
    has(&map, "# intensity = { upstream = \"{Emission factor}\", per = \"{Unit}\" }");
    let map = Table::text("Site,Date,kg CO2e per month\nA,2025-01-31,10\nB,2025-01-31,20\n").suggested();
    has(&map, "# UpstreamCO2e = \"{kg CO2e per month}\"");
}

#[test]
fn words_for_several_units_are_told_with_the_line_that_chooses() {
    let map = Table::text("Site,Date,Quantity,Unit\nA,2025-01-31,10,gal\nB,2025-01-31,20,ton\nC,2025-01-31,30,kWh\n")
        .suggested();
    has(&map, "unit = \"{Unit}\"");
    has(&map, "# units = { \"gal\" = \"gal_us\", \"ton\" = \"...\" }");
    assert!(map.contains("gal_uk is the imperial gallon"), "{map}");
    let map = Table::text("Site,Date,Diesel (gal)\nA,2025-01-31,10\nB,2025-01-31,20\n").suggested();
    has(&map, "# unit = \"gal\"  # unsure: required");
}

#[test]
fn days_that_are_numbers_are_read_by_their_form() {
    let table = Table::text("Site,Date,kWh\nA,45658,10\nB,45689,20\n");
    let map = table.suggested();
    has(&map, "dates = [\"serial\"]");
    assert!(!map.contains("endDate"), "{map}");
    assert_eq!(table.read(&map), ["2 A: kWh 2025-01-01..- 10 kWh", "3 B: kWh 2025-02-01..- 20 kWh"]);
    assert!(!Table::text("Site,Odometer,kWh\nA,45658,10\nB,45689,20\n").suggested().contains("serial"));
}

#[test]
fn each_column_that_is_not_used_has_its_reason() {
    let map = Table::text(
        "Site,Date,Booked,kWh,Cost EUR,Note,Nothing,Twice,Twice,Persons\n\
         A,2025-01-31,2025-02-01,10,5,x,,1,1,7\nB,2025-01-31,2025-02-01,20,9,y,,1,2,8\n",
    )
    .suggested();
    for (column, why) in [
        ("Booked", "\"Date\" says the days already"),
        ("Cost EUR", "money, and no quantity"),
        ("Note", "description = \"{Note}\" would keep them"),
        ("Nothing", "no row that was looked at says anything in it"),
        ("Twice", "another column has the same name"),
        ("Persons", "numbers without a unit"),
    ] {
        let told = map.lines().any(|line| line.starts_with(&format!("#   {column}: ")) && line.contains(why));
        assert!(told, "{column}: {why}\n{map}");
    }
}

#[test]
fn what_is_no_table_is_refused_with_what_a_table_is() {
    let refused = |bytes: &[u8]| TableSample::of_text(bytes).unwrap_err().to_string();
    assert_eq!(
        refused(b""),
        "has no table: the file is empty; a table has a row with the names of its columns and rows below it"
    );
    let letter = refused(b"Dear all\nplease find enclosed\n");
    assert!(letter.contains("no comma, semicolon, tab or | divides its rows"), "{letter}");
    assert!(refused(b"\x89PNG\x00\x01,\n,\x02\n").contains("neither a text nor a workbook"));
}
