//! A link to the rest of a list outlives the service that gave it.

use serde_json::Value;

use super::super::run::{Place, Served};

/// The ids of a list, and the path and query of its link.
fn part(served: &Served, key: &str, path: &str) -> (Vec<String>, Option<String>) {
    let reply = served.ask("GET", path, &[key], "");
    assert_eq!(reply.status, 200, "{reply:?}");
    let body = reply.json();
    let ids = body["data"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect();
    let link = reply.header("link").map(|link| {
        let target = link.strip_prefix('<').unwrap().split_once('>').unwrap().0;
        target.strip_prefix(&served.base).unwrap_or_else(|| panic!("{target}")).to_owned()
    });
    (ids, link)
}

/// A record that version 2 shows.
fn record() -> Value {
    serde_json::json!({
        "specVersion": "2.3.0", "companyName": "Works", "companyIds": ["urn:pact:works.example:company:1"],
        "productNameCompany": "Sheet", "productDescription": "", "productIds": ["urn:gtin:1"], "productCategoryCpc": "41532",
        "comment": "",
        "pcf": {
            "declaredUnit": "kilogram", "unitaryProductAmount": 1, "pCfExcludingBiogenic": 9.81, "fossilGhgEmissions": 9.6,
            "fossilCarbonContent": 0, "biogenicCarbonContent": 0, "characterizationFactors": "AR6",
            "ipccCharacterizationFactorsSources": ["AR6"], "crossSectoralStandardsUsed": ["GHG Protocol Product standard"],
            "boundaryProcessesDescription": "All", "referencePeriodStart": "2024-01-01T00:00:00Z",
            "referencePeriodEnd": "2025-01-01T00:00:00Z", "exemptedEmissionsPercent": 0,
            "exemptedEmissionsDescription": "", "packagingEmissionsIncluded": false, "primaryDataShare": 50,
        },
    })
}

#[cfg(unix)]
#[test]
fn a_link_leads_on_when_the_service_has_been_started_again() {
    let place = Place::new();
    let served = place.serve();
    let key = place.bearer("admin");
    let mut record = record();
    for number in 0..5 {
        record["productIds"] = serde_json::json!([format!("urn:gtin:{number}")]);
        let headers = [key.as_str(), "Content-Type: application/json"];
        assert_eq!(served.ask("POST", "/v1/footprint", &headers, &record.to_string()).status, 201);
    }
    let (mut met, mut next) = part(&served, &key, "/2/footprints?limit=2");
    let (whole, _) = part(&served, &key, "/2/footprints");
    assert_eq!(whole.len(), 5, "they are shown");
    assert_eq!(served.terminate(), Some(0));
    let served = place.serve();
    while let Some(path) = next {
        let first = part(&served, &key, &path);
        assert_eq!(part(&served, &key, &path), first, "a link may be used again");
        met.extend(first.0);
        next = first.1;
    }
    assert_eq!(met, whole);
}
