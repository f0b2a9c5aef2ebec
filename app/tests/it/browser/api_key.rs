//! The key that is typed into the page of the API: where it is, and where it must not be.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::session::{Scripts, Session};
use crate::http::harness::Service;

/// The messages of the browser about what it sends.
const SENT: [&str; 3] = ["Network.requestWillBeSent", "Network.requestWillBeSentExtraInfo", "Network.webSocketCreated"];

/// Where a page could leave the key, and a script that leaves it there.
const LEAKS: [(&str, &str); 16] = [
    ("address", "history.replaceState(null, '', '?k=' + KEY)"),
    ("history", "history.replaceState(KEY, '')"),
    ("window", "window.name = KEY"),
    ("cookies", "document.cookie = 'k=' + KEY"),
    ("local", "localStorage.setItem('k', KEY)"),
    ("session", "sessionStorage.setItem(KEY, '')"),
    (
        "databases",
        "const asked = indexedDB.open('k', 1); \
         asked.onupgradeneeded = () => asked.result.createObjectStore('k').put(KEY, 1); \
         asked.onsuccess = () => asked.result.close()",
    ),
    ("caches", "caches.open('k').then((cache) => cache.put('/k', new Response(KEY)))"),
    ("markup", "document.body.dataset.k = KEY"),
    ("request", "fetch('?k=' + KEY)"),
    ("request", "fetch('', { headers: { 'X-Key': KEY } })"),
    ("request", "fetch('', { method: 'POST', body: KEY })"),
    ("request", "fetch('http://127.0.0.1:9/', { headers: { Authorization: `Bearer ${KEY}` } }).catch(() => {})"),
    ("request", "new Image().src = 'http://127.0.0.1:9/?k=' + KEY"),
    ("request", "navigator.sendBeacon('http://127.0.0.1:9/', KEY)"),
    ("request", "new WebSocket('ws://127.0.0.1:9/?k=' + KEY)"),
];

/// Undoes all of them.
const CLEAN: &str = "const done = arguments[arguments.length - 1];
    history.replaceState(null, '', location.pathname);
    window.name = '';
    document.cookie = 'k=; max-age=0';
    localStorage.clear();
    sessionStorage.clear();
    delete document.body.dataset.k;
    const dropped = new Promise((good) => { indexedDB.deleteDatabase('k').onsuccess = good; });
    Promise.all([caches.delete('k'), dropped]).then(() => done(null));";

/// The page of a service's API, and somebody's key.
struct Page {
    session: Session,
    service: Service,
    key: String,
}

/// What became of the key since that was last asked.
#[derive(Debug, Default, PartialEq, Eq)]
struct Seen {
    /// How many messages say that the service was given it, in the header that is for it.
    given: usize,
    /// The places where it is and must not be.
    left: BTreeSet<String>,
}

impl Page {
    fn start() -> Self {
        let service = Service::start();
        let key = service.key("admin");
        let page = Self { session: Session::start(Scripts::On), service, key };
        page.open();
        page
    }

    fn address(&self) -> String {
        format!("http://{}{}/docs", self.service.address(), self.service.base_path())
    }

    fn open(&self) {
        self.session.open(&self.address());
        self.session.wait("the field for the key", || !self.session.elements("input.key").is_empty());
    }

    /// Sends what lists orgs, and gives what the page says about it.
    fn list_orgs(&self) -> String {
        let said = || self.session.texts("#list_orgs .out > p").concat();
        let before = said();
        if self.session.elements("#list_orgs[open]").is_empty() {
            self.session.click("#list_orgs > summary");
        }
        self.session.wait("the form", || !self.session.elements("#list_orgs form.try").is_empty());
        self.session.click("#list_orgs form.try > button");
        self.session.wait("an answer", || !said().is_empty() && said() != before);
        said()
    }

    fn typed(&self) -> Value {
        self.session.run("return document.querySelector('input.key').value")
    }

    fn seen(&self) -> Seen {
        let kept = self.session.run_to_end(include_str!("kept.js"));
        let kept: BTreeMap<String, String> = serde_json::from_value(kept).unwrap();
        assert_eq!(kept.get("error"), None);
        let left = kept.into_iter().filter(|(_, text)| text.contains(&self.key)).map(|(place, _)| place);
        let mut seen = Seen { left: left.collect(), ..Seen::default() };
        for mut message in self.session.traffic() {
            if message["method"].as_str().is_some_and(|method| SENT.contains(&method)) {
                seen.given += usize::from(self.take_given(&mut message["params"]));
                let is_left = message["params"].to_string().contains(&self.key);
                seen.left.extend(is_left.then(|| "request".to_owned()));
            }
        }
        seen
    }

    /// Takes the key out of the header of a message that says that the service gets it there; whether there was one.
    fn take_given(&self, message: &mut Value) -> bool {
        let (address, path) = (self.service.address().to_string(), self.service.base_path());
        let url = message["request"]["url"].as_str().map(str::to_owned);
        let (is_to_service, headers) = match url {
            Some(url) => (url.starts_with(&format!("http://{address}{path}/")), &mut message["request"]["headers"]),
            None => (message["headers"]["Host"] == address.as_str(), &mut message["headers"]),
        };
        let is_given = is_to_service && headers["Authorization"] == format!("Bearer {}", self.key).as_str();
        if is_given {
            headers["Authorization"].take();
        }
        is_given
    }
}

#[test]
fn a_key_that_is_typed_into_the_page_of_the_api_goes_to_the_service_in_its_header_and_nowhere_else() {
    let page = Page::start();
    assert_eq!(page.list_orgs(), "Give a key at the top of the page.");
    assert_eq!(page.seen(), Seen::default());

    page.session.keys("input.key", &page.key);
    assert_eq!(page.seen(), Seen::default(), "typing sends nothing");
    let said = page.list_orgs();
    assert!(said.starts_with("200 "), "{said}");
    let seen = page.seen();
    assert!(seen.given > 0 && seen.left.is_empty(), "{seen:?}");

    // Neither another page nor the way back to this one has it.
    page.session.open(&page.address().replace("/docs", "/openapi.json"));
    assert_eq!(page.seen().left, BTreeSet::new());
    page.session.run("history.back()");
    page.session.wait("the page again", || !page.session.elements("input.key").is_empty());
    assert_eq!(page.typed(), json!(""));
    page.open();
    assert_eq!(page.list_orgs(), "Give a key at the top of the page.");
    assert_eq!(page.seen(), Seen::default());
}

#[test]
fn a_page_that_would_leave_a_key_anywhere_else_is_found_out() {
    let mut page = Page::start();
    page.session.leave_unjudged();
    // The page's own rules would refuse most of it.
    page.session.command("Page.setBypassCSP", &json!({ "enabled": true }));
    for (place, script) in LEAKS {
        page.open();
        // What came late of the one before.
        page.session.traffic();
        assert_eq!(page.seen(), Seen::default(), "before {script}");
        page.session.run(&format!("const KEY = {}; {script}", json!(page.key)));
        page.session.wait(&format!("what {script} leaves"), || page.seen().left.contains(place));
        page.session.run_to_end(CLEAN);
    }
}
