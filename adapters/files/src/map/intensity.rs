//! Kilograms of CO2e per unit of the quantity, as a table or its map says them.

use domain::{Decimal, Intensity, Unit};

use super::link::parsed;
use super::number_spec::Number;
use super::row::Row;
use super::table_spec::TableSpec;
use super::template::Template;
use crate::json::Reader;

/// Kilograms of CO2 equivalent per unit of the quantity, where no product's factor is to be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct IntensitySpec {
    pub(super) upstream: Option<Number>,
    pub(super) downstream: Option<Number>,
    /// The unit that it is per.
    per: Template,
}

impl IntensitySpec {
    /// Reads `{ upstream = "0.4", downstream = "{Factor}", per = "kWh" }`.
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let upstream = reader.value("upstream", Number::read);
        let downstream = reader.value("downstream", Number::read);
        let per = reader.text("per", |text| {
            let per = Template::parse(text).map_err(|error| error.to_string())?;
            match per.constant() {
                Some(unit) => Unit::parse(&unit).map(|_| per).map_err(|error| error.to_string()),
                None => Ok(per),
            }
        });
        reader.require("per", &per);
        if upstream.is_missing() && downstream.is_missing() {
            reader.fault("upstream", "or downstream is required: kg CO2e per unit");
        }
        Some(Self { upstream: upstream.into_option(), downstream: downstream.into_option(), per: per.into_option()? })
    }

    /// The columns that it reads numbers from.
    pub(super) fn number_columns(&self) -> impl Iterator<Item = &str> {
        [&self.upstream, &self.downstream].into_iter().flatten().filter_map(Number::column)
    }

    /// All columns that it names.
    pub(super) fn columns(&self) -> impl Iterator<Item = &str> {
        self.number_columns().chain(self.per.columns())
    }

    /// A part of it in a row, and the unit that it is per; `None` where the row says none.
    pub(super) fn of_row(
        number: &Number,
        spec: &Self,
        row: &Row<'_>,
        table: &TableSpec,
    ) -> Result<Option<(Intensity, Unit)>, String> {
        let value: Option<Decimal> = number.value(row)?;
        let Some(value) = value else { return Ok(None) };
        let is_of_table = spec.per.constant().is_none();
        let per = parsed(&spec.per, row, |word| table.units.parse(word, is_of_table))?;
        let per = per.ok_or_else(|| format!("is per a unit that is empty {}", spec.per.origin()))?;
        Ok(Some((Intensity::new(value), per)))
    }
}
