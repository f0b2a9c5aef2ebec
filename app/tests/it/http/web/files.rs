//! The figures of a page of one record or one question as a file: those of the API, digit for digit.

use domain::Total;

use super::csv::{cell, rows, text};
use super::visitor::{Books, Visitor, paths};
use crate::http::harness::{Service, json, to};
use crate::http::origin::with_sets;
use crate::published_sample::id;

/// What a spreadsheet would take for a formula, and how a file says it.
const FORMULA: &str = "=1+1";
const SAFE: &str = "'=1+1";

/// That a page leads to its file, and refuses other parameters.
#[track_caller]
fn leads_to_its_file(service: &Service, visitor: &Visitor, page: &str) {
    let link = format!("{page}?form=csv");
    assert!(paths(&service.own(), &visitor.page(page)).contains(&link), "{page}");
    for wrong in ["form=xlsx", "colour=red"] {
        visitor.get(&format!("{page}?{wrong}")).expect(400);
    }
}

#[test]
fn the_file_of_a_product_has_each_factor_with_its_source_and_the_digits_of_the_api() {
    let service = with_sets();
    let admin = service.admin();
    let product = admin.post("/v1/product", &json!({ "name": FORMULA, "unit": "L" })).uuid();
    let at = format!("/v1/product/{product}/factor");
    let own = json!({
        "unit": "L", "upstream": "0.333333333333333333", "downstream": "-2", "validFrom": "2000-01-01", "source": FORMULA,
    });
    admin.post(&at, &own).expect(201);
    admin.post(&at, &json!({ "published": { "set": id(2025, 1).to_string(), "cell": "A1" } })).expect(201);
    let visitor = Visitor::signed_in(&service.own(), "viewer");
    let page = format!("/products/{product}");
    leads_to_its_file(&service, &visitor, &page);

    let found = rows(&visitor, &format!("{page}?form=csv"));
    let factors = admin.get(&at).ok()["data"].as_array().unwrap().clone();
    assert_eq!((found.len(), factors.len()), (2, 2), "{found:?}");
    let columns = [
        ("uuid", "/uuid"),
        ("validFrom", "/validFrom"),
        ("validTo", "/validTo"),
        ("upstream", "/upstream"),
        ("downstream", "/downstream"),
        ("unit", "/unit"),
        ("gwp", "/gwp"),
        ("basis", "/basis"),
        ("publisher", "/origin/publisher"),
        ("set", "/origin/set"),
        ("cell", "/origin/cell"),
        ("rows", "/origin/rows/0/row"),
    ];
    for (row, factor) in found.iter().zip(&factors) {
        for (column, pointer) in columns {
            assert_eq!(cell(row, column), text(factor, pointer), "{column} of {factor}");
        }
        assert_eq!((cell(row, "product"), cell(row, "productName")), (product.as_str(), SAFE));
    }
    assert_eq!((cell(&found[0], "upstream"), cell(&found[0], "source")), ("0.333333333333333333", SAFE));
}

