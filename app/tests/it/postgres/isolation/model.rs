//! What a company's activities must add up to by the answers it got.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Place;

/// What a client knows of the activities of its company, by the names that other systems know them by.
#[derive(Default)]
pub(super) struct Model {
    known: BTreeMap<String, Known>,
}

/// What is known of an activity.
struct Known {
    uuid: Option<String>,
    is_scoped: bool,
    is_computed: bool,
    /// What its CO2e may be in kg; `None` stands for an activity that is not there.
    candidates: Vec<Option<u64>>,
}

/// An activity that is not recorded yet.
pub(super) struct Draft {
    sync_id: String,
    is_scoped: bool,
    is_computed: bool,
    co2e: u64,
    pub(super) body: Value,
}

/// A change of an activity.
pub(super) struct Change {
    pub(super) sync_id: String,
    pub(super) uuid: String,
    after: Option<u64>,
    pub(super) body: Value,
}

/// The CO2e of a kWh of the company's product, in kg. Each company has another.
pub(super) const fn factor(number: usize) -> u64 {
    number as u64 + 1
}

/// The activity of that number: every other is computed from the company's product, and of those every other is
/// in its scope.
pub(super) fn draft(place: &Place, n: u64) -> Draft {
    let (is_computed, is_scoped, quantity) = (n.is_multiple_of(2), n.is_multiple_of(4), n % 97 + 1);
    let (sync_id, mark) = (format!("a-{n}"), place.mark());
    let mut body = json!({
        "name": mark, "syncId": sync_id, "startDate": format!("2025-01-{:02}", n % 28 + 1),
        "description": format!("{mark} ").repeat(150), "org": { "uuid": place.org },
    });
    let (member, value) = supply(is_computed, quantity);
    body[member] = value;
    if is_computed {
        body["unit"] = json!("kWh");
        body["product"] = json!({ "uuid": place.product });
    }
    if is_scoped {
        body["scope"] = json!({ "uuid": place.scope });
    }
    Draft { sync_id, is_scoped, is_computed, co2e: amount(place, is_computed, quantity), body }
}

impl Model {
    /// It was added, and is never changed.
    pub(super) fn kept(&mut self, draft: Draft) {
        self.put(draft, None, false);
    }

    /// Records that an addition was acknowledged.
    pub(super) fn added(&mut self, draft: Draft, uuid: String) {
        self.put(draft, Some(uuid), false);
    }

    /// It may have been added. It is left alone from now on.
    pub(super) fn perhaps_added(&mut self, draft: Draft) {
        self.put(draft, None, true);
    }

    fn put(&mut self, draft: Draft, uuid: Option<String>, is_unsure: bool) {
        let Draft { sync_id, is_scoped, is_computed, co2e, .. } = draft;
        let candidates = if is_unsure { vec![Some(co2e), None] } else { vec![Some(co2e)] };
        self.known.insert(sync_id, Known { uuid, is_scoped, is_computed, candidates });
    }

    /// The change of some activity to another quantity, or its end.
    pub(super) fn change(&self, place: &Place, pick: usize, quantity: Option<u64>) -> Option<Change> {
        let sure: Vec<_> =
            self.known.iter().filter_map(|(name, one)| one.uuid.clone().map(|uuid| (name, one, uuid))).collect();
        let (sync_id, one, uuid) = sure.get(pick % sure.len().max(1)).cloned()?;
        let body = quantity.map_or(Value::Null, |quantity| {
            let (member, value) = supply(one.is_computed, quantity);
            json!({ member: value })
        });
        let after = quantity.map(|quantity| amount(place, one.is_computed, quantity));
        Some(Change { sync_id: sync_id.clone(), uuid, after, body })
    }

    /// Records that a change was acknowledged.
    pub(super) fn changed(&mut self, change: &Change) {
        let Some(one) = self.known.get_mut(&change.sync_id) else { return };
        one.candidates = vec![change.after];
        if change.after.is_none() {
            one.uuid = None;
        }
    }

    /// It may have been made. The activity is left alone from now on.
    pub(super) fn perhaps_changed(&mut self, change: &Change) {
        let Some(one) = self.known.get_mut(&change.sync_id) else { return };
        one.candidates.push(change.after);
        one.uuid = None;
    }

    /// Checks the company's activities and their sums against what is known of them.
    pub(super) async fn check(&self, place: &Place) {
        let admin = &place.company.admin;
        let rows = admin.request("GET", "/v1/activity", "application/x-ndjson", &Value::Null).send().await;
        assert_eq!(rows.status, 200, "{rows:?}");
        place.check(&rows.body);
        let mut found = BTreeMap::new();
        for line in rows.body.lines() {
            let row: Value = serde_json::from_str(line).unwrap();
            let co2e: u64 = row["CO2e"].as_str().unwrap().parse().unwrap();
            assert_eq!(found.insert(row["syncId"].as_str().unwrap().to_owned(), co2e), None, "twice: {line}");
        }
        let (mut scoped, mut others) = (0, 0);
        for (name, one) in &self.known {
            let co2e = found.get(name).copied();
            assert!(one.candidates.contains(&co2e), "{} {name}: {co2e:?}, not {:?}", place.mark(), one.candidates);
            *if one.is_scoped { &mut scoped } else { &mut others } += co2e.unwrap_or_default();
        }
        assert!(found.keys().all(|name| self.known.contains_key(name)), "{} has more: {found:?}", place.mark());
        let report = admin.get("/v1/activity?page=1&pageSize=1").await.json();
        assert_eq!(report["count"], found.len());
        assert_eq!([&report["CO2e"], &report["uncategorizedCO2e"]], [&scoped.to_string(), &others.to_string()]);
    }
}

/// The member of an activity that decides its CO2e.
fn supply(is_computed: bool, quantity: u64) -> (&'static str, Value) {
    if is_computed { ("quantity", json!(quantity)) } else { ("DownstreamCO2e", json!(quantity.to_string())) }
}

fn amount(place: &Place, is_computed: bool, quantity: u64) -> u64 {
    if is_computed { quantity * factor(place.number) } else { quantity }
}
