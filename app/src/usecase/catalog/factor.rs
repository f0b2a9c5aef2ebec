//! From a draft to a factor among its product's others.

use domain::{
    Day, Factor, FactorData, FactorError, FactorFault, FactorId, FaultCode, Faults, Intensity, Product, ProductId,
    Source, add_successor, check_use, corrected_by,
};
use ports::Stored;
use ports::inbound::{Error, FactorDraft, Field};
use ports::store::{Conflict, ReadTx, WriteTx};

use super::origin::Origins;
use crate::usecase::draft::required;
use crate::usecase::resolve::all_factors;

/// The factor of that id and product, which must be there.
pub(super) async fn find(tx: &mut dyn ReadTx, product: ProductId, id: FactorId) -> Result<Stored<Factor>, Error> {
    let factor = tx.factors().find(id).await?.filter(|factor| factor.value.product() == product);
    factor.ok_or(Error::NotFound)
}

/// The factor that a draft makes; or all that is wrong with it. `origins` has the published factor that it names.
pub(super) fn build(id: FactorId, product: &Product, draft: FactorDraft, origins: &Origins) -> Result<Factor, Faults> {
    if draft.published.is_missing() {
        let (terms, faults) = written(product, draft)?;
        return finish(Factor::new(id, product, terms), faults);
    }
    copy(id, product, origins.copied(draft, None)?)
}

/// The factor of a product that is a copy of a published one.
fn copy(id: FactorId, product: &Product, terms: FactorData) -> Result<Factor, Faults> {
    Factor::new(id, product, terms).map_err(|error| {
        let mut faults = Faults::new();
        for fault in error.0 {
            let pointer = if fault == FactorFault::NoDay { "/validTo" } else { "/published" };
            faults.add_coded(FaultCode::Mismatch, pointer, fault.to_string());
        }
        faults
    })
}

/// What a draft says that names no published factor, and what is wrong with it. A harmless value takes the place of what
/// is missing or unreadable, so that the rest is validated all the same.
fn written(product: &Product, draft: FactorDraft) -> Result<(FactorData, Faults), Faults> {
    let mut faults = draft.faults;
    let unit = required(&mut faults, "/unit", draft.unit, None);
    let valid_from = required(&mut faults, "/validFrom", draft.valid_from, None);
    let source = required(&mut faults, "/source", draft.source, None);
    let Some(stand_in) = source.or_else(|| Source::parse("-").ok()) else { return Err(faults) };
    let terms = FactorData::new(unit.unwrap_or(product.unit), valid_from.unwrap_or(Day::MIN), stand_in)
        .with_upstream(readable(draft.upstream))
        .with_downstream(readable(draft.downstream))
        .with_valid_to(draft.valid_to.into_option())
        .with_gwp(draft.gwp.into_option())
        .with_basis(draft.basis.into_option().unwrap_or_default());
    Ok((terms, faults))
}

/// The factor, where nothing is wrong with it or with its draft.
fn finish(factor: Result<Factor, FactorError>, mut faults: Faults) -> Result<Factor, Faults> {
    match factor {
        Ok(factor) if faults.is_empty() => Ok(factor),
        Ok(_) => Err(faults),
        Err(more) => {
            for fault in more.0 {
                let (code, pointer) = match fault {
                    FactorFault::NoIntensity => (FaultCode::Required, "/upstream"),
                    FactorFault::NoDay => (FaultCode::Mismatch, "/validTo"),
                    FactorFault::Dimension(_) => (FaultCode::Mismatch, "/unit"),
                    FactorFault::ChosenOfNone | FactorFault::NotUsable(_) | FactorFault::NotAsPublished(_) => {
                        (FaultCode::Mismatch, "/published")
                    }
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
    origins: &Origins,
) -> Result<Factor, Faults> {
    if wrong.is_chosen() {
        let detail =
            "was chosen by the product's rule: change the rule, or give the product a factor of its own for these days";
        return Err(Faults::one_coded(FaultCode::Mismatch, "", detail));
    }
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
    let factor = if draft.published.is_missing() {
        let draft = FactorDraft { valid_from: Field::Given(valid_from), valid_to: Field::of(valid_to), ..draft };
        build(id, product, draft, origins)?
    } else {
        copy(id, product, origins.copied(draft, Some((valid_from, valid_to)))?)?
    };
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
    of_one_use(&existing, &factor)?;
    Ok(tx.factors_mut().add(factor).await?)
}

/// Refuses a published factor whose activities are of another scope than those of the product's other factors.
fn of_one_use(existing: &[Factor], factor: &Factor) -> Result<(), Faults> {
    check_use(existing, factor).map_err(|mixed| Faults::one_coded(FaultCode::Mismatch, "/published", mixed.to_string()))
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
    of_one_use(&existing, &factor)?;
    let closed = add_successor(&existing, &factor).map_err(Conflict::Overlap)?;
    for closed in closed {
        let before = find(tx, closed.product(), closed.id()).await?;
        tx.factors_mut().update(closed, before.version).await?;
    }
    Ok(tx.factors_mut().add(factor).await?)
}
