//! What a browser logs.

use serde_json::{Value, json};

use super::Session;

impl Session {
    /// What the console said since it was last asked: refused scripts and styles, errors, requests that failed.
    pub(crate) fn console(&self) -> Vec<String> {
        self.log("browser").iter().map(|entry| format!("{}: {}", entry["level"], entry["message"])).collect()
    }

    /// The messages of the browser about its requests since it was last asked, of one that is watched.
    pub(in crate::browser) fn traffic(&self) -> Vec<Value> {
        let entries = self.log("performance");
        let message = |entry: &Value| serde_json::from_str::<Value>(entry["message"].as_str().unwrap()).unwrap();
        entries.iter().map(|entry| message(entry)["message"].take()).collect()
    }

    fn log(&self, kind: &str) -> Vec<Value> {
        serde_json::from_value(self.post("/se/log", &json!({ "type": kind }))).unwrap()
    }
}
