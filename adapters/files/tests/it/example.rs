//! The worked example of `docs/mapping.md`: its files make what it says.

use domain::Total;
use ports::inbound::{Reference, RowDraft};
use tonne_files::{MAX_ROW_BYTES, Map};

use crate::support::lines;

const MAP: &str = include_str!("../../../../docs/examples/seattle-buildings.toml");
const TABLE: &str = include_str!("../../../../docs/examples/seattle-buildings.csv");

fn rows() -> Vec<RowDraft> {
    let map = Map::parse(MAP).unwrap_or_else(|error| panic!("{error}"));
    map.rows(TABLE.as_bytes(), MAX_ROW_BYTES).unwrap().map(Result::unwrap).collect()
}

fn co2e(row: &RowDraft) -> Total {
    [&row.draft.upstream, &row.draft.downstream]
        .into_iter()
        .filter_map(|part| part.given())
        .map(|part| (*part).into())
        .sum()
}

#[test]
fn each_building_makes_the_activities_that_it_has_figures_for() {
    let rows = rows();
    let seen: Vec<_> = rows
        .iter()
        .map(|row| {
            let sync_id = row.draft.sync_id.given().unwrap().to_string();
            let quantity = row.draft.quantity.given().map(ToString::to_string).unwrap_or_default();
            (row.line, sync_id, quantity, co2e(row).to_string())
        })
        .collect();
    let row = |line, sync_id: &str, quantity: &str, co2e: &str| {
        (line, sync_id.to_owned(), quantity.to_owned(), co2e.to_owned())
    };
    assert_eq!(
        seen,
        [
            row(2, "2015-9001-electricity", "3500000", "24398.85"),
            row(2, "2015-9001-gas", "1200000", "63732"),
            row(2, "2015-9001-steam", "2000000", "154376"),
            row(3, "2015-9002-electricity", "1000000.5", "6971.10348555"),
            row(5, "2015-9003-electricity", "800000", "5576.88"),
            row(7, "2015-9005-electricity", "", "0"),
            row(7, "2015-9005-gas", "500000", "26555"),
        ]
    );
    let hotel: Total = rows[..3].iter().map(co2e).sum();
    assert_eq!(hotel.shifted(-3), "242.50685", "published as 242.51 t");
}

#[test]
fn a_building_is_a_node_with_its_number_below_its_neighborhood() {
    let rows = rows();
    let Some(Reference::Path(path)) = rows[3].draft.org.given() else { panic!("a path") };
    let steps: Vec<_> =
        path.iter().map(|step| (step.name.as_str(), step.sync_id.as_ref().map(AsRef::as_ref))).collect();
    assert_eq!(steps, [("GREATER DUWAMISH", None), ("ALDER DEPOT", Some("9002"))]);
    let Some(Reference::Path(path)) = rows[3].draft.taxonomy.given() else { panic!("a path") };
    assert_eq!(path[0].name.as_str(), "Distribution Center", "the line break in the cell is no part of the name");
    assert_eq!(rows[1].draft.scope.given(), Some(&Reference::Word("scope1".to_owned())));
}

#[test]
fn a_year_is_its_first_to_its_last_second() {
    let rows = rows();
    assert_eq!(rows[0].draft.start.given().unwrap().to_string(), "2015-01-01T00:00:00Z");
    assert_eq!(rows[0].draft.end.given().unwrap().to_string(), "2015-12-31T23:59:59Z");
}

#[test]
fn the_row_that_is_wrong_says_why_and_keeps_its_other_activity() {
    let faulty: Vec<_> = rows().into_iter().filter(|row| !row.draft.faults.is_empty()).collect();
    assert_eq!(faulty.len(), 1);
    assert_eq!(
        lines(&faulty[0].draft.faults),
        ["/quantity: has ',' elsewhere than between groups of three digits: \"12,34\" in column \"Electricity(kBtu)\""]
    );
}
