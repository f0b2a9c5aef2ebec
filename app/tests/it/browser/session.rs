//! A browser of one test, with nothing remembered, and what is asked of its pages.

mod logs;
mod view;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::driver::Driver;

/// How long is waited for what has to come.
const PATIENCE: Duration = Duration::from_mins(1);
/// The milliseconds that a script may take: axe-core looks at every element of a page.
const SCRIPT_MS: u32 = 120_000;
/// How long is waited between two looks at it.
const PAUSE: Duration = Duration::from_millis(20);
/// The member that names an element in the protocol of browsers.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// What a variable names that `cargo xtask test` sets.
pub(super) fn named(variable: &str) -> PathBuf {
    let path = std::env::var_os(variable).unwrap_or_else(|| panic!("{variable} is not set: run `cargo xtask test`"));
    PathBuf::from(path)
}

/// Keys that are no characters, by the numbers that the protocol gives them.
pub(crate) mod key {
    pub(crate) const TAB: char = '\u{e004}';
    pub(crate) const ENTER: char = '\u{e007}';
    pub(crate) const CONTROL: char = '\u{e009}';
    pub(crate) const UP: char = '\u{e013}';
    pub(crate) const DOWN: char = '\u{e015}';
}

/// Which of both sets of colors is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Theme {
    Light,
    Dark,
}

/// Whether the browser runs scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scripts {
    On,
    Off,
}

/// A browser with one page, and what its console says; it ends when this is dropped, and a test fails there if its pages did
/// what no page may do.
pub(crate) struct Session {
    driver: Driver,
    /// The path that all its calls begin with.
    path: String,
    is_judged: bool,
    _profile: TempDir,
}

