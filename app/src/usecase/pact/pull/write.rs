//! One footprint becomes a factor, or ends or corrects one.

use std::sync::Arc;

use domain::{Factor, FactorData, FactorId, Product, ProductId, SuppliedFactor, SyncId, add_successor, corrected_by};
use ports::inbound::Error;
use ports::store::WriteTx;

use super::super::super::resolve::all_factors;
use super::listed::Listed;
use super::{PullService, Supplier};

/// What became of a footprint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// It is a new factor; so many others ended where it begins.
    Added { closed: u64, is_rounded: bool },
    /// It is the correction of a factor.
    Corrected,
    /// It is a factor already.
    Unchanged,
    /// It is deprecated, and its factor ended.
    Ended,
    /// It is deprecated, and there is no factor of it.
    Deprecated,
    /// No factor can be made of it.
    Refused(String),
}

/// Writes what becomes of a footprint.
pub(super) async fn one(
    tx: &mut dyn WriteTx,
    by: &PullService,
    supplier: &Supplier,
    one: &Listed,
) -> Result<Written, Error> {
    let sync_ids = match sync_ids(supplier, one) {
        Ok(sync_ids) => sync_ids,
        Err(reason) => return Ok(Written::Refused(reason)),
    };
    let mut there = None;
    for sync_id in &sync_ids {
        if there.is_none() {
            there = tx.products().find_by_sync_id(sync_id).await?.map(|product| product.value);
        }
    }
    let existing = match &there {
        Some(product) => all_factors(tx, product.id).await?,
        None => Vec::new(),
    };
    let known = of_footprint(&existing, one);
    if one.is_deprecated {
        return end(tx, by, known, &existing).await;
    }
    let SuppliedFactor { data, name, is_rounded, .. } = match one.supplied.clone() {
        Ok(supplied) => supplied,
        Err(reason) => return Ok(Written::Refused(reason)),
    };
    let now = by.clock.now();
    let product = match there {
        Some(product) => product,
        None => {
            Product::new(ProductId::new(by.ids.next(now)), name, data.unit).with_sync_id(sync_ids.into_iter().next())
        }
    };
    let factor = match Factor::new(FactorId::new(by.ids.next(now)), &product, data) {
        Ok(factor) => factor,
        Err(error) => return Ok(Written::Refused(format!("the product {}: {error}", product.id))),
    };
    if let Some(known) = known {
        return differs(tx, &product, known, &existing, factor).await;
    }
    succeed(tx, product, &existing, factor, one, is_rounded).await
}

/// What the footprint's product is found by, first the one that it is called by when it is new: each of its product ids at the
/// partner, and at the base address, by which a host is known that was no partner.
fn sync_ids(supplier: &Supplier, one: &Listed) -> Result<Vec<SyncId>, String> {
    if one.products.is_empty() {
        return Err("it has no productIds".to_owned());
    }
    let sync_id = |owner: &str, product: &String| {
        SyncId::parse(&format!("{owner} {product}"))
            .map_err(|error| format!("its product id {product:.80?} cannot be kept: {error}"))
    };
    let at_host = one.products.iter().map(|product| sync_id(supplier.host.as_str(), product));
    let Some(partner) = supplier.partner.map(|partner| partner.to_string()) else { return at_host.collect() };
    // No product was kept by an address that is too long to keep it by.
    let at_partner: Result<Vec<_>, _> = one.products.iter().map(|product| sync_id(&partner, product)).collect();
    Ok(at_partner?.into_iter().chain(at_host.filter_map(Result::ok)).collect())
}

/// The factor that was made of the footprint; of several the one that was not corrected.
fn of_footprint<'a>(existing: &'a [Factor], one: &Listed) -> Option<&'a Factor> {
    let is_of = |factor: &&Factor| factor.data().supplier.as_ref().is_some_and(|own| own.footprint == one.id);
    let standing = existing.iter().filter(is_of).find(|factor| corrected_by(existing, factor.id()).is_none());
    standing.or_else(|| existing.iter().find(is_of))
}

/// Ends the factor of a deprecated footprint today; one that holds on no day before is removed while it is unused.
async fn end(
    tx: &mut dyn WriteTx,
    by: &PullService,
    known: Option<&Factor>,
    existing: &[Factor],
) -> Result<Written, Error> {
    let Some(known) = known.filter(|known| corrected_by(existing, known.id()).is_none()) else {
        return Ok(Written::Deprecated);
    };
    let today = by.clock.now().day();
    if known.data().valid_to.is_some_and(|end| end <= today) {
        return Ok(Written::Unchanged);
    }
    if known.data().valid_from < today {
        update(tx, known, known.data().clone().with_valid_to(Some(today))).await?;
        return Ok(Written::Ended);
    }
    if !tx.factors().uses(known.id()).await?.is_empty() {
        let reason = format!("it is deprecated before it holds on a day, and its factor {} is in use", known.id());
        return Ok(Written::Refused(reason));
    }
    let Some(stored) = tx.factors().find(known.id()).await? else { return Ok(Written::Deprecated) };
    tx.factors_mut().remove(known.id(), stored.version).await?;
    Ok(Written::Ended)
}

