//! Footprints: found, read with every broken rule at its field, shared and deprecated.

use super::visitor::{Visitor, encoded, field, paths, plain};
use crate::http::footprint::examples::{v2, v3, with};
use crate::http::harness::{Client, Service, Value, json};

const EVIL: &str = "\"><img src=x onerror=alert(1)><script>alert(2)</script>'{{7*7}}";

fn added(admin: &Client, body: &Value) -> String {
    admin.post("/v1/footprint", body).uuid()
}

/// The row of the table of fields that is of that field.
#[track_caller]
fn row(html: &str, name: &str) -> String {
    let heading = format!("<code>{name}</code></th>");
    let rest = html.split(&heading).nth(1).unwrap_or_else(|| panic!("no field {name}: {html}"));
    plain(rest.split("</tr>").next().unwrap())
}

/// The names of the products in the list, in its order.
fn listed(html: &str) -> Vec<String> {
    let cells = html.split("<th class=\"clip link\" scope=\"row\">").skip(1);
    cells.map(|cell| plain(cell.split("</th>").next().unwrap())).collect()
}

#[test]
fn footprints_are_found_by_words_status_and_validity() {
    let service = Service::start();
    let admin = service.admin();
    let visitor = Visitor::signed_in(&service.own(), "admin");
    let empty = plain(&visitor.page("/footprints"));
    assert!(empty.contains("No footprints") && empty.contains("tonne footprint publish MODEL"), "{empty}");
    let sheet = added(&admin, &v2());
    added(&admin, &v3());
    let broken = added(&admin, &with(with(v3(), "/productNameCompany", Some(json!("Syrup"))), "/companyIds", None));
    admin.patch(&format!("/v1/footprint/{sheet}"), &json!({ "status": "Deprecated" })).ok();
    let all = visitor.page("/footprints");
    assert_eq!(listed(&all), ["Aluminium sheet", "Water", "Syrup"]);
    assert!(paths(&service.own(), &all).contains(&format!("/footprints/{broken}")), "{all}");
    for (asked, found) in [
        ("q=ALU+sheet", vec!["Aluminium sheet"]),
        ("q=nothing", vec![]),
        ("status=deprecated", vec!["Aluminium sheet"]),
        ("status=active&valid=yes", vec!["Water"]),
        ("valid=no", vec!["Syrup"]),
        (&format!("q={broken}"), vec!["Syrup"]),
        ("page=2", vec![]),
    ] {
        assert_eq!(listed(&visitor.page(&format!("/footprints?{asked}"))), found, "{asked}");
    }
    for wrong in ["status=Active", "valid=1", "page=0", "x=1"] {
        visitor.get(&format!("/footprints?{wrong}")).expect(400);
    }
}

#[test]
fn the_list_is_a_file_of_all_that_it_asks_for() {
    let service = Service::start();
    let admin = service.admin();
    added(&admin, &v2());
    let water = added(&admin, &with(v3(), "/productNameCompany", Some(json!("=Water, \"still\""))));
    let visitor = Visitor::signed_in(&service.own(), "admin");
    let file = visitor.get("/footprints?q=water&form=csv").expect(200);
    assert_eq!(file.header("content-disposition"), Some("attachment; filename=\"footprints.csv\""));
    let lines: Vec<_> = file.text().lines().collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].starts_with("uuid,id,productNameCompany,companyName,status,"), "{lines:?}");
    assert!(
        lines[1].starts_with(&format!("{water},2,\"'=Water, \"\"still\"\"\",Bottlers,Active,1,3.0.0,")),
        "{lines:?}"
    );
}

#[test]
fn every_broken_rule_stands_at_its_field_in_each_edition() {
    let service = Service::start();
    let admin = service.admin();
    let body = with(v3(), "/companyIds", None);
    let id = added(&admin, &with(body, "/pcf/referencePeriodEnd", Some(json!("2001-01-01T00:00:00Z"))));
    let visitor = Visitor::signed_in(&service.own(), "admin");
    let page = visitor.page(&format!("/footprints/{id}"));
    let record = admin.get(&format!("/v1/footprint/{id}")).ok();
    let mut checked = 0;
    for finding in record["editions"].as_array().unwrap().iter().flat_map(|one| one["findings"].as_array().unwrap()) {
        let name = finding["pointer"].as_str().unwrap().trim_start_matches('/').replace('/', " ");
        let row = row(&page, &name);
        for said in ["rule", "detail"] {
            assert!(row.contains(finding[said].as_str().unwrap()), "{finding}: {row}");
        }
        checked += 1;
    }
    assert!(checked > 3, "{record}");
    assert!(row(&page, "companyIds").contains("! rule"), "{page}");
    assert!(row(&page, "companyName").contains("Bottlers"));
    assert!(plain(&page).contains("! not shown"));
}

