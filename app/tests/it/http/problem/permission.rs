//! Which permission each operation needs: it alone suffices, and all others together do not.

use crate::http::harness::{Answer, Client, Service, with_factor};

const ID: &str = "0198c0de-0000-7000-8000-000000000000";

const PERMISSIONS: [&str; 14] = [
    "activity:report",
    "activity:read",
    "activity:write",
    "switch:read",
    "switch:write",
    "model:read",
    "model:write",
    "footprint:read",
    "footprint:review",
    "footprint:write",
    "catalog:read",
    "catalog:write",
    "period:close",
    "admin",
];

/// Methods and paths, and what reading and writing there needs.
const OPERATIONS: [(&str, &str, &str); 105] = [
    ("GET", "/v1/activity", "activity:report"),
    ("POST", "/v1/activity", "activity:write"),
    ("GET", "/v1/activity/{uuid}", "activity:read"),
    ("PATCH", "/v1/activity/{uuid}", "activity:write"),
    ("DELETE", "/v1/activity/{uuid}", "activity:write"),
    ("GET", "/v1/activity/{uuid}/explanation", "activity:read"),
    ("POST", "/v1/activity/batch", "activity:write"),
    ("GET", "/v1/change", "activity:read"),
    ("POST", "/v1/change/blank", "admin"),
    ("GET", "/v1/import", "activity:read"),
    ("GET", "/v1/import/{uuid}", "activity:read"),
    ("DELETE", "/v1/import/{uuid}", "activity:write"),
    ("GET", "/v1/report", "activity:report"),
    ("GET", "/v1/report/explanation", "activity:read"),
    ("GET", "/v1/statement", "activity:report"),
    ("GET", "/v1/switch", "switch:read"),
    ("POST", "/v1/switch", "switch:write"),
    ("GET", "/v1/switch/{uuid}", "switch:read"),
    ("PATCH", "/v1/switch/{uuid}", "switch:write"),
    ("DELETE", "/v1/switch/{uuid}", "switch:write"),
    ("GET", "/v1/switch/{uuid}/explanation", "switch:read"),
    ("PUT", "/v1/switch/{uuid}/sources", "switch:write"),
    ("PUT", "/v1/switch/{uuid}/image", "switch:write"),
    ("GET", "/v1/model", "model:read"),
    ("POST", "/v1/model", "model:write"),
    ("GET", "/v1/model/{uuid}", "model:read"),
    ("PATCH", "/v1/model/{uuid}", "model:write"),
    ("DELETE", "/v1/model/{uuid}", "model:write"),
    ("GET", "/v1/model/{uuid}/explanation", "model:read"),
    ("POST", "/v1/model/{uuid}/footprint", "footprint:write"),
    ("GET", "/v1/model/{uuid}/input", "model:read"),
    ("POST", "/v1/model/{uuid}/input", "model:write"),
    ("GET", "/v1/model/{uuid}/input/{id}", "model:read"),
    ("GET", "/v1/model/{uuid}/input/{id}/explanation", "model:read"),
    ("PATCH", "/v1/model/{uuid}/input/{id}", "model:write"),
    ("DELETE", "/v1/model/{uuid}/input/{id}", "model:write"),
    ("GET", "/pact/2/footprints", "footprint:read"),
    ("GET", "/2/footprints", "footprint:read"),
    ("GET", "/2/footprints/{uuid}", "footprint:read"),
    ("POST", "/2/events", "footprint:read"),
    ("GET", "/3/footprints", "footprint:read"),
    ("GET", "/3/footprints/{uuid}", "footprint:read"),
    ("POST", "/3/events", "footprint:read"),
    ("GET", "/v1/footprint", "footprint:review"),
    ("POST", "/v1/footprint", "footprint:write"),
    ("GET", "/v1/footprint/{uuid}", "footprint:read"),
    ("PATCH", "/v1/footprint/{uuid}", "footprint:write"),
    ("DELETE", "/v1/footprint/{uuid}", "footprint:write"),
    ("GET", "/v1/unit", "catalog:read"),
    ("GET", "/v1/factor-set", "catalog:read"),
    ("GET", "/v1/factor", "catalog:read"),
    ("GET", "/v1/factor/{set}/{cell}", "catalog:read"),
    ("GET", "/v1/scope", "catalog:read"),
    ("POST", "/v1/scope", "catalog:write"),
    ("GET", "/v1/scope/{uuid}", "catalog:read"),
    ("PATCH", "/v1/scope/{uuid}", "catalog:write"),
    ("DELETE", "/v1/scope/{uuid}", "catalog:write"),
    ("GET", "/v1/org", "catalog:read"),
    ("POST", "/v1/org", "catalog:write"),
    ("GET", "/v1/org/{uuid}", "catalog:read"),
    ("PATCH", "/v1/org/{uuid}", "catalog:write"),
    ("DELETE", "/v1/org/{uuid}", "catalog:write"),
    ("GET", "/v1/taxonomy", "catalog:read"),
    ("POST", "/v1/taxonomy", "catalog:write"),
    ("GET", "/v1/taxonomy/{uuid}", "catalog:read"),
    ("PATCH", "/v1/taxonomy/{uuid}", "catalog:write"),
    ("DELETE", "/v1/taxonomy/{uuid}", "catalog:write"),
    ("GET", "/v1/product", "catalog:read"),
    ("POST", "/v1/product", "catalog:write"),
    ("GET", "/v1/product/{uuid}", "catalog:read"),
    ("PATCH", "/v1/product/{uuid}", "catalog:write"),
    ("DELETE", "/v1/product/{uuid}", "catalog:write"),
    ("GET", "/v1/product/{uuid}/factor", "catalog:read"),
    ("POST", "/v1/product/{uuid}/factor", "catalog:write"),
    ("GET", "/v1/product/{uuid}/factor/{id}", "catalog:read"),
    ("DELETE", "/v1/product/{uuid}/factor/{id}", "catalog:write"),
    ("POST", "/v1/product/{uuid}/factor/{id}/correction", "catalog:write"),
    ("POST", "/v1/recalculation", "activity:write"),
    ("DELETE", "/v1/recalculation/{uuid}", "activity:write"),
    ("GET", "/v1/base-year", "activity:report"),
    ("GET", "/v1/completeness", "activity:report"),
    ("GET", "/v1/exclusion", "catalog:read"),
    ("POST", "/v1/exclusion", "catalog:write"),
    ("GET", "/v1/exclusion/{uuid}", "catalog:read"),
    ("PATCH", "/v1/exclusion/{uuid}", "catalog:write"),
    ("DELETE", "/v1/exclusion/{uuid}", "catalog:write"),
    ("GET", "/v1/footprint/{uuid}/sharing", "footprint:review"),
    ("PUT", "/v1/footprint/{uuid}/sharing", "footprint:write"),
    ("GET", "/v1/partner", "footprint:review"),
    ("POST", "/v1/partner", "admin"),
    ("GET", "/v1/partner/{uuid}", "footprint:review"),
    ("PATCH", "/v1/partner/{uuid}", "admin"),
    ("DELETE", "/v1/partner/{uuid}", "admin"),
    ("POST", "/v1/partner/{uuid}/client", "admin"),
    ("GET", "/v1/partner/{uuid}/delivery", "footprint:review"),
    ("POST", "/v1/partner/{uuid}/retry", "footprint:write"),
    ("GET", "/v1/partner/{uuid}/request", "footprint:review"),
    ("POST", "/v1/partner/{uuid}/request", "footprint:write"),
    ("GET", "/v1/partner/{uuid}/request/{id}", "footprint:review"),
    ("GET", "/v1/period", "activity:report"),
    ("POST", "/v1/period", "period:close"),
    ("GET", "/v1/period/{uuid}", "activity:report"),
    ("GET", "/v1/period/{uuid}/report", "activity:report"),
    ("GET", "/v1/period/{uuid}/restatement", "activity:report"),
    ("POST", "/v1/period/{uuid}/reopen", "period:close"),
];

