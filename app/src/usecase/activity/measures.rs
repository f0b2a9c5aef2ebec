//! What a draft states of measures other than CO2e, and what counts in the market.

use std::sync::Arc;

use domain::{
    Activity, CalculationError, Day, Factor, FactorId, FaultCode, Faults, Market, MarketOrigin, Measured, Measures,
    ScopeId, ScopeKind, Stated, residual_mix_on,
};
use ports::inbound::{ActivityDraft, Error};
use ports::store::ReadTx;

use crate::usecase::resolve::{ProductWithFactors, Resolver};

/// Where a draft names the factor that counts in the market.
pub(super) const FACTOR: &str = "/marketFactor";
const INSTRUMENT: &str = "/marketInstrument";

/// What the activity is that measures are stated of, as far as it is known.
pub(super) struct Of<'a> {
    pub(super) before: Option<&'a Activity>,
    pub(super) scope: Option<ScopeId>,
    /// Its first day.
    pub(super) day: Day,
    pub(super) measured: Option<Measured>,
    /// Its product with all factors.
    pub(super) product: Option<Arc<ProductWithFactors>>,
    /// The factor that its CO2e is computed from.
    pub(super) factor: Option<FactorId>,
    /// The factor that the rule of its product chose.
    pub(super) chosen: Option<Arc<Factor>>,
}

/// What the draft states, or `before` did; faults say what does not go together.
pub(super) async fn stated(
    tx: &mut dyn ReadTx,
    resolver: &mut Resolver,
    faults: &mut Faults,
    draft: &ActivityDraft,
    of: &Of<'_>,
) -> Result<Stated, Error> {
    let before = of.before.map(|before| before.stated.clone()).unwrap_or_default();
    let biogenic = draft.biogenic.clone().merge(before.biogenic);
    let kept = before.market.filter(|market| market.origin == MarketOrigin::Named);
    let basis = draft.market_instrument.clone().merge(kept.as_ref().map(|market| market.basis));
    let factor = draft.market_factor.clone().merge(kept.as_ref().map(|market| market.factor));
    let reference = draft.market_reference.clone().merge(kept.and_then(|market| market.reference));
    let evidence = Some(before.evidence).filter(|evidence| !evidence.is_empty());
    let stated = Stated::default()
        .with_biogenic(biogenic)
        .with_quality(draft.quality.clone().merge(before.quality))
        .with_evidence(draft.evidence.clone().merge(evidence).unwrap_or_default());
    let says_of_market = basis.is_some() || factor.is_some() || reference.is_some();
    if biogenic.is_none() && !says_of_market && !has_residual_mix(of) {
        return Ok(stated);
    }
    let kind = resolver.scope_kind(tx, of.scope).await?;
    if biogenic.is_some() && kind == Some(ScopeKind::Biogenic) {
        let detail = "is for activities of other scopes: of this one, in a scope of kind biogenic, the CO2e is biogenic \
                      CO2; give it as DownstreamCO2e";
        faults.add_coded(FaultCode::Mismatch, "/biogenicCO2", detail);
    }
    if !says_of_market {
        return Ok(stated.with_market(residual(of, kind)));
    }
    let market = match (basis, factor) {
        (Some(basis), Some(factor)) => {
            check(tx, resolver, faults, of, kind, factor).await?;
            Some(Market::new(basis, factor, MarketOrigin::Named).with_reference(reference))
        }
        (basis, factor) => {
            let missing = [(INSTRUMENT, basis.is_none()), (FACTOR, factor.is_none())];
            for (pointer, _) in missing.into_iter().filter(|(_, is_missing)| *is_missing) {
                let is_noted = faults.as_slice().iter().any(|fault| fault.pointer == pointer);
                if !is_noted {
                    let detail =
                        "is required: marketInstrument and marketFactor go together; or give null for all of them";
                    faults.add_coded(FaultCode::Required, pointer, detail);
                }
            }
            None
        }
    };
    Ok(stated.with_market(market))
}

