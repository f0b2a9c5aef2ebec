//! What Prometheus says of the alert rules in `deploy/` and of the page of metrics of a running service.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, Result, ensure};

use crate::cargo::{built, root, succeeds};
use crate::folder::Folder;
use crate::program::program;
use crate::tools;

const RULES: &str = "deploy/prometheus/alerts.yml";

/// Has promtool check the rules, and the page of a service that answered a request.
pub(crate) fn check() -> Result<()> {
    let promtool = tools::promtool()?;
    let mut rules = Command::new(promtool);
    ensure!(succeeds(rules.args(["check", "rules"]).arg(root().join(RULES)))?, "{RULES} is wrong, see above");
    let folder = Folder::new("metrics")?;
    let service = Service::start(&built()?, folder.path())?;
    get(&service.base, "/api/v1/scope")?;
    let page = get(&service.metrics, "/metrics")?;
    let mut metrics = Command::new(promtool);
    let mut metrics =
        metrics.args(["check", "metrics"]).stdin(Stdio::piped()).spawn().context("promtool cannot start")?;
    metrics.stdin.take().context("promtool has no standard input")?.write_all(page.as_bytes())?;
    ensure!(metrics.wait()?.success(), "the page of metrics is wrong, see above");
    Ok(())
}

/// A service with metrics. It ends when this is dropped.
struct Service {
    child: Child,
    /// Host and port.
    base: String,
    /// Host and port of the page of metrics.
    metrics: String,
}

impl Service {
    fn start(path: &Path, folder: &Path) -> Result<Self> {
        let mut command = program(path);
        command.args(["serve", "--listen", "127.0.0.1:0", "--data-dir"]).arg(folder.join("data"));
        command.env("TONNE_METRICS__ADDRESS", "127.0.0.1:0").env("TONNE_LOG__FORMAT", "json");
        let command = command.stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().context("the service cannot start")?;
        let mut log = BufReader::new(child.stderr.take().context("the service has no standard error")?).lines();
        let mut service = Self { child, base: String::new(), metrics: String::new() };
        while service.metrics.is_empty() {
            let line = log.next().context("the service ended")?.context("its log cannot be read")?;
            let address = line.split_once("\"address\":\"").and_then(|(_, rest)| rest.split_once('"'));
            let Some((address, _)) = address else { continue };
            let place = if line.contains("metrics are served") { &mut service.metrics } else { &mut service.base };
            address.clone_into(place);
        }
        // What it logs further is taken, so that it never waits for a reader.
        std::thread::spawn(move || log.for_each(drop));
        Ok(service)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // Its data are thrown away with its folder.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The body of the answer, whatever its status.
fn get(address: &str, path: &str) -> Result<String> {
    let mut stream = TcpStream::connect(address).with_context(|| format!("{address} does not answer"))?;
    stream.write_all(format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let (_, body) = answer.split_once("\r\n\r\n").context("the answer is cut")?;
    Ok(body.to_owned())
}
