//! Rules by which factors are chosen, and what they chose.

use super::{Canonical, CanonicalError, CanonicalReader, CanonicalWriter, Digest};
use crate::gas::potential::GwpSet;
use crate::product::rule::choice::{Choice, Considered};
use crate::product::rule::{FactorRule, PublisherSets, SetPreference};
use crate::published::PublishedUse;
use crate::text::Name;
use crate::unit::Unit;

impl Canonical for FactorRule {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        to.objects("sets", self.sets(), write_preference);
        to.text("name", &self.name);
        to.text("unit", self.unit);
        to.texts("path", &self.path);
        to.optional("use", self.usage);
        to.optional("region", self.region.as_ref());
        to.text("years", self.years);
        to.optional("gwp", self.gwp);
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        let sets = from.objects("sets", read_preference)?;
        let (name, unit) = (from.text("name", Name::parse)?, from.text("unit", Unit::parse)?);
        let rule = Self::new(sets, name, unit).map_err(|error| from.wrong(format_args!("is refused: it {error}")))?;
        Ok(rule
            .with_path(from.texts("path", Name::parse)?)
            .with_usage(from.optional("use", PublishedUse::parse)?)
            .with_region(from.optional("region", Name::parse)?)
            .with_years(from.text("years", str::parse)?)
            .with_gwp(from.optional("gwp", GwpSet::parse)?))
    }
}

impl Canonical for Choice {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        to.optional("region", self.region.as_ref());
        to.text("basis", self.basis);
        to.integer("preference", self.preference);
        to.objects("considered", &self.considered, write_considered);
        to.integer("others", self.others);
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        Ok(Self {
            region: from.optional("region", Name::parse)?,
            basis: from.text("basis", str::parse)?,
            preference: from.integer("preference")?,
            considered: from.objects("considered", read_considered)?,
            others: from.integer("others")?,
        })
    }
}

fn write_preference(preference: &SetPreference, to: &mut CanonicalWriter) {
    match preference {
        SetPreference::Set(set) => to.text("set", set),
        SetPreference::Publisher(PublisherSets { publisher, title, edition, year }) => {
            to.text("publisher", publisher);
            to.optional("title", title.as_ref());
            to.optional("edition", edition.as_ref());
            to.optional_integer("year", *year);
        }
    }
}

fn read_preference(from: &mut CanonicalReader<'_>) -> Result<SetPreference, CanonicalError> {
    if let Some(set) = from.optional("set", Digest::parse)? {
        return Ok(SetPreference::Set(set));
    }
    let sets = PublisherSets::new(from.text("publisher", Name::parse)?)
        .with_title(from.optional("title", Name::parse)?)
        .with_edition(from.optional("edition", Name::parse)?)
        .with_year(from.optional_integer("year")?);
    Ok(SetPreference::Publisher(sets))
}

fn write_considered(considered: &Considered, to: &mut CanonicalWriter) {
    let Considered { set, publisher, edition, cell, region, verdict } = considered;
    to.text("set", set);
    to.text("publisher", publisher);
    to.text("edition", edition);
    to.text("cell", cell);
    to.optional("region", region.as_ref());
    to.text("verdict", verdict);
}

fn read_considered(from: &mut CanonicalReader<'_>) -> Result<Considered, CanonicalError> {
    Ok(Considered {
        set: from.text("set", Digest::parse)?,
        publisher: from.text("publisher", Name::parse)?,
        edition: from.text("edition", Name::parse)?,
        cell: from.text("cell", Name::parse)?,
        region: from.optional("region", Name::parse)?,
        verdict: from.text("verdict", str::parse)?,
    })
}
