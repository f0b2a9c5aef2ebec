//! Behind a pooler that gives a connection for a transaction at a time (PgBouncer).

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

use super::{Node, bearer, soon};

/// A server with a pooler before it, gone with the test.
struct Pooled(PathBuf);

impl Pooled {
    fn new() -> Self {
        let pooled = Self(PathBuf::from(format!("/tmp/tonne-nodes-{}", std::process::id())));
        pooled.chore("start");
        pooled
    }

    /// Starts the pooler, and gives its address.
    fn url(&self) -> String {
        self.chore("pooler")
    }

    fn chore(&self, chore: &str) -> String {
        let output = Command::new(xtask()).args(["postgres", chore]).arg(&self.0).output().unwrap();
        assert!(output.status.success(), "{chore}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }
}

impl Drop for Pooled {
    fn drop(&mut self) {
        let _ = Command::new(xtask()).args(["postgres", "stop", "--immediate"]).arg(&self.0).status();
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The program that starts servers.
fn xtask() -> String {
    std::env::var("TONNE_TEST_XTASK")
        .unwrap_or_else(|_| panic!("set TONNE_TEST_XTASK, or run the tests by cargo xtask test"))
}

#[test]
fn nodes_behind_a_pooler_serve_write_report_import_and_stream() {
    let pooled = Pooled::new();
    let url = pooled.url();
    let nodes = [(); 2].map(|()| Node::with(&url, "database.pooler = \"transaction\""));
    let served = nodes.each_ref().map(Node::serve);
    let key = bearer(&nodes[0].key("admin", &[]));
    for served in &served {
        soon("the new key", || served.get("/v1/scope", &[&key]).0 == 200);
    }
    let body = r#"{"name":"Gas","syncId":"w","startDate":"2025-03-01","UpstreamCO2e":"0.5"}"#;
    let made = served[0].ask("POST", "/v1/activity", &[&key, "Content-Type: application/json"], body);
    assert_eq!(made.status, 201, "{made:?}");
    let mut rows = "syncId,name,startDate,UpstreamCO2e\n".to_owned();
    for number in 0..3_000 {
        let _ = writeln!(rows, "r{number},Row {number},2025-01-{:02},1", number % 28 + 1);
    }
    nodes[1].0.file("rows.csv", &rows);
    nodes[1].ok(&["import", "activities", "rows.csv"]);
    let report = |place: usize| served[place].ask("GET", "/v1/activity", &[&key], "");
    let (one, other) = (report(0), report(1));
    assert_eq!((&one.json()["count"], &one.json()["uncategorizedCO2e"]), (&3_001.into(), &"3000.5".into()));
    assert_eq!((&one.body, one.etag()), (&other.body, other.etag()));
    for served in &served {
        let (status, lines) = served.get("/v1/activity", &[&key, "Accept: application/x-ndjson"]);
        assert_eq!(status, 200);
        assert_eq!(lines.lines().count(), 3_001);
    }
    assert!(nodes[0].ok(&["verify"]).starts_with("OK: "));
}
