//! What tells the rows of a table apart, and from those of the next one.

use super::{Table, has};

#[test]
fn a_key_that_says_nothing_of_the_day_is_no_key_without_being_asked() {
    for header in ["Meter ID,kWh", "Meter ID,Month,kWh"] {
        let month = if header.contains("Month") { "Jan," } else { "" };
        let table = Table::text(&format!("{header}\nM-001,{month}100\nM-002,{month}200\nM-003,{month}300\n"));
        let map = table.suggested();
        assert!(!map.lines().any(|line| line.starts_with("syncId")), "{map}");
        assert!(map.contains("the next "), "{map}");
    }
    let map = Table::text("Meter ID,kWh\nM-001,100\nM-002,200\n").suggested();
    has(&map, "# syncId = \"{Meter ID}-kWh\"  # unsure: it says nothing of the day, and the next table would change");
    // An invoice has one day.
    has(&Table::text("Invoice,kWh\nR-1,100\nR-2,200\n").suggested(), "syncId = \"{Invoice}-kWh\"");
}
