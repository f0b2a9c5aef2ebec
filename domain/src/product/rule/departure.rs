//! Whether a rule would still choose a factor as it did when it was chosen.

use super::FactorRule;
use super::choice::Choice;
use super::choose::figures;
use crate::activity::Outdated;
use crate::calendar::day::Day;
use crate::product::factor::FactorData;
use crate::text::Name;

impl FactorRule {
    /// Why the rule, asked today about the published factor that `chosen` is a copy of and no other, would not choose it as it
    /// was chosen: it looks for another one, prefers its set otherwise, goes by another region, or reads it under another set
    /// of global warming potentials. `None` where it would, or where no rule chose it.
    #[must_use]
    pub fn departure(&self, chosen: &FactorData, org_region: Option<&Name>, day: Day) -> Option<Outdated> {
        let then = chosen.choice.as_deref()?;
        let departure = |org_region: Option<&Name>| self.departs(chosen, then, org_region, day);
        let today = departure(org_region)?;
        let goes_by_org = self.region.is_none() && org_region != then.region.as_ref();
        match goes_by_org.then(|| departure(then.region.as_ref())) {
            Some(None) => Some(Outdated::Structure),
            Some(Some(same_region)) => Some(same_region),
            None => Some(today),
        }
    }

    fn departs(&self, chosen: &FactorData, then: &Choice, org_region: Option<&Name>, day: Day) -> Option<Outdated> {
        let origin = chosen.origin.as_deref()?;
        let Ok(now) = self.choose(std::slice::from_ref(origin), org_region, day) else { return Some(Outdated::Rule) };
        let by = now.choice.as_deref().map(|choice| (&choice.region, choice.basis, choice.preference));
        if by != Some((&then.region, then.basis, then.preference)) {
            Some(Outdated::Rule)
        } else if figures(&now) != figures(chosen) {
            Some(Outdated::Gwp)
        } else {
            None
        }
    }
}
