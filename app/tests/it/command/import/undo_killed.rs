//! The service killed while it undoes an import: it goes on by itself when it is started again, and all is as before.

use std::time::{Duration, Instant};

use serde_json::Value;

use super::super::run::{Place, Served};

/// More than are taken back in several changes.
const ROWS: u64 = 24_000;

/// How many activities there are once they are imported.
const WHOLE: u64 = ROWS + 1;
/// How often an undoing that had ended before it was killed is tried with another import.
const TRIES: u32 = 20;

const BEFORE: &str = "name,syncId,startDate,UpstreamCO2e\nVan,row-1,2025-01-31,0.000000000000000007\n\
                      Van,row-23999,2025-02-28,5.25\nVan,other,2025-03-31,7\n";

struct Client<'a> {
    served: &'a Served,
    header: &'a str,
}

impl Client<'_> {
    fn get(&self, path: &str) -> Value {
        let (status, body) = self.served.get(path, &[self.header]);
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).unwrap()
    }

    /// Asks until the answer is as it should be.
    fn wait(&self, path: &str, is_so: impl Fn(&Value) -> bool) {
        let since = Instant::now();
        loop {
            let answer = self.get(path);
            if is_so(&answer) {
                return;
            }
            assert!(since.elapsed() < Duration::from_mins(5), "{path}: {answer}");
            std::thread::yield_now();
        }
    }
}

/// Imports the rows, and kills the service once it has begun to undo them; the address of the import, unless it was undone by
/// then.
fn killed_midway(place: &Place, header: &str) -> Option<String> {
    let imported = place.json(&["import", "activities", "rows.csv"]);
    assert_eq!((&imported["created"], &imported["updated"]), (&(ROWS - 2).into(), &2.into()));
    let import = format!("/v1/import/{}", imported["import"].as_str().unwrap());
    let served = place.serve_with(&["--config", "tonne.toml"]);
    let client = Client { served: &served, header };
    let begun = served.ask("DELETE", &import, &[header], "");
    assert_eq!(begun.status, 202, "{begun:?}");
    client.wait("/v1/activity?page=1&pageSize=1", |page| page["count"].as_u64().unwrap() < WHOLE);
    drop(served);
    let midway = place.json(&["import", "list"]);
    let state = midway[0]["state"].as_str().unwrap();
    assert!(["undoing", "undone"].contains(&state), "{midway}");
    (state == "undoing").then_some(import)
}

#[test]
fn an_undoing_that_was_killed_midway_goes_on_when_the_service_starts() {
    let place = Place::new();
    place.file("tonne.toml", "[limits]\natomic_rows = 1000\n");
    let header = place.bearer("activity:read,activity:write");
    place.file("before.csv", BEFORE);
    place.ok(&["import", "activities", "before.csv"]);
    let before = place.json(&["report", "--by", "month"]);

    let row = |number: u64| format!("Van,row-{number},2025-{:02}-01,{number}.125\n", number % 12 + 1);
    let rows: String = (0..ROWS).map(row).collect();
    place.file("rows.csv", &format!("name,syncId,startDate,UpstreamCO2e\n{rows}"));
    let killed = (0..TRIES).find_map(|_| killed_midway(&place, &header));
    let Some(import) = killed else { panic!("{TRIES} times it was undone before it was killed") };
    let left = place.json(&["report"])["count"].as_u64().unwrap();
    assert!(3 < left && left < WHOLE, "{left}");
    assert!(place.ok(&["verify"]).starts_with("OK"));

    let served = place.serve_with(&["--config", "tonne.toml"]);
    let client = Client { served: &served, header: &header };
    client.wait(&import, |import| import["state"] == "undone");
    assert_eq!(client.get(&import)["kept"], 0);
    drop(served);
    assert_eq!(place.json(&["report", "--by", "month"]), before);
    assert!(place.ok(&["verify"]).starts_with("OK"));
}
