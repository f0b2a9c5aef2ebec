//! All footprints as a table.

use crate::http::harness::{Client, Service, json};

fn csv(client: &Client, path: &str) -> Vec<String> {
    let answer = client.request("GET", path).header("Accept", "text/csv").send().expect(200);
    answer.text().lines().map(str::to_owned).collect()
}

#[test]
fn a_table_has_a_row_for_each_footprint_with_the_rules_it_breaks_and_the_fields_of_its_pcf() {
    let service = Service::start();
    let admin = service.admin();
    let pcf = json!({ "declaredUnit": "kilogram", "pCfExcludingBiogenic": "1.250000000000000001" });
    let body = json!({ "specVersion": "2.2.0", "companyName": "=Works", "pcf": pcf });
    let uuid = admin.post("/v1/footprint", &body).uuid();
    let lines = csv(&admin, "/v1/footprint?cells=text&bom=true");
    assert_eq!(lines.len(), 2);
    assert!(lines[0].starts_with("\u{feff}uuid,id,valid,brokenRules,"), "{}", lines[0]);
    assert!(lines[0].contains(",pcf.declaredUnit,"), "{}", lines[0]);
    assert!(lines[1].starts_with(&format!("{uuid},1,false,")), "{}", lines[1]);
    assert!(lines[1].contains(",'=Works,") && lines[1].contains(",1.250000000000000001,"), "{}", lines[1]);
}

#[test]
fn a_table_has_all_footprints_or_a_page_of_them_and_needs_the_permission_to_review() {
    let service = Service::start();
    let admin = service.admin();
    for _ in 0..103 {
        admin.post("/v1/footprint", &json!({ "companyName": "Works" })).expect(201);
    }
    assert_eq!(csv(&admin, "/v1/footprint").len(), 104);
    assert_eq!(csv(&admin, "/v1/footprint?page=2").len(), 4);
    assert_eq!(csv(&admin, "/v1/footprint?syncId=x").len(), 1);
    let partner = service.caller("footprint:read").request("GET", "/v1/footprint").header("Accept", "text/csv");
    partner.send().expect(403);
}
