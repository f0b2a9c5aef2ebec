//! `syncId`: the collection asked for one activity.

use super::{names, report};
use crate::http::harness::{Service, json, to};

#[test]
fn a_sync_id_asks_for_the_one_activity_that_has_it() {
    let service = Service::start();
    let admin = service.admin();
    let (scope, org) = (admin.scope("scope1"), admin.org("Works", None));
    let uuid = admin.activity(json!({ "syncId": "a&1", "DownstreamCO2e": "7", "scope": to(&scope), "org": to(&org) }));
    admin.activity(json!({ "syncId": "a-2", "DownstreamCO2e": "8" }));
    for query in ["syncId=a%261", "syncId=a%261&date=2025", "syncId=a%261&page=1"] {
        let one = report(&admin, query);
        assert_eq!((&one["count"], &one["CO2e"], &one["uncategorizedCO2e"]), (&json!(1), &json!("7"), &json!("0")));
        assert_eq!((&one["data"][0]["uuid"], one["data"].as_array().unwrap().len()), (&json!(uuid), 1), "{query}");
        assert_eq!((names(&one["orgs"]), names(&one["taxonomies"])), (vec!["Works"], vec![]));
    }
    let next = report(&admin, "syncId=a%261&page=2");
    assert_eq!((&next["count"], &next["data"]), (&json!(1), &json!([])));
}

#[test]
fn nobodys_sync_id_and_one_that_the_other_filters_leave_out_find_nothing() {
    let service = Service::start();
    let admin = service.admin();
    let other = admin.org("Other", None);
    admin.activity(json!({ "syncId": "a-1", "DownstreamCO2e": "7" }));
    for query in ["syncId=A-1".to_owned(), "syncId=a-1&date=2024".to_owned(), format!("syncId=a-1&org={other}")] {
        let nothing = report(&admin, &query);
        assert_eq!((&nothing["count"], &nothing["data"]), (&json!(0), &json!([])), "{query}");
        assert_eq!(nothing["uncategorizedCO2e"], "0");
    }
}

#[test]
fn its_share_of_a_period_is_shown() {
    let service = Service::start();
    let admin = service.admin();
    admin.activity(json!({ "syncId": "a-1", "endDate": "2025-01-10", "DownstreamCO2e": "10" }));
    let share = report(&admin, "syncId=a-1&date=2025-01-05&attribution=daily");
    assert_eq!((&share["uncategorizedCO2e"], &share["data"][0]["periodCO2e"]), (&json!("1"), &json!("1")));
}

#[test]
fn asking_for_one_needs_the_permission_to_read() {
    let service = Service::start();
    service.admin().activity(json!({ "syncId": "a-1" }));
    let path = "/v1/activity?syncId=a-1";
    assert_eq!(service.caller("activity:report").get(path).problem(), "403 missing-permission");
    assert_eq!(service.caller("activity:read").get(path).ok()["count"], 1);
}
