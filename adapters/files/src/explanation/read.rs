//! Reading an explanation back from its JSON, to compute it anew.

use std::convert::Infallible;
use std::fmt::Display;
use std::str::FromStr;

use domain::{
    CitedFactor, Co2e, Day, Decimal, EmittedGas, Evidence, EvidenceList, Explained, ExplainedMarket, Explanation,
    Factor, FactorData, Figures, Gas, GasAmount, GasFactor, GwpSet, Incomplete, Intensity, Market, MarketBasis,
    MarketOrigin, Measure, Measured, Measures, Multiplication, Name, Part, Quality, Quantity, Ratio, Source, Stated,
    Term, Unit, parse_uuid,
};

use crate::json::Json;

/// That a JSON is no explanation, and which member says so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an explanation: {member} {detail}")]
pub struct UnreadExplanation {
    member: String,
    detail: String,
}

/// The computation in an explanation's JSON. Nothing of it is checked: [`Explanation::replay`] does that.
pub fn read_explanation(json: &Json) -> Result<Explanation, UnreadExplanation> {
    let of = match needed(json, "kind", word)?.as_str() {
        "activity" => Explained::Activity(needed(json, "uuid", parse_uuid)?.into()),
        "input" => Explained::Input(needed(json, "uuid", parse_uuid)?.into()),
        _ => return Err(wrong("kind", "is neither activity nor input")),
    };
    let (quantity, unit) = (known(json, "quantity", Quantity::parse)?, known(json, "unit", Unit::parse)?);
    let reason = match json.get("incomplete") {
        Some(Json::Object(_)) => Some(needed(at(json, "incomplete")?, "code", Incomplete::from_code)?),
        Some(_) | None => None,
    };
    let product = match json.get("product") {
        Some(Json::Object(_)) => Some(needed(at(json, "product")?, "uuid", parse_uuid)?.into()),
        Some(_) | None => None,
    };
    let factor = match json.get("factor") {
        Some(Json::Object(_)) => Some(cited(at(json, "factor")?)?),
        Some(_) | None => None,
    };
    let Json::Array(parts) = at(json, "parts")? else { return Err(wrong("parts", "is no array")) };
    let terms: Result<Vec<_>, UnreadExplanation> = parts.iter().map(term).collect();
    let stored: Result<Vec<_>, UnreadExplanation> =
        parts.iter().map(|part| known(part, "stored", Co2e::parse)).collect();
    let mut found = Explanation::as_written(of, needed(json, "day", Day::parse)?);
    found.measured = quantity.zip(unit).map(|(quantity, unit)| Measured { quantity, unit });
    found.product = product;
    found.factor = factor;
    found.terms = terms?;
    let Json::Array(gases) = at(json, "gases")? else { return Err(wrong("gases", "is no array")) };
    found.gases = gases.iter().map(gas).collect::<Result<Vec<_>, _>>()?;
    let of_market = at(json, "market")?;
    found.market = if *of_market == Json::Null { None } else { Some(market(of_market)?) };
    found.stated = Stated::default()
        .with_biogenic(known(json, "suppliedBiogenicCO2", Co2e::parse)?)
        .with_quality(known(json, "quality", Quality::parse)?)
        .with_evidence(evidence(json)?)
        .with_market(found.market.as_ref().map(|of| of.market.clone()));
    found.reason = reason;
    found.stored = Figures { parts: stored?, co2e: known(json, "CO2e", Co2e::parse)?, measures: measures(json)? };
    Ok(found)
}

fn evidence(json: &Json) -> Result<EvidenceList, UnreadExplanation> {
    let Json::Array(pieces) = at(json, "evidence")? else { return Err(wrong("evidence", "is no array")) };
    let read = |piece: &Json| piece.text(Evidence::parse).map_err(|error| wrong("evidence", error));
    let pieces: Result<Vec<_>, UnreadExplanation> = pieces.iter().map(read).collect();
    EvidenceList::new(pieces?).map_err(|error| wrong("evidence", error))
}

fn cited(json: &Json) -> Result<CitedFactor, UnreadExplanation> {
    let (corrects, corrected_by) = (known(json, "corrects", parse_uuid)?, known(json, "correctedBy", parse_uuid)?);
    let data = FactorData::new(
        needed(json, "unit", Unit::parse)?,
        needed(json, "validFrom", Day::parse)?,
        needed(json, "source", Source::parse)?,
    )
    .with_upstream(known(json, "upstream", Intensity::parse)?)
    .with_downstream(known(json, "downstream", Intensity::parse)?)
    .with_valid_to(known(json, "validTo", Day::parse)?)
    .with_gwp(known(json, "gwp", domain::GwpSet::parse)?);
    let (uuid, product) = (needed(json, "uuid", parse_uuid)?, needed(json, "product", parse_uuid)?);
    let factor = Factor::from_stored(uuid.into(), product.into(), data, corrects.map(Into::into));
    let factor = factor.map_err(|error| wrong("factor", error))?;
    Ok(CitedFactor { factor, corrected_by: corrected_by.map(Into::into) })
}