/// Clients and keys: for nobody but administrators.
const ADMINISTRATION: [(&str, &str); 11] = [
    ("GET", "/v1/client"),
    ("POST", "/v1/client"),
    ("GET", "/v1/client/{uuid}"),
    ("PATCH", "/v1/client/{uuid}"),
    ("DELETE", "/v1/client/{uuid}"),
    ("POST", "/v1/client/{uuid}/secret"),
    ("GET", "/v1/key"),
    ("POST", "/v1/key"),
    ("GET", "/v1/key/{uuid}"),
    ("PATCH", "/v1/key/{uuid}"),
    ("DELETE", "/v1/key/{uuid}"),
];

fn operations() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    OPERATIONS.into_iter().chain(ADMINISTRATION.map(|(method, path)| (method, path, "admin")))
}

/// A request that is well-formed; whether its body is right does not matter here.
fn ask(client: &Client, method: &str, path: &str) -> Answer {
    let request = client.request(method, &with_factor(path).replace("{uuid}", ID).replace("{id}", ID));
    match (method, path.ends_with("/sources")) {
        ("GET" | "DELETE", _) => request.send(),
        (_, true) => request.json_text("[]").send(),
        (_, false) => request.json_text("{}").send(),
    }
}

/// Whether holding the one is holding the other.
fn includes(held: &str, needed: &str) -> bool {
    let level = |word: &str| ["report", "read", "review", "write"].iter().position(|one| *one == word);
    match (held.split_once(':'), needed.split_once(':')) {
        (Some((of, held)), Some((area, needed))) => of == area && level(held) >= level(needed),
        (None, _) => true,
        (Some(_), None) => false,
    }
}

