//! From a draft to an activity: references found, rules checked, CO2e computed, every fault named.

use domain::{
    Activity, ActivityId, Calculation, CalculationError, CountedNowhere, Day, FactorLookup, FaultCode, Faults,
    Measured, Misplaced, Moment, Org, Scope, Span, SuppliedCo2e, Taxonomy, calculate,
};
use ports::inbound::{ActivityDraft, Error, Field, ReadBack, Reference};
use ports::store::ReadTx;

use super::kept::warn_of_kept_amounts;
use super::measures::{FACTOR as MARKET_FACTOR, Of, computed_measures, stated as stated_measures};
use crate::usecase::draft::{pointer, required};
use crate::usecase::published::Choosing;
use crate::usecase::resolve::{Referred, Resolver};
use crate::usecase::tree::IdOf;

/// What becomes of computed amounts that an input says and that the record does not come to.
pub(in crate::usecase) enum Differences<'a> {
    /// They are faults, unless a change computes them anew. What else is to be said is noted here.
    Refused(&'a mut Faults),
    /// Where the input is an answer of ours, which says in `supplied` which parts were, they are noted here; elsewhere
    /// they are faults. What else is to be said is noted here too.
    Noted(&'a mut Faults),
}

/// The activity that a draft makes, of nothing or of `before`; or all that is wrong with it.
pub(in crate::usecase) async fn build(
    tx: &mut dyn ReadTx,
    resolver: &mut Resolver,
    choosing: &mut Choosing,
    id: ActivityId,
    before: Option<&Activity>,
    draft: &ActivityDraft,
    differences: Differences<'_>,
) -> Result<Result<Activity, Faults>, Error> {
    let mut faults = draft.faults.clone();
    let name = required(&mut faults, "/name", draft.name.clone(), before.map(|b| b.name.clone()));
    let span = span(&mut faults, draft.start.clone(), draft.end.clone(), before);
    let product = match &draft.product {
        Field::Given(reference) => match resolver.product(tx, reference).await? {
            Ok(found) => Some(found.product.id),
            Err(detail) => {
                faults.add_coded(FaultCode::NotFound, pointer("/product", reference), detail);
                None
            }
        },
        Field::Null => None,
        Field::Absent | Field::Faulty => before.and_then(|before| before.product),
    };
    let scope = node::<Scope>(tx, resolver, &mut faults, &draft.scope, before.and_then(|b| b.scope)).await?;
    let org = node::<Org>(tx, resolver, &mut faults, &draft.org, before.and_then(|b| b.org)).await?;
    let taxonomy = before.and_then(|b| b.taxonomy);
    let taxonomy = node::<Taxonomy>(tx, resolver, &mut faults, &draft.taxonomy, taxonomy).await?;
    let measured = measured(&mut faults, draft, before);
    let said = draft.read_back.supplied.unwrap_or_default();
    let stated = before.map(|before| before.calculation.supplied()).unwrap_or_default();
    for (name, listed, part, stated) in [
        ("UpstreamCO2e", said.upstream, &draft.upstream, stated.upstream),
        ("DownstreamCO2e", said.downstream, &draft.downstream, stated.downstream),
        ("biogenicCO2", said.biogenic, &draft.biogenic, before.and_then(|before| before.stated.biogenic)),
    ] {
        if listed && matches!(part, Field::Absent) && stated.is_none() {
            faults.add_coded(FaultCode::Mismatch, "/supplied", format!("lists {name}, which is not given"));
        }
    }
    let supplied = SuppliedCo2e::default()
        .with_upstream(draft.upstream.clone().merge(stated.upstream))
        .with_downstream(draft.downstream.clone().merge(stated.downstream));
    let sync_id = draft.sync_id.clone().merge(before.and_then(|b| b.sync_id.clone()));
    let description = draft.description.clone().merge(before.and_then(|b| b.description.clone()));
    // Computed even when other members are faulty: a unit that does not fit the product is worth saying beside them.
    let day = span.map_or(Day::MIN, Span::first);
    let found = match product {
        Some(id) => resolver.product_with_factors(tx, id).await?,
        None => None,
    };
    let chosen = match &found {
        Some(found) => choosing.choose(tx, resolver, found, org, day).await?,
        None => None,
    };
    let lookup = found.as_ref().map(|found| FactorLookup {
        product: &found.product,
        factors: &found.factors,
        day,
        chosen: chosen.as_deref(),
    });
    let calculation = compute(&mut faults, supplied, measured, lookup);
    let factor = calculation.as_ref().and_then(Calculation::factor);
    let of = Of { before, scope, day, measured, product: found.clone(), factor, chosen: chosen.clone() };
    let stated = stated_measures(tx, resolver, &mut faults, draft, &of).await?;
    let (Some(name), Some(span), Some(calculation)) = (name, span, calculation) else {
        if let (Some(_), Some(calculation), None) = (span, calculation, draft.read_back.supplied) {
            own_sum(&mut faults, &draft.read_back, &calculation);
        }
        return Ok(Err(faults));
    };
    let mut activity = Activity::new(id, name, span)
        .with_sync_id(sync_id)
        .with_description(description)
        .with_measured(measured)
        .with_product(product)
        .with_scope(scope)
        .with_taxonomy(taxonomy)
        .with_org(org)
        .with_calculation(calculation)
        .with_stated(stated);
    let kept = before.filter(|before| !activity.needs_calculation(before, lookup));
    if let Some(before) = kept {
        activity.calculation = before.calculation;
    }
    let factors = found.as_ref().map(|found| found.factors.as_slice()).unwrap_or_default();
    match computed_measures(tx, resolver, &activity, factors.iter().chain(chosen.as_deref())).await? {
        Ok(measures) => activity.measures = measures,
        // A factor of the market that does not fit is told of already.
        Err(_) if faults.as_slice().iter().any(|fault| fault.pointer == MARKET_FACTOR) => {}
        Err(error) => faults.add_coded(FaultCode::Invalid, "/quantity", error.to_string()),
    }
    let mut differences = differences;
    let (Differences::Refused(warnings) | Differences::Noted(warnings)) = &mut differences;
    placed(choosing.check_place(tx, resolver, factors, &activity).await?, &mut faults, warnings);
    if let Some(before) = before {
        warn_of_kept_amounts(warnings, draft, before, &activity);
    }
    match (differences, draft.read_back.supplied) {
        (_, None) => own_sum(&mut faults, &draft.read_back, &activity.calculation),
        (Differences::Noted(warnings), Some(_)) => agree(warnings, &draft.read_back, &activity),
        (Differences::Refused(_), Some(_)) if before.is_none() || kept.is_some() => {
            agree(&mut faults, &draft.read_back, &activity);
        }
        (Differences::Refused(_), Some(_)) => {}
    }
    Ok(if faults.is_empty() { Ok(activity) } else { Err(faults) })
}

/// The quantity with its unit; a fault says which of them is missing.
fn measured(faults: &mut Faults, draft: &ActivityDraft, before: Option<&Activity>) -> Option<Measured> {
    let before = before.and_then(|before| before.measured);
    let quantity = draft.quantity.clone().merge(before.map(|measured| measured.quantity));
    let unit = draft.unit.clone().merge(before.map(|measured| measured.unit));
    match (quantity, unit) {
        (Some(quantity), Some(unit)) => Some(Measured { quantity, unit }),
        (None, None) => None,
        (Some(_), None) => {
            together(faults, "/unit", "quantity is given without the unit it is counted in");
            None
        }
        (None, Some(_)) => {
            together(faults, "/quantity", "unit is given without a quantity");
            None
        }
    }
}

/// Notes that the factor's emissions count where they must not, or most likely should not.
fn placed(place: Result<Option<Misplaced>, CountedNowhere>, faults: &mut Faults, warnings: &mut Faults) {
    match place {
        Ok(None) => {}
        Ok(Some(misplaced)) => warnings.add_coded(FaultCode::Mismatch, "/scope", misplaced.to_string()),
        Err(error) => faults.add_coded(FaultCode::Mismatch, "/scope", format!("cannot be: {error}")),
    }
}

/// Notes what an answer of ours says of computed amounts that is not so here.
fn agree(faults: &mut Faults, read_back: &ReadBack, activity: &Activity) {
    let calculation = &activity.calculation;
    let part = "name it in supplied to replace it";
    for (name, said, is, mend) in [
        ("UpstreamCO2e", read_back.upstream, calculation.upstream(), part),
        ("DownstreamCO2e", read_back.downstream, calculation.downstream(), part),
        ("biogenicCO2", read_back.biogenic, activity.biogenic(), part),
        ("CO2e", read_back.co2e, calculation.co2e(), "change its parts"),
    ] {
        if let Some(said) = said.filter(|said| Some(*said) != is) {
            let is = is.map_or_else(|| "cannot be computed".to_owned(), |is| format!("is computed and comes to {is}"));
            faults.add_coded(
                FaultCode::Mismatch,
                format!("/{name}"),
                format!("is {said}, but {is} here; leave it, or {mend}"),
            );
        }
    }
}

/// Notes a sum that is not what the record comes to.
fn own_sum(faults: &mut Faults, read_back: &ReadBack, calculation: &Calculation) {
    let is = calculation.co2e();
    let Some(said) = read_back.co2e.filter(|said| Some(*said) != is) else { return };
    faults.add_coded(
        FaultCode::Mismatch,
        "/CO2e",
        match is {
            Some(is) => format!("is {said}, but the record comes to {is}; correct its parts, or leave CO2e out"),
            None => format!(
                "is {said}, but nothing makes up this sum: give it as UpstreamCO2e or DownstreamCO2e, or a product with a \
                 factor"
            ),
        },
    );
}

fn compute(
    faults: &mut Faults,
    supplied: SuppliedCo2e,
    measured: Option<Measured>,
    lookup: Option<FactorLookup<'_>>,
) -> Option<Calculation> {
    match calculate(supplied, measured.map(|m| (m.quantity, m.unit)), lookup) {
        Ok(calculation) => Some(calculation),
        Err(error) => {
            let pointer = match error {
                CalculationError::Dimension { .. } => "/unit",
                CalculationError::TooLarge if supplied.upstream.is_some() && supplied.downstream.is_some() => {
                    "/UpstreamCO2e"
                }
                CalculationError::TooLarge => "/quantity",
            };
            let code = match error {
                CalculationError::Dimension { .. } => FaultCode::Mismatch,
                CalculationError::TooLarge => FaultCode::Invalid,
            };
            faults.add_coded(code, pointer, error.to_string());
            None
        }
    }
}

fn span(faults: &mut Faults, start: Field<Moment>, end: Field<Moment>, before: Option<&Activity>) -> Option<Span> {
    let readable = !matches!(end, Field::Faulty);
    let start = required(faults, "/startDate", start, before.map(|b| b.span.start()))?;
    let end = end.merge(before.and_then(|b| b.span.end()));
    if !readable {
        return Span::new(start, None).ok();
    }
    faults.check("/endDate", Span::new(start, end))
}

async fn node<T: Referred>(
    tx: &mut dyn ReadTx,
    resolver: &mut Resolver,
    faults: &mut Faults,
    field: &Field<Reference>,
    before: Option<IdOf<T>>,
) -> Result<Option<IdOf<T>>, Error> {
    let reference = match field {
        Field::Given(reference) => reference,
        Field::Null => return Ok(None),
        Field::Absent | Field::Faulty => return Ok(before),
    };
    match resolver.node::<T>(tx, reference).await? {
        Ok(id) => Ok(Some(id)),
        Err(detail) => {
            faults.add_coded(FaultCode::NotFound, pointer(&format!("/{}", T::TREE), reference), detail);
            Ok(None)
        }
    }
}

fn together(faults: &mut Faults, pointer: &str, detail: &str) {
    // A member that was given but unreadable has its own fault already.
    let known = faults.as_slice().iter().any(|fault| fault.pointer == pointer);
    if !known {
        faults.add_coded(FaultCode::Mismatch, pointer, format!("{detail}; give both or neither"));
    }
}