#[test]
fn the_file_of_a_model_has_its_figures_and_each_input_with_the_digits_of_the_api() {
    let service = Service::start();
    let admin = service.admin();
    let (steel, unknown) = (admin.priced("kg", "0.333333333333333333", "0.1"), admin.product("kg"));
    let model = admin.post("/v1/model", &json!({ "name": FORMULA, "unit": "piece", "amount": 3 })).uuid();
    let at = format!("/v1/model/{model}/input");
    for (quantity, stage) in [("1.000000000000000001", "A1"), ("2", "D")] {
        let input = json!({
            "name": FORMULA, "material": to(&steel), "quantity": quantity, "unit": "kg", "block": { "name": "Frame" },
            "lifecycleStage": { "code": stage },
        });
        admin.post(&at, &input).expect(201);
    }
    let visitor = Visitor::signed_in(&service.own(), "auditor");
    let page = format!("/models/{model}");
    leads_to_its_file(&service, &visitor, &page);

    let found = rows(&visitor, &format!("{page}?form=csv"));
    let (whole, inputs) = (admin.get(&format!("/v1/model/{model}")).ok(), admin.get(&at).ok()["data"].clone());
    assert_eq!(found.len(), 2, "{found:?}");
    let columns = [
        ("uuid", "/uuid"),
        ("blockName", "/block/name"),
        ("lifecycleStage", "/lifecycleStage/code"),
        ("material", "/material/uuid"),
        ("unit", "/unit"),
        ("CO2e", "/CO2e"),
    ];
    for (row, input) in found.iter().zip(inputs.as_array().unwrap()) {
        for (column, pointer) in columns {
            assert_eq!(cell(row, column), text(input, pointer), "{column} of {input}");
        }
        assert_eq!([cell(row, "modelName"), cell(row, "name")], [SAFE; 2]);
        assert_eq!(cell(row, "modelCO2e"), text(&whole, "/CO2e"));
        assert_eq!(cell(row, "modelModuleDCO2e"), text(&whole, "/moduleDCO2e"));
    }
    assert_eq!([cell(&found[0], "quantity"), cell(&found[0], "inTotal")], ["1.000000000000000001", "true"]);
    assert_eq!(cell(&found[1], "inTotal"), "false", "module D is in no total");

    let input = json!({ "name": "Unknown", "material": to(&unknown), "quantity": "1", "unit": "kg" });
    let unknown = admin.post(&at, &input).uuid();
    let found = rows(&visitor, &format!("{page}?form=csv"));
    let row = found.iter().find(|row| cell(row, "uuid") == unknown).unwrap();
    assert_eq!([cell(row, "CO2e"), cell(row, "modelCO2e")], ["", ""], "what is not known is not nothing");
    assert!(!cell(row, "notComputed").is_empty(), "{row:?}");
}

#[test]
fn the_file_of_a_switch_has_its_figures_and_sources_with_the_digits_of_the_api() {
    let service = Service::start();
    let admin = service.admin();
    let material = admin.priced("kg", "0.333333333333333333", "0.1");
    let model = admin.post("/v1/model", &json!({ "name": "Box", "unit": "piece", "amount": 3 })).uuid();
    for stage in ["A1", "C4", "D"] {
        let input = json!({
            "name": "Steel", "material": to(&material), "quantity": "1", "unit": "kg", "lifecycleStage": { "code": stage },
        });
        admin.post(&format!("/v1/model/{model}/input"), &input).expect(201);
    }
    let switch = admin.post("/v1/switch", &json!({ "name": FORMULA, "unit": "piece" })).uuid();
    admin.put(&format!("/v1/switch/{switch}/sources"), &json!([to(&model)])).expect(200);
    let visitor = Visitor::signed_in(&service.own(), "auditor");
    let page = format!("/switches/{switch}");
    leads_to_its_file(&service, &visitor, &page);

    let found = rows(&visitor, &format!("{page}?form=csv"));
    let whole = admin.get(&format!("/v1/switch/{switch}")).ok();
    let figures = [
        ("productCarbonFootprint", "/footprint/CO2e/productCarbonFootprint"),
        ("A1-A3", "/footprint/CO2e/A1_A3"),
        ("D", "/footprint/CO2e/D"),
    ];
    assert_eq!(found.len(), figures.len(), "{found:?}");
    for (row, (figure, pointer)) in found.iter().zip(figures) {
        assert_eq!((cell(row, "figure"), cell(row, "CO2e")), (figure, text(&whole, pointer).as_str()));
        assert!(!cell(row, "CO2e").is_empty(), "{whole}");
        assert_eq!(
            [cell(row, "uuid"), cell(row, "name"), cell(row, "sources"), cell(row, "sourcesName")],
            [switch.as_str(), SAFE, model.as_str(), "Box"]
        );
    }
}

/// What a column of a file adds up to.
fn sum(rows: &[Vec<(String, String)>], column: &str) -> String {
    let known = rows.iter().map(|row| cell(row, column)).filter(|amount| !amount.is_empty());
    known.map(|amount| Total::parse(amount).unwrap()).sum::<Total>().to_string()
}

