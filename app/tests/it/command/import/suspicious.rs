//! Rows that are taken, and should be looked at.

use super::super::run::Place;

fn warnings(place: &Place, command: &[&str]) -> Vec<String> {
    let done = place.json(command);
    let told = done["warningDetails"].as_array().unwrap();
    assert_eq!(done["warnings"], told.len());
    told.iter().map(|warning| format!("{} {}", warning["line"], warning["detail"].as_str().unwrap())).collect()
}

#[test]
fn rows_that_say_the_same_totals_and_years_far_off_are_told_of() {
    let place = Place::new();
    place.file(
        "rows.csv",
        "name,syncId,startDate,UpstreamCO2e\nVan,1,2025-01-01,5\nVan,2,2025-01-01,5\nTotal,3,2025-01-02,10\n\
         Van,4,1925-01-01,5\n",
    );
    for command in [&["import", "activities", "rows.csv", "--dry-run"][..], &["import", "activities", "rows.csv"]] {
        place.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
        let told = warnings(&place, command);
        assert_eq!(told.len(), 3, "{told:?}");
        assert!(told[0].starts_with("3 says the same as line 2"), "{told:?}");
        assert!(told[1].starts_with("4 looks like that of a total"), "{told:?}");
        assert!(told[2].starts_with("5 lies in the year 1925"), "{told:?}");
    }
}

#[test]
fn ten_times_last_year_is_told_of_also_by_a_dry_run() {
    let place = Place::new();
    place.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    let header = "name,syncId,startDate,DownstreamCO2e,scope\n";
    place.file("before.csv", &format!("{header}Gas,a,2024-03-01,5,scope1\nOil,b,2024-03-01,5,scope2\n"));
    assert_eq!(warnings(&place, &["import", "activities", "before.csv"]), [""; 0]);
    place.file(
        "now.csv",
        &format!("{header}Gas,c,2025-03-01,20,scope1\nGas,d,2025-04-01,30,scope1\nOil,e,2025-03-01,49,scope2\n"),
    );
    let expected = "2 is the first of those that bring its scope, org and taxonomy to 50 kg CO2e in 2025: at least 10 times the 5 of \
                    the year before";
    for command in [&["import", "activities", "now.csv", "--dry-run"][..], &["import", "activities", "now.csv"]] {
        assert_eq!(warnings(&place, command), [expected]);
    }
    // What changes nothing is nothing to look at.
    assert_eq!(warnings(&place, &["import", "activities", "now.csv", "--again"]), [""; 0]);
}

#[test]
fn amounts_below_zero_in_a_scope_of_emissions_and_totals_within_a_name_are_told_of() {
    let place = Place::new();
    place.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    place.file(
        "rows.csv",
        "name,syncId,startDate,DownstreamCO2e,scope\nRefund,1,2025-01-01,-5,scope1\nSold,2,2025-01-02,-5,\nAll sites: kWh,3,2025-01-03,5,\n",
    );
    let told = warnings(&place, &["import", "activities", "rows.csv", "--dry-run"]);
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].starts_with("2 -5 is negative and lowers the total of its scope"), "{told:?}");
    assert!(told[1].starts_with("4 looks like that of a total"), "{told:?}");
}

#[test]
fn a_supplied_amount_that_a_file_of_quantities_leaves_as_it_is_is_told_of() {
    let place = Place::new();
    place.file(
        "before.csv",
        "name,syncId,startDate,quantity,unit,UpstreamCO2e\nVan,1,2025-01-01,10,km,5\nBus,2,2025-01-01,10,km,\n",
    );
    assert_eq!(warnings(&place, &["import", "activities", "before.csv"]), [""; 0]);
    place.file("now.csv", "syncId,quantity,unit\n1,20,km\n2,20,km\n");
    let told = warnings(&place, &["import", "activities", "now.csv"]);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(
        told[0].starts_with("2 was supplied and stays 5 kg, though the quantity changes from 10 km to 20 km"),
        "{told:?}"
    );
}
