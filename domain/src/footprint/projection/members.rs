//! The members of an object that is converted: which of them were taken, under which name, and what was lost.

use std::collections::BTreeSet;

use super::scale::{Scale, Scaled};
use crate::amount::decimal::Decimal;
use crate::footprint::fields::{FieldValue, Fields};
use crate::footprint::rule_names::{Findings, Rule};
use crate::footprint::spec::{FieldSpec, Requirement};
use crate::footprint::spec_version::SpecVersion;

/// Members of `pcf` that both major versions have under two names: first that of version 2.
const RENAMED: &[(&str, &str)] = &[
    ("declaredUnit", "declaredUnitOfMeasurement"),
    ("unitaryProductAmount", "declaredUnitAmount"),
    ("pCfExcludingBiogenic", "pcfExcludingBiogenicUptake"),
    ("pCfIncludingBiogenic", "pcfIncludingBiogenicUptake"),
    ("dLucGhgEmissions", "landUseChangeGhgEmissions"),
    ("biogenicCarbonWithdrawal", "biogenicCO2Uptake"),
    ("otherBiogenicGhgEmissions", "biogenicNonCO2Emissions"),
    ("iLucGhgEmissions", "landCarbonLeakage"),
];

pub(super) const LAND_MANAGEMENT: &str = "landManagementGhgEmissions";
pub(super) const LAND_EMISSIONS: &str = "landManagementBiogenicCO2Emissions";
pub(super) const LAND_REMOVALS: &str = "landManagementBiogenicCO2Removals";

/// The members of an object as they were written.
pub(super) struct Members<'a> {
    fields: &'a Fields,
    pub(super) scale: Scale,
    taken: BTreeSet<&'static str>,
}

impl<'a> Members<'a> {
    pub(super) fn new(fields: &'a Fields, scale: Scale) -> Self {
        Self { fields, scale, taken: BTreeSet::new() }
    }

    /// Counts those as taken.
    pub(super) fn mark(&mut self, names: &[&'static str]) {
        self.taken.extend(names);
    }

    /// The value as it was written.
    pub(super) fn given(&mut self, name: &'static str) -> Option<FieldValue> {
        self.taken.insert(name);
        self.fields.find(name).cloned()
    }

    pub(super) fn texts(&mut self, name: &'static str) -> &'a [String] {
        self.taken.insert(name);
        self.fields.texts(name)
    }

    pub(super) fn object(&mut self, name: &'static str) -> Option<&'a Fields> {
        self.taken.insert(name);
        self.fields.object(name)
    }

    /// The text, which version 2 requires even where there is none.
    pub(super) fn text_or_empty(&mut self, name: &'static str) -> FieldValue {
        self.given(name).unwrap_or_else(|| FieldValue::Text(String::new()))
    }

    /// The text, which version 3 leaves out where there is none.
    pub(super) fn text_not_empty(&mut self, name: &'static str) -> Option<FieldValue> {
        self.given(name).filter(|value| *value != FieldValue::Text(String::new()))
    }

    /// A member of version 2.3, of a record of version 2: 2.0 and 2.1 name the reports in one member alone.
    pub(super) fn own_v2(&mut self, name: &'static str) -> Option<FieldValue> {
        match name {
            "ipccCharacterizationFactorsSources" => self.given(name).or_else(|| self.report()),
            name => self.given(name),
        }
    }

    /// Tells what the record's version has and the edition does not.
    pub(super) fn tell_left_out(&self, at: &str, written: SpecVersion, losses: &mut Findings) {
        let known = |spec: &&FieldSpec| spec.need(written) != Requirement::Unknown;
        for spec in self.fields.schema().fields.iter().filter(known) {
            if self.fields.find(spec.name).is_some() && !self.taken.contains(spec.name) {
                left_out(&format!("{at}/{}", spec.name), spec.name, losses);
            }
        }
    }

    pub(super) fn number(&mut self, name: &'static str) -> Option<Decimal> {
        self.taken.insert(name);
        self.fields.number(name)
    }

    /// The one report that version 2 asks for, as the list of them.
    pub(super) fn report(&mut self) -> Option<FieldValue> {
        let report = self.given("characterizationFactors")?;
        if let FieldValue::Text(report) = report { Some(FieldValue::Texts(vec![report])) } else { None }
    }

    /// Land management on one side of zero; zero itself is an emission.
    pub(super) fn land_management(
        &mut self,
        spec: &FieldSpec,
        removals: bool,
        losses: &mut Findings,
    ) -> Option<FieldValue> {
        let Some(amount) = self.number(LAND_MANAGEMENT) else { return self.scaled(spec.name, spec, losses) };
        if amount.is_negative() == removals { told(self.scale.apply(amount), LAND_MANAGEMENT, losses) } else { None }
    }

    /// The member under the name it has in the other version, or under its own.
    pub(super) fn renamed(
        &mut self,
        name: &'static str,
        other: impl Fn((&'static str, &'static str)) -> Option<&'static str>,
        spec: &FieldSpec,
        losses: &mut Findings,
    ) -> Option<FieldValue> {
        let other = RENAMED.iter().copied().find_map(other);
        let by_other = other.and_then(|other| self.scaled(other, spec, losses));
        if by_other.is_some() { by_other } else { self.scaled(name, spec, losses) }
    }

    /// The value of that name, scaled if it changes with the size of the declared unit.
    fn scaled(&mut self, name: &'static str, spec: &FieldSpec, losses: &mut Findings) -> Option<FieldValue> {
        match self.given(name)? {
            FieldValue::Number(amount) if spec.unit.is_per_declared_unit() => {
                told(self.scale.apply(amount), name, losses)
            }
            other @ (FieldValue::Text(_)
            | FieldValue::Number(_)
            | FieldValue::Integer(_)
            | FieldValue::Flag(_)
            | FieldValue::Moment(_)
            | FieldValue::Texts(_)
            | FieldValue::References(_)
            | FieldValue::Object(_)
            | FieldValue::Objects(_)
            | FieldValue::Raw(_)) => Some(other),
        }
    }
}

/// The amount, and what scaling it lost.
pub(super) fn told(scaled: Scaled, name: &str, losses: &mut Findings) -> Option<FieldValue> {
    let at = format!("/pcf/{name}");
    match scaled {
        Scaled::Exact(amount) => Some(FieldValue::Number(amount)),
        Scaled::Rounded(amount) => {
            let detail = format!("{name} is shown rounded at its 18th fractional digit, as {amount}.");
            losses.add(Rule::AmountRounded, at, detail);
            Some(FieldValue::Number(amount))
        }
        Scaled::OutOfBounds => {
            let detail =
                format!("{name} has more than 20 integer digits once it is converted: write a smaller amount.");
            losses.add(Rule::AmountBounds, at, detail);
            None
        }
        Scaled::Unknown => {
            left_out(&at, name, losses);
            None
        }
    }
}

/// Notes that something is not shown.
pub(super) fn left_out(at: &str, name: &str, losses: &mut Findings) {
    losses.add(Rule::LeftOut, at, format!("{name} is not shown: it has no place in this edition."));
}
