//! Factors that are made of suppliers' footprints: whose they are, and what becomes of a footprint's members.

use std::sync::Arc;

use ethnum::I256;

use crate::amount::Intensity;
use crate::amount::decimal::{Decimal, SCALE};
use crate::calendar::day::Day;
use crate::footprint::{Edition, Fields, validity};
use crate::gas::potential::GwpSet;
use crate::id::FootprintId;
use crate::product::factor::FactorData;
use crate::product::supplier::{NoShare, SupplierFootprint};
use crate::text::{Name, Source};
use crate::unit::Unit;

/// Why no factor can be made of a footprint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoFactorOf {
    /// A member is missing that a factor needs.
    #[error("it has no {0}")]
    Missing(&'static str),
    /// The unit is one that quantities are not counted in here.
    #[error("its declared unit {0:?} is none that quantities are counted in here")]
    Unit(String),
    /// The declared amount is not above zero.
    #[error("its declaredUnitAmount is not above zero")]
    Amount,
    /// The amount per unit has more than 20 digits before the decimal point.
    #[error("its amount per unit has more than 20 digits before the decimal point")]
    TooLarge,
    /// It is valid on no whole day.
    #[error("it is valid on no day")]
    NoDay,
    /// A name is too long, or has characters that none may have.
    #[error("its {0} cannot be kept: {1}")]
    Text(&'static str, String),
    /// The share of primary data is out of bounds.
    #[error(transparent)]
    Share(#[from] NoShare),
}

/// A factor's members, made of a footprint.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SuppliedFactor {
    /// What the factor says: the footprint's emissions per unit, as its upstream part, on the days of its validity.
    pub data: FactorData,
    /// What the company calls the product.
    pub name: Name,
    /// Whether the amount per unit was rounded, at the 18th fractional digit.
    pub is_rounded: bool,
}

/// Makes a factor's members of a footprint that an edition shows and a host at `host` gave.
///
/// The emissions are those without the biogenic uptake (`pcfExcludingBiogenicUptake`), per one declared unit: in version 3
/// they are divided by `declaredUnitAmount`, rounded half to even once at the 18th fractional digit. The days are those, in
/// UTC, of which an instant lies in its validity, but for a last day of which only midnight does; without a validity period
/// three years from the end of the reference period. `product` is the one of its product ids that the factor is for.
pub fn supplied_factor(
    id: FootprintId,
    fields: &Fields,
    edition: Edition,
    host: &Source,
    product: &str,
) -> Result<SuppliedFactor, NoFactorOf> {
    let pcf = fields.object("pcf").ok_or(NoFactorOf::Missing("pcf"))?;
    let (unit_member, co2e_member) = match edition {
        Edition::V2 => ("declaredUnit", "pCfExcludingBiogenic"),
        Edition::V3 => ("declaredUnitOfMeasurement", "pcfExcludingBiogenicUptake"),
    };
    let declared = pcf.text(unit_member).ok_or(NoFactorOf::Missing(unit_member))?;
    let unit = unit_of(declared).ok_or_else(|| NoFactorOf::Unit(declared.chars().take(80).collect()))?;
    let co2e = pcf.number(co2e_member).ok_or(NoFactorOf::Missing(co2e_member))?;
    let (intensity, is_rounded) = match edition {
        Edition::V2 => (co2e, false),
        Edition::V3 => {
            let amount = pcf.number("declaredUnitAmount").ok_or(NoFactorOf::Missing("declaredUnitAmount"))?;
            per_one(co2e, amount)?
        }
    };
    let (valid_from, valid_to) = days(fields).ok_or(NoFactorOf::Missing("validity"))?;
    if valid_to <= valid_from {
        return Err(NoFactorOf::NoDay);
    }
    let text = |member: &'static str| fields.text(member).ok_or(NoFactorOf::Missing(member));
    let name = |member: &'static str| {
        text(member).and_then(|text| Name::parse(text).map_err(|error| NoFactorOf::Text(member, error.to_string())))
    };
    let product = Source::parse(product).map_err(|error| NoFactorOf::Text("product id", error.to_string()))?;
    let footprint = SupplierFootprint::new(name("companyName")?, id, host.clone(), product);
    let footprint = footprint.with_primary_data_share(pcf.number("primaryDataShare"))?;
    let source = footprint.source().ok_or_else(|| NoFactorOf::Text("source", "it is too long".to_owned()))?;
    let data = FactorData::new(unit, valid_from, source)
        .with_upstream(Some(Intensity::new(intensity)))
        .with_valid_to(Some(valid_to))
        .with_gwp(gwp(pcf))
        .with_supplier(Some(Arc::new(footprint)));
    Ok(SuppliedFactor { data, name: name("productNameCompany")?, is_rounded })
}

/// The unit of a declared unit's name.
fn unit_of(declared: &str) -> Option<Unit> {
    let code = match declared {
        "liter" => "L",
        "kilogram" => "kg",
        "cubic meter" => "m3",
        "kilowatt hour" => "kWh",
        "megajoule" => "MJ",
        "ton kilometer" => "tkm",
        "square meter" => "m2",
        "piece" => "piece",
        "hour" => "h",
        _ => return None,
    };
    Unit::parse(code).ok()
}

/// The amount divided by another, and whether that was rounded.
fn per_one(co2e: Decimal, amount: Decimal) -> Result<(Decimal, bool), NoFactorOf> {
    if amount <= Decimal::ZERO {
        return Err(NoFactorOf::Amount);
    }
    let quotient = co2e.checked_div(amount).ok_or(NoFactorOf::TooLarge)?;
    let rest = I256::from(co2e.scaled()) * I256::from(SCALE) % I256::from(amount.scaled());
    Ok((quotient, rest != 0))
}

/// The first day of its validity, and the day after the last.
fn days(fields: &Fields) -> Option<(Day, Day)> {
    let (start, end) = validity(fields);
    let day = |at: time::OffsetDateTime| Day::from_date(at.to_offset(time::UtcOffset::UTC).date());
    let (start, end) = (start?, end?);
    let is_midnight = end.to_offset(time::UtcOffset::UTC).time() == time::Time::MIDNIGHT;
    let last = day(end)?;
    Some((day(start)?, if is_midnight { last } else { last.next() }))
}

/// The set of global warming potentials, where the footprint names one alone.
fn gwp(pcf: &Fields) -> Option<GwpSet> {
    let named = [pcf.texts("ipccCharacterizationFactors"), pcf.texts("ipccCharacterizationFactorsSources")];
    match named.concat().as_slice() {
        [only] => GwpSet::parse(only).ok(),
        [] => GwpSet::parse(pcf.text("characterizationFactors")?).ok(),
        _ => None,
    }
}
