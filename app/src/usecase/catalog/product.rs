//! From a draft to a product.

use domain::{DimensionMismatch, FaultCode, Faults, Product, ProductId, Unit};
use ports::Stored;
use ports::inbound::{Error, ProductDraft};
use ports::store::ReadTx;

use crate::usecase::draft::required;

/// The product of that id, which must be there.
pub(super) async fn find(tx: &mut dyn ReadTx, id: ProductId) -> Result<Stored<Product>, Error> {
    tx.products().find(id).await?.ok_or(Error::NotFound)
}

/// The product that a draft makes, of nothing or of `before`; or all that is wrong with it.
pub(super) async fn build(
    tx: &mut dyn ReadTx,
    id: ProductId,
    before: Option<&Product>,
    draft: ProductDraft,
) -> Result<Result<Product, Faults>, Error> {
    let mut faults = draft.faults;
    let name = required(&mut faults, "/name", draft.name, before.map(|b| b.name.clone()));
    let unit = required(&mut faults, "/unit", draft.unit, before.map(|b| b.unit));
    if let (Some(before), Some(unit)) = (before, unit)
        && unit.dimension() != before.unit.dimension()
        && !tx.products().uses(id).await?.is_empty()
    {
        faults.add_coded(FaultCode::Mismatch, "/unit", other_dimension(before.unit, unit));
    }
    let rule = draft.rule.merge(before.and_then(|b| b.rule.clone()));
    if let (Some(rule), Some(unit)) = (&rule, unit)
        && let Err(error) = rule.unit.check(unit)
    {
        faults.add_coded(FaultCode::Mismatch, "/factorRule/unit", error.to_string());
    }
    let sync_id = draft.sync_id.merge(before.and_then(|b| b.sync_id.clone()));
    Ok(match (name, unit) {
        (Some(name), Some(unit)) if faults.is_empty() => {
            Ok(Product::new(id, name, unit).with_sync_id(sync_id).with_rule(rule))
        }
        (Some(_) | None, Some(_) | None) => Err(faults),
    })
}

fn other_dimension(from: Unit, to: Unit) -> String {
    format!(
        "{}; factors or quantities of the product are in use, so add another product instead",
        DimensionMismatch { unit: to, expected: from }
    )
}
