//! Several imports into one file at once, beside a service that writes too.

use std::fmt::Write as _;
use std::process::Stdio;

use super::super::run::{Place, Served};

const IMPORTS: usize = 4;
const ROWS: usize = 3_000;

fn rows(import: usize) -> String {
    let mut rows = "name,syncId,startDate,UpstreamCO2e\n".to_owned();
    for row in 0..ROWS {
        writeln!(rows, "Diesel,{import}-{row},2025-03-{:02},1", row % 28 + 1).unwrap();
    }
    rows
}

#[test]
fn imports_at_once_all_succeed_and_a_service_beside_them_answers() {
    let place = Place::new();
    let served = place.serve();
    let header = place.bearer("activity:write");
    let mut imports: Vec<_> = (0..IMPORTS)
        .map(|import| {
            let file = place.file(&format!("{import}.csv"), &rows(import));
            let mut command = place.command(&["import", "activities", file.to_str().unwrap()]);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    let mut posts = 0;
    while imports.iter_mut().any(|import| import.try_wait().unwrap().is_none()) {
        let body =
            format!(r#"{{"name":"Diesel","syncId":"post-{posts}","startDate":"2025-03-01","UpstreamCO2e":"1"}}"#);
        let (status, answer) = Served::post_to(&served.base, "/v1/activity", &[&header], &body).unwrap();
        assert_eq!(status, 201, "{answer}");
        posts += 1;
    }
    for import in imports {
        let output = import.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(place.json(&["report"])["count"], IMPORTS * ROWS + posts);
    assert!(place.ok(&["verify"]).starts_with("OK"));
}