/// What the activity comes to by each measure; the factor of its calculation is among those that are known.
pub(in crate::usecase) async fn computed_measures(
    tx: &mut dyn ReadTx,
    resolver: &mut Resolver,
    activity: &Activity,
    mut known: impl Iterator<Item = &Factor>,
) -> Result<Result<Measures, CalculationError>, Error> {
    let in_market = match &activity.stated.market {
        Some(market) => resolver.factor(tx, market.factor).await?,
        None => None,
    };
    let used = known.find(|factor| activity.calculation.factor() == Some(factor.id()));
    Ok(activity.computed_measures(used, in_market.as_deref()))
}

/// Whether a residual mix of the product may count.
fn has_residual_mix(of: &Of<'_>) -> bool {
    of.product.as_ref().is_some_and(|product| residual_mix_on(&product.factors, of.day).is_some())
        || of.before.is_some_and(|before| before.stated.market.is_some())
}

/// What counts where no instrument is named: in scope 2 the residual mix of the product on the day. What an activity has stays
/// as long as nothing that it is computed from changes.
fn residual(of: &Of<'_>, kind: Option<ScopeKind>) -> Option<Market> {
    of.measured?;
    if kind != Some(ScopeKind::Scope2) {
        return None;
    }
    let product = of.product.as_ref()?;
    if let Some(before) = of.before {
        let is_same = before.measured == of.measured
            && before.product == Some(product.product.id)
            && before.span.first() == of.day
            && before.scope == of.scope;
        if is_same {
            return before.stated.market.clone().filter(|market| market.origin == MarketOrigin::Product);
        }
    }
    let factor = residual_mix_on(&product.factors, of.day)?;
    Some(Market::new(domain::MarketBasis::ResidualMix, factor.id(), MarketOrigin::Product))
}

/// Notes what of the scope 2 quality criteria can be checked and does not hold: the factor is there and holds on the day, it is
/// of the market of the location, and there is a quantity that it can be multiplied with. That certificates are tracked,
/// exclusive and retired nobody can see here.
async fn check(
    tx: &mut dyn ReadTx,
    resolver: &mut Resolver,
    faults: &mut Faults,
    of: &Of<'_>,
    kind: Option<ScopeKind>,
    id: FactorId,
) -> Result<(), Error> {
    let mut fault = |code, detail: String| faults.add_coded(code, FACTOR, detail);
    if kind != Some(ScopeKind::Scope2) {
        fault(FaultCode::Mismatch, "is for activities in a scope of kind scope2".to_owned());
    }
    let Some(factor) = resolver.factor(tx, id).await? else {
        fault(
            FaultCode::NotFound,
            format!("there is no factor {id}; GET /v1/product/UUID/factor lists those there are"),
        );
        return Ok(());
    };
    if !factor.valid_on(of.day) {
        let data = factor.data();
        let end = data.valid_to.map_or_else(|| "on".to_owned(), |end| format!("to {end} (exclusive)"));
        let detail = format!(
            "holds from {} {end}, and the activity begins on {}: an instrument counts for the time it was issued for",
            data.valid_from, of.day
        );
        fault(FaultCode::Mismatch, detail);
    }
    let known = of.product.iter().flat_map(|product| &product.factors).chain(of.chosen.as_deref());
    let located = known.into_iter().find(|one| of.factor == Some(one.id())).and_then(region);
    if let (Some(market), Some(location)) = (region(&factor), located)
        && country(&market) != country(&location)
    {
        let detail = format!("is of the market {market}, and the energy is used in {location}");
        fault(FaultCode::Mismatch, detail);
    }
    match of.measured {
        None => fault(FaultCode::Mismatch, "needs a quantity to be multiplied with".to_owned()),
        Some(measured) => {
            if let Err(wrong) = measured.unit.check(factor.data().unit) {
                fault(FaultCode::Mismatch, format!("does not go with the unit of the quantity: {wrong}"));
            }
        }
    }
    Ok(())
}

fn region(factor: &Factor) -> Option<String> {
    factor.data().origin.as_deref()?.factor.region.as_ref().map(ToString::to_string)
}

/// What is before the first hyphen: `US-RFCW` is of the market `US`.
fn country(region: &str) -> &str {
    region.split('-').next().unwrap_or(region)
}
