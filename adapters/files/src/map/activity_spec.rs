//! What a mapping file says of an activity that a row makes.

use domain::{FactorId, Faults, MarketBasis, Unit};

use super::co2e_unit;
use super::dates::{DateForm, Edge, moment};
use super::intensity::IntensitySpec;
use super::link::{Link, Making};
use super::number_spec::Number;
use super::skip::Skip;
use super::template::Template;
use crate::json::Reader;

/// One of the activities that a row makes.
#[derive(Clone, Debug, Default)]
pub(super) struct ActivitySpec {
    pub(super) skip: Vec<Skip>,
    pub(super) name: Option<Template>,
    pub(super) sync_id: Option<Template>,
    pub(super) description: Option<Template>,
    pub(super) quantity: Option<Number>,
    pub(super) unit: Option<Template>,
    pub(super) upstream: Option<Number>,
    pub(super) downstream: Option<Number>,
    pub(super) biogenic: Option<Number>,
    pub(super) market_instrument: Option<Template>,
    pub(super) market_factor: Option<Template>,
    pub(super) market_reference: Option<Template>,
    pub(super) quality: Option<Template>,
    pub(super) evidence: Option<Template>,
    /// The unit that `upstream` and `downstream` are in; kilograms where none is said.
    pub(super) co2e_unit: Option<Template>,
    pub(super) intensity: Option<IntensitySpec>,
    pub(super) product: Option<Link>,
    pub(super) scope: Option<Link>,
    pub(super) taxonomy: Option<Link>,
    pub(super) org: Option<Link>,
    pub(super) start: Option<Template>,
    pub(super) end: Option<Template>,
}

impl ActivitySpec {
    /// The columns that it names.
    pub(super) fn columns(&self) -> impl Iterator<Item = &str> {
        let texts = [
            &self.name,
            &self.sync_id,
            &self.description,
            &self.unit,
            &self.market_instrument,
            &self.market_factor,
            &self.market_reference,
            &self.quality,
            &self.evidence,
            &self.co2e_unit,
            &self.start,
            &self.end,
        ];
        let links = [&self.product, &self.scope, &self.taxonomy, &self.org];
        texts
            .into_iter()
            .flatten()
            .flat_map(Template::columns)
            .chain(self.number_columns())
            .chain(links.into_iter().flatten().flat_map(Link::columns))
            .chain(self.intensity.iter().flat_map(IntensitySpec::columns))
            .chain(self.skip.iter().map(Skip::column))
    }

    /// The columns that it reads numbers from.
    pub(super) fn number_columns(&self) -> impl Iterator<Item = &str> {
        let numbers = [&self.quantity, &self.upstream, &self.downstream, &self.biogenic];
        let of_intensity = self.intensity.iter().flat_map(IntensitySpec::number_columns);
        numbers.into_iter().flatten().filter_map(Number::column).chain(of_intensity)
    }

    /// The columns that it reads whole dates from.
    pub(super) fn date_columns(&self) -> impl Iterator<Item = &str> {
        [&self.start, &self.end].into_iter().flatten().filter_map(Template::column)
    }

    /// What is said here, and else what is said for all. Conditions add up.
    pub(super) fn merge(self, common: &Self) -> Self {
        fn or<T: Clone>(own: Option<T>, common: Option<&T>) -> Option<T> {
            own.or_else(|| common.cloned())
        }
        Self {
            skip: common.skip.iter().cloned().chain(self.skip).collect(),
            name: or(self.name, common.name.as_ref()),
            sync_id: or(self.sync_id, common.sync_id.as_ref()),
            description: or(self.description, common.description.as_ref()),
            quantity: or(self.quantity, common.quantity.as_ref()),
            unit: or(self.unit, common.unit.as_ref()),
            upstream: or(self.upstream, common.upstream.as_ref()),
            downstream: or(self.downstream, common.downstream.as_ref()),
            biogenic: or(self.biogenic, common.biogenic.as_ref()),
            market_instrument: or(self.market_instrument, common.market_instrument.as_ref()),
            market_factor: or(self.market_factor, common.market_factor.as_ref()),
            market_reference: or(self.market_reference, common.market_reference.as_ref()),
            quality: or(self.quality, common.quality.as_ref()),
            evidence: or(self.evidence, common.evidence.as_ref()),
            co2e_unit: or(self.co2e_unit, common.co2e_unit.as_ref()),
            intensity: or(self.intensity, common.intensity.as_ref()),
            product: or(self.product, common.product.as_ref()),
            scope: or(self.scope, common.scope.as_ref()),
            taxonomy: or(self.taxonomy, common.taxonomy.as_ref()),
            org: or(self.org, common.org.as_ref()),
            start: or(self.start, common.start.as_ref()),
            end: or(self.end, common.end.as_ref()),
        }
    }

