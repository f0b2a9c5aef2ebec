//! The permissions of `docs/api.md`, held to the document that is served.

use std::fmt::Write as _;

use serde_json::Value;

const PAGE: &str = include_str!("../../../../docs/api.md");
const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

fn document() -> Value {
    serde_json::from_str(&tonne_http::openapi()).unwrap()
}

/// The permission that an operation needs; empty where it needs none or is not there.
fn permission(operation: &Value) -> &str {
    let schemes = operation["security"].as_array().into_iter().flatten();
    let needed: Vec<&Value> = schemes.filter_map(|scheme| scheme["oauth2"].as_array()).flatten().collect();
    assert!(needed.len() <= 1, "an operation needs one permission: {needed:?}");
    needed.first().map_or("", |permission| permission.as_str().unwrap())
}

fn check(table: &str) {
    assert!(PAGE.contains(&format!("---|\n{table}\n")), "docs/api.md should have these rows, and no others:\n{table}");
}

#[test]
fn the_page_lists_every_permission_and_what_it_allows() {
    let document = document();
    let scopes = &document["components"]["securitySchemes"]["oauth2"]["flows"]["clientCredentials"]["scopes"];
    let mut table = String::new();
    for permission in ports::Permission::ALL {
        let what_for = scopes[permission.as_str()].as_str().unwrap();
        writeln!(table, "| `{permission}` | {what_for} |").unwrap();
        let mut included = permission.includes().iter().filter(|_| *permission != ports::Permission::Admin);
        assert!(included.all(|other| what_for.contains(&format!("includes `{other}`"))), "{what_for}");
    }
    assert_eq!(scopes.as_object().unwrap().len(), ports::Permission::ALL.len());
    check(&table);
}

#[test]
fn the_page_lists_the_permission_of_each_operation() {
    let (document, mut table) = (document(), String::new());
    for (path, item) in document["paths"].as_object().unwrap() {
        let needed = METHODS.map(|method| permission(&item[method]));
        if needed.iter().any(|permission| !permission.is_empty()) {
            write!(table, "| `{path}` |").unwrap();
            for permission in needed {
                let shown = if permission.is_empty() { String::new() } else { format!(" `{permission}`") };
                write!(table, "{shown} |").unwrap();
            }
            table.push('\n');
        }
    }
    check(&table);
}
