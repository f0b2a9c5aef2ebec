//! A service with a page of metrics, and reading it.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use crate::command::run::{Base, Place};

/// A service whose page of metrics can be read; it is killed when it is dropped.
pub(in crate::command) struct Measured {
    child: Child,
    pub(in crate::command) base: Base,
    /// Host and port of the page.
    pub(in crate::command) address: String,
}

impl Measured {
    pub(in crate::command) fn start(place: &Place) -> Self {
        Self::of(place.command(&["serve", "--listen", "127.0.0.1:0"]))
    }

    /// The service of that command, which says where it listens.
    pub(in crate::command) fn of(mut command: Command) -> Self {
        command.env("TONNE_METRICS__ADDRESS", "127.0.0.1:0").env("TONNE_LOG__FORMAT", "json");
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let base = Base::new(line.trim().rsplit(' ').next().unwrap());
        let mut log = BufReader::new(child.stderr.take().unwrap()).lines();
        let told = log.find_map(|line| {
            let line: serde_json::Value = serde_json::from_str(&line.unwrap()).ok()?;
            let is_it = line["message"] == "metrics are served at /metrics";
            is_it.then(|| line["address"].as_str().unwrap().to_owned())
        });
        // What else it logs must not fill the pipe.
        std::thread::spawn(move || log.for_each(drop));
        Self { child, base, address: told.unwrap() }
    }

    /// The page.
    pub(in crate::command) fn page(&self) -> Page {
        let (head, body) = self.ask("GET", "/metrics");
        assert!(head.starts_with("HTTP/1.1 200 OK"), "{head}");
        assert!(head.contains("text/plain; version=0.0.4"), "{head}");
        Page(body)
    }

    /// Head and body of the answer to a request of the metrics' listener.
    pub(in crate::command) fn ask(&self, method: &str, path: &str) -> (String, String) {
        self.try_ask(method, path).unwrap()
    }

    /// The same, where the listener may refuse the connection.
    pub(in crate::command) fn try_ask(&self, method: &str, path: &str) -> std::io::Result<(String, String)> {
        let mut stream = TcpStream::connect(&self.address)?;
        let request = format!("{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes())?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let (head, body) = answer.split_once("\r\n\r\n").ok_or(std::io::ErrorKind::UnexpectedEof)?;
        Ok((head.to_owned(), body.to_owned()))
    }
}

impl Drop for Measured {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A page of metrics.
pub(in crate::command) struct Page(pub(in crate::command) String);

impl Page {
    /// The value of the series of that name and those labels, without a fraction; 0 where there is none.
    pub(in crate::command) fn value(&self, series: &str) -> u64 {
        let line = self.0.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
        line.map_or(0, |value| value.split('.').next().unwrap().parse().unwrap())
    }

    /// The names of the measurements on it.
    pub(in crate::command) fn names(&self) -> Vec<&str> {
        self.0.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next()).collect()
    }
}
