//! What the company's electricity is by contract, for the market-based figures of scope 2.

use domain::{FactorId, MarketBasis, Name};
use ports::Caller;
use ports::inbound::{ActivityDraft, Catalog, Error, Field};
use ports::repo::Page;

use super::company::SHOPS;
use super::{parse, product};

/// The contract that the shops are supplied under.
const CONTRACT: &str = "Power purchase agreement, Skerry wind park";

/// The factors of a product, by the year from which each is valid.
struct Factors(Vec<(i32, FactorId)>);

/// What counts in the market for a kWh: wind by contract in the shops, elsewhere what nobody claimed.
pub(super) struct Market {
    contract: Factors,
    residual: Factors,
}

impl Market {
    /// What is in the catalog.
    pub(super) async fn known(catalog: &dyn Catalog, caller: &Caller) -> Result<Self, Error> {
        Ok(Self {
            contract: Factors::of(catalog, caller, "wind-power").await?,
            residual: Factors::of(catalog, caller, "residual-mix").await?,
        })
    }

    /// The draft of electricity used there and then with what it is by contract.
    pub(super) fn told(&self, draft: ActivityDraft, org: &str, year: i32) -> Result<ActivityDraft, Error> {
        let has_contract = SHOPS.contains(&org);
        let (factors, basis) = if has_contract {
            (&self.contract, MarketBasis::Contract)
        } else {
            (&self.residual, MarketBasis::ResidualMix)
        };
        let factor = factors.0.iter().find(|(from, _)| *from == year).map(|(_, id)| *id).ok_or(Error::NotFound)?;
        Ok(ActivityDraft {
            market_instrument: Field::Given(basis),
            market_factor: Field::Given(factor),
            market_reference: if has_contract { parse::field(Name::parse, CONTRACT)? } else { Field::Absent },
            ..draft
        })
    }
}

impl Factors {
    async fn of(catalog: &dyn Catalog, caller: &Caller, code: &str) -> Result<Self, Error> {
        let id = product::find(catalog, caller, code).await?.ok_or(Error::NotFound)?;
        let known = catalog.list_factors(caller, id, Page::FIRST).await?.data;
        Ok(Self(known.iter().map(|factor| (factor.value.data().valid_from.calendar().0, factor.value.id())).collect()))
    }
}
