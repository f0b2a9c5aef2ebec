//! The products that activities consume with their factors, read for many activities at once.

use std::collections::HashMap;

use domain::{Activity, Factor, Product, ProductId};
use ports::inbound::Error;
use ports::store::ReadTx;

/// Products with their factors, as one snapshot has them.
#[derive(Debug, Default)]
pub(super) struct Factors(HashMap<ProductId, OfProduct>);

#[derive(Debug, Default)]
struct OfProduct {
    product: Option<Product>,
    factors: Vec<Factor>,
}

impl Factors {
    /// How many products and factors are known.
    pub(super) fn len(&self) -> usize {
        self.0.values().map(|of| 1 + of.factors.len()).sum()
    }

    /// Reads those of the activities' products that are not known yet.
    pub(super) async fn read(
        &mut self,
        tx: &mut dyn ReadTx,
        activities: impl Iterator<Item = &Activity> + Send,
    ) -> Result<(), Error> {
        let products = activities.filter_map(asks_for);
        let mut unknown: Vec<ProductId> = products.filter(|id| !self.0.contains_key(id)).collect();
        unknown.sort_unstable();
        unknown.dedup();
        if unknown.is_empty() {
            return Ok(());
        }
        for factor in tx.factors().of_products(&unknown).await? {
            self.0.entry(factor.value.product()).or_default().factors.push(factor.value);
        }
        for product in tx.products().find_all(&unknown).await? {
            let id = product.value.id;
            self.0.entry(id).or_default().product = Some(product.value);
        }
        for id in unknown {
            self.0.entry(id).or_default();
        }
        Ok(())
    }

    /// Whether those of the activity's product are known, or none are asked for.
    pub(super) fn know(&self, activity: &Activity) -> bool {
        asks_for(activity).is_none_or(|product| self.0.contains_key(&product))
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
        self.0.get(&activity.product?)
    }
}

/// The product whose factors say something about the activity. One whose CO2e was supplied asks for none.
fn asks_for(activity: &Activity) -> Option<ProductId> {
    activity.product.filter(|_| activity.co2e().is_none() || activity.calculation.factor().is_some())
}
