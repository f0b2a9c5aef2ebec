//! Published factors and the sets they are of.

use super::{Canonical, CanonicalError, CanonicalReader, CanonicalWriter, Digest};
use crate::amount::Intensity;
use crate::amount::decimal::Decimal;
use crate::calendar::day::Day;
use crate::gas::Gas;
use crate::gas::potential::GwpSet;
use crate::gas::split::{GasAmount, GasSplit};
use crate::published::PublishedUse;
use crate::published::factor::{PublishedFactor, SourceRow};
use crate::published::origin::FactorOrigin;
use crate::published::set::FactorSet;
use crate::text::{Name, Source};
use crate::unit::Unit;

impl Canonical for FactorSet {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        to.text("id", self.id);
        to.text("publisher", &self.publisher);
        to.text("title", &self.title);
        to.text("edition", &self.edition);
        to.text("validFrom", self.valid_from);
        to.optional("validTo", self.valid_to);
        to.text("licence", &self.licence);
        to.text("file", &self.file);
        to.optional("gwp", self.gwp);
        to.optional("corrects", self.corrects);
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        Ok(Self {
            id: from.text("id", Digest::parse)?,
            publisher: from.text("publisher", Name::parse)?,
            title: from.text("title", Name::parse)?,
            edition: from.text("edition", Name::parse)?,
            valid_from: from.text("validFrom", Day::parse)?,
            valid_to: from.optional("validTo", Day::parse)?,
            licence: from.text("licence", Source::parse)?,
            file: from.text("file", Name::parse)?,
            gwp: from.optional("gwp", GwpSet::parse)?,
            corrects: from.optional("corrects", Digest::parse)?,
        })
    }
}

impl Canonical for PublishedFactor {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        to.text("cell", &self.cell);
        to.text("name", &self.name);
        to.texts("path", &self.path);
        to.text("unit", self.unit);
        to.text("use", self.usage);
        to.optional("co2e", self.co2e);
        to.optional_object("gases", self.gases.as_ref(), GasSplit::write);
        to.optional("region", self.region.as_ref());
        to.objects("rows", &self.rows, write_row);
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        Ok(Self {
            cell: from.text("cell", Name::parse)?,
            name: from.text("name", Name::parse)?,
            path: from.texts("path", Name::parse)?,
            unit: from.text("unit", Unit::parse)?,
            usage: from.text("use", PublishedUse::parse)?,
            co2e: from.optional("co2e", Intensity::parse)?,
            gases: from.optional_object("gases", |from| GasSplit::read((), from))?,
            region: from.optional("region", Name::parse)?,
            rows: from.objects("rows", read_row)?,
        })
    }
}

impl Canonical for FactorOrigin {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        to.object("set", |to| self.set.write(to));
        to.object("factor", |to| self.factor.write(to));
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        Ok(Self {
            set: from.object("set", |from| FactorSet::read((), from))?,
            factor: from.object("factor", |from| PublishedFactor::read((), from))?,
        })
    }
}

impl Canonical for GasSplit {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        to.text("gwp", self.set());
        to.objects("amounts", self.amounts(), |(gas, amount), to| {
            to.text("gas", gas);
            match amount {
                GasAmount::Mass(mass) => to.text("mass", mass),
                GasAmount::Co2e(co2e) => to.text("co2e", co2e),
            }
        });
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        let set = from.text("gwp", GwpSet::parse)?;
        let amounts = from.objects("amounts", |from| {
            let gas = from.text("gas", Gas::parse)?;
            let mass = from.optional("mass", Decimal::parse)?.map(GasAmount::Mass);
            let co2e = from.optional("co2e", Decimal::parse)?.map(GasAmount::Co2e);
            match (mass, co2e) {
                (Some(amount), None) | (None, Some(amount)) => Ok((gas, amount)),
                _ => Err(from.wrong("has either a mass or a CO2e")),
            }
        })?;
        let split = Self::new(set, amounts).map_err(|error| from.wrong(format_args!("is refused: {error}")))?;
        Ok(split)
    }
}

fn write_row(row: &SourceRow, to: &mut CanonicalWriter) {
    to.integer("row", row.row);
    to.objects("cells", &row.cells, |(header, value), to| {
        to.text("header", header);
        to.text("value", value);
    });
}

fn read_row(from: &mut CanonicalReader<'_>) -> Result<SourceRow, CanonicalError> {
    let row = from.integer("row")?;
    let cells = from.objects("cells", |from| Ok((from.string("header")?, from.string("value")?)))?;
    Ok(SourceRow { row, cells })
}
