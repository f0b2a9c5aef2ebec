//! What is left of a record that is seen as the other edition and back.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tonne_domain::footprint::{Edition, FOOTPRINT, FieldValue, Fields, PCF, Projection, Rule};
use tonne_domain::{Decimal, Footprint};

use crate::footprint::{flag, number, put, text, texts};
use crate::footprint_laws::valid_footprint;
use crate::footprint_projection::shown;

/// Members that only version 2 has; `version` begins anew, the ratings of `dqi` have another scale in version 3.
const V2_ALONE: [&str; 6] =
    ["version", "updated", "statusComment", "biogenicAccountingMethodology", "uncertaintyAssessmentDescription", "dqi"];
/// Members that only version 3 has.
const V3_ALONE: [&str; 13] = [
    "dqi",
    "recycledCarbonContent",
    "landManagementFossilGhgEmissions",
    "landAreaOccupation",
    "packagingBiogenicCarbonContent",
    "outboundLogisticsGhgEmissions",
    "ccsTechnologicalCO2CaptureIncluded",
    "ccsTechnologicalCO2Capture",
    "technologicalCO2Removals",
    "technologicalCO2CaptureOrigin",
    "ccuCarbonContent",
    "ccuCalculationApproach",
    "ccuCreditCertification",
];
/// What one version has in two members and the other in one; compared by themselves, or each by what it means.
const BY_MEANING: [&str; 8] = [
    "pcf",
    "productClassifications",
    "crossSectoralStandards",
    "crossSectoralStandardsUsed",
    "assurance",
    "verification",
    "landManagementBiogenicCO2Emissions",
    "landManagementBiogenicCO2Removals",
];
/// Texts that version 2 requires, so that version 3 leaves an empty one out.
const EMPTY_OR_ABSENT: [&str; 3] = ["comment", "boundaryProcessesDescription", "exemptedEmissionsDescription"];
/// The standards that both members of version 2 name, and those that 2.3 alone has.
const STANDARDS: [(&str, &str); 3] = [
    ("GHG Protocol Product standard", "GHGP-Product"),
    ("ISO Standard 14067", "ISO14067"),
    ("ISO Standard 14044", "ISO14040-44"),
];
const LATER_STANDARDS: [&str; 5] = ["ISO14083", "PEF", "PACT-1.0", "PACT-2.0", "PACT-3.0"];

/// The record per `units` declared units, its amounts drawn anew.
fn per_unit() -> impl Strategy<Value = Footprint> {
    let amount = || (0_i64..1_000_000_000, 0_u32..10);
    let units = prop_oneof![Just("1"), Just("12"), Just("0.5"), Just("3"), Just("0.000001"), Just("1000000000000")];
    (valid_footprint(), prop::collection::vec(amount(), 8), units, any::<bool>()).prop_map(
        |(mut footprint, amounts, units, negative)| {
            let is_v2 = footprint.fields.text("specVersion") == Some("2.3.0");
            let names: [&str; 8] = if is_v2 {
                put(&mut footprint, "/pcf/unitaryProductAmount", Some(number(units)));
                [
                    "pCfExcludingBiogenic",
                    "dLucGhgEmissions",
                    "otherBiogenicGhgEmissions",
                    "iLucGhgEmissions",
                    "fossilCarbonContent",
                    "biogenicCarbonContent",
                    "aircraftGhgEmissions",
                    "landManagementGhgEmissions",
                ]
            } else {
                put(&mut footprint, "/pcf/declaredUnitAmount", Some(number(units)));
                put(&mut footprint, "/pcf/declaredUnitOfMeasurement", Some(text("kilogram")));
                [
                    "pcfExcludingBiogenicUptake",
                    "landUseChangeGhgEmissions",
                    "biogenicNonCO2Emissions",
                    "landCarbonLeakage",
                    "fossilCarbonContent",
                    "biogenicCarbonContent",
                    "aircraftGhgEmissions",
                    "landManagementBiogenicCO2Emissions",
                ]
            };
            for (name, (mantissa, places)) in names.iter().zip(amounts) {
                let sign = if negative && *name == "landManagementGhgEmissions" { "-" } else { "" };
                let drawn = Decimal::parse(&format!("{sign}{mantissa}e-{places}")).unwrap();
                put(&mut footprint, &format!("/pcf/{name}"), Some(FieldValue::Number(drawn)));
            }
            footprint
        },
    )
}