#[test]
fn a_footprint_leads_to_those_before_and_after_it_and_to_its_model() {
    let service = Service::start();
    let admin = service.admin();
    let material = admin.priced("kg", "1.5", "0");
    let model = admin.post("/v1/model", &json!({ "name": "Box", "unit": "piece", "amount": 10 })).uuid();
    let input = |quantity: &str| {
        json!({
            "name": "Steel", "material": { "uuid": material }, "quantity": quantity, "unit": "kg", "lifecycleStage": { "code": "A1" },
        })
    };
    admin.post(&format!("/v1/model/{model}/input"), &input("2")).expect(201);
    let said = json!({
        "companyIds": ["urn:pact:works.example:company:1"], "productIds": ["urn:gtin:4712345060507"],
        "productClassifications": ["urn:cpc:41532"],
        "pcf": {
            "productMassPerDeclaredUnit": "3", "exemptedEmissionsPercent": 0, "fossilCarbonContent": 0,
            "biogenicCarbonContent": "0", "crossSectoralStandards": ["GHGP-Product"], "packagingEmissionsIncluded": false,
            "ipccCharacterizationFactors": ["AR6"],
        },
    });
    let publish = || {
        let done = admin.post(&format!("/v1/model/{model}/footprint"), &said).json();
        done["footprint"]["uuid"].as_str().unwrap().to_owned()
    };
    let first = publish();
    admin.post(&format!("/v1/model/{model}/input"), &input("1")).expect(201);
    let second = publish();
    assert_ne!(first, second);
    let visitor = Visitor::signed_in(&service.own(), "admin");
    let (old, new) = (visitor.page(&format!("/footprints/{first}")), visitor.page(&format!("/footprints/{second}")));
    assert!(paths(&service.own(), &old).contains(&format!("/footprints/{second}")), "{old}");
    assert!(plain(&old).contains("Deprecated"));
    assert!(paths(&service.own(), &new).contains(&format!("/footprints/{first}")), "{new}");
    assert!(paths(&service.own(), &new).contains(&format!("/models/{model}")), "{new}");
    assert!(row(&new, "pcf pcfIncludingBiogenicUptake").starts_with("4.5"), "{new}");
}

#[test]
fn a_footprint_that_names_many_says_how_many_more_it_names() {
    let service = Service::start();
    let admin = service.admin();
    let visitor = Visitor::signed_in(&service.own(), "admin");
    let page = |last: u64| {
        let named: Vec<u64> = (1001..=last).collect();
        let id = added(&admin, &with(v3(), "/precedingPfIds", Some(json!(named))));
        plain(&visitor.page(&format!("/footprints/{id}")))
    };
    let rest = "and 1 more: the table below has all that it names";
    let many = page(1101);
    assert!(many.contains(rest) && many.contains("precedingPfIds 100"), "{many}");
    assert!(many.contains("1100 not among those") && !many.contains("1101 not among those"), "{many}");
    assert!(!page(1100).contains(rest));
}

#[test]
fn sharing_is_changed_by_a_form_and_not_by_one_that_is_too_old() {
    let service = Service::start();
    let admin = service.admin();
    let partner = admin.post("/v1/partner", &json!({ "name": EVIL, "baseUrl": "https://pact.example.com/" })).uuid();
    let id = added(&admin, &v3());
    let at = format!("/footprints/{id}");
    let sharing = || admin.get(&format!("/v1/footprint/{id}/sharing")).ok();
    let visitor = Visitor::signed_in(&service.own(), "footprint:read footprint:review footprint:write");
    let page = visitor.page(&at);
    assert!(plain(&page).contains("Private: no partner may read it"), "{page}");
    let version = field(&page, "version");
    let none = visitor.send(&at, &[("do", "share"), ("version", &version), ("with", "partners")]).expect(422);
    assert!(plain(none.text()).contains("choose one at least"), "{}", none.text());
    let fields = [("do", "share"), ("version", version.as_str()), ("with", "partners"), ("partner", partner.as_str())];
    let done = visitor.send(&at, &fields).expect(303);
    assert_eq!(sharing()["partners"], json!([partner]));
    let page = visitor.page(done.header("location").unwrap());
    assert!(plain(&page).contains("These partners may read it") && !page.contains("<img"), "{page}");
    let stale = visitor.send(&at, &[("do", "share"), ("version", &version), ("with", "all")]).expect(412);
    assert!(plain(stale.text()).contains("changed since"), "{}", stale.text());
    assert_eq!(sharing()["all"], false);
    let version = field(&page, "version");
    visitor.send(&at, &[("do", "share"), ("version", &version), ("with", "all")]).expect(303);
    assert_eq!(sharing()["all"], true);
    for (fields, status) in [
        (vec![("do", "share"), ("with", "all")], 400),
        (vec![("do", "share"), ("version", "1"), ("with", "all")], 400),
        (vec![("do", "share"), ("version", version.as_str()), ("with", "everybody")], 400),
        (vec![("do", "share"), ("version", version.as_str()), ("with", "partners"), ("partner", "x")], 400),
        (vec![("do", "nothing"), ("version", version.as_str())], 400),
    ] {
        visitor.send(&at, &fields).expect(status);
    }
}

