//! Factors are complete, hold over spans of days, and follow each other without overlap.

use proptest::prelude::*;
use tonne_domain::{Factor, FactorData, FactorError, FactorFault, add_successor, corrected_by, factor_on};

use crate::sample::{day, factor, id, product, spanning, terms};

fn faults(terms: FactorData) -> FactorError {
    Factor::new(id(1), &product("kWh"), terms).unwrap_err()
}

#[test]
fn every_fault_is_told_at_once() {
    let wrong = terms("kg", "", "", "2024-01-01").with_valid_to(Some(day("2024-01-01")));
    let FactorError(found) = faults(wrong.clone());
    assert!(
        matches!(found[..], [FactorFault::NoIntensity, FactorFault::NoDay, FactorFault::Dimension(_)]),
        "{found:?}"
    );
    let told = faults(wrong).to_string();
    assert!(told.contains("; an end that does not lie after the start") && told.contains("kg measures mass"), "{told}");
}

#[test]
fn one_intensity_is_enough_and_its_unit_may_be_another_of_the_dimension() {
    assert!(Factor::new(id(1), &product("kWh"), terms("MMBtu", "", "53.06", "2024-01-01")).is_ok());
    assert!(Factor::new(id(1), &product("kWh"), terms("GJ", "-1", "", "2024-01-01")).is_ok());
}

#[test]
fn the_end_is_the_first_day_it_no_longer_holds() {
    let year = spanning(1, "2023-01-01", "2024-01-01");
    for (text, holds) in [("2022-12-31", false), ("2023-01-01", true), ("2023-12-31", true), ("2024-01-01", false)] {
        assert_eq!(year.valid_on(day(text)), holds, "{text}");
    }
    let open = spanning(2, "2024-01-01", "");
    let factors = [year, open];
    let found = |text| factor_on(&factors, day(text)).map(Factor::id);
    assert_eq!(found("2023-12-31"), Some(id(1)));
    assert_eq!(found("9999-12-31"), Some(id(2)));
    assert_eq!(found("2022-12-31"), None);
}

#[test]
fn a_successor_closes_its_open_predecessor() {
    let existing = [spanning(1, "2022-01-01", "2023-01-01"), spanning(2, "2023-01-01", "")];
    for end in ["", "2025-01-01"] {
        let closed = add_successor(&existing, &spanning(3, "2024-01-01", end)).unwrap();
        assert_eq!(closed.iter().map(Factor::id).collect::<Vec<_>>(), [id(2)]);
        assert_eq!(closed[0].data().valid_from, day("2023-01-01"));
        assert_eq!(closed[0].data().valid_to, Some(day("2024-01-01")));
    }
}

#[test]
fn a_factor_in_a_gap_closes_nothing() {
    let existing = [spanning(1, "2022-01-01", "2023-01-01"), spanning(2, "2024-01-01", "")];
    assert_eq!(add_successor(&existing, &spanning(3, "2023-01-01", "2024-01-01")), Ok(vec![]));
    assert_eq!(add_successor(&existing, &spanning(3, "2021-01-01", "2022-01-01")), Ok(vec![]));
    assert_eq!(add_successor(&[], &spanning(3, "2021-01-01", "")), Ok(vec![]));
}

#[test]
fn any_other_overlap_names_the_factor_in_the_way() {
    let existing = [spanning(1, "2022-01-01", "2023-01-01"), spanning(2, "2024-01-01", "")];
    for (from, to, blocking) in [
        ("2022-06-01", "", 1),
        ("2022-06-01", "2022-07-01", 1),
        ("2021-06-01", "2022-01-02", 1),
        ("2023-06-01", "", 2),
        ("2024-01-01", "", 2),
        ("2023-01-01", "2024-01-02", 2),
    ] {
        let overlap = add_successor(&existing, &spanning(3, from, to)).unwrap_err();
        assert_eq!(overlap.factor, id(blocking), "{from} to {to}");
        assert!(overlap.to_string().contains(&overlap.factor.to_string()), "{overlap}");
    }
}

/// Factor `number` in the place of `wrong`.
fn correction(number: u128, wrong: &Factor) -> Factor {
    Factor::correction(id(number), &product("kWh"), wrong, terms("kWh", "2", "", "1999-01-01")).unwrap()
}

#[test]
fn a_correction_holds_on_the_days_of_the_wrong_one_which_holds_no_more() {
    let wrong = spanning(1, "2023-01-01", "2024-01-01");
    let right = correction(2, &wrong);
    assert_eq!((right.corrects(), right.data().valid_from), (Some(id(1)), day("2023-01-01")));
    assert_eq!(right.data().valid_to, Some(day("2024-01-01")));
    let better = correction(3, &right);
    for (factors, holds) in [(vec![wrong.clone(), right.clone()], 2), (vec![better, wrong.clone(), right], 3)] {
        assert_eq!(factor_on(&factors, day("2023-06-01")).map(Factor::id), Some(id(holds)));
        assert_eq!(corrected_by(&factors, id(1)).map(Factor::id), Some(id(2)));
        assert!(corrected_by(&factors, id(holds)).is_none());
        assert!(factor_on(&factors, day("2024-01-01")).is_none());
    }
    let faulty = Factor::correction(id(2), &product("kWh"), &wrong, terms("kg", "1", "", "2023-01-01"));
    assert!(matches!(faulty.unwrap_err().0[..], [FactorFault::Dimension(_)]));
}

#[test]
fn a_successor_closes_a_correction_and_what_it_corrects() {
    let wrong = spanning(1, "2023-01-01", "");
    let right = correction(2, &wrong);
    let closed = add_successor(&[wrong, right], &spanning(3, "2024-01-01", "")).unwrap();
    let ends: Vec<_> = closed.iter().map(|factor| (factor.id(), factor.data().valid_to)).collect();
    assert_eq!(ends, [(id(1), Some(day("2024-01-01"))), (id(2), Some(day("2024-01-01")))]);
}

#[test]
fn factors_of_other_products_are_not_in_the_way() {
    let mut other = product("kWh");
    other.id = id(2);
    let theirs = factor(1, &other, terms("kWh", "1", "", "2024-01-01"));
    assert_eq!(add_successor(&[theirs], &spanning(2, "2024-01-01", "")), Ok(vec![]));
}

proptest! {
    #[test]
    fn however_factors_are_added_no_day_has_two(spans in prop::collection::vec((0_i32..60, 0_i32..20, any::<bool>()), 1..12)) {
        let start = day("2024-01-01").number();
        let mut factors: Vec<Factor> = Vec::new();
        for (number, (from, length, corrects)) in spans.into_iter().enumerate() {
            let at = |offset: i32| tonne_domain::Day::from_number(start + offset).unwrap().to_string();
            let to = if length == 0 { String::new() } else { at(from + length) };
            let number = u128::try_from(number).unwrap();
            let wrong = factor_on(&factors, day(&at(from))).filter(|_| corrects);
            if let Some(new) = wrong.map(|wrong| correction(number, wrong)) {
                factors.push(new);
                continue;
            }
            let new = spanning(number, &at(from), &to);
            if let Ok(closed) = add_successor(&factors, &new) {
                factors.retain(|factor| closed.iter().all(|closed| closed.id() != factor.id()));
                factors.extend(closed);
                factors.push(new);
            }
        }
        for offset in 0..100 {
            let day = tonne_domain::Day::from_number(start + offset).unwrap();
            let holds = |factor: &&Factor| factor.valid_on(day) && corrected_by(&factors, factor.id()).is_none();
            prop_assert!(factors.iter().filter(holds).count() <= 1, "{day}");
        }
    }
}
