//! What new factors could complete.

use std::collections::HashMap;

use domain::{Activity, FactorBasis, FactorData, Period, Product, ProductId};
use ports::inbound::Error;
use ports::repo::{Pending, Place};
use ports::store::ReadTx;

use super::STEP;

/// How many activities without CO2e the factor could complete: those of the product with their first day among the factor's.
/// A residual mix completes none.
pub(in crate::usecase) async fn fills(
    tx: &mut dyn ReadTx,
    product: &Product,
    factor: &FactorData,
) -> Result<u64, Error> {
    if factor.basis == FactorBasis::ResidualMix {
        return Ok(0);
    }
    count(tx, &Pending::Incomplete(Some(product.id), factor.period()), None).await
}

/// The same of factors of several products, by the days of each; an activity is counted once.
pub(in crate::usecase) async fn fills_of_all(
    tx: &mut dyn ReadTx,
    days: &HashMap<ProductId, Vec<Period>>,
) -> Result<u64, Error> {
    // Stores look such activities up by their days: once for all products is less than once for each.
    count(tx, &Pending::Incomplete(None, Period::ALL), Some(days)).await
}

/// How many activities are pending; of these products on these days alone, where they are given.
async fn count(
    tx: &mut dyn ReadTx,
    pending: &Pending,
    days: Option<&HashMap<ProductId, Vec<Period>>>,
) -> Result<u64, Error> {
    let (mut count, mut after) = (0, None);
    loop {
        let step = tx.activities().pending(pending, after, STEP).await?;
        let counted = step.iter().filter(|found| days.is_none_or(|days| is_among(&found.value, days)));
        count += counted.count() as u64;
        match step.last() {
            Some(last) if step.len() == STEP as usize => after = Some(Place::of(&last.value)),
            Some(_) | None => return Ok(count),
        }
    }
}

fn is_among(activity: &Activity, days: &HashMap<ProductId, Vec<Period>>) -> bool {
    let periods = activity.product.and_then(|product| days.get(&product));
    periods.is_some_and(|periods| periods.iter().any(|period| period.contains(activity.span.first())))
}
