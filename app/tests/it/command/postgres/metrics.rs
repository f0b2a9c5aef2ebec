//! What the page of metrics says of a service on a database.

use super::{Node, bare, bearer};
use crate::command::metrics::Measured;

#[test]
fn changes_imports_reports_and_sizes_are_on_the_page_of_a_database_too() {
    let fresh = bare();
    let node = Node::new(&fresh.url());
    node.ok(&["migrate"]);
    let key = bearer(&node.key("admin", &[]));
    let service = Measured::of(node.0.command(&["serve", "--listen", "127.0.0.1:0", "--config", "tonne.toml"]));
    let org = service.base.ask("POST", "/v1/org", &[&key, "Content-Type: application/json"], r#"{"name": "A"}"#);
    assert_eq!(org.status, 201, "{}", org.body);
    let rows = "name,startDate\nOne,2025-01-01\nTwo,2025-01-02\n";
    let batch = service.base.ask("POST", "/v1/activity/batch", &[&key, "Content-Type: text/csv"], rows);
    assert_eq!(batch.status, 200, "{}", batch.body);
    assert_eq!(service.base.get("/v1/activity?date=2025", &[&key]).0, 200);
    let page = service.page();
    let value = |series: &str| page.value(series);
    assert!(value(r#"tonne_store_writes_total{outcome="done"}"#) >= 2, "{}", page.0);
    assert!(value("tonne_store_write_duration_seconds_count") >= 2, "{}", page.0);
    assert!(value("tonne_store_write_wait_seconds_count") >= 1, "{}", page.0);
    assert!(value("tonne_store_commit_group_size_count") >= 1, "{}", page.0);
    assert_eq!(value("tonne_store_writers"), 0);
    assert_eq!(value(r#"tonne_import_rows_total{outcome="created"}"#), 2);
    assert_eq!(value(r#"tonne_imports_total{outcome="done"}"#), 1);
    assert!(value("tonne_read_models") >= 1, "{}", page.0);
    assert!(value("tonne_store_data_bytes") > 0, "{}", page.0);
    assert_eq!(value("tonne_store_log_bytes"), 0, "the database keeps its own");
}