/// A gas of the factor, and what was emitted of it.
fn gas(json: &Json) -> Result<(GasFactor, EmittedGas), UnreadExplanation> {
    let amount = match (known(json, "massPerUnit", Decimal::parse)?, known(json, "CO2ePerUnit", Decimal::parse)?) {
        (Some(mass), None) => GasAmount::Mass(mass),
        (None, Some(co2e)) => GasAmount::Co2e(co2e),
        (Some(_), Some(_)) | (None, None) => return Err(wrong("gases", "has either a mass or a CO2e per unit")),
    };
    let gas = needed(json, "gas", Gas::parse)?;
    let (set, intensity) = (needed(json, "gwp", GwpSet::parse)?, needed(json, "intensity", Intensity::parse)?);
    let (co2e, mass) = (needed(json, "CO2e", Co2e::parse)?, needed(json, "mass", Decimal::parse)?);
    Ok((GasFactor { gas, intensity, amount, set }, EmittedGas::as_written(gas, co2e, mass)))
}

/// How the market-based figure comes about.
fn market(json: &Json) -> Result<ExplainedMarket, UnreadExplanation> {
    let Json::Bool(is_named) = at(json, "named")? else { return Err(wrong("named", "is neither true nor false")) };
    let origin = if *is_named { MarketOrigin::Named } else { MarketOrigin::Product };
    let market = Market::new(
        needed(json, "instrument", MarketBasis::parse)?,
        needed(json, "factor", parse_uuid)?.into(),
        origin,
    )
    .with_reference(known(json, "reference", Name::parse)?);
    let Json::Array(parts) = at(json, "parts")? else { return Err(wrong("parts", "is no array")) };
    let terms = parts.iter().map(|part| multiplication(part, needed(part, "CO2e", Co2e::parse)?));
    let (source, terms) = (needed(json, "source", Source::parse)?, terms.collect::<Result<Vec<_>, _>>()?);
    Ok(ExplainedMarket { market, source, terms })
}

/// The other measures.
fn measures(json: &Json) -> Result<Measures, UnreadExplanation> {
    let Json::Array(items) = at(json, "measures")? else { return Err(wrong("measures", "is no array")) };
    let one = |item| Ok((needed(item, "measure", Measure::parse)?, needed(item, "amount", Co2e::parse)?));
    let found = items.iter().map(one).collect::<Result<Vec<_>, UnreadExplanation>>()?;
    Measures::new(found).map_err(|error| wrong("measures", error))
}

fn term(json: &Json) -> Result<(Part, Term), UnreadExplanation> {
    let part = needed(json, "part", |text| Part::parse(text).ok_or("is no part"))?;
    let co2e = known(json, "CO2e", Co2e::parse)?;
    let term = match (needed(json, "from", word)?.as_str(), co2e) {
        ("supplied", Some(co2e)) => Term::Supplied(co2e),
        ("computed", Some(co2e)) => Term::Computed(multiplication(json, co2e)?),
        ("absent", None) => Term::Absent,
        _ => return Err(wrong("from", "does not fit its CO2e")),
    };
    Ok((part, term))
}

/// A multiplication that comes to that.
fn multiplication(json: &Json, co2e: Co2e) -> Result<Multiplication, UnreadExplanation> {
    let measured =
        Measured { quantity: needed(json, "quantity", Quantity::parse)?, unit: needed(json, "unit", Unit::parse)? };
    let ratio = at(json, "conversion")?;
    let (above, below) = (needed(ratio, "numerator", i128::from_str)?, needed(ratio, "denominator", i128::from_str)?);
    let ratio = Ratio::new(above, below).ok_or_else(|| wrong("conversion", "is not above zero"))?;
    let factor_unit = needed(json, "factorUnit", Unit::parse)?;
    let intensity = needed(json, "intensity", Intensity::parse)?;
    Ok(Multiplication::as_written(measured, ratio, factor_unit, intensity, co2e))
}

/// A text that is taken as it is.
fn word(text: &str) -> Result<String, Infallible> {
    text.parse()
}

fn wrong(member: &str, detail: impl Display) -> UnreadExplanation {
    UnreadExplanation { member: member.to_owned(), detail: detail.to_string() }
}

fn at<'a>(json: &'a Json, name: &str) -> Result<&'a Json, UnreadExplanation> {
    json.get(name).ok_or_else(|| wrong(name, "is missing"))
}

fn needed<T, E: Display>(
    json: &Json,
    name: &str,
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> Result<T, UnreadExplanation> {
    at(json, name)?.text(parse).map_err(|error| wrong(name, error))
}

/// What is known, or `None` of null.
fn known<T, E: Display>(
    json: &Json,
    name: &str,
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> Result<Option<T>, UnreadExplanation> {
    let value = at(json, name)?;
    if matches!(value, Json::Null) {
        return Ok(None);
    }
    value.text(parse).map(Some).map_err(|error| wrong(name, error))
}
