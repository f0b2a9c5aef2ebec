//! Verification.

use super::run::Place;

#[test]
fn a_fresh_store_is_ok_and_an_absent_one_is_not_made() {
    let place = Place::new();
    let absent = place.run(&["verify"]);
    assert_eq!(absent.status, 1);
    assert!(absent.stderr.contains("there is no store to verify"), "{}", absent.stderr);
    assert!(place.path().read_dir().unwrap().next().is_none());
    place.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    assert!(place.ok(&["verify"]).starts_with("OK: "));
    assert_eq!(place.json(&["verify"])["ok"], true);
}

#[test]
fn a_store_is_ok_beside_the_service_that_serves_it() {
    let place = Place::new();
    let _served = place.serve();
    place.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    assert!(place.ok(&["verify"]).starts_with("OK: "));
}
