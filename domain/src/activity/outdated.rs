//! Why a stored CO2e is no longer what it would be computed to today, though nobody changed the activity.

use super::Activity;
use super::market::Market;
use crate::product::Product;
use crate::product::factor::{Factor, corrected_by, factor_on, of_basis_on};
use crate::text::Name;

/// Why an activity's CO2e is outdated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outdated {
    /// The factor that it was computed from, or the one that counts in the market, was corrected since.
    Correction,
    /// One of them ended before its day since, and another one holds on it.
    Factor,
    /// The product's rule reads gases under another set of global warming potentials by now.
    Gwp,
    /// The product's rule is another by now, and would not choose the factor as it did.
    Rule,
    /// The region of the org is another by now, and the rule goes by it.
    Structure,
}

impl Activity {
    /// Why its CO2e is outdated: the factor that it was computed from was corrected, or ended before its day by a later one, or
    /// was chosen by a rule that would not choose it so today; or the factor that counts for it in the market was corrected or
    /// ended likewise. `factors` are all those of its product, `market_factors` all those of the product of that other factor, and
    /// `org_region` is the region of its org, its own or that of the next one above that has one. `None` where it is not outdated,
    /// or was not computed from a factor.
    ///
    /// Published factors that came since, a residual mix that came since, and factors of the product's own that others were chosen
    /// in place of, make nothing outdated. A product whose rule was taken away has nobody who would choose: what was chosen stands.
    #[must_use]
    pub fn outdated(
        &self,
        product: Option<&Product>,
        factors: &[Factor],
        market_factors: &[Factor],
        org_region: Option<&Name>,
    ) -> Option<Outdated> {
        let located = || self.outdated_by_location(product, factors, org_region);
        located().or_else(|| Some(self.renewed_market(market_factors)?.1))
    }

    fn outdated_by_location(
        &self,
        product: Option<&Product>,
        factors: &[Factor],
        org_region: Option<&Name>,
    ) -> Option<Outdated> {
        let used = self.calculation.factor()?;
        if corrected_by(factors, used).is_some() {
            return Some(Outdated::Correction);
        }
        let (factor, day) = (factors.iter().find(|factor| factor.id() == used)?, self.span.first());
        if !factor.is_chosen() && !factor.valid_on(day) && factor_on(factors, day).is_some() {
            return Some(Outdated::Factor);
        }
        product?.rule.as_ref()?.departure(factor.data(), org_region, day)
    }

    /// What counts for it in the market by the factors of today, and why that is another factor than before: what corrects the one
    /// that counts, or the one of its kind that holds on the day where it has ended. `None` where nothing counts in the market,
    /// nothing is computed from it, or the factor stands. `market_factors` are all those of the product of the factor that counts.
    #[must_use]
    pub fn renewed_market(&self, market_factors: &[Factor]) -> Option<(Market, Outdated)> {
        let market = self.stated.market.as_ref().filter(|_| self.co2e().is_some() && self.measured.is_some())?;
        let used = market_factors.iter().find(|factor| factor.id() == market.factor)?;
        let (mut newest, day) = (used, self.span.first());
        // As often as there are factors at most, also where a damaged store has a circle of corrections.
        for _ in market_factors {
            newest = corrected_by(market_factors, newest.id()).unwrap_or(newest);
        }
        let cause = if newest.id() == used.id() { Outdated::Factor } else { Outdated::Correction };
        if !newest.is_chosen() && !newest.valid_on(day) {
            newest = of_basis_on(market_factors, newest.data().basis, day).unwrap_or(newest);
        }
        (newest.id() != used.id()).then(|| (Market { factor: newest.id(), ..market.clone() }, cause))
    }

    /// Whether the region of its org counts for [`outdated`](Self::outdated): a rule that goes by it chose its factor.
    #[must_use]
    pub fn asks_for_region(&self, product: Option<&Product>, factors: &[Factor]) -> bool {
        let used = self.calculation.factor();
        let is_chosen = factors.iter().any(|factor| Some(factor.id()) == used && factor.is_chosen());
        is_chosen && product.and_then(|product| product.rule.as_ref()).is_some_and(|rule| rule.region.is_none())
    }
}
