//! The members of an object that is converted: which of them were taken, under which name, and what was lost.

use std::collections::BTreeSet;

use super::scale::{Scale, Scaled};
use super::values;
use crate::amount::decimal::Decimal;
use crate::amount::total::Total;
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

const LAND_MANAGEMENT: &str = "landManagementGhgEmissions";
const LAND_EMISSIONS: &str = "landManagementBiogenicCO2Emissions";
const LAND_REMOVALS: &str = "landManagementBiogenicCO2Removals";

/// The members of an object as they were written.
pub(super) struct Members<'a> {
    fields: &'a Fields,
    scale: Scale,
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

    /// A member of version 3, of a record of version 2.
    pub(super) fn v3_of_v2(&mut self, spec: &FieldSpec, losses: &mut Findings) -> Option<FieldValue> {
        match spec.name {
            LAND_EMISSIONS => self.land_management(spec, false, losses),
            LAND_REMOVALS => self.land_management(spec, true, losses),
            "ipccCharacterizationFactors" => {
                let sources = self.given("ipccCharacterizationFactorsSources").or_else(|| self.report());
                self.mark(&["characterizationFactors"]);
                sources.or_else(|| self.given(spec.name))
            }
            "crossSectoralStandards" => values::standards(self),
            "boundaryProcessesDescription" | "exemptedEmissionsDescription" => self.text_not_empty(spec.name),
            "verification" => values::verification(self, losses).or_else(|| self.given(spec.name)),
            "dqi" => None,
            name => self.renamed(name, |(v2, v3)| (v3 == name).then_some(v2), spec, losses),
        }
    }

    /// A member of version 2.3, of a record of version 3.
    pub(super) fn v2_of_v3(&mut self, spec: &FieldSpec, losses: &mut Findings) -> Option<FieldValue> {
        match spec.name {
            LAND_MANAGEMENT => {
                let parts = [LAND_EMISSIONS, LAND_REMOVALS].map(|name| (name, self.number(name)));
                let known: Vec<_> = parts.iter().filter_map(|(name, number)| Some((*name, (*number)?))).collect();
                if known.iter().filter(|(_, number)| !number.is_zero()).count() > 1 {
                    let detail = format!("{LAND_REMOVALS} is shown in one amount with {LAND_EMISSIONS}.");
                    losses.add(Rule::LeftOut, format!("/pcf/{LAND_REMOVALS}"), detail);
                }
                let sum: Total = known.iter().map(|(_, number)| Total::from(*number)).sum();
                let first = known.first().map(|(name, _)| *name);
                first.and_then(|name| told(self.scale.apply_to_sum(sum), name, losses))
            }
            "characterizationFactors" => {
                let sources = self.texts("ipccCharacterizationFactors");
                let earliest = ["AR5", "AR6"].into_iter().find(|report| sources.iter().any(|one| one == report));
                earliest.map(|report| FieldValue::Text(report.to_owned()))
            }
            "ipccCharacterizationFactorsSources" => self.given("ipccCharacterizationFactors"),
            "crossSectoralStandardsUsed" => values::standards_used(self),
            "crossSectoralStandards" => values::known_standards(self, spec, losses),
            "boundaryProcessesDescription" | "exemptedEmissionsDescription" => Some(self.text_or_empty(spec.name)),
            "assurance" => values::assurance(self, losses).or_else(|| self.given(spec.name)),
            "dqi" => None,
            name => self.renamed(name, |(v2, v3)| (v2 == name).then_some(v3), spec, losses),
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

    fn number(&mut self, name: &'static str) -> Option<Decimal> {
        self.taken.insert(name);
        self.fields.number(name)
    }

    /// The one report that version 2 asks for, as the list of them.
    fn report(&mut self) -> Option<FieldValue> {
        let report = self.given("characterizationFactors")?;
        if let FieldValue::Text(report) = report { Some(FieldValue::Texts(vec![report])) } else { None }
    }

    /// Land management on one side of zero; zero itself is an emission.
    fn land_management(&mut self, spec: &FieldSpec, removals: bool, losses: &mut Findings) -> Option<FieldValue> {
        let Some(amount) = self.number(LAND_MANAGEMENT) else { return self.scaled(spec.name, spec, losses) };
        if amount.is_negative() == removals { told(self.scale.apply(amount), LAND_MANAGEMENT, losses) } else { None }
    }

    /// The member under the name it has in the other version, or under its own.
    fn renamed(
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
            other => Some(other),
        }
    }
}

/// The amount, and what scaling it lost.
fn told(scaled: Scaled, name: &str, losses: &mut Findings) -> Option<FieldValue> {
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
