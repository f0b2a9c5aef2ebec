//! Columns of CO2e and of scopes.

use super::{Table, has};

#[test]
fn the_same_carbon_in_two_units_is_two_choices_each_with_its_unit() {
    let map = Table::text(
        "Date,Description,Scope,Emissions (kgCO2e),Emissions (tCO2e)\n2025-01-31,Gas,1,12500,12.5\n2025-02-28,Gas,1,11000,11\n",
    )
    .suggested();
    let kept: Vec<&str> = map
        .lines()
        .filter(|line| ["# UpstreamCO2e", "# CO2eUnit", "# Or, of"].iter().any(|start| line.starts_with(start)))
        .map(|line| line.split("  #").next().unwrap())
        .collect();
    assert_eq!(
        kept,
        [
            "# UpstreamCO2e = \"{Emissions (kgCO2e)}\"",
            "# CO2eUnit = \"kg\"",
            "# Or, of another column that seems to say the same; keep one of them:",
            "# UpstreamCO2e = \"{Emissions (tCO2e)}\"",
            "# CO2eUnit = \"t\"",
        ]
    );
    has(&map, "# scope = \"scope{Scope}\"");
}

#[test]
fn tonnes_in_german_are_tonnes() {
    let map =
        Table::text("Datum;Beschreibung;CO2 in Tonnen\n31.01.2025;Kessel;12,5\n28.02.2025;Strom;8,25\n").suggested();
    has(&map, "# UpstreamCO2e = \"{CO2 in Tonnen}\"");
    has(&map, "# CO2eUnit = \"t\"");
}
