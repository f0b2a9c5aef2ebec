//! What a person asks for and publishes by commands, while the services run.

use serde_json::{Value, json};

use super::{Two, footprint, until};

#[test]
fn a_partner_is_asked_answers_and_is_pulled_from_by_commands_alone() {
    let Two { supplier, buyer } = Two::start();
    let id = supplier.ask("POST", "/v1/footprint", "a", &footprint(1))["uuid"].as_str().unwrap().to_owned();
    supplier.ask("PUT", &format!("/v1/footprint/{id}/sharing"), "", &json!({ "all": true }));
    let made = buyer.place.json(&["pact", "request", "Other", "--product-id", "urn:a:1", "--comment", "For 2025"]);
    assert_eq!((&made["state"], &made["productIds"]), (&json!("waiting"), &json!(["urn:a:1"])));
    let requests = || buyer.place.json(&["pact", "requests", "Other"]);
    until("not fulfilled", || match requests() {
        all if all[0]["state"] == "fulfilled" && all[0]["footprints"] == json!([id]) => Ok(()),
        other => Err(other.to_string()),
    });
    let table = buyer.place.ok(&["pact", "requests", "Other"]);
    assert!(table.contains("fulfilled") && table.contains(&id), "{table}");
    let told = |kind: &str| {
        let all = supplier.place.json(&["partner", "deliveries", "Other"]);
        all.as_array().unwrap().iter().any(|one| one["event"] == kind && one["state"] == "sent")
    };
    until("not all is told", || if told("answer") && told("published") { Ok(()) } else { Err(String::new()) });
    let pulled = buyer.place.json(&["pact", "pull", "Other", "--announced"]);
    assert_eq!((&pulled["new"], &pulled["refused"]), (&json!(1), &json!([])), "{pulled}");
    assert_eq!(buyer.place.json(&["pact", "pull", "Other"])["unchanged"], 1);
}

#[test]
fn a_host_that_answers_requests_passes_the_cases_about_answers_and_one_that_does_not_fails_them() {
    let Two { mut supplier, buyer } = Two::start();
    for number in 1..=2 {
        let id = supplier.ask("POST", "/v1/footprint", &format!("{number}"), &footprint(number));
        let path = format!("/v1/footprint/{}/sharing", id["uuid"].as_str().unwrap());
        supplier.ask("PUT", &path, "", &json!({ "all": true }));
    }
    let our_url = buyer.base();
    let outcome = |case: &str, seconds: &str| {
        let flags = ["--our-url", &our_url, "--answers", seconds, "--case", case, "--json"];
        let ended = buyer.place.run(&[&["pact", "test", "Other"], &flags[..]].concat());
        let told: Value = serde_json::from_str(&ended.stdout).unwrap();
        (told["cases"][0]["outcome"].clone(), told["cases"][0]["came"].as_str().unwrap().to_owned())
    };
    let (fulfilled, came) = outcome("13", "60");
    assert_eq!((fulfilled, came.as_str()), (json!("passed"), "fulfilled with 1"));
    let (rejected, came) = outcome("14", "60");
    assert_eq!((rejected, came.as_str()), (json!("passed"), "200, then rejected with NotFound"));
    // Its answers go nowhere once the address of ours that it knows is another.
    let body = json!({ "clientSecret": "another" });
    supplier.ask("PATCH", &format!("/v1/partner/{}", supplier.partner), "", &body);
    supplier.kill();
    for case in ["13", "14"] {
        let (outcome, came) = outcome(case, "2");
        assert_eq!(
            (outcome, came.as_str()),
            (json!("failed"), "no answer that could be taken came to our service within 2 s"),
            "{case}"
        );
    }
}

#[test]
fn what_was_not_taken_is_listed_with_the_reason_and_sent_again_by_a_command() {
    let Two { supplier, mut buyer } = Two::start();
    buyer.child.kill().unwrap();
    buyer.child.wait().unwrap();
    let id = supplier.ask("POST", "/v1/footprint", "a", &footprint(1))["uuid"].as_str().unwrap().to_owned();
    supplier.ask("PUT", &format!("/v1/footprint/{id}/sharing"), "", &json!({ "partners": [supplier.partner] }));
    let deliveries = || supplier.place.json(&["partner", "deliveries", "Other"]);
    until("not tried", || match deliveries() {
        all if all[0]["attempts"] != 0 && all[0]["state"] == "waiting" && all[0]["answer"].is_string() => Ok(()),
        other => Err(other.to_string()),
    });
    buyer.kill();
    let again = supplier.place.ok(&["partner", "retry", "Other"]);
    assert!(again.contains('1'), "{again}");
    until("not sent again", || match deliveries() {
        all if all[0]["state"] == "sent" => Ok(()),
        other => Err(other.to_string()),
    });
}

#[test]
fn a_model_is_published_by_a_command_that_first_asks_for_what_it_cannot_compute() {
    let Two { supplier, .. } = Two::start();
    let post = |path: &str, key: &str, body: &Value| {
        supplier.ask("POST", path, key, body)["uuid"].as_str().unwrap().to_owned()
    };
    let steel = post("/v1/product", "p", &json!({ "name": "Steel", "unit": "kg" }));
    let factor = json!({ "unit": "kg", "upstream": "1.5", "validFrom": "2000-01-01", "source": "A table" });
    post(&format!("/v1/product/{steel}/factor"), "f", &factor);
    let model = json!({ "name": "Box", "unit": "kg", "amount": 10, "referenceDate": "2025-06-01" });
    let model = post("/v1/model", "m", &model);
    let input = json!({ "name": "Steel", "material": { "uuid": steel }, "quantity": "2", "unit": "kg" });
    post(&format!("/v1/model/{model}/input"), "i", &input);
    let publish = ["footprint", "publish", "Box"];
    let refused = supplier.place.run(&[&publish[..], &["--dry-run"]].concat());
    assert_eq!(refused.status, 2, "{}{}", refused.stdout, refused.stderr);
    for option in ["--company-id", "--product-id", "--standard", "--fossil-carbon", "--characterization-factors"] {
        assert!(refused.stderr.contains(option), "{option}: {}", refused.stderr);
    }
    let said = [
        ["--company-id", "urn:pact:works.example:company:1"],
        ["--product-id", "urn:gtin:4712345060507"],
        ["--classification", "urn:cpc:41532"],
        ["--exempted-percent", "0"],
        ["--standard", "GHGP-Product"],
        ["--fossil-carbon", "0"],
        ["--biogenic-carbon", "0"],
        ["--characterization-factors", "AR6"],
        ["--packaging-included", "false"],
    ];
    let all: Vec<&str> = publish.into_iter().chain(said.iter().flatten().copied()).collect();
    let preview = supplier.place.json(&[&all[..], &["--dry-run"]].concat());
    assert_eq!(preview["outcome"], "preview", "{preview}");
    let done = supplier.place.json(&all);
    assert_eq!((&done["outcome"], &done["replaces"]), (&json!("published"), &Value::Null), "{done}");
    let again = supplier.place.json(&publish);
    assert_eq!(again["outcome"], "unchanged", "what was said holds: {again}");
    let path = format!("/v1/footprint/{}", done["uuid"].as_str().unwrap());
    assert_eq!(supplier.ask("GET", &path, "", &Value::Null)["status"], "Active");
}
