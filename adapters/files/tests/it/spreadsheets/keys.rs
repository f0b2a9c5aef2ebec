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

#[test]
fn columns_that_tell_the_rows_apart_together_are_offered_with_what_they_do() {
    for (text, template) in [
        ("Site,Date,kWh\nA,2025-01-31,1\nA,2025-02-28,2\nB,2025-01-31,3\nTotal,,6\n", "{Site}-{Date}-kWh"),
        ("Site,Year,Month,kWh\nA,2025,1,1\nA,2025,2,2\nB,2025,1,3\n", "{Site}-{Year}-{Month}-kWh"),
        (
            "Plant,Fuel,Date,Amount,Unit\nN,Gas,2025-01-31,1,m3\nN,Oil,2025-01-31,2,L\nS,Gas,2025-01-31,3,m3\n\
             N,Gas,2025-02-28,1,m3\n",
            "{Plant}-{Fuel}-{Date}",
        ),
        (
            "Plant,Fuel,Unit,Jan 2025,Feb 2025,Mar 2025\nN,Gas,m3,1,2,3\nN,Oil,L,1,2,3\nS,Gas,m3,1,2,3\n",
            "{Plant}-{Fuel}-Jan 2025",
        ),
    ] {
        let map = Table::text(text).suggested();
        has(
            &map,
            &format!("# syncId = \"{template}\"  # unsure: no column tells the rows apart, but these together do"),
        );
    }
    // Two rows that are alike have no key.
    let alike = Table::text("Site,Date,kWh\nA,2025-01-31,1\nA,2025-01-31,2\n").suggested();
    has(&alike, "# syncId = \"{...}\"");
}

#[test]
fn a_number_that_few_rows_repeat_is_offered_with_the_lines_of_these() {
    let map = Table::text(
        "Invoice,Date,Supplier,Litres\n1001,2025-01-05,Shell,40\n1002,2025-01-06,Shell,50\n1002,2025-01-06,Shell,50\n\
         1003,2025-01-07,BP,60\n1003,2025-01-07,BP,-60\n",
    )
    .suggested();
    has(
        &map,
        "# syncId = \"{Invoice}\"  # unsure: it tells all rows apart but these, which would be rejected: line 4 says the same as line 3, line 6",
    );
}