/// The same with its standards, classifications, reports and assurance drawn anew.
pub(crate) fn drawn() -> impl Strategy<Value = Footprint> {
    let standards: Vec<_> = STANDARDS.map(|(_, short)| short).into_iter().chain(LATER_STANDARDS).collect();
    let sets = (
        prop::sample::subsequence(standards, 0..=8).prop_shuffle(),
        prop::sample::subsequence(STANDARDS.map(|(long, _)| long).to_vec(), 1..=3).prop_shuffle(),
        prop::sample::subsequence(vec!["urn:unspsc:1", "urn:cpc:41532", "URN:CPC:7", "urn:cpc:8"], 0..=4)
            .prop_shuffle(),
        prop::sample::select(vec![("AR6", &["AR6"][..]), ("AR5", &["AR6", "AR5"]), ("AR5", &["AR5"])]),
    );
    let coverage = prop::sample::select(vec!["product level", "other", ""]);
    (per_unit(), sets, (any::<bool>(), coverage, any::<bool>())).prop_map(
        |(mut footprint, (standards, used, classifications, (report, reports)), (is_assured, coverage, is_full))| {
            let is_v2 = footprint.fields.text("specVersion") == Some("2.3.0");
            put(&mut footprint, "/productClassifications", Some(texts(&classifications)));
            put(&mut footprint, "/pcf/crossSectoralStandards", Some(texts(&standards)));
            let checked = if is_v2 { "/pcf/assurance" } else { "/pcf/verification" };
            if is_v2 {
                put(&mut footprint, "/pcf/crossSectoralStandardsUsed", Some(texts(&used)));
                put(&mut footprint, "/pcf/characterizationFactors", Some(text(report)));
                put(&mut footprint, "/pcf/ipccCharacterizationFactorsSources", Some(texts(reports)));
                put(&mut footprint, "/pcf/assurance/assurance", Some(flag(is_assured)));
            } else {
                put(&mut footprint, "/pcf/ipccCharacterizationFactors", Some(texts(reports)));
            }
            let other = if is_v2 { "PCF system" } else { "PCF program" };
            let coverage = (!coverage.is_empty()).then(|| text(if coverage == "other" { other } else { coverage }));
            put(&mut footprint, &format!("{checked}/coverage"), coverage);
            put(&mut footprint, &format!("{checked}/standardName"), is_full.then(|| text("ISO 14064-3")));
            put(&mut footprint, &format!("{checked}/comments"), is_full.then(|| text("none")));
            footprint
        },
    )
}

fn written_in(version: &'static str) -> impl Strategy<Value = Footprint> {
    drawn().prop_filter("of the other version", move |footprint| footprint.fields.text("specVersion") == Some(version))
}

/// Whether no amount was rounded or left out.
fn is_exact(projection: &Projection) -> bool {
    projection.losses.iter().all(|loss| loss.rule == Rule::LeftOut)
}

fn pcf(projection: &Projection) -> &Fields {
    projection.footprint.fields.object("pcf").unwrap()
}

/// The value, where an empty text is none if the other version requires it.
fn meant<'a>(fields: &'a Fields, name: &str) -> Option<&'a FieldValue> {
    fields.find(name).filter(|value| !EMPTY_OR_ABSENT.contains(&name) || **value != text(""))
}

/// Whether both editions' lists of standards, and the category among the classifications, are as they were with what the
/// record says of them elsewhere.
fn same_sets(before: &Projection, after: &Projection) -> Result<(), TestCaseError> {
    let set = |fields: &Fields, name: &str| fields.texts(name).iter().cloned().collect::<BTreeSet<_>>();
    let mut classifications = set(&before.footprint.fields, "productClassifications");
    let category = before.footprint.fields.text("productCategoryCpc");
    classifications.extend(category.map(|category| format!("urn:cpc:{category}")));
    // The category comes first, and no other spelling of it stays beside it.
    let spelled = |urn: &String| urn.to_lowercase();
    let after_classifications = set(&after.footprint.fields, "productClassifications");
    prop_assert_eq!(
        after_classifications.iter().map(spelled).collect::<BTreeSet<_>>(),
        classifications.iter().map(spelled).collect::<BTreeSet<_>>()
    );
    let (mut short, mut long) =
        (set(pcf(before), "crossSectoralStandards"), set(pcf(before), "crossSectoralStandardsUsed"));
    if before.edition == Edition::V2 {
        for (name, other) in STANDARDS {
            if short.contains(other) || long.contains(name) {
                short.insert(other.to_owned());
                long.insert(name.to_owned());
            }
        }
    } else {
        let known: BTreeSet<_> = STANDARDS.map(|(_, short)| short).into_iter().chain(LATER_STANDARDS).collect();
        short.retain(|name| known.contains(name.as_str()));
    }
    prop_assert_eq!(set(pcf(after), "crossSectoralStandards"), short);
    prop_assert_eq!(set(pcf(after), "crossSectoralStandardsUsed"), long);
    Ok(())
}

