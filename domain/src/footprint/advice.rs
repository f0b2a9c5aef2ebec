//! What the method of PACT advises beyond what makes a footprint valid. Nothing here hides a record.

use crate::amount::decimal::Decimal;
use crate::amount::total::Total;
use crate::footprint::fields::Fields;
use crate::footprint::rule_names::{Findings, Rule};
use crate::footprint::spec_version::Major;

/// Fields that the method of version 3 asks for of every footprint ("SHALL").
const ASKED_OF_ALL: [&str; 3] =
    ["packagingEmissionsIncluded", "ccsTechnologicalCO2CaptureIncluded", "primaryDataShare"];
/// Fields that it asks for where biogenic carbon is in play, 0 where it is not: absent means unknown.
const ASKED_OF_BIOGENIC: [&str; 4] =
    ["biogenicCarbonContent", "landUseChangeGhgEmissions", "biogenicNonCO2Emissions", "biogenicCO2Uptake"];
/// What adds up to the footprint without uptake, beside the fossil emissions.
const PARTS: [&str; 6] = [
    "landUseChangeGhgEmissions",
    "landManagementBiogenicCO2Emissions",
    "landManagementBiogenicCO2Removals",
    "technologicalCO2Removals",
    "ccsTechnologicalCO2Capture",
    "biogenicNonCO2Emissions",
];
const EXCLUDING: &str = "pcfExcludingBiogenicUptake";
const INCLUDING: &str = "pcfIncludingBiogenicUptake";

/// What the method advises of a record as an edition of that version shows it.
pub(super) fn advise(fields: &Fields, major: Major, findings: &mut Findings) {
    let Some(pcf) = fields.object("pcf") else { return };
    let reports = match major {
        Major::V2 => "ipccCharacterizationFactorsSources",
        Major::V3 => "ipccCharacterizationFactors",
    };
    newest_report(pcf, reports, findings);
    match major {
        Major::V2 => asked(pcf, "crossSectoralStandards", "names the standards in the words of 2.3", findings),
        Major::V3 => {
            for name in ASKED_OF_ALL {
                asked(pcf, name, "the method asks for it of every footprint", findings);
            }
            for name in ASKED_OF_BIOGENIC {
                asked(pcf, name, "give 0 where no biogenic carbon is in play; absent means unknown", findings);
            }
            if pcf.flag("ccsTechnologicalCO2CaptureIncluded") == Some(true) {
                asked(pcf, "ccsTechnologicalCO2Capture", "capture and storage is said to be included", findings);
            }
            sums(pcf, findings);
        }
    }
}

fn asked(pcf: &Fields, name: &str, why: &str, findings: &mut Findings) {
    if pcf.find(name).is_none() {
        findings.add(Rule::FieldAdvised, format!("/pcf/{name}"), format!("{name} is not given: {why}."));
    }
}

fn newest_report(pcf: &Fields, name: &str, findings: &mut Findings) {
    let reports = pcf.texts(name);
    if !reports.is_empty() && !reports.iter().any(|report| report == "AR6") {
        let detail = format!("{name} does not name AR6, the report whose factors the method expects.");
        findings.add(Rule::NewestReport, format!("/pcf/{name}"), detail);
    }
}

fn sums(pcf: &Fields, findings: &mut Findings) {
    let number = |name| pcf.number(name);
    let total = |name| number(name).map_or(Total::ZERO, Total::from);
    if let (Some(fossil), Some(excluding)) = (number("fossilGhgEmissions"), number(EXCLUDING)) {
        let sum = PARTS.iter().map(|name| total(name)).chain([Total::from(fossil)]).sum();
        compare(Rule::SumExcluding, EXCLUDING, excluding, sum, "its parts", findings);
    }
    let (Some(excluding), Some(including)) = (number(EXCLUDING), number(INCLUDING)) else { return };
    let sum = [Total::from(excluding), total("biogenicCO2Uptake")].into_iter().sum();
    compare(Rule::SumIncluding, INCLUDING, including, sum, "the footprint without uptake and the uptake", findings);
    if including > excluding {
        let detail = format!("{INCLUDING} is above {EXCLUDING}: uptake can only take away from a footprint.");
        findings.add(Rule::UptakeOrder, format!("/pcf/{INCLUDING}"), detail);
    }
}

/// Whether the amount is that sum, to a hundredth of the larger of the two.
fn compare(rule: Rule, name: &str, amount: Decimal, sum: Total, of: &str, findings: &mut Findings) {
    let amount = Total::from(amount);
    let magnitude = |total: Total| total.max(total.times(-1));
    let difference = [amount, sum.times(-1)].into_iter().sum();
    if magnitude(difference).times(100) > magnitude(amount).max(magnitude(sum)) {
        let detail = format!("{name} is {amount}, but {of} come to {sum}: mend one of them.");
        findings.add(rule, format!("/pcf/{name}"), detail);
    }
}
