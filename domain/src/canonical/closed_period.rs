//! The content of a closed period, and the text of its frozen report.

use super::{Canonical, CanonicalError, CanonicalReader, CanonicalWriter, Digest};
use crate::aggregate::cell::SeriesKey;
use crate::aggregate::report::{GasTotal, GasTotals};
use crate::amount::total::Total;
use crate::calendar::day::Day;
use crate::calendar::timestamp::Timestamp;
use crate::closed_period::{
    ClosedPeriod, Frozen, FrozenAbout, FrozenFigures, FrozenLine, FrozenNode, FrozenReport, PeriodSpan, Signature,
    Significance,
};
use crate::gas::row::GasRow;
use crate::id::{ClosedPeriodId, parse_uuid};
use crate::text::{Name, Reason};
use crate::tree::scope_kind::ScopeKind;

impl Canonical for ClosedPeriod {
    type Known = ClosedPeriodId;

    fn write(&self, to: &mut CanonicalWriter) {
        to.optional("org", self.org);
        to.text("first", self.first());
        to.text("last", self.last());
        to.optional("baseYear", self.base_year);
        to.object("closed", |to| write_signature(&self.closed, to));
        to.optional_object("reopened", self.reopened.as_ref(), write_signature);
        to.object("frozen", |to| {
            to.text("epoch", self.frozen.epoch());
            to.integer("number", self.frozen.number());
            to.text("digest", self.frozen.digest());
            to.text("report", self.frozen.text());
        });
    }

    fn read(id: ClosedPeriodId, from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        let org = from.optional("org", str::parse)?;
        let (first, last) = (from.text("first", Day::parse)?, from.text("last", Day::parse)?);
        let base_year = from.optional("baseYear", Significance::parse)?;
        let closed = from.object("closed", read_signature)?;
        let reopened = from.optional_object("reopened", read_signature)?;
        let frozen = from.object("frozen", |from| {
            let epoch = from.text("epoch", parse_uuid)?;
            let number = from.integer("number")?;
            let digest = from.text("digest", Digest::parse)?;
            let text = from.string("report")?;
            FrozenReport::from_canonical((), &text)
                .map_err(|error| from.wrong(format_args!("has no report: {error}")))?;
            let frozen = Frozen::from_stored(epoch, number, digest, text);
            frozen.ok_or_else(|| from.wrong("has a report that does not have the digest beside it"))
        })?;
        let period = Self::new(id, first, last, closed, frozen);
        let period = period.ok_or_else(|| from.wrong("ends before it begins"))?;
        Ok(period.with_org(org).with_base_year(base_year).with_reopened(reopened))
    }
}

impl Canonical for PeriodSpan {
    type Known = ClosedPeriodId;

    fn write(&self, to: &mut CanonicalWriter) {
        to.optional("org", self.org);
        to.text("first", self.first);
        to.text("last", self.last);
        to.object("closed", |to| write_signature(&self.closed, to));
    }

    fn read(id: ClosedPeriodId, from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        let org = from.optional("org", str::parse)?;
        let (first, last) = (from.text("first", Day::parse)?, from.text("last", Day::parse)?);
        let closed = from.object("closed", read_signature)?;
        Self::new(id, org, (first, last), closed).ok_or_else(|| from.wrong("ends before it begins"))
    }
}

fn write_signature(signature: &Signature, to: &mut CanonicalWriter) {
    to.text("at", signature.at);
    to.text("by", &signature.by);
    to.optional("reason", signature.reason.as_ref());
}

fn read_signature(from: &mut CanonicalReader<'_>) -> Result<Signature, CanonicalError> {
    let at = from.text("at", Timestamp::parse)?;
    let by = from.text("by", Name::parse)?;
    Ok(Signature::new(at, by, from.optional("reason", Reason::parse)?))
}

