//! What the filters of lists find beyond the cases of the conformance suite.

use super::{Host, Value, encoded, texts};

const BOGUS: [&str; 3] = ["3f1c", "not a URN", "urn:bogus:1"];

/// The list of version 3 under that filter.
#[track_caller]
fn filtered(host: &Host, filter: &[(&str, &str)]) -> Vec<Value> {
    let pairs: Vec<_> = filter.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
    host.list(&format!("/3/footprints?{}", pairs.join("&")))
}

#[track_caller]
fn finds(host: &Host, filter: &[(&str, &str)], holds: impl Fn(&Value) -> bool) {
    let found = filtered(host, filter);
    assert!(!found.is_empty() && found.iter().all(holds), "{filter:?}: {found:?}");
}

#[track_caller]
fn finds_nothing(host: &Host, filter: &[(&str, &str)]) {
    assert_eq!(filtered(host, filter), [] as [Value; 0], "{filter:?}");
}

fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_else(|| panic!("no {pointer}: {value}"))
}

/// From when to when a footprint is valid.
fn validity(footprint: &Value) -> (&str, String) {
    let reference = text(footprint, "/pcf/referencePeriodEnd");
    let start = footprint["validityPeriodStart"].as_str().unwrap_or(reference);
    let year: u16 = reference[..4].parse().unwrap();
    let end = format!("{}{}", year + 3, &reference[4..]);
    (start, footprint["validityPeriodEnd"].as_str().map_or(end, str::to_owned))
}

#[test]
fn by_product_in_any_case() {
    let host = Host::start();
    let first = host.first(3);
    let id = texts(&first["productIds"])[0];
    finds(&host, &[("productId", id)], |found| texts(&found["productIds"]).contains(&id));
    finds(&host, &[("productId", &id.to_uppercase())], |found| texts(&found["productIds"]).contains(&id));
}

#[test]
fn by_geography_in_any_case_and_an_empty_one_is_none() {
    let host = Host::start();
    finds(&host, &[("geography", "DE")], |found| text(found, "/pcf/geographyCountry") == "DE");
    finds(&host, &[("geography", "western europe")], |found| {
        text(found, "/pcf/geographyRegionOrSubregion") == "Western Europe"
    });
    assert_eq!(filtered(&host, &[("geography", "")]).len(), 4);
}

#[test]
fn by_classification_and_an_empty_one_is_none() {
    let host = Host::start();
    let is_of = |urn: &'static str| move |found: &Value| texts(&found["productClassifications"]).contains(&urn);
    finds(&host, &[("classification", "urn:eclass:27")], is_of("urn:eclass:27"));
    // The category that a record of version 2 has.
    finds(&host, &[("classification", "urn:cpc:41532")], is_of("urn:cpc:41532"));
    assert_eq!(filtered(&host, &[("classification", "")]).len(), 4);
}

#[test]
fn by_validity_strictly_before_and_after() {
    let host = Host::start();
    let first = host.first(3);
    let (start, end) = validity(&first);
    finds(&host, &[("validOn", start)], |found| {
        let (from, to) = validity(found);
        from <= start && start <= to.as_str()
    });
    let is_first = |found: &Value| found["id"] == first["id"];
    let day_before = "2025-06-30T00:00:00Z";
    assert!(day_before < start, "{start}");
    finds(&host, &[("validAfter", day_before)], |found| validity(found).0 > day_before);
    assert!(!filtered(&host, &[("validAfter", start)]).iter().any(is_first), "strict");
    let day_after = "2028-01-01T00:00:00Z";
    finds(&host, &[("validBefore", day_after)], |found| validity(found).1.as_str() < day_after);
    assert!(!filtered(&host, &[("validBefore", &end)]).iter().any(is_first), "strict");
}

#[test]
fn by_status_and_by_product() {
    let host = Host::start();
    for status in ["Active", "Deprecated"] {
        finds(&host, &[("status", status)], |found| found["status"] == status);
    }
    let id = "urn:pact:works.example:product-id:7";
    finds(&host, &[("status", "Active"), ("productId", id)], |found| {
        found["status"] == "Active" && texts(&found["productIds"]).contains(&id)
    });
}

#[test]
fn what_nobody_has_is_not_found() {
    let host = Host::start();
    for name in ["productId", "companyId", "classification"] {
        for bogus in BOGUS {
            finds_nothing(&host, &[(name, bogus)]);
        }
    }
    finds_nothing(&host, &[("geography", "XX")]);
}

#[test]
fn several_conditions_must_all_hold() {
    let host = Host::start();
    finds_nothing(&host, &[("companyId", BOGUS[0]), ("productId", BOGUS[1])]);
    let first = host.first(3);
    finds_nothing(&host, &[("companyId", texts(&first["companyIds"])[0]), ("productId", BOGUS[1])]);
    finds_nothing(&host, &BOGUS.map(|bogus| ("companyId", bogus)));
}

#[test]
fn version_2_by_creation_and_product() {
    let host = Host::start();
    let first = host.first(2);
    let created = text(&first, "/created");
    let found = host.list(&format!("/2/footprints?$filter=created%20ge%20%27{created}%27"));
    assert_eq!(found.len(), 4);
    assert!(found.iter().all(|footprint| text(footprint, "/created") >= created));
    assert_eq!(host.list(&format!("/2/footprints?$filter=created%20lt%20%27{created}%27")).len(), 0);
    let id = encoded("productIds/any(productId:(productId eq 'urn:gtin:4712345060507'))");
    assert_eq!(host.list(&format!("/2/footprints?$filter={id}")).len(), 4);
}
