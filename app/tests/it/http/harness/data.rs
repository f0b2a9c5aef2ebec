//! Records to test with, made over HTTP by somebody who may. Each answers its uuid.

use super::{Client, Value, json};

impl Client {
    /// A root of the scopes: `scope1`, `scope2`, `scope3`, `biogenic`, `credit` or `outside`.
    #[track_caller]
    pub(crate) fn scope(&self, kind: &str) -> String {
        self.post("/v1/scope", &json!({ "name": kind, "kind": kind })).uuid()
    }

    /// A category of scope 3, below its root.
    #[track_caller]
    pub(crate) fn category(&self, scope3: &str, number: u8) -> String {
        let (name, parent) = (format!("Category {number}"), json!({ "uuid": scope3 }));
        self.post("/v1/scope", &json!({ "name": name, "kind": "scope3", "category": number, "parent": parent })).uuid()
    }

    /// An org, below another or at the root.
    #[track_caller]
    pub(crate) fn org(&self, name: &str, parent: Option<&str>) -> String {
        self.node("org", name, parent)
    }

    /// A taxonomy, below another or at the root.
    #[track_caller]
    pub(crate) fn taxonomy(&self, name: &str, parent: Option<&str>) -> String {
        self.node("taxonomy", name, parent)
    }

    #[track_caller]
    fn node(&self, tree: &str, name: &str, parent: Option<&str>) -> String {
        let parent = parent.map(|uuid| json!({ "uuid": uuid }));
        self.post(&format!("/v1/{tree}"), &json!({ "name": name, "parent": parent })).uuid()
    }

    /// A product counted in that unit, without factors.
    #[track_caller]
    pub(crate) fn product(&self, unit: &str) -> String {
        self.post("/v1/product", &json!({ "name": "Product", "unit": unit })).uuid()
    }

    /// A factor of a product, on from a day; `upstream` and `downstream` are amounts or null.
    #[track_caller]
    pub(crate) fn factor(&self, product: &str, unit: &str, [upstream, downstream]: [Value; 2], from: &str) -> String {
        let mut body = json!({ "unit": unit, "validFrom": from, "source": "A published table" });
        body["upstream"] = upstream;
        body["downstream"] = downstream;
        self.post(&format!("/v1/product/{product}/factor"), &body).uuid()
    }

    /// A product counted in that unit, whose one factor holds from 2000 on: kg CO2e per unit, upstream and downstream.
    #[track_caller]
    pub(crate) fn priced(&self, unit: &str, upstream: &str, downstream: &str) -> String {
        let product = self.product(unit);
        self.factor(&product, unit, [json!(upstream), json!(downstream)], "2000-01-01");
        product
    }

    /// An activity of 1 January 2025 with those members besides.
    #[track_caller]
    pub(crate) fn activity(&self, members: Value) -> String {
        self.post("/v1/activity", &activity(members)).uuid()
    }
}

/// The body of an activity of 1 January 2025 with those members besides, or instead.
pub(crate) fn activity(members: Value) -> Value {
    let mut body = json!({ "name": "Activity", "startDate": "2025-01-01" });
    let Value::Object(members) = members else { panic!("no members: {members}") };
    body.as_object_mut().unwrap().extend(members);
    body
}

/// A reference to a record.
pub(crate) fn to(uuid: &str) -> Value {
    json!({ "uuid": uuid })
}
