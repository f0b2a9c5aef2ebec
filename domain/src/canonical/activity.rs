//! The content of an activity.

use super::{Canonical, CanonicalError, CanonicalReader, CanonicalWriter};
use crate::activity::{
    Activity, Evidence, EvidenceList, Market, MarketBasis, MarketOrigin, Measured, Quality, Span, Stated,
};
use crate::aggregate::measure::{Measure, Measures};
use crate::amount::{Co2e, Quantity};
use crate::calendar::moment::Moment;
use crate::id::ActivityId;
use crate::product::calculation::{Calculation, CalculationParts, SuppliedCo2e};
use crate::product::incomplete::Incomplete;
use crate::text::{Description, Name, SyncId};
use crate::unit::Unit;

impl Canonical for Activity {
    type Known = ActivityId;

    fn write(&self, to: &mut CanonicalWriter) {
        to.optional("syncId", self.sync_id.as_ref());
        to.text("name", &self.name);
        to.optional("description", self.description.as_ref());
        to.optional_object("measured", self.measured, write_measured);
        to.optional_object(
            "supplied",
            Some(self.calculation.supplied()).filter(|parts| *parts != SuppliedCo2e::default()),
            write_supplied,
        );
        to.optional("product", self.product);
        to.optional("scope", self.scope);
        to.optional("taxonomy", self.taxonomy);
        to.optional("org", self.org);
        to.object("span", |to| write_span(self.span, to));
        to.object("calculation", |to| write_calculation(&self.calculation, to));
        to.optional_object("stated", Some(&self.stated).filter(|stated| !stated.is_empty()), Stated::write);
        to.optional_object("measures", Some(&self.measures).filter(|measures| !measures.is_empty()), Measures::write);
    }

    fn read(id: ActivityId, from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        let sync_id = from.optional("syncId", SyncId::parse)?;
        let name = from.text("name", Name::parse)?;
        let description = from.optional("description", Description::parse)?;
        let measured = from.optional_object("measured", read_measured)?;
        let supplied = from.optional_object("supplied", read_supplied)?.unwrap_or_default();
        Ok(Self {
            id,
            sync_id,
            name,
            description,
            measured,
            product: from.optional("product", str::parse)?,
            scope: from.optional("scope", str::parse)?,
            taxonomy: from.optional("taxonomy", str::parse)?,
            org: from.optional("org", str::parse)?,
            span: from.object("span", read_span)?,
            calculation: from.object("calculation", |from| read_calculation(supplied, from))?,
            stated: from.optional_object("stated", |from| Stated::read((), from))?.unwrap_or_default(),
            measures: from.optional_object("measures", |from| Measures::read((), from))?.unwrap_or_default(),
        })
    }
}

fn write_measured(measured: Measured, to: &mut CanonicalWriter) {
    to.text("quantity", measured.quantity);
    to.text("unit", measured.unit);
}

fn read_measured(from: &mut CanonicalReader<'_>) -> Result<Measured, CanonicalError> {
    Ok(Measured { quantity: from.text("quantity", Quantity::parse)?, unit: from.text("unit", Unit::parse)? })
}

fn write_supplied(supplied: SuppliedCo2e, to: &mut CanonicalWriter) {
    to.optional("upstream", supplied.upstream);
    to.optional("downstream", supplied.downstream);
}

fn read_supplied(from: &mut CanonicalReader<'_>) -> Result<SuppliedCo2e, CanonicalError> {
    let upstream = from.optional("upstream", Co2e::parse)?;
    let downstream = from.optional("downstream", Co2e::parse)?;
    if upstream.is_none() && downstream.is_none() {
        return Err(from.wrong("has neither upstream nor downstream, and is then left out"));
    }
    Ok(SuppliedCo2e { upstream, downstream })
}

/// Where nothing was stated, the text is left out.
impl Canonical for Stated {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        to.optional("biogenicCO2", self.biogenic);
        to.optional_object("market", self.market.as_ref(), write_market);
        to.optional("quality", self.quality);
        to.texts("evidence", self.evidence.as_slice());
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        let stated = Self::default()
            .with_biogenic(from.optional("biogenicCO2", Co2e::parse)?)
            .with_market(from.optional_object("market", read_market)?)
            .with_quality(from.optional("quality", Quality::parse)?)
            .with_evidence(read_evidence(from)?);
        if stated.is_empty() { Err(from.wrong("states nothing, and is then left out")) } else { Ok(stated) }
    }
}

fn read_evidence(from: &mut CanonicalReader<'_>) -> Result<EvidenceList, CanonicalError> {
    let pieces = from.texts("evidence", Evidence::parse)?;
    EvidenceList::new(pieces).map_err(|error| from.wrong(error))
}

fn write_market(market: &Market, to: &mut CanonicalWriter) {
    to.text("basis", market.basis);
    to.text("factor", market.factor);
    to.optional("reference", market.reference.as_ref());
    to.text("by", if market.origin == MarketOrigin::Named { NAMED } else { PRODUCT });
}

fn read_market(from: &mut CanonicalReader<'_>) -> Result<Market, CanonicalError> {
    let (basis, factor) = (from.text("basis", MarketBasis::parse)?, from.text("factor", str::parse)?);
    let reference = from.optional("reference", Name::parse)?;
    let origin = from.word("by", |word| match word {
        NAMED => Some(MarketOrigin::Named),
        PRODUCT => Some(MarketOrigin::Product),
        _ => None,
    })?;
    Ok(Market::new(basis, factor, origin).with_reference(reference))
}

/// The words for who said which factor counts in the market.
const NAMED: &str = "activity";
const PRODUCT: &str = "product";

/// Where there are none, the text is left out.
impl Canonical for Measures {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        for (measure, amount) in self.iter() {
            to.text(measure.as_str(), amount);
        }
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        let mut measures = Vec::new();
        for measure in Measure::ALL.iter().copied().filter(|measure| *measure != Measure::Co2e) {
            measures.extend(from.optional(measure.as_str(), Co2e::parse)?.map(|amount| (measure, amount)));
        }
        if measures.is_empty() {
            return Err(from.wrong("has no measure, and is then left out"));
        }
        Self::new(measures).map_err(|error| from.wrong(format_args!("is refused: {error}")))
    }
}

fn write_span(span: Span, to: &mut CanonicalWriter) {
    to.text("start", span.start());
    to.optional("end", span.end());
}

fn read_span(from: &mut CanonicalReader<'_>) -> Result<Span, CanonicalError> {
    let start = from.text("start", Moment::parse)?;
    let end = from.optional("end", Moment::parse)?;
    Span::new(start, end).map_err(|_| from.wrong("ends before it starts"))
}

fn write_calculation(calculation: &Calculation, to: &mut CanonicalWriter) {
    to.optional("upstream", calculation.upstream());
    to.optional("downstream", calculation.downstream());
    to.optional("factor", calculation.factor());
    to.optional("incomplete", calculation.reason().map(Incomplete::code));
}

fn read_calculation(supplied: SuppliedCo2e, from: &mut CanonicalReader<'_>) -> Result<Calculation, CanonicalError> {
    let upstream = from.optional("upstream", Co2e::parse)?;
    let downstream = from.optional("downstream", Co2e::parse)?;
    let factor = from.optional("factor", str::parse)?;
    let reason = from.optional_word("incomplete", |code| Incomplete::from_code(code).ok())?;
    let parts = CalculationParts { supplied, upstream, downstream, factor, reason };
    Calculation::from_parts(parts).map_err(|error| from.wrong(format_args!("is refused: {error}")))
}
