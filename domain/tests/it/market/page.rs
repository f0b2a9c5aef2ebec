//! The worked numbers of `docs/explanation/scope2.md`, computed.

use tonne_domain::{Activity, Factor, MarketBasis, Scope2, ScopeKind};

use super::{mix, totals, used, wind};
use crate::page::rows;

/// A figure of the page, without what sets it off.
fn figure(cell: &str) -> String {
    cell.replace([',', '*'], "")
}

/// The totals of scope 2 by location and by contract, as texts.
fn both(activities: &[Activity]) -> [String; 2] {
    [Scope2::Location, Scope2::Market].map(|scope2| totals(activities, ScopeKind::Scope2, scope2).co2e.to_string())
}

#[test]
fn the_page_on_scope_2_counts_as_the_domain_does() {
    let mut table = rows("scope2", 5);
    let whole = table.pop().unwrap();
    assert_eq!(whole[0], "all", "{whole:?}");
    let mut activities = Vec::new();
    for row in &table {
        let counts: Option<(MarketBasis, Factor)> = match row[4].as_str() {
            "the residual mix" => Some((MarketBasis::ResidualMix, mix())),
            "a certificate" => Some((MarketBasis::Certificate, wind())),
            basis => {
                assert!(basis.starts_with("the location"), "{row:?}");
                None
            }
        };
        let amount = figure(&row[1]);
        let activity = used(&amount, counts.as_ref().map(|(basis, factor)| (*basis, factor)));
        let in_market = match (&counts, row[3].split_once(" = ")) {
            (Some((_, factor)), Some((product, computed))) => {
                let intensity = factor.data().downstream.unwrap();
                assert_eq!(product, format!("{} x {intensity}", row[1]), "{row:?}");
                computed
            }
            (None, None) => row[3].as_str(),
            (Some(_), None) | (None, Some(_)) => panic!("{row:?}"),
        };
        assert_eq!(both(std::slice::from_ref(&activity)), [figure(&row[2]), figure(in_market)], "{row:?}");
        activities.push(activity);
    }
    let energy: u64 = table.iter().map(|row| figure(&row[1]).parse::<u64>().unwrap()).sum();
    assert_eq!(energy.to_string(), figure(&whole[1]));
    assert_eq!(both(&activities), [figure(&whole[2]), figure(&whole[3])]);
}
