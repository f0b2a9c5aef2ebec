//! A company from files to a database and back.

use std::fs;

use tonne::Config;

use super::{Node, bare, bearer, soon};
use crate::command::run::{Place, Served};
use crate::demo::filled::fill_store;

const JSON: &str = "Content-Type: application/json";

/// A company that has everything, in files: the demo's, of which some was changed and removed later.
fn company() -> Place {
    let place = Place::new();
    let mut config = Config::default();
    config.store.data_dir = place.path().join("tonne-data");
    fill_store(config);
    let served = place.serve();
    let key = bearer(place.ok(&["key", "create", "--name", "k", "--permissions", "admin"]).trim());
    soon("the new key", || served.get("/v1/scope", &[&key]).0 == 200);
    let lists = ["activity", "switch", "model", "org", "taxonomy", "product"];
    for kind in lists {
        let uuids = uuids(&served, &key, kind);
        let [changed, .., removed] = &uuids[..] else { panic!("{kind}: {uuids:?}") };
        let changed =
            served.ask("PATCH", &format!("/v1/{kind}/{changed}"), &[&key, JSON], r#"{"name":"Ünlike before 🚲"}"#);
        assert_eq!(changed.status, 200, "{changed:?}");
        let removed = served.ask("DELETE", &format!("/v1/{kind}/{removed}"), &[&key], "");
        assert!(matches!(removed.status, 204 | 409), "{kind}: {removed:?}");
        assert!(kind != "activity" || removed.status == 204, "{removed:?}");
    }
    place
}

/// The first records of that kind.
fn uuids(served: &Served, key: &str, kind: &str) -> Vec<String> {
    let list = served.ask("GET", &format!("/v1/{kind}?pageSize=100"), &[key], "");
    let data = list.json()["data"].as_array().unwrap_or_else(|| panic!("{list:?}")).clone();
    data.iter().map(|record| record["uuid"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_company_that_has_everything_is_the_same_in_files_and_in_a_database() {
    let files = company();
    let fresh = bare();
    let node = Node::new(&fresh.url());
    let export = |name: &str| files.path().join(name).display().to_string();
    files.ok(&["export", "--to", &export("one.tonne"), "--with-credentials"]);
    node.ok(&["import", "tenant", &export("one.tonne"), "--with-credentials"]);
    node.ok(&["export", "--to", &export("two.tonne"), "--with-credentials"]);
    let (one, two) = (fs::read(export("one.tonne")).unwrap(), fs::read(export("two.tonne")).unwrap());
    assert!(one.len() > 1_000_000, "{} bytes", one.len());
    assert!(one == two, "{} and {} bytes", one.len(), two.len());
    for report in [
        &["report"][..],
        &["report", "--by", "month", "--attribution", "daily"],
        &["report", "--by", "org", "--date", "2024", "--unit", "t"],
        &["report", "--by", "taxonomy", "--sd", "2024-06-01"],
    ] {
        let report = [report, &["--json"]].concat();
        assert_eq!(node.ok(&report), files.ok(&report), "{report:?}");
    }
    let sites = [files.serve(), node.serve()];
    let key = bearer(&node.key("admin", &[]));
    let here = bearer(files.ok(&["key", "create", "--name", "r", "--permissions", "admin"]).trim());
    soon("the new keys", || {
        sites[0].get("/v1/scope", &[&here]).0 == 200 && sites[1].get("/v1/scope", &[&key]).0 == 200
    });
    for path in [
        "/v1/activity",
        "/v1/activity?date=2024&list=scope&pageSize=100",
        "/v1/activity?attribution=daily&date=2025-03",
        "/v1/switch?pageSize=100",
        "/v1/model?pageSize=100",
        "/v1/org?pageSize=100",
        "/v1/taxonomy?pageSize=100",
        "/v1/product?pageSize=100",
        "/pact/2/footprints",
        "/v1/footprint?pageSize=100",
    ] {
        let [file, table] = [sites[0].ask("GET", path, &[&here], ""), sites[1].ask("GET", path, &[&key], "")];
        assert_eq!((file.status, table.status), (200, 200), "{path}: {file:?} {table:?}");
        let own = |body: &str, served: &Served| body.replace(&served.base, "");
        assert_eq!(own(&file.body, &sites[0]), own(&table.body, &sites[1]), "{path}");
    }
    assert!(node.ok(&["verify"]).starts_with("OK: "));
}
