//! Columns of numbers that are no quantity of the row's days.

use super::Table;

/// The map of a table with a column of that name and two numbers, beside one that is kept.
fn map(name: &str, numbers: [&str; 2]) -> String {
    let [first, second] = numbers;
    let rows = format!("Oslo,2025-01-31,100,{first}\nOslo,2025-02-28,110,{second}\n");
    Table::text(&format!("Site,Date,Electricity (kWh),{name}\n{rows}")).suggested()
}

#[test]
fn plans_running_sums_parts_areas_and_figures_per_something_are_left_out_with_the_reason() {
    for (name, why) in [
        ("Budget kWh", "it says what was planned, not what was"),
        ("Forecast (kWh)", "it says what was planned, not what was"),
        ("YTD kWh", "it adds up the rows before it"),
        ("Cumulative (kWh)", "it adds up the rows before it"),
        ("of which green (kWh)", "it is a part of what another column counts already"),
        ("davon PV (kWh)", "it is a part of what another column counts already"),
        ("Floor area (m2)", "it is an area, and no consumption"),
        ("Size (ft2)", "it is an area, and no consumption"),
        ("kWh/m2", "it is a figure per something, and no quantity"),
        ("Prior year (kWh)", "it is about the year before"),
        ("2024 (kWh)", "it is named after 2024, and the days in \"Date\" are of other years"),
    ] {
        let map = map(name, ["7", "9"]);
        let told = map.lines().any(|line| line.contains(&format!("  {name}: ")) && line.contains(why));
        assert!(told, "{name}: {why} is not in\n{map}");
        assert_eq!(map.matches("[[activity]]").count(), 1, "{name}\n{map}");
    }
    for name in ["Plant (kWh)", "Actual kWh", "2025 (kWh)"] {
        assert_eq!(map(name, ["7", "9"]).matches("\n[[activity]]").count(), 2, "{name}");
    }
}

#[test]
fn readings_of_meters_are_no_consumption() {
    for name in ["Reading (kWh)", "Z\u{e4}hlerstand (kWh)", "Index (kWh)", "Relev\u{e9} (kWh)", "Meter stand (kWh)"] {
        let text = |last: &str| {
            format!(
                "Meter,Reading date,{name}\nM1,2025-01-31,10000\nM1,2025-02-28,10500\nM2,2025-01-31,500\nM2,2025-02-28,{last}\n"
            )
        };
        let map = Table::text(&text("800")).suggested();
        assert!(map.contains("left out: it seems to be the reading of a meter, which only rises"), "{map}");
        assert!(!map.lines().any(|line| line.starts_with("quantity")), "{map}");
        // What falls is no reading.
        let map = Table::text(&text("300")).suggested();
        assert!(map.lines().any(|line| line.starts_with("quantity")), "{map}");
    }
}

#[test]
fn an_actual_amount_is_taken_and_the_budget_beside_it_is_not() {
    let table = Table::text("Site,Date,Budget volume,Actual volume,Unit\nA,2025-01-31,9,10,L\nB,2025-01-31,9,8,L\n");
    assert_eq!(table.read(&table.suggested()), ["2 A 2025-01-31..- 10 L", "3 B 2025-01-31..- 8 L"]);
}
