//! Names beside the uuids of the records that others refer to, in the tables of all collections.

use super::super::harness::{DOCUMENT, Service, Value, json, resolved, to};
use super::{ask, collections_at};

/// Uuids that stand alone: of records without a name, or of what may be gone.
const ALONE: [(&str, &str); 6] = [
    ("/v1/activity", "marketFactor"),
    ("/v1/footprint", "model"),
    ("/v1/partner", "clients"),
    ("/v1/partner/{uuid}/request", "footprints"),
    ("/v1/partner/{uuid}/request", "id"),
    ("/v1/product/{uuid}/factor", "corrects"),
];

/// The schema that a reference leads to, also by another reference.
fn at_its_end(mut schema: &'static Value) -> &'static Value {
    while schema["$ref"].is_string() {
        schema = resolved(&DOCUMENT, schema);
    }
    schema
}

/// What a record of a collection consists of, as the document says it.
fn members(path: &str) -> impl Iterator<Item = (&'static String, &'static Value)> {
    let answer = &DOCUMENT["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"];
    let record = at_its_end(&at_its_end(answer)["properties"]["data"]["items"]);
    record["properties"].as_object().unwrap().iter()
}

/// The schema and what it may be: what its items are, each of its choices.
fn choices(schema: &Value) -> impl Iterator<Item = &Value> {
    let any = ["anyOf", "oneOf"].into_iter().filter_map(move |word| schema[word].as_array()).flatten();
    [schema, &schema["items"]].into_iter().chain(any)
}

#[test]
fn wherever_a_record_refers_to_another_its_table_has_a_name_beside_the_uuid() {
    let service = Service::start();
    let admin = service.admin();
    let (mut references, mut alone) = (0, Vec::new());
    for (path, at) in collections_at(&admin) {
        let csv = ask(&admin, "text/csv", &at).expect(200);
        let header: Vec<_> = csv.text().lines().next().unwrap().split(',').collect();
        for (member, schema) in members(path) {
            if choices(schema).any(|one| one["$ref"] == "#/components/schemas/Reference") {
                let name = format!("{member}Name");
                assert!(
                    header.contains(&member.as_str()) && header.contains(&name.as_str()),
                    "{path}: {member}: {header:?}"
                );
                references += 1;
            } else if member != "uuid" && choices(schema).any(|one| one["format"] == "uuid") {
                alone.push((path, member.as_str()));
            }
        }
    }
    assert_eq!(references, 13);
    assert_eq!(alone, ALONE);
}

#[test]
fn switches_come_as_a_table_with_uuids_and_names_of_their_models() {
    let service = Service::start();
    let admin = service.admin();
    let model = |name: &str| admin.post("/v1/model", &json!({ "name": name, "unit": "kg" })).uuid();
    let (steel, paint) = (model("Steel"), model("Paint"));
    let switch = |name: &str| admin.post("/v1/switch", &json!({ "name": name, "unit": "kg" })).uuid();
    let (painted, bare) = (switch("Painted bolt"), switch("Nothing yet"));
    admin.put(&format!("/v1/switch/{painted}/sources"), &json!([to(&steel), to(&paint)])).expect(200);
    let csv = ask(&admin, "text/csv", "/v1/switch").expect(200);
    let (header, rows) = csv.text().split_once('\n').unwrap();
    assert!(header.contains(",image,sources,sourcesName,footprint"), "{header}");
    for (switch, sources) in [(painted, format!(",{steel} {paint},Steel; Paint,")), (bare, ",kg,,,,".to_owned())] {
        let row = rows.lines().find(|row| row.starts_with(&switch)).unwrap();
        assert!(row.contains(&sources), "{row}");
    }
}