/// Nothing, where the known factor says the same; else its correction, where both are of the same days.
async fn differs(
    tx: &mut dyn WriteTx,
    product: &Product,
    known: &Factor,
    existing: &[Factor],
    factor: Factor,
) -> Result<Written, Error> {
    if corrected_by(existing, known.id()).is_some() {
        return Ok(Written::Unchanged);
    }
    let (old, new) = (known.data(), factor.data());
    let is_shorter = old.valid_to.is_some_and(|end| new.valid_to.is_none_or(|new| end <= new));
    if *old == at_the_host_of(old, new).with_valid_to(old.valid_to) && is_shorter {
        return Ok(Written::Unchanged);
    }
    if old.valid_from != new.valid_from || !is_shorter {
        let reason = format!("it was changed under its id and holds on other days than its factor {}", known.id());
        return Ok(Written::Refused(reason));
    }
    correct(tx, product, known, factor).await
}

/// The same as if it had come from the other one's host: an address that has moved changes no figure.
fn at_the_host_of(old: &FactorData, new: &FactorData) -> FactorData {
    match (&old.supplier, &new.supplier) {
        (Some(before), Some(now)) if before.host != now.host => {
            let moved = now.as_ref().clone().with_host(before.host.clone());
            let source = moved.source().unwrap_or_else(|| new.source.clone());
            new.clone().with_source(source).with_supplier(Some(Arc::new(moved)))
        }
        _ => new.clone(),
    }
}

/// Adds the factor, and ends those of the footprints that it takes the place of where it begins.
async fn succeed(
    tx: &mut dyn WriteTx,
    product: Product,
    existing: &[Factor],
    factor: Factor,
    one: &Listed,
    is_rounded: bool,
) -> Result<Written, Error> {
    let mut after = existing.to_vec();
    let mut closed = Vec::new();
    let from = factor.data().valid_from;
    for old in existing {
        let is_preceding = old.data().supplier.as_ref().is_some_and(|own| one.preceding.contains(&own.footprint));
        let is_over = old.data().valid_to.is_some_and(|end| end <= from);
        if !is_preceding || is_over || corrected_by(existing, old.id()).is_some() {
            continue;
        }
        if old.data().period() == factor.data().period() {
            return correct(tx, &product, old, factor).await;
        }
        if old.data().valid_from >= from {
            let reason =
                format!("it begins no later than the footprint of the factor {} that it takes the place of", old.id());
            return Ok(Written::Refused(reason));
        }
        let data = old.data().clone().with_valid_to(Some(from));
        let shorter = Factor::from_stored(old.id(), old.product(), data, old.corrects());
        let Ok(shorter) = shorter else { continue };
        after.retain(|other| other.id() != old.id());
        after.push(shorter.clone());
        closed.push(shorter);
    }
    match add_successor(&after, &factor) {
        Ok(more) => closed.extend(more),
        Err(overlap) => return Ok(Written::Refused(overlap.to_string())),
    }
    if existing.is_empty() && tx.products().find(product.id).await?.is_none() {
        tx.products_mut().add(product).await?;
    }
    for shorter in &closed {
        update(tx, shorter, shorter.data().clone()).await?;
    }
    tx.factors_mut().add(factor).await?;
    Ok(Written::Added { closed: u64::try_from(closed.len()).unwrap_or(u64::MAX), is_rounded })
}

/// Puts the factor in the place of a wrong one.
async fn correct(tx: &mut dyn WriteTx, product: &Product, wrong: &Factor, factor: Factor) -> Result<Written, Error> {
    match Factor::correction(factor.id(), product, wrong, factor.data().clone()) {
        Ok(correction) => {
            tx.factors_mut().add(correction).await?;
            Ok(Written::Corrected)
        }
        Err(error) => Ok(Written::Refused(error.to_string())),
    }
}

/// Writes a factor with other members.
async fn update(tx: &mut dyn WriteTx, factor: &Factor, data: FactorData) -> Result<(), Error> {
    let Some(stored) = tx.factors().find(factor.id()).await? else { return Err(Error::NotFound) };
    let changed = Factor::from_stored(factor.id(), factor.product(), data, factor.corrects());
    let changed = changed.map_err(|error| domain::Faults::one("", error.to_string()))?;
    tx.factors_mut().update(changed, stored.version).await?;
    Ok(())
}
