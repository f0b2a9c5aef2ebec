//! The base year by both figures of scope 2: a change of the market-based one alone is told, counted against that figure, and
//! restated by its cause.

use crate::http::harness::{Client, Service, Value, json, to};

/// A company that used 1,000 kWh in 2025: 400 kg by its grid, 500 by the residual mix, and its base year closed with 5 %.
struct Company {
    _service: Service,
    admin: Client,
    grid: String,
    activity: String,
}

impl Company {
    /// The factor that counts in the market, which comes first, and the company.
    fn new() -> (String, Self) {
        let service = Service::start();
        let admin = service.admin();
        let (scope, grid) = (admin.scope("scope2"), admin.priced("kWh", "0", "0.4"));
        let mix = json!({
            "unit": "kWh", "downstream": "0.5", "validFrom": "2025-01-01", "source": "A mix", "basis": "residualMix",
        });
        let mix = admin.post(&format!("/v1/product/{grid}/factor"), &mix).uuid();
        let used = json!({
            "scope": to(&scope), "product": to(&grid), "quantity": "1000", "unit": "kWh", "startDate": "2025-06-01",
        });
        let activity = admin.activity(used);
        let company = Self { _service: service, admin, grid, activity };
        company.close();
        (mix, company)
    }

    fn close(&self) {
        let closing = json!({ "first": "2025-01-01", "last": "2025-12-31", "baseYear": "5" });
        self.admin.post("/v1/period", &closing).expect(201);
    }

    fn reopen(&self) {
        let period = self.base()["restatement"]["period"]["uuid"].as_str().unwrap().to_owned();
        self.admin.post(&format!("/v1/period/{period}/reopen"), &json!({ "reason": "a mix was wrong" })).expect(200);
    }

    /// Corrects a factor of the grid; gives the one that stands in its place.
    fn correct(&self, factor: &str, downstream: &str) -> String {
        let body = json!({ "unit": "kWh", "downstream": downstream, "source": "Mended" });
        self.admin.post(&format!("/v1/product/{}/factor/{factor}/correction", self.grid), &body).uuid()
    }

    fn recalculate(&self) {
        let mut asked = json!({ "of": "outdated" });
        asked["confirm"] = self.admin.post("/v1/recalculation?dryRun=true", &asked).ok()["confirm"].clone();
        assert_eq!(self.admin.post("/v1/recalculation", &asked).ok()["changed"], 1);
    }

    fn base(&self) -> Value {
        self.admin.get("/v1/base-year").ok()
    }

    /// Whether recalculation is asked for, what is outdated by location and in the market, and what differs so.
    fn asked(&self) -> Value {
        let base = self.base();
        let [frozen, now] = ["frozen", "now"].map(|name| &base["restatement"][name]["started"]["marketCO2e"]);
        json!([
            base["recalculationAsked"],
            base["CO2eOutdated"],
            base["marketCO2eOutdated"],
            base["restatement"]["difference"],
            frozen,
            now
        ])
    }

    /// Each cause with what it changed of the location-based and of the market-based figure.
    fn causes(&self) -> Value {
        let base = self.base();
        let causes = base["restatement"]["causes"].as_array().unwrap();
        causes
            .iter()
            .map(|cause| {
                let started = &cause["figures"]["started"];
                json!([cause["cause"], started["CO2e"], started["marketCO2e"]])
            })
            .collect()
    }
}

#[test]
fn a_change_of_the_market_based_figure_alone_asks_for_recalculation_above_its_own_threshold() {
    let (mix, it) = Company::new();
    assert_eq!(it.asked(), json!([false, "0", "0", "0", "500", "500"]));
    // 24 is above 5 % of the 400 by location, and not above 5 % of the 500 in the market.
    let right = it.correct(&mix, "0.524");
    assert_eq!(it.asked(), json!([false, "0", "24", "0", "500", "500"]));
    it.correct(&right, "0.526");
    assert_eq!(it.asked(), json!([true, "0", "26", "0", "500", "500"]));
    assert_eq!(it.causes(), json!([]), "nothing moves by itself");
    it.reopen();
    it.recalculate();
    assert_eq!(it.asked(), json!([true, "0", "0", "0", "500", "526"]));
    assert_eq!(it.causes(), json!([["correction", "0", "26"]]));
    it.close();
    assert_eq!(it.asked(), json!([false, "0", "0", "0", "526", "526"]));
}

/// Two causes that come to nothing together are told one by one: 30 more by a correction, 30 less by what was recorded.
#[test]
fn what_one_cause_changes_in_the_market_is_not_hidden_by_another() {
    let (mix, it) = Company::new();
    it.correct(&mix, "0.53");
    it.reopen();
    it.recalculate();
    let certificates = it.admin.post("/v1/product", &json!({ "name": "Certificates", "unit": "kWh" })).uuid();
    let rate = it.admin.factor(&certificates, "kWh", [Value::Null, json!("0.5")], "2025-01-01");
    let named = json!({ "marketInstrument": "supplierRate", "marketFactor": rate });
    it.admin.patch(&format!("/v1/activity/{}", it.activity), &named).expect(200);
    assert_eq!(it.causes(), json!([["data", "0", "-30"], ["correction", "0", "30"]]));
    assert_eq!(it.asked(), json!([true, "0", "0", "0", "500", "500"]));
}
