//! From a draft to a factor among its product's others.

use domain::{
    Day, Factor, FactorData, FactorFault, FactorId, FaultCode, Faults, Intensity, Product, ProductId, Source,
    add_successor, corrected_by,
};
use ports::Stored;
use ports::inbound::{Error, FactorDraft, Field};
use ports::store::{Conflict, ReadTx, WriteTx};

use crate::usecase::draft::required;
use crate::usecase::resolve::all_factors;

/// The factor of that id and product, which must be there.
pub(super) async fn find(tx: &mut dyn ReadTx, product: ProductId, id: FactorId) -> Result<Stored<Factor>, Error> {
    let factor = tx.factors().find(id).await?.filter(|factor| factor.value.product() == product);
    factor.ok_or(Error::NotFound)
}

/// The factor that a draft makes; or all that is wrong with it.
pub(super) fn build(id: FactorId, product: &Product, draft: FactorDraft) -> Result<Factor, Faults> {
    let mut faults = draft.faults;
    let unit = required(&mut faults, "/unit", draft.unit, None);
    let valid_from = required(&mut faults, "/validFrom", draft.valid_from, None);
    let source = required(&mut faults, "/source", draft.source, None);
    // A harmless value takes the place of what is missing or unreadable, so that the rest is validated all the same.
    let Some(stand_in) = source.or_else(|| Source::parse("-").ok()) else { return Err(faults) };
    let terms = FactorData::new(unit.unwrap_or(product.unit), valid_from.unwrap_or(Day::MIN), stand_in)
        .with_upstream(readable(draft.upstream))
        .with_downstream(readable(draft.downstream))
        .with_valid_to(draft.valid_to.into_option())
        .with_gwp(draft.gwp.into_option());
    match Factor::new(id, product, terms) {
        Ok(factor) if faults.is_empty() => Ok(factor),
        Ok(_) => Err(faults),
        Err(more) => {
            for fault in more.0 {
                let (code, pointer) = match fault {
                    FactorFault::NoIntensity => (FaultCode::Required, "/upstream"),
                    FactorFault::NoDay => (FaultCode::Mismatch, "/validTo"),
                    FactorFault::Dimension(_) => (FaultCode::Mismatch, "/unit"),
                };
                faults.add_coded(code, pointer, fault.to_string());
            }
            Err(faults)
        }
    }
}

/// The factor that a draft puts in the place of a wrong one; or all that is wrong with it. Days may be left out; given,
/// they are those of the wrong one.
pub(super) fn build_correction(
    id: FactorId,
    product: &Product,
    wrong: &Factor,
    mut draft: FactorDraft,
) -> Result<Factor, Faults> {
    let FactorData { valid_from, valid_to, .. } = *wrong.data();
    let of_the_wrong_one = "must be that of the factor that is corrected, or be left out";
    if draft.valid_from.given().is_some_and(|from| *from != valid_from) {
        draft.faults.add_coded(FaultCode::Mismatch, "/validFrom", of_the_wrong_one);
    }
    let other_end = match &draft.valid_to {
        Field::Given(end) => Some(*end) != valid_to,
        Field::Null => valid_to.is_some(),
        Field::Absent | Field::Faulty => false,
    };
    if other_end {
        draft.faults.add_coded(FaultCode::Mismatch, "/validTo", of_the_wrong_one);
    }
    let draft = FactorDraft { valid_from: Field::Given(valid_from), valid_to: Field::of(valid_to), ..draft };
    let factor = build(id, product, draft)?;
    let correction = Factor::correction(id, product, wrong, factor.data().clone());
    correction.map_err(|error| Faults::one("", error.to_string()))
}

/// Adds the correction of a factor that was not corrected yet.
pub(super) async fn put_correction(
    tx: &mut dyn WriteTx,
    factor: Factor,
    wrong: FactorId,
) -> Result<Stored<Factor>, Error> {
    let existing = all_factors(tx, factor.product()).await?;
    if let Some(holder) = corrected_by(&existing, wrong) {
        return Err(Conflict::Corrected(holder.id()).into());
    }
    Ok(tx.factors_mut().add(factor).await?)
}

/// Zero for what was given but cannot be read: it is not missing.
fn readable(part: Field<Intensity>) -> Option<Intensity> {
    if part == Field::Faulty { Some(Intensity::ZERO) } else { part.into_option() }
}

/// Adds the factor and closes an open predecessor on the day it begins.
///
/// Removing the factor later does not open the predecessor again: nobody but its publisher knows how long it holds.
pub(super) async fn put(tx: &mut dyn WriteTx, factor: Factor) -> Result<Stored<Factor>, Error> {
    let existing = all_factors(tx, factor.product()).await?;
    let closed = add_successor(&existing, &factor).map_err(Conflict::Overlap)?;
    for closed in closed {
        let before = find(tx, closed.product(), closed.id()).await?;
        tx.factors_mut().update(closed, before.version).await?;
    }
    Ok(tx.factors_mut().add(factor).await?)
}
