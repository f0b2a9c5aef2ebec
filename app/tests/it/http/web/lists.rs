//! Lists of records: searched, page by page, and as files with every row and the digits of the API.

use super::csv::{cell, rows, text};
use super::visitor::{Books, Visitor, encoded, paths, plain};
use crate::http::harness::{Client, Service, Value, json};

const EVIL: &str = "\"><img src=x onerror=alert(1)><script>alert(2)</script>'{{7*7}}";

/// That the file has a row for each record that the API lists, with the same values.
#[track_caller]
fn agrees(visitor: &Visitor, admin: &Client, page: &str, api: &str, columns: &[(&str, &str)]) {
    let found = rows(visitor, &format!("{page}?form=csv"));
    let listed = admin.get(&format!("{api}?pageSize=1000")).ok()["data"].as_array().unwrap().clone();
    assert!(!listed.is_empty() && found.len() == listed.len(), "{page}: {found:?} {listed:?}");
    for record in &listed {
        let row = found.iter().find(|row| cell(row, "uuid") == text(record, "/uuid"));
        let row = row.unwrap_or_else(|| panic!("{page} lacks {record}"));
        for (column, pointer) in columns {
            assert_eq!(cell(row, column), text(record, pointer), "{page}: {column} of {record}");
        }
    }
}

#[test]
fn products_are_found_by_name_sync_id_and_unit_page_by_page() {
    let service = Service::start();
    let admin = service.admin();
    let visitor = Visitor::signed_in(&service.own(), "viewer");
    assert!(plain(&visitor.page("/products")).contains("No products"));
    let names: Vec<_> = (0..101).map(|number| format!("Part {number:03}")).collect();
    for name in &names {
        let sync_id = name.to_lowercase().replace(' ', "-");
        admin.post("/v1/product", &json!({ "name": name, "unit": "kg", "syncId": sync_id })).uuid();
    }
    let fuel = admin.post("/v1/product", &json!({ "name": "Diesel", "unit": "L" })).uuid();
    let listed = |path: &str| {
        let page = visitor.page(path);
        let cells = page.split("<th class=\"clip link\" scope=\"row\"").skip(1);
        cells.map(|cell| plain(&format!("<{}", cell.split("</th>").next().unwrap()))).collect::<Vec<_>>()
    };
    let (first, second) = (listed("/products"), listed("/products?page=2"));
    assert_eq!((first.len(), second.len()), (100, 2));
    let mut all = [first, second].concat();
    all.sort();
    assert_eq!(all, [vec!["Diesel".to_owned()], names.clone()].concat());
    assert_eq!(listed("/products?q=diesel+l"), ["Diesel"]);
    assert_eq!(listed("/products?q=part-007"), ["Part 007"]);
    assert_eq!(listed(&format!("/products?q={fuel}")), ["Diesel"]);
    assert!(plain(&visitor.page("/products?q=nothing")).contains("No product matches"));
    let page = visitor.page("/products?q=part");
    let next = paths(&service.own(), &page).into_iter().find(|path| path.contains("&after=")).unwrap();
    let (first, second) = (listed("/products?q=part"), listed(&next));
    assert_eq!((first.len(), second.len()), (100, 1), "{next}");
    let mut all = [first, second].concat();
    all.sort();
    assert_eq!(all, names, "each is found once");
    let last = visitor.page(&next);
    assert!(!last.contains("rel=\"next\"") && last.contains("from the first"), "{last}");
    assert!(paths(&service.own(), &visitor.page("/")).contains(&"/products".to_owned()));
    assert!(paths(&service.own(), &visitor.page(&format!("/products/{fuel}"))).contains(&"/products".to_owned()));
    assert_eq!(rows(&visitor, "/products?q=part&form=csv").len(), 101);
    let columns = [("name", "/name"), ("unit", "/unit"), ("syncId", "/syncId")];
    agrees(&visitor, &admin, "/products", "/v1/product", &columns);
    for wrong in ["page=0", "form=xlsx", "name=x", "q=part&after=1"] {
        visitor.get(&format!("/products?{wrong}")).expect(400);
    }
    let refused = Visitor::signed_in(&service.own(), "activity:report").get("/products").expect(403);
    assert!(plain(refused.text()).contains("catalog:read"), "{}", refused.text());
}

