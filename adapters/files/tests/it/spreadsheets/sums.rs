//! Rows and columns that say again what others say.

use super::{Table, has};

#[test]
fn rows_of_totals_are_left_out_by_every_word_that_names_one() {
    let words =
        ["Subtotal Baltics", "Grand Total", "Overall", "Summe gesamt", "Sous-total", "Average", "All sites", "Gesamt"];
    let totals = words.map(|word| format!("{word},2025-01,300\nOslo,2025-02,1\n")).concat();
    let table = Table::text(&format!("Site,Month,kWh\nOslo,2025-01,100\n{totals}"));
    let map = table.suggested();
    let listed = words.map(|word| format!("{word:?}")).join(", ");
    has(&map, &format!("skip = {{ equals = {{ \"Site\" = [{listed}] }} }}"));
    let rows = table.read(&map);
    assert!(rows.len() == 9 && rows.iter().all(|row| row.contains("Oslo")), "{rows:?}");
}

#[test]
fn a_subtotal_below_a_group_is_left_out_too() {
    let table =
        Table::text("Region,Site,Month,kWh\nNorth,Oslo,2025-01,1\nNorth,Bergen,2025-01,2\nNorth,Total,2025-01,3\n");
    assert_eq!(table.read(&table.suggested()).len(), 2, "{}", table.suggested());
}
