//! What the answer to a batch says of single rows.

use super::{NDJSON, counts, row, send};
use crate::http::harness::Service;

#[test]
fn rows_without_a_sync_id_are_counted_a_repeat_names_the_earlier_line_and_1000_faults_are_listed() {
    let service = Service::start();
    let plain = r#"{"name":"Van","startDate":"2025-01-01"}"#;
    let faulty = "{\"name\":\"Van\"}\n".repeat(1_200);
    let body = format!("{}\n{plain}\n{}\n{faulty}", row("a", "1"), row("a", "2"));
    let answer = send(&service.admin(), "", NDJSON, body).ok();
    assert_eq!((counts(&answer), &answer["withoutSyncId"]), ([2, 0, 0, 1_201], &1.into()));
    let errors = answer["errors"].as_array().unwrap();
    assert_eq!((errors.len(), &errors[999]["line"]), (1_000, &1_002.into()));
    assert_eq!((&errors[0]["line"], &errors[0]["pointer"]), (&3.into(), &"/syncId".into()));
    let detail = errors[0]["detail"].as_str().unwrap();
    assert!(detail.starts_with("is that of an activity of line 1 already"), "{detail}");
}

#[test]
fn rows_that_come_to_ten_times_the_year_before_are_warned_of() {
    let service = Service::start();
    let admin = service.admin();
    send(&admin, "", NDJSON, r#"{"syncId":"a","name":"Gas","startDate":"2024-03-01","UpstreamCO2e":"5"}"#).ok();
    let now = r#"{"syncId":"b","name":"Gas","startDate":"2025-03-01","UpstreamCO2e":"50"}"#;
    for query in ["?dryRun=true", ""] {
        let answer = send(&admin, query, NDJSON, now).ok();
        assert_eq!((counts(&answer), &answer["warnings"]), ([1, 0, 0, 0], &1.into()), "{query}");
        let told = &answer["warningDetails"][0];
        let detail = told["detail"].as_str().unwrap();
        assert_eq!(told["line"], 1, "{detail}");
        assert!(detail.ends_with("at least 10 times the 5 of the year before"), "{query}: {detail}");
    }
}
