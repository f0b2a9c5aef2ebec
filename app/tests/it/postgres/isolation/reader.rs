//! Whoever reads a company's records, and tries to read others'.

use std::sync::Arc;

use serde_json::{Value, json};

use super::super::wire::Request;
use super::{Dice, Done, Place, Tally};

/// An identifier that nobody has.
pub(super) const NOBODY: &str = "0198c0de-0000-7000-8000-000000000000";

/// Reads until all requests are made.
pub(super) async fn run(places: Arc<Vec<Place>>, number: usize, tally: Arc<Tally>) {
    let mut dice = Dice(1_000 + number as u64);
    while tally.more() {
        let place = &places[number];
        let foreign = &places[(number + 1 + dice.roll(places.len() - 1)) % places.len()];
        let (request, status) = match dice.roll(20) {
            0..4 => own(place, &mut dice),
            4..7 => list(place, &mut dice),
            7..14 => report(place, &mut dice),
            14..17 => of_another(place, foreign, &mut dice),
            17 => through_another(place, foreign, &mut dice),
            _ => with_key_of_another(place, foreign, &mut dice),
        };
        if let Done::Answered(answer) = place.send(request, &mut dice, &tally).await {
            assert_eq!(answer.status, status, "{answer:?}");
        }
    }
}

fn get(place: &Place, path: &str, accept: &str) -> Request {
    place.company.admin.request("GET", path, accept, &Value::Null)
}

/// One of its first records.
fn own(place: &Place, dice: &mut Dice) -> (Request, u16) {
    (get(place, &place.paths()[dice.roll(5)], "*/*"), 200)
}

fn list(place: &Place, dice: &mut Dice) -> (Request, u16) {
    let kind = ["org", "product", "switch", "scope"][dice.roll(4)];
    let sync_id = ["o", "p", "w", "s"][dice.roll(4)];
    let query = ["", "?pageSize=1000", &format!("?syncId={sync_id}")][dice.roll(3)].to_owned();
    (get(place, &format!("/v1/{kind}{query}"), "*/*"), 200)
}

fn report(place: &Place, dice: &mut Dice) -> (Request, u16) {
    let accept = ["application/json", "text/csv", "application/x-ndjson"][dice.roll(3)];
    let query = match dice.roll(6) {
        0 => "?page=1&pageSize=20".to_owned(),
        1 => format!("?org={}", place.org),
        2 => format!("?date=2025-01-{:02}", dice.roll(28) + 1),
        3 => format!("?syncId=a-{}", dice.roll(100)),
        _ => String::new(),
    };
    (get(place, &format!("/v1/activity{query}"), accept), 200)
}

/// Another's record, to be read, changed or removed: there is no such thing.
fn of_another(place: &Place, foreign: &Place, dice: &mut Dice) -> (Request, u16) {
    let path = &foreign.paths()[dice.roll(5)];
    let (method, body) = [("GET", Value::Null), ("PATCH", json!({ "name": place.mark() })), ("DELETE", Value::Null)]
        [dice.roll(3)]
    .clone();
    (place.company.admin.request(method, path, "*/*", &body), 404)
}

/// A report of another's org: there is no such org.
fn through_another(place: &Place, foreign: &Place, dice: &mut Dice) -> (Request, u16) {
    let org = if dice.roll(2) == 0 { NOBODY } else { &foreign.org };
    (get(place, &format!("/v1/activity?org={org}"), "*/*"), 400)
}

/// Its own record at its own address, with a key of another.
fn with_key_of_another(place: &Place, foreign: &Place, dice: &mut Dice) -> (Request, u16) {
    let stranger = place.company.admin.with_key_of(&foreign.company.admin);
    (stranger.request("GET", &place.paths()[dice.roll(5)], "*/*", &Value::Null), 401)
}
