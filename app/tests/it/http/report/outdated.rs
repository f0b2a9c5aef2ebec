//! How many activities are outdated, counted with what a report is about: the same as its rows say one by one.

use super::report;
use crate::http::harness::{Client, Service, Value, json, to};

/// The report of each question counts what its rows say, and a breakdown of the same counts as many.
#[track_caller]
fn agrees(admin: &Client, questions: &[String]) -> u64 {
    let mut whole = 0;
    for question in questions {
        let found = report(admin, question);
        let outdated = found["data"].as_array().unwrap().iter().filter(|one| one["outdated"] == true).count() as u64;
        assert_eq!(found["outdatedCount"], outdated, "{question}");
        for by in ["scope", "month", "product"] {
            let broken = admin.get(&format!("/v1/report?{question}&by={by}")).ok();
            assert_eq!(broken["outdatedCount"], outdated, "{question}, by {by}");
        }
        whole = whole.max(outdated);
    }
    whole
}

#[test]
fn a_report_counts_what_is_outdated_among_the_activities_it_is_about_whatever_was_written_since() {
    let service = Service::start();
    let admin = service.admin();
    let (scope, works) = (admin.scope("scope1"), admin.org("Works", None));
    let hall = admin.org("Hall", Some(&works));
    let (one, other) = (admin.product("kg"), admin.product("kg"));
    let wrong = admin.factor(&one, "kg", [json!("2"), Value::Null], "2024-01-01");
    admin.factor(&other, "kg", [json!("5"), Value::Null], "2024-01-01");
    let burn = |product: &str, org: &str, first: &str, last: &str| {
        admin.activity(json!({
            "product": to(product), "quantity": 10, "unit": "kg", "startDate": first, "endDate": last, "org": to(org),
            "scope": to(&scope),
        }))
    };
    let first = burn(&one, &works, "2025-01-10", "2025-01-10");
    let second = burn(&one, &hall, "2025-01-20", "2025-03-10");
    let third = burn(&other, &hall, "2025-02-10", "2025-02-10");
    let questions: Vec<String> = [
        String::new(),
        "date=2025-01".to_owned(),
        "date=2025-02&attribution=daily".to_owned(),
        format!("org={hall}"),
        format!("scope={scope}&sd=2025-01-15"),
        format!("product={one}"),
        "incomplete=true".to_owned(),
    ]
    .into();
    assert_eq!(agrees(&admin, &questions), 0, "nothing was corrected");
    let correction = json!({ "unit": "kg", "upstream": "3", "source": "T" });
    admin.post(&format!("/v1/product/{one}/factor/{wrong}/correction"), &correction).expect(201);
    assert_eq!(agrees(&admin, &questions), 2);
    admin.factor(&other, "kg", [json!("6"), Value::Null], "2025-02-01");
    assert_eq!(agrees(&admin, &questions), 3, "a factor ended before the day of what was computed from it");
    // The catalog stays as it is from here on.
    admin.patch(&format!("/v1/activity/{second}"), &json!({ "quantity": 11 })).expect(200);
    assert_eq!(agrees(&admin, &questions), 2, "what is computed anew is outdated no longer");
    let moved = json!({ "startDate": "2025-02-10", "endDate": "2025-02-10", "name": "Moved" });
    admin.patch(&format!("/v1/activity/{first}"), &moved).expect(200);
    admin.patch(&format!("/v1/activity/{third}"), &json!({ "name": "Named", "org": to(&works) })).expect(200);
    burn(&other, &hall, "2025-02-11", "2025-02-11");
    assert_eq!(agrees(&admin, &questions), 1);
    admin.delete(&format!("/v1/activity/{third}")).expect(204);
    assert_eq!(agrees(&admin, &questions), 0);
}

#[test]
fn a_confirmed_recalculation_leaves_nothing_outdated_and_a_report_asked_before_says_so() {
    let service = Service::start();
    let admin = service.admin();
    let product = admin.product("kg");
    let wrong = admin.factor(&product, "kg", [json!("2"), Value::Null], "2024-01-01");
    for _ in 0..3 {
        admin.activity(json!({ "product": to(&product), "quantity": 10, "unit": "kg" }));
    }
    let counted = || admin.get("/v1/report?by=year").ok()["outdatedCount"].clone();
    assert_eq!(counted(), 0);
    let correction = json!({ "unit": "kg", "upstream": "3", "source": "T" });
    admin.post(&format!("/v1/product/{product}/factor/{wrong}/correction"), &correction).expect(201);
    assert_eq!((counted(), &report(&admin, "pageSize=1")["outdatedCount"]), (json!(3), &json!(3)));
    let preview = admin.post("/v1/recalculation?dryRun=true", &json!({ "of": "outdated" })).ok();
    admin.post("/v1/recalculation", &json!({ "of": "outdated", "confirm": preview["confirm"] })).expect(200);
    assert_eq!((counted(), &report(&admin, "pageSize=1")["outdatedCount"]), (json!(0), &json!(0)));
    let statement = admin.get("/v1/statement?year=2025").ok();
    assert_eq!(statement["activities"]["outdatedCount"], 0);
}
