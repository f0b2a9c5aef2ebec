//! The cases that V3.0 alone has. Every value is taken from the first footprint and put into the query as it is.

use domain::Timestamp;

use super::super::super::harness::Value;
use super::judge::{Judged, holds, list};
use super::{Run, cases, event};

cases! { V3_0;
    case_20_by_product = |run| by_first(run, "productId", "productIds");
    case_21_by_company = |run| by_first(run, "companyId", "companyIds");
    case_22_by_geography = by_geography;
    case_23_by_classification = |run| by_first(run, "classification", "productClassifications");
    case_24_valid_on = |run| {
        let at = start(run.first()).to_owned();
        run.finds(&format!("validOn={at}"), |one| millis(start(one)) <= millis(&at) && millis(&at) <= end(one))
    };
    case_25_valid_after = |run| {
        let at = day(millis(start(run.first())), -1);
        run.finds(&format!("validAfter={at}"), |one| millis(start(one)) > millis(&at))
    };
    case_26_valid_before = |run| {
        let at = day(end(run.first()), 1);
        run.finds(&format!("validBefore={at}"), |one| end(one) < millis(&at))
    };
    case_27_by_status = |run| {
        let status = run.raw("/status").unwrap_or_default();
        run.finds(&format!("status={status}"), |one| one["status"] == status)
    };
    case_28_by_status_and_product = |run| {
        let (status, product) = (run.raw("/status").unwrap_or_default(), run.first_of("productIds").unwrap_or_default());
        run.finds(&format!("status={status}&productId={product}"), |one| {
            one["status"] == status && has(one, "productIds", product)
        })
    };
    case_29_by_one_of_several_companies = |run| {
        let company = run.first_of("companyIds").unwrap_or_default();
        run.finds(&format!("companyId={company}&companyId=1b4e28ba&companyId=6fa459ea"), |one| {
            has(one, "companyIds", company)
        })
    };
    case_30_an_unknown_product = |run| run.finds_nothing("productId=bogus-1b4e28ba");
    case_31_an_unknown_company = |run| run.finds_nothing("companyId=urn:bogus:1b4e28ba");
    case_32_an_unknown_geography = |run| run.finds_nothing("geography=XX");
    case_33_an_unknown_classification = |run| run.finds_nothing("classification=bogus-1b4e28ba");
    case_34_valid_on_long_ago = |run| run.finds_nothing("validOn=1900-01-01T00:00:00Z");
    case_35_valid_after_the_end = |run| run.finds_nothing("validAfter=2099-12-31T23:59:59Z");
    case_36_valid_before_long_ago = |run| run.finds_nothing("validBefore=1900-01-01T00:00:00Z");
    case_37_an_unknown_status = |run| run.finds_nothing("status=BogusStatus1b4e28ba");
    case_38_an_unknown_company_and_product = |run| run.finds_nothing("companyId=urn:bogus:1b4e28ba&productId=bogus-6fa459ea");
    case_39_several_unknown_companies = |run| run.finds_nothing("companyId=urn:bogus:1&companyId=urn:bogus:2&companyId=urn:bogus:3");
    case_40_a_footprint_is_named_by_its_uuid = event::refuses_a_urn;
}

fn has(footprint: &Value, name: &str, id: &str) -> bool {
    footprint[name].as_array().is_some_and(|ids| ids.iter().any(|one| one == id))
}

/// By the first of those that the first footprint has; with none of them an empty parameter must find all.
fn by_first(run: &Run, parameter: &str, name: &str) -> Judged<()> {
    match run.first_of(name) {
        Some(id) => run.finds(&format!("{parameter}={id}"), |one| has(one, name, id)),
        None => finds_all(run, parameter),
    }
}

fn finds_all(run: &Run, parameter: &str) -> Judged<()> {
    let found = list(&run.get(&format!("/footprints?{parameter}="))?)?;
    holds(found.len() == run.list.len(), || format!("an empty {parameter} finds {}", found.len()))
}

fn by_geography(run: &Run) -> Judged<()> {
    let names = ["geographyCountry", "geographyRegionOrSubregion", "geographyCountrySubdivision"];
    let place = names.iter().find_map(|name| Some((name, run.raw(&format!("/pcf/{name}"))?)));
    match place {
        Some((name, place)) => run.finds(&format!("geography={place}"), |one| one["pcf"][name] == place),
        None => finds_all(run, "geography"),
    }
}

fn millis(text: &str) -> i64 {
    Timestamp::parse(text).unwrap_or_else(|error| panic!("{text}: {error}")).millis()
}

/// Some days later, as a clock of the suite writes it.
fn day(millis: i64, days: i64) -> String {
    Timestamp::from_millis(millis + days * 86_400_000).unwrap().to_string()
}

/// The start of a footprint's validity.
fn start(footprint: &Value) -> &str {
    let start = footprint["validityPeriodStart"].as_str();
    start.or_else(|| footprint["pcf"]["referencePeriodEnd"].as_str()).unwrap()
}

/// The end of a footprint's validity: where it says none, three years after its reference period.
fn end(footprint: &Value) -> i64 {
    if let Some(end) = footprint["validityPeriodEnd"].as_str() {
        return millis(end);
    }
    let reference = footprint["pcf"]["referencePeriodEnd"].as_str().unwrap();
    let year: i32 = reference[..4].parse().unwrap();
    millis(&format!("{}{}", year + 3, &reference[4..]))
}
