//! What a browser logs.

use serde_json::{Value, json};

use super::Session;

/// How the console begins to say that an answer was a refusal.
const REFUSED: &str = "the server responded with a status of 4";

/// Whether an address is one of another machine.
fn is_elsewhere(address: &str) -> bool {
    let host = address.strip_prefix("http://").or_else(|| address.strip_prefix("https://"));
    let host = host.and_then(|rest| rest.split(['/', ':', '?', '#']).next());
    host.is_some_and(|host| !["127.0.0.1", "localhost"].contains(&host))
}

impl Session {
    /// What the console said since it was last asked: refused scripts and styles, errors, requests that failed.
    pub(crate) fn console(&self) -> Vec<String> {
        self.log("browser").iter().map(|entry| format!("{}: {}", entry["level"], entry["message"])).collect()
    }

    /// The messages of the browser about its requests since it was last asked.
    pub(in crate::browser) fn traffic(&self) -> Vec<Value> {
        let entries = self.log("performance");
        let message = |entry: &Value| serde_json::from_str::<Value>(entry["message"].as_str().unwrap()).unwrap();
        entries.iter().map(|entry| message(entry)["message"].take()).collect()
    }

    /// What no page may do, of what is not asked for yet: what the console calls severe, such as a refused script or style or an
    /// error of a script, and requests to other machines. That the service refused something (4xx) is what tests ask for.
    pub(super) fn faults(&self) -> Vec<String> {
        let message = |entry: &Value| entry["message"].as_str().unwrap_or_default().to_owned();
        let severe = self.log("browser").into_iter().filter(|entry| entry["level"] == "SEVERE");
        let said = severe.map(|entry| message(&entry)).filter(|said| !said.contains(REFUSED));
        let sent = self.traffic().into_iter().filter(|message| message["method"] == "Network.requestWillBeSent");
        let addresses = sent.map(|message| message["params"]["request"]["url"].as_str().unwrap().to_owned());
        said.chain(addresses.filter(|address| is_elsewhere(address)).map(|address| format!("asks {address}"))).collect()
    }

    fn log(&self, kind: &str) -> Vec<Value> {
        serde_json::from_value(self.post("/se/log", &json!({ "type": kind }))).unwrap()
    }
}

#[test]
fn what_is_on_this_machine_is_not_elsewhere() {
    let addresses = [
        "http://127.0.0.1:81/a?b",
        "http://localhost/",
        "data:,x",
        "https://a.example/127.0.0.1",
        "http://127.0.0.1.example",
    ];
    assert_eq!(addresses.map(is_elsewhere), [false, false, false, true, true]);
}

#[test]
fn what_no_page_may_do_is_found() {
    let mut session = Session::start(super::Scripts::On);
    session.leave_unjudged();
    session.open("data:text/html,<p>A page");
    assert_eq!(session.faults(), Vec::<String>::new());
    session.run("setTimeout(() => { throw new Error('an error') })");
    session.run("fetch('http://elsewhere.invalid/').catch(() => {})");
    let found = std::cell::RefCell::new(Vec::new());
    session.wait("both", || {
        found.borrow_mut().extend(session.faults());
        ["an error", "asks http://elsewhere.invalid/"]
            .iter()
            .all(|what| found.borrow().iter().any(|one| one.contains(what)))
    });
}
