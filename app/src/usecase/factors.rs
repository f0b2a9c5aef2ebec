//! The products that activities consume with their factors, read for many activities at once.

use std::collections::{HashMap, HashSet};

use domain::{Activity, Factor, FactorId, Name, OrgId, Outdated, Product, ProductId};
use ports::inbound::Error;
use ports::store::ReadTx;

use super::published::region_of;

/// Products with their factors, as one snapshot has them, and the regions of orgs that rules go by.
#[derive(Debug, Default)]
pub(super) struct Factors {
    products: HashMap<ProductId, OfProduct>,
    /// The products of factors that count in the market; `None` of a factor that is not there.
    in_market: HashMap<FactorId, Option<ProductId>>,
    regions: HashMap<OrgId, Option<Name>>,
}

#[derive(Debug, Default)]
struct OfProduct {
    product: Option<Product>,
    factors: Vec<Factor>,
}

impl Factors {
    /// How many products and factors are known.
    pub(super) fn len(&self) -> usize {
        self.products.values().map(|of| 1 + of.factors.len()).sum::<usize>() + self.in_market.len() + self.regions.len()
    }

    /// Reads those of the activities' products, and of the factors that count for them in the market, that are not known yet, and
    /// the regions of their orgs that count.
    pub(super) async fn read<'a>(
        &mut self,
        tx: &mut dyn ReadTx,
        activities: impl Iterator<Item = &'a Activity> + Clone + Send,
    ) -> Result<(), Error> {
        let mut products: Vec<ProductId> = activities.clone().filter_map(asks_for).collect();
        products.extend(self.read_in_market(tx, activities.clone()).await?);
        self.read_products(tx, products).await?;
        let mut orgs: Vec<OrgId> = activities.filter_map(|activity| self.asks_for_region(activity)).collect();
        orgs.sort_unstable();
        orgs.dedup();
        for org in orgs.into_iter().filter(|org| !self.regions.contains_key(org)).collect::<Vec<_>>() {
            let region = region_of(tx, &mut self.regions, |_| None, org).await?;
            self.regions.insert(org, region);
        }
        Ok(())
    }

    /// Which products the factors that count in the market are of.
    async fn read_in_market<'a>(
        &mut self,
        tx: &mut dyn ReadTx,
        activities: impl Iterator<Item = &'a Activity> + Send,
    ) -> Result<Vec<ProductId>, Error> {
        let factors: HashSet<FactorId> = activities.filter_map(in_market).collect();
        let unknown: Vec<FactorId> = factors.iter().copied().filter(|id| !self.in_market.contains_key(id)).collect();
        if !unknown.is_empty() {
            self.in_market.extend(unknown.iter().map(|id| (*id, None)));
            for factor in tx.factors().find_all(&unknown).await? {
                self.in_market.insert(factor.value.id(), Some(factor.value.product()));
            }
        }
        Ok(factors.iter().filter_map(|id| *self.in_market.get(id)?).collect())
    }

    async fn read_products(&mut self, tx: &mut dyn ReadTx, products: Vec<ProductId>) -> Result<(), Error> {
        let products = products.into_iter();
        let mut unknown: Vec<ProductId> = products.filter(|id| !self.products.contains_key(id)).collect();
        unknown.sort_unstable();
        unknown.dedup();
        if unknown.is_empty() {
            return Ok(());
        }
        for factor in tx.factors().of_products(&unknown).await? {
            self.products.entry(factor.value.product()).or_default().factors.push(factor.value);
        }
        for product in tx.products().find_all(&unknown).await? {
            let id = product.value.id;
            self.products.entry(id).or_default().product = Some(product.value);
        }
        for id in unknown {
            self.products.entry(id).or_default();
        }
        Ok(())
    }

    /// Whether those of the activity's product are known, and the region of its org where it counts; or none are asked for.
    pub(super) fn know(&self, activity: &Activity) -> bool {
        asks_for(activity).is_none_or(|product| self.products.contains_key(&product))
            && in_market(activity).is_none_or(|factor| self.in_market.contains_key(&factor))
            && self.asks_for_region(activity).is_none_or(|org| self.regions.contains_key(&org))
    }

    /// Why the activity's CO2e is outdated; `None` where it is not, or its product was not asked for.
    pub(super) fn outdated(&self, activity: &Activity) -> Option<Outdated> {
        let region = activity.org.and_then(|org| self.regions.get(&org)).and_then(Option::as_ref);
        activity.outdated(self.product(activity), self.of(activity), self.of_market(activity), region)
    }

    /// All factors of the product whose factor counts for the activity in the market; none where none does.
    fn of_market(&self, activity: &Activity) -> &[Factor] {
        let product = in_market(activity).and_then(|factor| *self.in_market.get(&factor)?);
        product.and_then(|product| self.products.get(&product)).map_or(&[], |of| of.factors.as_slice())
    }

    /// The org whose region says whether the activity is outdated.
    fn asks_for_region(&self, activity: &Activity) -> Option<OrgId> {
        activity.org.filter(|_| activity.asks_for_region(self.product(activity), self.of(activity)))
    }

    /// All factors of the activity's product; none for one that was not asked for.
    pub(super) fn of(&self, activity: &Activity) -> &[Factor] {
        self.known(activity).map_or(&[], |of| of.factors.as_slice())
    }

    /// The activity's product; `None` for one that was not asked for.
    pub(super) fn product(&self, activity: &Activity) -> Option<&Product> {
        self.known(activity)?.product.as_ref()
    }

    fn known(&self, activity: &Activity) -> Option<&OfProduct> {
        self.products.get(&activity.product?)
    }
}

/// The product whose factors say something about the activity. One whose CO2e was supplied asks for none.
fn asks_for(activity: &Activity) -> Option<ProductId> {
    activity.product.filter(|_| activity.co2e().is_none() || activity.calculation.factor().is_some())
}

/// The factor that counts for the activity in the market.
fn in_market(activity: &Activity) -> Option<FactorId> {
    activity.stated.market.as_ref().map(|market| market.factor)
}