#[test]
fn the_file_of_what_a_total_is_made_of_has_all_of_its_activities_and_adds_up_to_it() {
    let service = Service::start();
    let (admin, books) = (service.admin(), Books::new(&service));
    let without_scope = json!({
        "name": FORMULA, "UpstreamCO2e": "0.000000000000000001", "startDate": "2025-06-01", "endDate": "2025-06-03",
    });
    let without_scope = admin.activity(without_scope);
    for number in 0..101 {
        admin.activity(json!({
            "name": format!("Trip {number}"), "scope": to(&books.scope), "org": to(&books.site), "startDate": "2025-02-01",
            "endDate": "2025-02-10", "DownstreamCO2e": format!("{number}.000000000000000007"),
        }));
    }
    let visitor = Visitor::signed_in(&service.own(), "auditor");
    let site = &books.site;
    for query in [
        "date=2025".to_owned(),
        "sd=2025-02-03&ed=2025-06-02&attribution=daily".to_owned(),
        format!("org={site}&date=2025"),
        format!("by=org&depth=2&line={site}&date=2025"),
    ] {
        let found = rows(&visitor, &format!("/report/explanation?{query}&form=csv"));
        let api = admin.get(&format!("/v1/report/explanation?{query}&pageSize=1000")).ok();
        let listed = api["data"].as_array().unwrap();
        assert!(found.len() > 100 && found.len() == listed.len(), "{query}: {found:?}");
        for (row, one) in found.iter().zip(listed) {
            for column in ["uuid", "day", "CO2e"] {
                assert_eq!(cell(row, column), text(one, &format!("/{column}")), "{query}: {one}");
            }
            let adds = if one["CO2e"].is_null() { String::new() } else { text(one, "/adds") };
            assert_eq!(cell(row, "adds"), adds, "{query}: {one}");
        }
        assert_eq!(sum(&found, "addsCO2e"), text(&api, "/shown/CO2e"), "{query}");
        assert_eq!(sum(&found, "addsUncategorizedCO2e"), text(&api, "/shown/uncategorizedCO2e"), "{query}");
        let page = visitor.page(&format!("/report/explanation?{query}"));
        let link = paths(&service.own(), &page).into_iter().find(|path| path.contains("form=csv")).unwrap();
        assert_eq!(rows(&visitor, &link), found, "{link}");
    }
    let found = rows(&visitor, "/report/explanation?date=2025&form=csv");
    let row = found.iter().find(|row| cell(row, "uuid") == without_scope).unwrap();
    assert_eq!([cell(row, "name"), cell(row, "addsCO2e"), cell(row, "adds")], [SAFE, "0", "0.000000000000000001"]);
}

#[test]
fn whoever_may_see_totals_alone_is_refused_the_file_of_what_they_are_made_of() {
    let service = Service::with(|config| config.limits.streams = 0);
    Books::new(&service);
    let visitor = Visitor::signed_in(&service.own(), "activity:report");
    assert!(!visitor.page("/report/explanation?date=2025").contains("form=csv"));
    // Before anything is counted or read: there is no place to read in.
    visitor.get("/report/explanation?date=2025&form=csv").expect(403);
    Visitor::signed_in(&service.own(), "auditor").get("/report/explanation?date=2025&form=csv").expect(503);
}

#[test]
fn whoever_may_not_read_a_record_is_refused_its_file_and_of_none_there_is_none() {
    let service = Service::start();
    let admin = service.admin();
    let product = admin.product("L");
    let model = admin.post("/v1/model", &json!({ "name": "Box", "unit": "piece" })).uuid();
    let switch = admin.post("/v1/switch", &json!({ "name": "Switch", "unit": "piece" })).uuid();
    let [auditor, other] = ["auditor", "activity:report"].map(|rights| Visitor::signed_in(&service.own(), rights));
    for (pages, id) in [("products", product), ("models", model), ("switches", switch)] {
        auditor.get(&format!("/{pages}/{id}?form=csv")).expect(200);
        other.get(&format!("/{pages}/{id}?form=csv")).expect(403);
        auditor.get(&format!("/{pages}/0193d3c5-0000-7000-8000-00000000dead?form=csv")).expect(404);
    }
}
