//! Which set of global warming potentials a file is computed under, as far as it shows.

use domain::{Decimal, Gas, GwpSet};

/// The set with those potentials of methane and nitrous oxide. The two tables of AR6 do not differ in them: the IPCC's counts.
pub(super) fn set_of(methane: Decimal, nitrous_oxide: Decimal) -> Option<GwpSet> {
    let has = |set: &GwpSet| set.potential(Gas::CH4) == Some(methane) && set.potential(Gas::N2O) == Some(nitrous_oxide);
    GwpSet::ALL.into_iter().find(has)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_potentials_tell_the_set() {
        for (methane, nitrous_oxide, expected) in [
            ("25", "298", Some(GwpSet::Ar4)),
            ("28", "265", Some(GwpSet::Ar5)),
            ("34", "298", Some(GwpSet::Ar5Feedback)),
            ("27.9", "273", Some(GwpSet::Ar6)),
            ("28", "298", None),
        ] {
            let decimal = |text| Decimal::parse(text).unwrap();
            assert_eq!(set_of(decimal(methane), decimal(nitrous_oxide)), expected);
        }
    }
}