#[test]
fn files_of_models_and_switches_have_the_digits_of_the_api() {
    let service = Service::start();
    let admin = service.admin();
    let material = admin.priced("kg", "0.333333333333333333", "0.1");
    let model =
        admin.post("/v1/model", &json!({ "name": "Box", "unit": "piece", "amount": 3, "syncId": "box" })).uuid();
    for (quantity, stage) in [("1.000000000000000001", "A1"), ("2", "D")] {
        let input = json!({
            "name": "Steel", "material": { "uuid": material }, "quantity": quantity, "unit": "kg", "lifecycleStage": { "code": stage },
        });
        admin.post(&format!("/v1/model/{model}/input"), &input).expect(201);
    }
    admin.post("/v1/model", &json!({ "name": "Empty", "unit": "kg" })).uuid();
    let switch = admin.post("/v1/switch", &json!({ "name": "Switch", "unit": "piece" })).uuid();
    admin.put(&format!("/v1/switch/{switch}/sources"), &json!([{ "uuid": model }])).expect(200);
    let visitor = Visitor::signed_in(&service.own(), "admin");
    let columns = [
        ("name", "/name"),
        ("syncId", "/syncId"),
        ("unit", "/unit"),
        ("referenceDate", "/referenceDate"),
        ("CO2e", "/CO2e"),
        ("moduleDCO2e", "/moduleDCO2e"),
    ];
    agrees(&visitor, &admin, "/models", "/v1/model", &columns);
    let columns = [
        ("name", "/name"),
        ("unit", "/unit"),
        ("productCarbonFootprint", "/footprint/CO2e/productCarbonFootprint"),
        ("D", "/footprint/CO2e/D"),
    ];
    agrees(&visitor, &admin, "/switches", "/v1/switch", &columns);
    let found = rows(&visitor, "/switches?form=csv");
    assert_eq!([cell(&found[0], "sources"), cell(&found[0], "sourcesName")], [model.as_str(), "Box"]);
}

#[test]
fn files_of_periods_imports_and_history_have_every_row() {
    let service = Service::start();
    let admin = service.admin();
    let books = Books::new(&service);
    let row = "{\"name\":\"Imported\",\"startDate\":\"2023-03-01\"}\n";
    let batch = admin.request("POST", "/v1/activity/batch").header("Content-Type", "application/x-ndjson");
    batch.body(row).send().expect(200);
    admin.post("/v1/period", &json!({ "first": "2024-01-01", "last": "2024-12-31", "reason": "audited" })).expect(201);
    let visitor = Visitor::signed_in(&service.own(), "admin");
    let columns = [
        ("first", "/first"),
        ("last", "/last"),
        ("state", "/state"),
        ("closedReason", "/closed/reason"),
        ("CO2e", "/CO2e"),
        ("count", "/count"),
        ("sha256", "/sha256"),
    ];
    agrees(&visitor, &admin, "/periods", "/v1/period", &columns);
    agrees(
        &visitor,
        &admin,
        "/imports",
        "/v1/import",
        &[("name", "/name"), ("state", "/state"), ("rowsCreated", "/counts/created")],
    );
    let all = rows(&visitor, "/history?form=csv");
    let newest = admin.get("/v1/change?limit=1").ok()["newest"].clone();
    let numbers: Vec<u64> = all.iter().map(|row| cell(row, "change").parse().unwrap()).collect();
    let last = *numbers.last().unwrap();
    assert!(
        numbers.is_sorted() && numbers[0] == 1 && newest.to_string().contains(&last.to_string()),
        "{newest}: {numbers:?}"
    );
    let created = |row: &&Vec<(String, String)>| cell(row, "uuid") == books.activity && cell(row, "verb") == "created";
    assert_eq!(all.iter().filter(created).count(), 1);
    let part = rows(&visitor, "/history?before=5&form=csv");
    assert!(part.iter().all(|row| cell(row, "change").parse::<u64>().unwrap() < 5) && !part.is_empty(), "{part:?}");
    for page in ["/periods", "/imports", "/history", "/models", "/switches", "/products", "/footprints"] {
        let link = format!("{page}?form=csv");
        assert!(paths(&service.own(), &visitor.page(page)).contains(&link), "{page}");
    }
}