/// What both versions can say of who checked the record: nothing where nobody did or nobody is named.
fn checked(projection: &Projection) -> Option<Vec<Option<FieldValue>>> {
    let checked =
        pcf(projection).object(if projection.edition == Edition::V2 { "assurance" } else { "verification" })?;
    if checked.flag("assurance") == Some(false) || checked.find("providerName").is_none() {
        return None;
    }
    let coverage = checked.find("coverage").filter(|coverage| **coverage == text("product level")).cloned();
    let names = ["providerName", "completedAt", "standardName", "comments"];
    Some(names.iter().map(|name| checked.find(name).cloned()).chain([coverage]).collect())
}

/// What management of land emits and takes away, in one amount.
fn land(projection: &Projection) -> Option<Decimal> {
    let names = ["landManagementBiogenicCO2Emissions", "landManagementBiogenicCO2Removals"];
    let amounts = names.iter().filter_map(|name| pcf(projection).number(name));
    amounts.reduce(|sum, amount| sum.checked_add(amount).unwrap())
}

/// Whether a record of an edition, seen as the other and back, is what it was but for what the other cannot say.
fn same(before: &Projection, after: &Projection) -> Result<(), TestCaseError> {
    let alone = if before.edition == Edition::V2 { &V2_ALONE[..] } else { &V3_ALONE };
    let compared = |name: &&str| !alone.contains(name) && !BY_MEANING.contains(name);
    for name in FOOTPRINT.fields.iter().map(|spec| spec.name).filter(compared) {
        let (one, other) = (meant(&before.footprint.fields, name), meant(&after.footprint.fields, name));
        prop_assert_eq!(one, other, "{}", name);
    }
    for name in PCF.fields.iter().map(|spec| spec.name).filter(compared) {
        prop_assert_eq!(meant(pcf(before), name), meant(pcf(after), name), "{}", name);
    }
    same_sets(before, after)?;
    prop_assert_eq!(land(before), land(after));
    prop_assert_eq!(checked(before), checked(after));
    // Nothing comes back that was not there, but what was added to sets.
    for name in alone.iter().filter(|name| **name != "version") {
        prop_assert_eq!(after.footprint.fields.find(name), None, "{}", name);
        prop_assert_eq!(pcf(after).find(name), None, "{}", name);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_record_of_version_2_seen_as_3_and_back_keeps_all_that_both_have(footprint in written_in("2.3.0")) {
        let there = shown(&footprint, Edition::V3);
        let back = shown(&there.footprint, Edition::V2);
        prop_assume!(is_exact(&there) && is_exact(&back));
        same(&shown(&footprint, Edition::V2), &back)?;
    }

    #[test]
    fn a_record_of_version_3_seen_as_2_and_back_keeps_all_that_both_have(footprint in written_in("3.0.0")) {
        let there = shown(&footprint, Edition::V2);
        let back = shown(&there.footprint, Edition::V3);
        prop_assume!(is_exact(&there) && is_exact(&back));
        same(&shown(&footprint, Edition::V3), &back)?;
    }

    #[test]
    fn a_record_seen_as_the_other_edition_and_back_is_seen_the_same_again(footprint in drawn()) {
        for (one, other) in [(Edition::V2, Edition::V3), (Edition::V3, Edition::V2)] {
            let first = shown(&footprint, other);
            let back = shown(&first.footprint, one);
            let again = shown(&back.footprint, other);
            prop_assume!(is_exact(&first) && is_exact(&back) && is_exact(&again));
            same(&first, &again)?;
        }
    }
}
