//! `tonne partner`: added with credentials on both sides, rotated, removed, and carried along without a secret.

use super::run::Place;

fn place() -> Place {
    let place = Place::new();
    place.file("scopes.toml", "[[scope]]\nsyncId = \"scope-3\"\nname = \"Scope 3\"\nkind = \"scope3\"\n");
    place.ok(&["import", "catalog", "scopes.toml"]);
    place
}

const ADD: [&str; 10] = [
    "partner",
    "add",
    "--name",
    "Alloys",
    "--base-url",
    "https://pact.example.com",
    "--client-id",
    "tonne",
    "--client-secret-file",
    "secret",
];

#[test]
fn a_partner_is_added_listed_rotated_and_removed() {
    let place = place();
    place.file("secret", "hush hush\n");
    let added = place.json(&[&ADD[..], &["--alias", "urn:a:1=urn:b:1"]].concat());
    assert_eq!((&added["hasSecret"], &added["clientId"]), (&true.into(), &"tonne".into()));
    assert_eq!(added["aliases"][0]["ours"], "urn:b:1");
    let id = added["uuid"].as_str().unwrap();
    let again = place.json(&["partner", "rotate", id]);
    assert_ne!(again["client_secret"], added["client_secret"]);
    assert_eq!(again["clients"], serde_json::json!([added["client_id"], again["client_id"]]));
    let table = place.ok(&["partner", "list"]);
    assert!(table.contains("Alloys") && table.contains("https://pact.example.com"), "{table}");
    place.ok(&["partner", "remove", id]);
    assert_eq!(place.json(&["partner", "list"]).as_array().unwrap().len(), 0);
    assert_eq!(place.json(&["client", "list"]).as_array().unwrap().len(), 0);
    place.ok(&["verify"]);
}

#[test]
fn partners_go_with_the_company_and_our_secret_does_not() {
    let place = place();
    place.file("secret", "hush hush\n");
    place.json(&ADD);
    place.ok(&["export", "--to", "acme.tonne"]);
    place.ok(&["--data-dir", "elsewhere", "import", "tenant", "acme.tonne"]);
    let listed = place.json(&["--data-dir", "elsewhere", "partner", "list"]);
    assert_eq!((&listed[0]["name"], &listed[0]["hasSecret"]), (&"Alloys".into(), &false.into()));
    place.ok(&["--data-dir", "elsewhere", "verify"]);
}

#[test]
fn an_address_without_tls_is_refused_unless_it_is_allowed() {
    let place = place();
    let add = ["partner", "add", "--name", "A", "--base-url", "http://a.example"];
    let refused = place.run(&add);
    assert!(refused.status == 1 && refused.stderr.contains("plainHttp"), "{}", refused.stderr);
    assert_eq!(place.json(&[&add[..], &["--plain-http"]].concat())["plainHttp"], true);
}