    /// What does not go together among the keys that could be read. `is_faulty` says of a key that it is there and wrong:
    /// then it is not missing.
    pub(super) fn check(&self, at: &str, dates: &[DateForm], is_faulty: &dyn Fn(&str) -> bool, faults: &mut Faults) {
        for (key, missing) in [("name", self.name.is_none()), ("startDate", self.start.is_none())] {
            if missing && !is_faulty(key) {
                faults.add(format!("{at}/{key}"), "is required, here or in common");
            }
        }
        match (&self.quantity, &self.unit) {
            (Some(_), None) if !is_faulty("unit") => faults.add(format!("{at}/unit"), "is required beside quantity"),
            (None, Some(_)) if !is_faulty("quantity") => {
                faults.add(format!("{at}/quantity"), "is required beside unit");
            }
            (Some(_) | None, Some(_) | None) => {}
        }
        let market = [("marketInstrument", &self.market_instrument), ("marketFactor", &self.market_factor)];
        let says_of_market = market.iter().any(|(_, said)| said.is_some()) || self.market_reference.is_some();
        for (key, _) in market.into_iter().filter(|(key, said)| says_of_market && said.is_none() && !is_faulty(key)) {
            faults.add(format!("{at}/{key}"), "is required: marketInstrument and marketFactor go together");
        }
        let constant = |template: &Option<Template>| template.as_ref().and_then(Template::constant);
        if let Some(instrument) = constant(&self.market_instrument) {
            faults.check(&format!("{at}/marketInstrument"), MarketBasis::parse(&instrument));
        }
        if let Some(factor) = constant(&self.market_factor) {
            faults.check(&format!("{at}/marketFactor"), factor.parse::<FactorId>());
        }
        if let Some(unit) = constant(&self.unit) {
            faults.check(&format!("{at}/unit"), Unit::parse(&unit));
        }
        if let Some(unit) = constant(&self.co2e_unit) {
            faults.check(&format!("{at}/CO2eUnit"), co2e_unit::parse(&unit));
        }
        if self.co2e_unit.is_some()
            && self.upstream.is_none()
            && self.downstream.is_none()
            && !["UpstreamCO2e", "DownstreamCO2e"].into_iter().any(is_faulty)
        {
            faults.add(format!("{at}/CO2eUnit"), "needs UpstreamCO2e or DownstreamCO2e, whose unit it is");
        }
        for (key, template, edge) in [("startDate", &self.start, Edge::Start), ("endDate", &self.end, Edge::End)] {
            if let Some(date) = constant(template).filter(|_| !is_faulty(key)) {
                faults.check(&format!("{at}/{key}"), moment(&date, dates, edge));
            }
        }
        let Some(intensity) = &self.intensity else { return };
        let at = format!("{at}/intensity");
        if self.quantity.is_none() && !is_faulty("quantity") {
            faults.add(&at, "needs quantity and unit to multiply");
        }
        if self.product.is_some() {
            faults.add(&at, "and product exclude each other: a product has factors of its own");
        }
        if (intensity.upstream.is_some() && self.upstream.is_some())
            || (intensity.downstream.is_some() && self.downstream.is_some())
        {
            faults.add(&at, "gives a part that UpstreamCO2e or DownstreamCO2e gives already");
        }
    }
}

pub(super) fn activity(reader: &mut Reader<'_>) -> ActivitySpec {
    let links = |reader: &mut Reader<'_>, key, making| {
        reader.member(key, |json, at, faults| Link::read(json, at, making, faults)).into_option()
    };
    let number = |reader: &mut Reader<'_>, key| reader.value(key, Number::read).into_option();
    ActivitySpec {
        skip: reader.member("skip", Skip::read).into_option().unwrap_or_default(),
        name: reader.text("name", Template::parse).into_option(),
        sync_id: reader.text("syncId", Template::parse).into_option(),
        description: reader.text("description", Template::parse).into_option(),
        quantity: number(reader, "quantity"),
        unit: reader.text("unit", Template::parse).into_option(),
        upstream: number(reader, "UpstreamCO2e"),
        downstream: number(reader, "DownstreamCO2e"),
        biogenic: number(reader, "biogenicCO2"),
        market_instrument: reader.text("marketInstrument", Template::parse).into_option(),
        market_factor: reader.text("marketFactor", Template::parse).into_option(),
        market_reference: reader.text("marketReference", Template::parse).into_option(),
        quality: reader.text("quality", Template::parse).into_option(),
        evidence: reader.text("evidence", Template::parse).into_option(),
        co2e_unit: reader.text("CO2eUnit", Template::parse).into_option(),
        intensity: reader.object("intensity", IntensitySpec::read).into_option().flatten(),
        product: links(reader, "product", Making::Nothing),
        scope: links(reader, "scope", Making::Nothing),
        taxonomy: links(reader, "taxonomy", Making::Nodes),
        org: links(reader, "org", Making::Nodes),
        start: reader.text("startDate", Template::parse).into_option(),
        end: reader.text("endDate", Template::parse).into_option(),
    }
}
