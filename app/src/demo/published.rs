//! A set of made-up published factors, and the products whose factors are of it: one by a copy, one by a rule.

use domain::{
    Day, Digest, FactorRule, Name, ProductId, PublishedUse, PublisherSets, SetPreference, SyncId, Unit, YearRule,
};
use files::read_published;
use ports::factor_sets::NewFactorSet;
use ports::inbound::{
    Beside, Catalog, Error, FactorDraft, FactorSetImports, Field, ProductDraft, PublishedDraft, SetPrefix,
};
use ports::repo::Page;
use ports::{Caller, Grant, Installation, Maintenance};

use super::{COMPANY, parse, product, sync_text};

const FILE: &[u8] = include_bytes!("factors.csv");

/// The product whose factor is a copy of a published one.
pub(super) const KITCHEN_GAS: &str = "kitchen-gas";
/// Where the published factor's figure stands in the file: natural gas, burnt.
const GAS_CELL: &str = "H2";
/// The product whose factor is chosen by a rule.
pub(super) const CHARGING_POINTS: &str = "charging-points";

/// Adds the set, unless it is there.
pub async fn add_factors(
    imports: &dyn FactorSetImports,
    grant: &Grant<Maintenance, Installation>,
) -> anyhow::Result<()> {
    let file = read_published(FILE, "factors.csv")?;
    imports.add_factor_set(grant, NewFactorSet::new(file.set, &file.factors)?, Beside::Refused).await?;
    Ok(())
}

/// Fills in the products that are not there yet, the copied factor with its product.
pub(super) async fn fill(catalog: &dyn Catalog, caller: &Caller) -> Result<(), Error> {
    let gas =
        put(catalog, caller, KITCHEN_GAS, "Natural gas, burned in the kitchen", "kWh_gross", Field::Absent).await?;
    if catalog.list_factors(caller, gas, Page::FIRST).await?.count == 0 {
        catalog.add_factor(caller, gas, copy()?).await?;
    }
    let name = "Electricity of the grid, by region";
    put(catalog, caller, CHARGING_POINTS, name, "kWh", Field::Given(rule()?)).await?;
    Ok(())
}

/// The published factor for natural gas, which holds in the years of the books before its own too.
fn copy() -> Result<FactorDraft, Error> {
    let published = PublishedDraft {
        set: Field::Given(SetPrefix::from(Digest::of(FILE))),
        cell: parse::field(Name::parse, GAS_CELL)?,
    };
    Ok(FactorDraft {
        published: Field::Given(published),
        valid_from: parse::field(Day::parse, "2023-01-01")?,
        other_days: Field::Given(true),
        ..FactorDraft::default()
    })
}

/// The newest factor of the grid that the activity's site is in.
fn rule() -> Result<FactorRule, Error> {
    let sets = vec![SetPreference::Publisher(PublisherSets::new(parse::text(Name::parse, COMPANY)?))];
    let (name, unit) = (parse::text(Name::parse, "Electricity")?, parse::text(Unit::parse, "kWh")?);
    let rule = FactorRule::new(sets, name, unit).map_err(|error| Error::Failed(error.into()))?;
    Ok(rule.with_usage(Some(PublishedUse::PurchasedEnergy)).with_years(YearRule::NewestBefore))
}

async fn put(
    catalog: &dyn Catalog,
    caller: &Caller,
    code: &str,
    name: &str,
    unit: &str,
    rule: Field<FactorRule>,
) -> Result<ProductId, Error> {
    if let Some(id) = product::find(catalog, caller, code).await? {
        return Ok(id);
    }
    let draft = ProductDraft {
        name: parse::field(Name::parse, name)?,
        sync_id: parse::field(SyncId::parse, &sync_text("product", code))?,
        unit: parse::field(Unit::parse, unit)?,
        rule,
        ..ProductDraft::default()
    };
    Ok(catalog.add_product(caller, draft).await?.product.value.id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_a_factor() {
        let file = read_published(FILE, "factors.csv").unwrap();
        assert_eq!((file.factors.len(), file.account.rows), (4, 4), "{:?}", file.account);
    }
}