impl Session {
    /// A browser that nothing is known of.
    pub(crate) fn start(scripts: Scripts) -> Self {
        let driver = Driver::start();
        let profile = tempfile::tempdir().unwrap();
        let flags = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
            "--window-size=1280,900",
            &format!("--user-data-dir={}", profile.path().display()),
        ];
        let prefs = match scripts {
            Scripts::On => json!({}),
            Scripts::Off => json!({ "profile.managed_default_content_settings.javascript": 2 }),
        };
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome",
            "timeouts": { "script": SCRIPT_MS },
            "goog:chromeOptions": { "binary": named("TONNE_TEST_CHROMIUM"), "args": flags, "prefs": prefs },
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
        }}});
        let started = driver.post("/session", &wanted);
        let path = format!("/session/{}", started["sessionId"].as_str().unwrap());
        Self { driver, path, is_judged: true, _profile: profile }
    }

    /// Its pages are not ours, or are made to do what pages must not: nothing is said of that at its end.
    pub(crate) fn leave_unjudged(&mut self) {
        self.is_judged = false;
    }

    /// What the browser answers to a command of its own protocol.
    pub(crate) fn command(&self, name: &str, parameters: &Value) -> Value {
        self.post("/goog/cdp/execute", &json!({ "cmd": name, "params": parameters }))
    }

    /// Opens an address.
    pub(crate) fn open(&self, address: &str) {
        self.post("/url", &json!({ "url": address }));
    }

    /// The address of the page that is open.
    pub(crate) fn address(&self) -> String {
        self.get("/url").as_str().unwrap().to_owned()
    }

    /// The markup of the page.
    pub(crate) fn source(&self) -> String {
        self.get("/source").as_str().unwrap().to_owned()
    }

    /// The text of all that fits a selector of CSS. Where the page is replaced meanwhile, it is that of the new one.
    pub(crate) fn texts(&self, selector: &str) -> Vec<String> {
        let text =
            |one: &String| Some(self.driver.found(&self.at(&format!("/element/{one}/text")))?.as_str()?.to_owned());
        let texts = || self.elements(selector).iter().map(text).collect::<Option<Vec<_>>>();
        let start = Instant::now();
        loop {
            if let Some(texts) = texts() {
                return texts;
            }
            assert!(start.elapsed() < PATIENCE, "{selector} is replaced all the time in {}", self.source());
        }
    }

    /// Clicks all that fits a selector of CSS.
    pub(crate) fn click(&self, selector: &str) {
        for element in self.elements(selector) {
            self.post(&format!("/element/{element}/click"), &json!({}));
        }
    }

    /// Clicks the first that fits a selector of CSS, and waits until its page is another one.
    pub(crate) fn follow(&self, selector: &str) {
        let before = self.address();
        let elements = self.elements(selector);
        let element = elements.first().unwrap_or_else(|| panic!("no {selector} in {}", self.source()));
        self.post(&format!("/element/{element}/click"), &json!({}));
        self.wait(&format!("another page than {before}"), || self.address() != before);
    }

    /// Chooses the option of that value of a select, whatever else its text begins like.
    pub(crate) fn choose(&self, select: &str, value: &str) {
        let option = format!("select[name={select}] option[value={value}]");
        assert_eq!(self.elements(&option).len(), 1, "no {option} in {}", self.source());
        self.click(&option);
    }

    /// Types into the first that fits a selector of CSS.
    pub(crate) fn keys(&self, selector: &str, text: &str) {
        let elements = self.elements(selector);
        let element = elements.first().unwrap_or_else(|| panic!("no {selector} in {}", self.source()));
        self.post(&format!("/element/{element}/value"), &json!({ "text": text }));
    }

    /// Presses a key, on whatever has the focus: a character, or one of [`key`].
    pub(crate) fn press(&self, key: char) {
        let strokes = [json!({ "type": "keyDown", "value": key }), json!({ "type": "keyUp", "value": key })];
        let keyboard = json!({ "type": "key", "id": "keyboard", "actions": strokes });
        self.post("/actions", &json!({ "actions": [keyboard] }));
    }

    /// Presses a key while Control is held down.
    pub(crate) fn press_with_control(&self, key: char) {
        let strokes = [("keyDown", key::CONTROL), ("keyDown", key), ("keyUp", key), ("keyUp", key::CONTROL)];
        let strokes = strokes.map(|(kind, value)| json!({ "type": kind, "value": value }));
        let keyboard = json!({ "type": "key", "id": "keyboard", "actions": strokes });
        self.post("/actions", &json!({ "actions": [keyboard] }));
    }

    /// Whether what has the focus fits a selector of CSS.
    pub(crate) fn is_focused(&self, selector: &str) -> bool {
        self.run(&format!("return document.activeElement.matches({})", json!(selector))) == json!(true)
    }

    /// Presses the tab key until what fits a selector of CSS has the focus.
    pub(crate) fn tab_to(&self, selector: &str) {
        let most = 200;
        let is_there = (0..most).any(|_| {
            self.press(key::TAB);
            self.is_focused(selector)
        });
        assert!(is_there, "{selector} is not reached by {most} tabs");
    }

    /// The page as it would be printed.
    pub(crate) fn printed(&self) -> Vec<u8> {
        use base64::Engine as _;
        let printed = self.post("/print", &json!({}));
        base64::engine::general_purpose::STANDARD.decode(printed.as_str().unwrap()).unwrap()
    }

    /// Waits for what has to come.
    pub(crate) fn wait(&self, what: &str, mut is_there: impl FnMut() -> bool) {
        let start = Instant::now();
        while !is_there() {
            assert!(start.elapsed() < PATIENCE, "{what} does not come; the page is {}", self.source());
            std::thread::park_timeout(PAUSE);
        }
    }

    /// What a script gives.
    pub(crate) fn run(&self, script: &str) -> Value {
        self.post("/execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// What axe-core finds on the page, a line each: the rule, and the first element that breaks it.
    pub(crate) fn violations(&self) -> Vec<String> {
        let axe = std::fs::read_to_string(named("TONNE_TEST_AXE")).unwrap();
        self.run(&axe);
        let script = "const done = arguments[arguments.length - 1]; axe.run().then(found => done(found.violations.map(
            one => `${one.id}: ${one.nodes[0].html} ${one.nodes[0].failureSummary}`)), error => done([String(error)]))";
        serde_json::from_value(self.run_to_end(script)).unwrap()
    }

    /// What a script gives to the function that is its last argument.
    pub(super) fn run_to_end(&self, script: &str) -> Value {
        self.post("/execute/async", &json!({ "script": script, "args": [] }))
    }

    /// The elements that fit a selector of CSS, by the names that the driver gives them.
    pub(crate) fn elements(&self, selector: &str) -> Vec<String> {
        let found = self.post("/elements", &json!({ "using": "css selector", "value": selector }));
        let found = found.as_array().unwrap();
        found.iter().map(|element| element[ELEMENT].as_str().unwrap().to_owned()).collect()
    }

    fn get(&self, path: &str) -> Value {
        self.driver.get(&self.at(path))
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        self.driver.post(&self.at(path), body)
    }

    fn at(&self, path: &str) -> String {
        format!("{}{path}", self.path)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // A test that fails already says why by itself.
        let faults = if self.is_judged && !std::thread::panicking() { self.faults() } else { Vec::new() };
        self.driver.delete(&self.path);
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}
