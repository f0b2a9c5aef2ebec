//! The content of a factor.

use std::sync::Arc;

use super::{Canonical, CanonicalError, CanonicalReader, CanonicalWriter};
use crate::amount::Intensity;
use crate::amount::decimal::Decimal;
use crate::calendar::day::Day;
use crate::gas::potential::GwpSet;
use crate::id::FactorId;
use crate::product::factor::{Factor, FactorBasis, FactorData};
use crate::product::rule::choice::Choice;
use crate::product::supplier::SupplierFootprint;
use crate::published::origin::FactorOrigin;
use crate::text::{Name, Source};
use crate::unit::Unit;

impl Canonical for Factor {
    type Known = FactorId;

    fn write(&self, to: &mut CanonicalWriter) {
        to.text("product", self.product());
        to.object("data", |to| write_data(self.data(), to));
        to.optional("corrects", self.corrects());
    }

    fn read(id: FactorId, from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        let product = from.text("product", str::parse)?;
        let data = from.object("data", read_data)?;
        let corrects = from.optional("corrects", str::parse)?;
        Self::from_stored(id, product, data, corrects)
            .map_err(|faults| from.wrong(format_args!("is refused: {faults}")))
    }
}

fn write_data(data: &FactorData, to: &mut CanonicalWriter) {
    to.text("unit", data.unit);
    to.optional("upstream", data.upstream);
    to.optional("downstream", data.downstream);
    to.text("validFrom", data.valid_from);
    to.optional("validTo", data.valid_to);
    to.text("source", &data.source);
    to.optional("gwp", data.gwp.as_ref());
    to.optional("basis", Some(data.basis).filter(|basis| *basis != FactorBasis::Location).map(FactorBasis::word));
    to.optional_object("origin", data.origin.as_deref(), FactorOrigin::write);
    to.optional_object("choice", data.choice.as_deref(), Choice::write);
    to.optional_object("supplier", data.supplier.as_deref(), SupplierFootprint::write);
}

fn read_data(from: &mut CanonicalReader<'_>) -> Result<FactorData, CanonicalError> {
    Ok(FactorData {
        unit: from.text("unit", Unit::parse)?,
        upstream: from.optional("upstream", Intensity::parse)?,
        downstream: from.optional("downstream", Intensity::parse)?,
        valid_from: from.text("validFrom", Day::parse)?,
        valid_to: from.optional("validTo", Day::parse)?,
        source: from.text("source", Source::parse)?,
        gwp: from.optional("gwp", GwpSet::parse)?,
        basis: from
            .optional_word("basis", |word| {
                FactorBasis::parse(word).ok().filter(|basis| *basis != FactorBasis::Location)
            })?
            .unwrap_or_default(),
        origin: from.optional_object("origin", |from| FactorOrigin::read((), from))?.map(Arc::new),
        choice: from.optional_object("choice", |from| Choice::read((), from))?.map(Arc::new),
        supplier: from.optional_object("supplier", |from| SupplierFootprint::read((), from))?.map(Arc::new),
    })
}

impl Canonical for SupplierFootprint {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        to.text("company", &self.company);
        to.text("footprint", self.footprint);
        to.text("host", &self.host);
        to.text("product", &self.product);
        to.optional("primaryDataShare", self.primary_data_share());
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        let company = from.text("company", Name::parse)?;
        let footprint = from.text("footprint", str::parse)?;
        let (host, product) = (from.text("host", Source::parse)?, from.text("product", Source::parse)?);
        let share = from.optional("primaryDataShare", Decimal::parse)?;
        let footprint = Self::new(company, footprint, host, product).with_primary_data_share(share);
        footprint.map_err(|error| from.wrong(format_args!("is refused: {error}")))
    }
}