impl Canonical for FrozenReport {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        to.optional_object("about", self.about.as_ref(), write_about);
        to.objects("lines", &self.lines, |line, to| {
            to.optional("scope", line.series.scope);
            to.optional("org", line.series.org);
            to.optional("taxonomy", line.series.taxonomy);
            to.optional("kind", line.kind.map(ScopeKind::as_str));
            to.object("started", |to| write_figures(&line.started, to));
            to.object("spread", |to| write_figures(&line.spread, to));
        });
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        let about = from.optional_object("about", read_about)?;
        let lines = from.objects("lines", |from| {
            let scope = from.optional("scope", str::parse)?;
            let org = from.optional("org", str::parse)?;
            let taxonomy = from.optional("taxonomy", str::parse)?;
            let kind = from.optional_word("kind", |word| ScopeKind::parse(word).ok())?;
            let started = from.object("started", read_figures)?;
            let spread = from.object("spread", read_figures)?;
            Ok(FrozenLine { series: SeriesKey { scope, org, taxonomy }, kind, started, spread })
        })?;
        Ok(Self { about, lines })
    }
}

fn write_about(about: &FrozenAbout, to: &mut CanonicalWriter) {
    to.text("first", about.first);
    to.text("last", about.last);
    to.optional("org", about.org);
    for (name, nodes) in [("scopes", &about.scopes), ("orgs", &about.orgs), ("taxonomies", &about.taxonomies)] {
        to.objects(name, nodes, |node, to| {
            to.text("id", node.id);
            to.text("name", &node.name);
            to.optional("parent", node.parent);
        });
    }
}

fn read_about(from: &mut CanonicalReader<'_>) -> Result<FrozenAbout, CanonicalError> {
    let (first, last) = (from.text("first", Day::parse)?, from.text("last", Day::parse)?);
    let mut about = FrozenAbout::new(first, last);
    about.org = from.optional("org", str::parse)?;
    about.scopes = from.objects("scopes", read_node)?;
    about.orgs = from.objects("orgs", read_node)?;
    about.taxonomies = from.objects("taxonomies", read_node)?;
    Ok(about)
}

fn read_node(from: &mut CanonicalReader<'_>) -> Result<FrozenNode, CanonicalError> {
    let (id, name) = (from.text("id", parse_uuid)?, from.text("name", Name::parse)?);
    Ok(FrozenNode { id, name, parent: from.optional("parent", parse_uuid)? })
}

fn write_figures(figures: &FrozenFigures, to: &mut CanonicalWriter) {
    to.integer("count", figures.count);
    to.integer("incomplete", figures.incomplete);
    to.text("co2e", figures.co2e);
    let unless_zero = |total: Total| (!total.is_zero()).then_some(total);
    to.optional("biogenic", unless_zero(figures.biogenic));
    to.optional("marketDelta", unless_zero(figures.market_delta));
    to.objects("gases", figures.gases.iter(), |(gas, GasTotal { co2e, mass }), to| {
        to.text("gas", gas.word());
        to.text("co2e", co2e);
        to.text("mass", mass);
    });
}

fn read_figures(from: &mut CanonicalReader<'_>) -> Result<FrozenFigures, CanonicalError> {
    let (count, incomplete) = (from.integer("count")?, from.integer("incomplete")?);
    let figures = FrozenFigures::new(count, incomplete, from.text("co2e", Total::parse)?);
    let (biogenic, market_delta) =
        (from.optional("biogenic", Total::parse)?, from.optional("marketDelta", Total::parse)?);
    if [biogenic, market_delta].into_iter().flatten().any(Total::is_zero) {
        return Err(from.wrong("has a measure of zero, which is left out"));
    }
    let gases = from.objects("gases", |from| {
        let gas = from.word("gas", GasRow::parse)?;
        Ok((gas, GasTotal { co2e: from.text("co2e", Total::parse)?, mass: from.text("mass", Total::parse)? }))
    })?;
    let read = GasTotals::new(gases.iter().copied());
    if !read.iter().eq(gases) {
        return Err(from.wrong("has gases out of order, twice, or of nothing, which are left out"));
    }
    let figures = figures.with_measures(biogenic.unwrap_or_default(), market_delta.unwrap_or_default());
    Ok(figures.with_gases(read))
}