#[test]
fn each_operation_needs_its_permission_and_no_other() {
    let service = Service::start();
    let callers = PERMISSIONS.map(|held| (held, service.caller(held)));
    for (method, path, needed) in operations() {
        for (held, caller) in &callers {
            let answer = ask(caller, method, path);
            if includes(held, needed) {
                assert!(!matches!(answer.status, 401 | 403), "{method} {path} with {held}: {}", answer.text());
                continue;
            }
            assert_eq!(answer.status, 403, "{method} {path} with {held}: {}", answer.text());
            let is_pact = path.starts_with("/2/") || path.starts_with("/3/");
            if is_pact {
                assert_eq!(answer.pact_error(), "403 AccessDenied");
            } else {
                assert_eq!(answer.problem(), "403 missing-permission");
            }
            let challenge = format!(r#"Bearer error="insufficient_scope", scope="{needed}""#);
            assert_eq!(answer.header("www-authenticate"), Some(challenge.as_str()), "{method} {path}");
            let told = if is_pact { "message" } else { "detail" };
            assert!(answer.json()[told].as_str().unwrap().contains(needed), "{method} {path}: {}", answer.text());
        }
    }
}

#[test]
fn all_other_permissions_together_do_not_suffice() {
    let service = Service::start();
    for needed in PERMISSIONS {
        let others: Vec<_> = PERMISSIONS.into_iter().filter(|held| !includes(held, needed)).collect();
        let Some((method, path, _)) = operations().find(|(_, _, permission)| *permission == needed) else { continue };
        assert_eq!(ask(&service.caller(&others.join(",")), method, path).status, 403, "{method} {path}");
    }
}

#[test]
fn the_tables_name_every_operation_that_is_not_for_everybody() {
    let everybody = |path: &str| path.starts_with("/auth/") || path.starts_with("/.well-known/");
    let mut all = ::http::operations();
    all.retain(|(_, path)| !everybody(path) && !matches!(*path, "/openapi.json" | "/docs"));
    let mut named: Vec<_> = operations().map(|(method, path, _)| (method.to_owned(), path)).collect();
    all.sort();
    named.sort();
    assert_eq!(all, named);
}
