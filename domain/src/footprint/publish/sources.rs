//! What a model's factors rest on: the reports behind their global warming potentials, and where they were published.

use std::collections::BTreeSet;

use super::Findings;
use super::boundary::{Boundary, Counted};
use super::quality::primary_data_share;
use crate::amount::decimal::Decimal;
use crate::footprint::field_table::FACTOR_SOURCE;
use crate::footprint::fields::{FieldValue, Fields};
use crate::gas::potential::GwpSet;
use crate::product::factor::Factor;

const REPORTS: &str = "ipccCharacterizationFactors";

/// The assessment report of the IPCC that a set of global warming potentials is of.
#[must_use]
pub(super) const fn report(set: GwpSet) -> &'static str {
    match set {
        GwpSet::Ar4 => "AR4",
        GwpSet::Ar5 | GwpSet::Ar5Feedback => "AR5",
        GwpSet::Ar6 | GwpSet::Ar6GhgProtocol => "AR6",
    }
}

/// Writes the reports and the sources.
pub(super) fn write(boundary: &Boundary<'_>, said: &Fields, pcf: &mut Fields, found: &mut Findings) {
    let counted = [Counted::Footprint, Counted::OutboundLogistics];
    let factors = || counted.into_iter().flat_map(|where_| boundary.counted(where_)).filter_map(|one| one.factor);
    reports(factors(), said, pcf, found);
    let is_secondary = |factor: &&Factor| primary_data_share(factor) != Some(Decimal::from_integer(100));
    let named: BTreeSet<_> = factors().filter(is_secondary).map(source).collect();
    let objects = named.into_iter().map(|(name, version)| {
        let mut fields = Fields::new(&FACTOR_SOURCE);
        fields.put_text("name", Some(&name));
        fields.put_text("version", Some(&version));
        fields
    });
    pcf.put("secondaryEmissionFactorSources", Some(FieldValue::Objects(objects.collect())));
}

/// The reports of the factors' sets; what is said counts for the factors that name none.
fn reports<'a>(factors: impl Iterator<Item = &'a Factor>, said: &Fields, pcf: &mut Fields, found: &mut Findings) {
    let sets: Vec<_> = factors.map(|factor| factor.data().gwp).collect();
    let mut known: BTreeSet<&str> = sets.iter().flatten().copied().map(report).collect();
    let is_all = sets.iter().all(Option::is_some);
    let said = said.texts(REPORTS);
    if !sets.is_empty() && is_all && said.iter().any(|report| !known.contains(report.as_str())) {
        found.computed(&format!("/pcf/{REPORTS}"), "the factors' sets of global warming potentials");
    }
    if sets.is_empty() {
        // Without inputs there is no footprint, which is told.
        return;
    }
    if !is_all && said.is_empty() {
        let why = "not every factor names its set of global warming potentials; say of which reports of the IPCC the others \
                   are, such as AR6";
        found.missing(&format!("/pcf/{REPORTS}"), why);
    }
    known.extend(said.iter().map(String::as_str));
    pcf.put(REPORTS, Some(FieldValue::Texts(known.into_iter().map(str::to_owned).collect())));
}

/// Name and version of where a factor was published: of one that somebody wrote, its source and the day it holds from.
fn source(factor: &Factor) -> (String, String) {
    let data = factor.data();
    match data.origin.as_deref() {
        Some(origin) => {
            (format!("{}, {}", origin.set.publisher, origin.set.title), origin.set.edition.as_str().to_owned())
        }
        None => (data.source.as_str().to_owned(), data.valid_from.to_string()),
    }
}
