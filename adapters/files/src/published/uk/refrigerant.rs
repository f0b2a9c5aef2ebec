//! Refrigerants and other single substances of the flat file, which stand there up to three times: what the Kyoto Protocol
//! counts, what it does not, and the sum of both.
//!
//! The first becomes a direct factor, the second one outside the scopes; the sum would count both twice and is skipped.

use std::collections::HashSet;

use domain::{Decimal, Gas, GasAmount, GasSplit, GwpSet};

use super::group::Group;
use super::row::Key;
use crate::published::gwp::set_of;

/// Which of its three rows a substance's row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Substance {
    Kyoto,
    NonKyoto,
    Sum,
    /// Of years that have one row a substance.
    Alone,
}

/// The substances of which a part is given beside the sum.
#[derive(Debug, Default)]
pub(super) struct Siblings(HashSet<(Vec<String>, String)>);

impl Siblings {
    pub(super) fn of(groups: &[Group]) -> Self {
        let is_part = |group: &&Group| {
            matches!(Substance::of(&group.key), Some(Substance::Kyoto | Substance::NonKyoto)) && group.total().is_some()
        };
        Self(groups.iter().filter(is_part).map(|group| of_substance(&group.key)).collect())
    }
}

fn of_substance(key: &Key) -> (Vec<String>, String) {
    (key.levels.clone(), key.unit.clone())
}

impl Substance {
    /// `None` where the row is of no such substance.
    pub(super) fn of(key: &Key) -> Option<Self> {
        if !key.levels[0].to_lowercase().starts_with("refrigerant") {
            return None;
        }
        let column_text = key.column_text.to_lowercase();
        Some(if column_text.contains("only non-kyoto") {
            Self::NonKyoto
        } else if column_text.contains("only kyoto") {
            Self::Kyoto
        } else if column_text.starts_with("total") {
            Self::Sum
        } else {
            Self::Alone
        })
    }

    pub(super) fn is_outside_scopes(self) -> bool {
        self == Self::NonKyoto
    }

    /// Whether it is a sum of rows that are factors themselves.
    pub(super) fn is_sum(self, group: &Group, siblings: &Siblings) -> bool {
        self == Self::Sum && siblings.0.contains(&of_substance(&group.key))
    }
}

/// The potentials that the file computes with, by its rows of methane and nitrous oxide.
pub(super) fn gwp(groups: &[Group]) -> Option<GwpSet> {
    let of = |gas: Gas| {
        let is_of = |group: &&Group| {
            matches!(Substance::of(&group.key), Some(Substance::Kyoto | Substance::Alone))
                && named(&group.key) == Some(gas)
                && group.total().is_some()
        };
        groups.iter().find(is_of).and_then(Group::total)
    };
    set_of(of(Gas::CH4)?, of(Gas::N2O)?)
}

/// One kilogram of the gas that the substance is, where its figure is that gas's potential.
pub(super) fn gas(group: &Group, gwp: Option<GwpSet>) -> Option<GasSplit> {
    let (set, gas) = (gwp?, named(&group.key)?);
    (set.potential(gas) == group.total()).then_some(())?;
    GasSplit::new(set, [(gas, GasAmount::Mass(Decimal::ONE))]).ok()
}

/// The gas that a substance is named after, such as `HCFC-22/R22 = chlorodifluoromethane` or `Perfluoromethane (PFC-14)`.
fn named(key: &Key) -> Option<Gas> {
    let name = key.categories().last().copied().unwrap_or_default();
    let in_brackets = name.split_once('(').map(|(_, rest)| rest.trim_end_matches(')'));
    let before = [Some(name), name.split('/').next(), name.split(" = ").next(), in_brackets];
    before.into_iter().flatten().find_map(|name| Gas::parse(name.trim()).ok())
}
