//! The steps of an import, and an import that cannot be undone.

use super::{look, send};
use crate::browser::company::SignedIn;
use crate::browser::demo::Demo;
use crate::browser::session::{Scripts, Session};
use crate::http::harness::{Service, json};

#[test]
fn nothing_keeps_people_out_of_the_steps_of_an_import() {
    let demo = Demo::start();
    let session = Session::start(Scripts::On);
    demo.sign_in(&session);
    let mut found = Vec::new();
    let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    let rows =
        "Number,What,Date,Amount,Unit\na,Office,01/02/2025,5,kWh\nb,Office,03/04/2025,6,kWh\nc,,03/04/2025,6,kWh\n";
    std::fs::write(file.path(), rows).unwrap();
    session.open(&format!("{}imports/new", demo.pages()));
    session.keys("input[type=file]", &file.path().display().to_string());
    session.follow("form[enctype] button");
    look(&session, &mut found);
    session.follow("button[value=next]");
    assert_eq!(session.texts("fieldset.notice legend").len(), 1, "a date must be decided");
    look(&session, &mut found);
    // Refused, with a fault at a column.
    session.run("document.querySelectorAll('input[type=radio]').forEach(one => one.required = false)");
    session.choose("column-4", "quantity");
    session.click("form > p button[value=try]");
    session.wait("the faults", || !session.elements("td.field .fault").is_empty());
    look(&session, &mut found);
    session.choose("column-4", "unit");
    session.choose("column-0", "syncId");
    session.choose("column-1", "name");
    session.click("input[name=doubt-0][value='0']");
    session.follow("button[value=check]");
    session.wait("the check", || !session.elements("button[value=good]").is_empty());
    look(&session, &mut found);
    session.follow("button[value=good]");
    session.wait("the end", || !session.elements("main .notice.ok").is_empty());
    look(&session, &mut found);
    session.open(&format!("{}imports", demo.pages()));
    look(&session, &mut found);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn nothing_keeps_people_out_of_why_an_import_is_not_undone() {
    let service = Service::start();
    let admin = service.admin();
    let row = "{\"name\":\"Imported\",\"startDate\":\"2023-03-01\",\"DownstreamCO2e\":\"5\"}\n";
    let batch = admin.request("POST", "/v1/activity/batch").header("Content-Type", "application/x-ndjson");
    batch.body(row).send().expect(200);
    admin.post("/v1/period", &json!({ "first": "2023-01-01", "last": "2023-12-31" })).expect(201);
    let here = SignedIn::start(service, "admin", Scripts::On);
    let session = &here.session;
    here.open("/imports");
    session.click("main td details > summary");
    send(session, &[], "main td details button.danger", "main .notice.bad");
    let text = session.texts("main").concat();
    assert!(text.contains("The import was not undone."), "{text}");
    let mut found = Vec::new();
    look(session, &mut found);
    assert!(found.is_empty(), "{}", found.join("\n"));
}
