//! Suggested maps are sound, but for a day or a unit that no column says.

use tonne_files::{FileError, Map};

use super::Table;

#[test]
fn a_suggested_map_lacks_nothing_but_a_day_or_a_unit_that_is_not_in_the_table() {
    for text in [
        "Meter ID,kWh\nM-001,100\nM-002,200\n",
        "Site,Date,Amount,Unit\nA,2025-01-31,\"1,234\",kWh\nB,2025-01-31,\"2,345\",kWh\n",
        "Site,Date,Unit,Weight\nA,2025-01-31,kg,1\n",
        "Site,Date,Electricity (kWh),Gas (m3)\nA,2025-01-31,1.234,2.345\nB,2025-01-31,1,2\n",
        "Site,Jan,Feb,Mar\nA,1,2,3\n",
        "Site,Year,Month,kWh\nA,2025,1,1\nA,2025,2,2\n",
        "Meter,Reading date,Reading (kWh)\nM1,2025-01-31,1\nM1,2025-02-28,2\n",
        "Trip,Date,From,To,Distance,Unit\nT1,2025-01-05,OSL,RIX,850,km\nT2,2025-02-05,OSL,LHR,1200,miles\n",
        "Date,Scope,t CO2e\n2025-01-31,Scope 1,12.5\n2025-03-31,Scope 3,(0.5)\n",
        "a,b\n",
    ] {
        let map = Table::text(text).suggested();
        match Map::parse(&map) {
            Ok(_) => {}
            Err(FileError::Map(faults)) => {
                for fault in faults.as_slice() {
                    let key = fault.pointer.rsplit('.').next().unwrap();
                    let is_left = matches!(key, "startDate" | "unit") && map.contains(&format!("# {key} = "));
                    assert!(is_left, "{fault:?}\n{map}");
                }
            }
            Err(error) => panic!("{error}\n{map}"),
        }
    }
}
