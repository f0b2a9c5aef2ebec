//! Whoever writes a company's records.

use std::sync::Arc;

use serde_json::{Value, json};

use super::model::{Model, draft};
use super::{Dice, Done, Place, SEEDS, Tally};

/// What else a company makes, beside activities.
const KINDS: [&str; 3] = ["org", "product", "switch"];

/// Writes until all requests are made, and gives what is known of the company's activities then.
pub(super) async fn run(places: Arc<Vec<Place>>, number: usize, mut model: Model, tally: Arc<Tally>) -> Model {
    let mut dice = Dice(number as u64);
    let mut made = KINDS.map(|_| Vec::new());
    let mut next = SEEDS;
    while tally.more() {
        let place = &places[number];
        match dice.roll(20) {
            0..7 => {
                next += 1;
                add(place, &mut model, next, &mut dice, &tally).await;
            }
            7..10 => change(place, &mut model, true, &mut dice, &tally).await,
            10..12 => change(place, &mut model, false, &mut dice, &tally).await,
            12..19 => {
                let kind = dice.roll(KINDS.len());
                next += 1;
                other(place, KINDS[kind], &mut made[kind], next, &mut dice, &tally).await;
            }
            _ => {
                let foreign = &places[(number + 1 + dice.roll(places.len() - 1)) % places.len()];
                refer(place, foreign, &mut dice, &tally).await;
            }
        }
    }
    model
}

async fn add(place: &Place, model: &mut Model, next: u64, dice: &mut Dice, tally: &Tally) {
    let draft = draft(place, next);
    let request = place.company.admin.request("POST", "/v1/activity", "*/*", &draft.body);
    match place.send(request, dice, tally).await {
        Done::Not => {}
        Done::Perhaps => model.perhaps_added(draft),
        Done::Answered(answer) => model.added(draft, answer.uuid()),
    }
}

/// Changes an activity, or ends it.
async fn change(place: &Place, model: &mut Model, stays: bool, dice: &mut Dice, tally: &Tally) {
    let quantity = stays.then(|| dice.roll(1_000) as u64);
    let Some(change) = model.change(place, dice.roll(1_000), quantity) else {
        return refer(place, place, dice, tally).await;
    };
    let method = if stays { "PATCH" } else { "DELETE" };
    let request = place.company.admin.request(method, &format!("/v1/activity/{}", change.uuid), "*/*", &change.body);
    match place.send(request, dice, tally).await {
        Done::Not => {}
        Done::Perhaps => model.perhaps_changed(&change),
        Done::Answered(answer) => {
            assert_eq!(answer.status, if stays { 200 } else { 204 }, "{answer:?}");
            model.changed(&change);
        }
    }
}

/// Adds, changes or removes an org, a product or a switch.
async fn other(place: &Place, kind: &str, made: &mut Vec<String>, next: u64, dice: &mut Dice, tally: &Tally) {
    let (admin, name) = (&place.company.admin, place.mark());
    let some = dice.roll(made.len().max(1));
    let what = if made.is_empty() { 0 } else { dice.roll(5) };
    match what {
        0 | 1 => {
            let mut body = json!({ "name": name, "syncId": format!("{kind}-{next}") });
            if kind == "product" {
                body["unit"] = json!("kWh");
            }
            let request = admin.request("POST", &format!("/v1/{kind}"), "*/*", &body);
            if let Done::Answered(answer) = place.send(request, dice, tally).await {
                made.push(answer.uuid());
            }
        }
        2 | 3 => {
            let at = format!("/v1/{kind}/{}", made[some]);
            let (request, status) = if kind == "product" && what == 3 {
                let day = format!("{}-01-01", 2_000 + next);
                let factor = json!({
                    "unit": "kWh", "upstream": "1", "downstream": "2", "validFrom": day, "source": name,
                });
                (admin.request("POST", &format!("{at}/factor"), "*/*", &factor), 201)
            } else {
                (admin.request("PATCH", &at, "*/*", &json!({ "name": format!("{name} {next}") })), 200)
            };
            if let Done::Answered(answer) = place.send(request, dice, tally).await {
                assert_eq!(answer.status, status, "{answer:?}");
            }
        }
        _ => {
            let uuid = made.swap_remove(some);
            let request = admin.request("DELETE", &format!("/v1/{kind}/{uuid}"), "*/*", &Value::Null);
            if let Done::Answered(answer) = place.send(request, dice, tally).await {
                // A product with factors stays.
                assert!(answer.status == 204 || (answer.status == 409 && kind == "product"), "{answer:?}");
            }
        }
    }
}

/// Asks for an activity in another company's org, or in one that nobody has: that is refused.
async fn refer(place: &Place, foreign: &Place, dice: &mut Dice, tally: &Tally) {
    let org = if foreign.number == place.number { super::reader::NOBODY } else { &foreign.org };
    let body = json!({ "name": place.mark(), "startDate": "2025-01-01", "org": { "uuid": org } });
    let request = place.company.admin.request("POST", "/v1/activity", "*/*", &body);
    if let Done::Answered(answer) = place.send(request, dice, tally).await {
        assert_eq!(answer.status, 422, "{answer:?}");
    }
}
