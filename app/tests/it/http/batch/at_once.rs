//! Others that write while the rows of `?atomic=true` are written.

use std::sync::mpsc::{self, TryRecvError};

use ports::inbound::{Error, ImportOptions, Outcome, Repeats};

use crate::http::harness::{Service, json};
use crate::http::report::form;

/// The rows come past HTTP, in the calls that those of a body come in, for as long as the others take: the turn is held from
/// the first call on. It is one row over and over, so that nothing grows.
#[test]
fn writers_beside_all_rows_or_none_get_503_that_says_when_to_repeat_and_readers_are_answered() {
    let service = Service::start();
    let (app, operator) = (service.app(), service.operator());
    let (begin, begun) = mpsc::channel();
    let (end, ended) = mpsc::channel::<()>();
    let whole = async move {
        let outcome = Outcome::AllOrNothing;
        let options = ImportOptions { outcome, repeats: Repeats::Last, ..ImportOptions::default() };
        let mut import = app.imports().begin(&operator, options)?;
        let mut outcome = import.rows(form::lines(1)).await?;
        let _ = begin.send(());
        while matches!(ended.try_recv(), Err(TryRecvError::Empty)) {
            outcome.add(import.rows(form::lines(1)).await?);
        }
        outcome.add(import.finish().await?);
        Ok::<_, Error>(outcome)
    };
    let admin = service.admin();
    let post = || admin.post("/v1/product", &json!({ "name": "Steel", "unit": "kg" }));
    let (refused, read, outcome) = std::thread::scope(|threads| {
        let import = threads.spawn(|| service.wait(whole));
        begun.recv().unwrap();
        let (refused, read) = (post(), admin.get("/v1/product"));
        drop(end);
        (refused, read, import.join().unwrap().unwrap())
    });
    assert_eq!(refused.problem(), "503 busy");
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!(wait > 0, "{refused:?}");
    assert_eq!(read.ok()["count"], 0, "what was refused was written");
    assert_eq!((outcome.created, outcome.rejected), (1, 0), "{outcome:?}");
    post().expect(201);
    assert_eq!(admin.get("/v1/activity?pageSize=1").ok()["count"], 1);
}