#[test]
fn a_models_inputs_are_drawn_to_their_stages_with_module_d_apart() {
    let service = Service::start();
    let admin = service.admin();
    let model = admin.post("/v1/model", &json!({ "name": "Box", "unit": "piece", "amount": 10 })).uuid();
    let at = format!("/models/{model}");
    let visitor = Visitor::signed_in(&service.own(), "model:read");
    assert!(!visitor.page(&at).contains("<svg"));
    let (steel, waste) = (admin.priced("kg", "1.5", "0"), admin.priced("kg", "-0.25", "0"));
    for (name, material, stage) in [(EVIL, &steel, "A1"), ("Disposal", &steel, "C4"), ("Recycling", &waste, "D")] {
        let input = json!({
            "name": name, "material": { "uuid": material }, "quantity": "2", "unit": "kg", "lifecycleStage": { "code": stage },
        });
        admin.post(&format!("/v1/model/{model}/input"), &input).expect(201);
    }
    let page = visitor.page(&at);
    let svg = page.split("<svg").nth(1).unwrap().split("</svg>").next().unwrap();
    assert_eq!(svg.matches("<path").count(), 3, "{svg}");
    assert_eq!(
        paths(&service.own(), svg),
        [format!("/products/{steel}"), format!("/products/{steel}"), format!("/products/{waste}")]
    );
    assert_eq!(svg.matches("tabindex=\"0\"").count(), 1, "{svg}");
    let text = plain(&format!("<svg{svg}"));
    for said in ["Disposal to C4 Disposal: 3", "in no total", "\"><img"] {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert!(!page.contains("<img") && !page.contains("<script>"), "{page}");
    let behind = plain(page.split("The figures behind").nth(1).unwrap());
    assert!(behind.contains("A1 Raw material supply") && behind.contains("Total without module D"), "{behind}");
}

#[test]
fn evidence_biogenic_co2_and_the_market_are_written_by_forms() {
    let service = Service::start();
    let admin = service.admin();
    let visitor = Visitor::signed_in(&service.own(), "editor");
    let (product, factor) = with_market(&admin);
    let scope = admin.scope("scope2");
    let evidence = format!("https://files.example.com/a?b=1&c=2\r\nsha256:{} bill.pdf\r\n", "ab".repeat(32));
    let fields = [
        ("name", "Power"),
        ("startDate", "2025-03-01"),
        ("quantity", "10"),
        ("unit", "kWh"),
        ("product", product.as_str()),
        ("scope", scope.as_str()),
        ("biogenicCO2", "0.125"),
        ("marketInstrument", "contract"),
        ("marketFactor", factor.as_str()),
        ("marketReference", EVIL),
        ("evidence", evidence.as_str()),
    ];
    let added = visitor.send("/activities/new", &fields).expect(303);
    let at = added.header("location").unwrap().to_owned();
    let id = at.rsplit('/').next().unwrap();
    let record = || admin.get(&format!("/v1/activity/{id}")).ok();
    let before = record();
    assert_eq!(before["evidence"].as_array().unwrap().len(), 2, "{before}");
    assert_eq!(
        (text(&before, "/biogenicCO2"), text(&before, "/marketInstrument")),
        ("0.125".into(), "contract".into())
    );
    let page = visitor.page(&at);
    assert!(
        paths(&service.own(), &page).contains(&"https://files.example.com/a?b=1&c=2".to_owned())
            && !page.contains("<img"),
        "{page}"
    );
    // Sent as it is shown, nothing is written.
    let form = visitor.page(&format!("{at}/edit"));
    let names = [
        "name",
        "startDate",
        "quantity",
        "unit",
        "product",
        "scope",
        "biogenicCO2",
        "marketInstrument",
        "marketFactor",
    ];
    let value = |name: &str| super::visitor::field(&form, &format!("before-{name}"));
    let mut sent = vec![("version".to_owned(), super::visitor::field(&form, "version"))];
    for name in names {
        sent.push((format!("before-{name}"), value(name)));
        sent.push((name.to_owned(), value(name)));
    }
    for (name, value) in [("marketReference", EVIL.to_owned()), ("evidence", before_lines(&before))] {
        sent.push((format!("before-{name}"), value.clone()));
        sent.push((name.to_owned(), value.replace('\n', "\r\n")));
    }
    let send = |sent: &[(String, String)]| {
        let fields: Vec<_> = sent.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        visitor.send(&format!("{at}/edit"), &fields).status
    };
    assert_eq!(send(&sent), 303);
    assert_eq!(record()["updated"], before["updated"]);
    // Emptied, they are gone.
    for name in ["biogenicCO2", "marketInstrument", "marketFactor", "marketReference", "evidence"] {
        sent.iter_mut().filter(|(known, _)| known == name).for_each(|(_, value)| value.clear());
    }
    assert_eq!(send(&sent), 303);
    let after = record();
    assert_eq!((&after["marketInstrument"], text(&after, "/evidence")), (&Value::Null, "[]".to_owned()), "{after}");
    let wrong = [
        ("name", "x"),
        ("startDate", "2025-01-01"),
        ("evidence", "a bill"),
        ("marketFactor", "x"),
        ("biogenicCO2", "1,5"),
    ];
    let refused = visitor.send("/activities/new", &wrong).expect(422);
    for said in ["! Evidence", "! Market-based factor", "! Biogenic"] {
        assert!(refused.text().contains(said), "{said}: {}", refused.text());
    }
}

fn before_lines(record: &Value) -> String {
    let pieces = record["evidence"].as_array().unwrap();
    pieces.iter().map(|one| one.as_str().unwrap()).collect::<Vec<_>>().join("\n")
}

/// A product of electricity with a factor, and the factor of a contract.
fn with_market(admin: &Client) -> (String, String) {
    let product = admin.priced("kWh", "0.4", "0");
    let contract = admin.post("/v1/product", &json!({ "name": "Wind", "unit": "kWh" })).uuid();
    let factor = json!({ "unit": "kWh", "upstream": "0.01", "validFrom": "2000-01-01", "source": "Contract" });
    (product, admin.post(&format!("/v1/product/{contract}/factor"), &factor).uuid())
}

#[test]
fn a_factor_in_the_market_is_found_by_the_name_of_its_product() {
    let service = Service::start();
    let admin = service.admin();
    let visitor = Visitor::signed_in(&service.own(), "editor");
    let (product, factor) = with_market(&admin);
    let scope = admin.scope("scope2");
    let offered = |page: &str| {
        let options = page.split("<select name=\"marketFactor\"").nth(1).unwrap().split("</select>").next().unwrap();
        options.contains(&format!("<option value=\"{factor}\""))
    };
    assert!(!offered(&visitor.page("/activities/new")), "nothing is offered before a product is chosen");
    let fields =
        [("name", "Power"), ("startDate", "2025-03-01"), ("quantity", "1"), ("unit", "kWh"), ("scope", &scope)];
    let seek = |words: &str| {
        let fields = [&fields[..], &[("seek", words), ("do", "find")]].concat();
        visitor.send("/activities/new", &fields).expect(200).text().to_owned()
    };
    let found = seek("WIND kwh");
    assert!(offered(&found) && found.contains("value=\"Power\""), "what was written stays: {found}");
    assert!(seek("nothing is called so").contains("No factor matches"));
    assert!(seek(" ").contains("value=\"Power\""), "without words the form is shown again");
    assert_eq!(admin.get("/v1/activity").ok()["count"], 0, "nothing is written by seeking");
    assert!(found.find(">Add</button>") < found.find(">Find</button>"), "Enter adds: its button stands first");

    let chosen = [("product", product.as_str()), ("marketInstrument", "contract"), ("marketFactor", factor.as_str())];
    let added = visitor.send("/activities/new", &[&fields[..], &chosen].concat()).expect(303);
    let at = added.header("location").unwrap().to_owned();
    let form = visitor.page(&format!("{at}/edit"));
    assert!(offered(&form), "the one that was chosen stays: {form}");
    // What others change while somebody seeks is not lost.
    let (version, id) = (super::visitor::field(&form, "version"), at.rsplit('/').next().unwrap());
    admin.patch(&format!("/v1/activity/{id}"), &json!({ "quantity": "2", "unit": "kWh" })).ok();
    let sent =
        [("version", version.as_str()), ("before-quantity", "1"), ("quantity", "1"), ("seek", "wind"), ("do", "find")];
    let form = visitor.send(&format!("{at}/edit"), &sent).expect(200).text().to_owned();
    assert_eq!(super::visitor::field(&form, "version"), version);
    assert_eq!(super::visitor::field(&form, "before-quantity"), "1");
}

#[test]
fn words_of_a_search_never_become_markup() {
    let service = Service::start();
    let admin = service.admin();
    admin.post("/v1/product", &json!({ "name": EVIL, "unit": "kg", "syncId": EVIL })).uuid();
    let visitor = Visitor::signed_in(&service.own(), "admin");
    let evil = encoded(EVIL);
    for path in [
        "/products".to_owned(),
        format!("/products?q={evil}"),
        format!("/products?page={evil}"),
        format!("/models?form={evil}"),
    ] {
        let page = visitor.get(&path);
        assert!(!page.text().contains("<img") && !page.text().contains("<script>"), "{path}: {}", page.text());
    }
    assert!(visitor.page(&format!("/products?q={evil}")).contains("data-row"));
}
