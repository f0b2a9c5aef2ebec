//! What factors that are imported could complete.

use super::super::run::Place;

#[test]
fn new_factors_are_told_with_the_activities_that_they_could_complete_each_counted_once() {
    let place = Place::new();
    let product = |id: &str| format!("[[product]]\nsyncId = \"{id}\"\nname = \"Product {id}\"\nunit = \"kWh\"\n");
    let factor = |product: &str, from: &str, more: &str| {
        format!(
            "[[factor]]\nproduct = \"{product}\"\nunit = \"kWh\"\nupstream = \"0.4\"\nvalidFrom = {from}\nsource = \"x\"\n{more}"
        )
    };
    place.file("products.toml", &[product("p"), product("q")].concat());
    assert_eq!(place.json(&["import", "catalog", "products.toml"])["fills"], 0);
    // One lies before all factors, and one is of a product that gets none on its day.
    place.file(
        "rows.csv",
        "syncId,name,startDate,quantity,unit,product\na,A,2023-12-31,1,kWh,p\nb,B,2024-05-01,1,kWh,p\n\
         c,C,2025-05-01,1,kWh,p\nd,D,2025-05-01,1,kWh,q\ne,E,2026-01-01,1,kWh,q\n",
    );
    place.ok(&["import", "activities", "rows.csv"]);
    let residual = factor("q", "2025-01-01", "basis = \"residualMix\"\n");
    place.file("residual.toml", &residual);
    assert_eq!(place.json(&["import", "catalog", "residual.toml", "--dry-run"])["fills"], 0);
    // The first of a product is open until the import has its second.
    let factors =
        [factor("p", "2024-01-01", ""), factor("p", "2025-01-01", ""), factor("q", "2026-01-01", "")].concat();
    place.file("factors.toml", &factors);
    let line = "3 activities without CO2e could be completed: tonne recalculate --incomplete";
    for more in [&["--dry-run"][..], &[]] {
        let told = place.ok(&[&["import", "catalog", "factors.toml"], more].concat());
        assert!(told.lines().any(|told| told == line), "{told}");
    }
    let again = place.json(&["import", "catalog", "factors.toml"]);
    assert_eq!((&again["unchanged"], &again["fills"]), (&3.into(), &0.into()), "nothing is new");
    assert_eq!(place.json(&["recalculate", "--incomplete"])["changed"], 3);
}
