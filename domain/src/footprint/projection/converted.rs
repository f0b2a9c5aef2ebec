//! Members of `pcf` in one major version, of a record of the other.

use super::members::{LAND_EMISSIONS, LAND_MANAGEMENT, LAND_REMOVALS, Members, told};
use super::values;
use crate::amount::total::Total;
use crate::footprint::fields::FieldValue;
use crate::footprint::rule_names::{Findings, Rule};
use crate::footprint::spec::FieldSpec;

impl Members<'_> {
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
}
