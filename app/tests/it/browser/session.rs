//! A browser of one test, with nothing remembered, and what is asked of its pages.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;
use thirtyfour::common::capabilities::desiredcapabilities::CapabilitiesHelper as _;
use thirtyfour::{ChromiumLikeCapabilities as _, DesiredCapabilities, WebDriver};

/// How long is waited for what has to come.
const PATIENCE: Duration = Duration::from_mins(1);

/// What a variable names that `cargo xtask test` sets.
fn named(variable: &str) -> PathBuf {
    let path = std::env::var_os(variable).unwrap_or_else(|| panic!("{variable} is not set: run `cargo xtask test`"));
    PathBuf::from(path)
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

/// The process that drives the browser; both end when it is dropped.
struct Driver {
    child: Child,
    port: u16,
}

impl Driver {
    fn start() -> Self {
        let mut command = Command::new(named("TONNE_TEST_CHROMEDRIVER"));
        command.arg("--port=0").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut lines = lines.map(Result::unwrap);
        let said = lines.find(|line| line.contains("was started successfully on port")).expect("the driver starts");
        let port = said.trim_end_matches('.').rsplit(' ').next().and_then(|port| port.parse().ok()).expect("a port");
        // Whoever does not read on would stop it once the pipe is full.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, port }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A browser with one page, and what its console says.
pub(crate) struct Session {
    pub(crate) page: WebDriver,
    driver: Driver,
    _profile: TempDir,
}

impl Session {
    /// A browser that nothing is known of.
    pub(crate) async fn start(scripts: Scripts) -> Self {
        let driver = Driver::start();
        let profile = tempfile::tempdir().unwrap();
        let mut wanted = DesiredCapabilities::chrome();
        wanted.set_binary(named("TONNE_TEST_CHROMIUM").to_str().unwrap()).unwrap();
        let folder = format!("--user-data-dir={}", profile.path().display());
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
            &folder,
        ];
        for flag in flags {
            wanted.add_arg(flag).unwrap();
        }
        if scripts == Scripts::Off {
            let off = serde_json::json!({ "profile.managed_default_content_settings.javascript": 2 });
            wanted.add_experimental_option("prefs", off).unwrap();
        }
        wanted.set("goog:loggingPrefs", serde_json::json!({ "browser": "ALL" })).unwrap();
        let page = WebDriver::new(&format!("http://127.0.0.1:{}", driver.port), wanted).await.unwrap();
        Self { page, driver, _profile: profile }
    }

    /// Shows pages in that set of colors from now on.
    pub(crate) fn show(&self, theme: Theme) {
        let value = match theme {
            Theme::Light => "light",
            Theme::Dark => "dark",
        };
        let wanted = serde_json::json!({ "features": [{ "name": "prefers-color-scheme", "value": value }] });
        self.command("Emulation.setEmulatedMedia", &wanted);
    }

    /// Gives pages that many pixels in width from now on.
    pub(crate) fn narrow(&self, width: u32) {
        let wanted = serde_json::json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
        self.command("Emulation.setDeviceMetricsOverride", &wanted);
    }

    /// Tells the browser what drivers have no word for.
    fn command(&self, name: &str, parameters: &Value) {
        let path = format!("/session/{}/goog/cdp/execute", self.page.session_id());
        let answer = ask(self.driver.port, &path, &serde_json::json!({ "cmd": name, "params": parameters }));
        assert!(answer["value"].get("error").is_none(), "{name}: {answer}");
    }

    /// Opens an address.
    pub(crate) async fn open(&self, address: &str) {
        self.page.goto(address).await.unwrap();
    }

    /// The text of all that fits a selector of CSS.
    pub(crate) async fn texts(&self, selector: &str) -> Vec<String> {
        let mut texts = Vec::new();
        for element in self.page.find_all(thirtyfour::By::Css(selector)).await.unwrap() {
            texts.push(element.text().await.unwrap());
        }
        texts
    }

    /// Clicks the first that fits a selector of CSS, and waits until its page is another one.
    pub(crate) async fn follow(&self, selector: &str) {
        let before = self.page.current_url().await.unwrap();
        self.page.find(thirtyfour::By::Css(selector)).await.unwrap().click().await.unwrap();
        self.wait(&format!("another page than {before}"), async || self.page.current_url().await.unwrap() != before)
            .await;
    }

    /// Waits for what has to come.
    pub(crate) async fn wait(&self, what: &str, mut is_there: impl AsyncFnMut() -> bool) {
        let (start, mut again) = (Instant::now(), tokio::time::interval(Duration::from_millis(20)));
        while !is_there().await {
            assert!(start.elapsed() < PATIENCE, "{what} does not come; the page is {}", self.source().await);
            again.tick().await;
        }
    }

    /// The markup of the page.
    pub(crate) async fn source(&self) -> String {
        self.page.source().await.unwrap()
    }

    /// What a script gives.
    pub(crate) async fn run(&self, script: &str) -> Value {
        self.page.execute(script, Vec::new()).await.unwrap().json().clone()
    }

    /// What axe-core finds on the page, a line each: the rule, and the first element that breaks it.
    pub(crate) async fn violations(&self) -> Vec<String> {
        let axe = std::fs::read_to_string(named("TONNE_TEST_AXE")).unwrap();
        self.run(&axe).await;
        let script = "const done = arguments[arguments.length - 1]; axe.run().then(found => done(found.violations.map(
            one => `${one.id}: ${one.nodes[0].html} ${one.nodes[0].failureSummary}`)), error => done([String(error)]))";
        let found = self.page.execute_async(script, Vec::new()).await.unwrap();
        serde_json::from_value(found.json().clone()).unwrap()
    }

    /// What the console said since it was last asked: refused scripts and styles, errors, requests that failed.
    pub(crate) fn console(&self) -> Vec<String> {
        let path = format!("/session/{}/se/log", self.page.session_id());
        let answer = ask(self.driver.port, &path, &serde_json::json!({ "type": "browser" }));
        let entries = answer["value"].as_array().unwrap_or_else(|| panic!("{answer}"));
        entries.iter().map(|entry| format!("{}: {}", entry["level"], entry["message"])).collect()
    }

    /// Ends the browser.
    pub(crate) async fn end(self) {
        self.page.quit().await.unwrap();
    }
}

/// Asks the driver what the library has no call for.
fn ask(port: u16, path: &str, body: &Value) -> Value {
    let (mut stream, body) = (TcpStream::connect(("127.0.0.1", port)).unwrap(), body.to_string());
    let head =
        format!("POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json");
    write!(stream, "{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    serde_json::from_str(body).unwrap_or_else(|_| panic!("{answer}"))
}