#[test]
fn a_footprint_is_deprecated_by_a_form_with_the_version_that_it_was_made_from() {
    let service = Service::start();
    let admin = service.admin();
    let id = added(&admin, &v3());
    let at = format!("/footprints/{id}");
    let visitor = Visitor::signed_in(&service.own(), "footprint:read footprint:write");
    let page = visitor.page(&at);
    // The first form is that of the sharing.
    let version = field(page.split("<h2>Status</h2>").nth(1).unwrap(), "version");
    let fields = |comment| [("do", "deprecate"), ("version", version.as_str()), ("statusComment", comment)];
    visitor.send(&at, &fields(EVIL)).expect(303);
    let record = admin.get(&format!("/v1/footprint/{id}")).ok();
    assert_eq!((&record["status"], &record["statusComment"]), (&json!("Deprecated"), &json!(EVIL)));
    visitor.send(&at, &fields("again")).expect(412);
    let page = visitor.page(&at);
    assert!(!page.contains("value=\"deprecate\"") && !page.contains("<img"), "{page}");
}

#[test]
fn what_is_not_permitted_says_which_permission_it_needs() {
    let service = Service::start();
    let admin = service.admin();
    let valid = added(&admin, &v3());
    let broken = added(&admin, &with(v3(), "/companyIds", None));
    let viewer = Visitor::signed_in(&service.own(), "viewer");
    for path in ["/footprints", "/footprints?form=csv", &format!("/footprints/{valid}")] {
        let refused = viewer.get(path).expect(403);
        assert!(plain(refused.text()).contains("needs the permission footprint:read"), "{}", refused.text());
    }
    assert!(!paths(&service.own(), &viewer.page("/")).contains(&"/footprints".to_owned()));
    let reader = Visitor::signed_in(&service.own(), "footprint:read");
    let list = reader.page("/footprints");
    assert_eq!(listed(&list), ["Water"]);
    assert!(plain(&list).contains("need the permission footprint:review"), "{list}");
    let page = reader.page(&format!("/footprints/{valid}"));
    assert!(plain(&page).contains("needs the permission footprint:review") && !page.contains("do\" value=\"share"));
    assert!(plain(reader.get(&format!("/footprints/{broken}")).expect(403).text()).contains("footprint:review"));
    reader.send(&format!("/footprints/{valid}"), &[("do", "deprecate"), ("version", "x.1")]).expect(400);
    let version = format!("{}.1", domain::uuid::Uuid::nil());
    reader.send(&format!("/footprints/{valid}"), &[("do", "deprecate"), ("version", &version)]).expect(412);
    reader.get("/footprints/nothing").expect(404);
    reader.get(&format!("/footprints/{}", domain::uuid::Uuid::nil())).expect(404);
}

#[test]
fn texts_of_footprints_never_become_markup() {
    let service = Service::start();
    let admin = service.admin();
    let mut body = v3();
    for place in ["/companyName", "/productNameCompany", "/productDescription", "/specVersion", "/status", "/comment"] {
        body = with(body, place, Some(json!(EVIL)));
    }
    body = with(body, "/productIds", Some(json!([EVIL])));
    body = with(body, "/precedingPfIds", Some(json!([EVIL])));
    let id = added(&admin, &body);
    let visitor = Visitor::signed_in(&service.own(), "admin");
    let evil = encoded(EVIL);
    for path in [
        "/footprints".to_owned(),
        format!("/footprints/{id}"),
        format!("/footprints?q={evil}"),
        format!("/footprints?status={evil}"),
        format!("/footprints/{id}?done={evil}"),
    ] {
        let text = visitor.get(&path).text().to_owned();
        assert!(!text.contains("<img") && !text.contains("<script>"), "{path}: {text}");
    }
}
