//! As much of HTTP/1.1 as measuring needs: one connection that is kept, answers with a length or in chunks.
//!
//! The generator shares its cores with the service: requests are written into a buffer that is used again, and of an
//! answer no more is read than its status and its length.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

/// How much is read at a time.
const BUFFER: usize = 256 * 1024;

/// A connection to a service.
pub(crate) struct Client {
    stream: TcpStream,
    buffer: Vec<u8>,
    /// What of the buffer is read and not taken yet.
    start: usize,
    end: usize,
    head: Vec<u8>,
    /// Bytes of the answer to the last request came, and not all of them were taken.
    has_begun: bool,
}

/// What comes before the path and after it, the same for every request of a client.
#[derive(Clone, Debug)]
pub(crate) struct Credentials {
    /// The path of the base address.
    base: String,
    /// Lines of the head, each with its end.
    headers: String,
}

impl Credentials {
    /// Those of a key at the base address such as `http://127.0.0.1:8080/api`.
    pub(crate) fn of(base: &str, key: &str) -> Self {
        let headers = format!("Host: localhost\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\n");
        Self { base: path_of(base).to_owned(), headers }
    }

    /// The same with a further line of the head.
    pub(crate) fn with(&self, line: &str) -> Self {
        Self { base: self.base.clone(), headers: format!("{}{line}\r\n", self.headers) }
    }

    /// Writes a request without a body in place of what the buffer holds; `more` are further lines of the head.
    pub(crate) fn get(&self, path: &str, more: &str, request: &mut Vec<u8>) {
        let Self { base, headers } = self;
        request.clear();
        // Writing to a vector does not fail.
        let _ = write!(request, "GET {base}{path} HTTP/1.1\r\n{headers}{more}\r\n");
    }

    /// Writes a request with a body.
    pub(crate) fn send(&self, method: &str, path: &str, body: &str, request: &mut Vec<u8>) {
        let Self { base, headers } = self;
        request.clear();
        let length = body.len();
        let _ = write!(request, "{method} {base}{path} HTTP/1.1\r\n{headers}Content-Length: {length}\r\n\r\n{body}");
    }

    /// Writes a request of a form, which brings its own credentials.
    pub(crate) fn form(&self, path: &str, form: &str, request: &mut Vec<u8>) {
        let Self { base, .. } = self;
        request.clear();
        let length = form.len();
        let _ = write!(
            request,
            "POST {base}{path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n\
             Content-Length: {length}\r\n\r\n{form}"
        );
    }
}

/// `/api` of `http://127.0.0.1:8080/api`.
fn path_of(base: &str) -> &str {
    base.find("://").and_then(|at| base[at + 3..].find('/').map(|slash| &base[at + 3 + slash..])).unwrap_or_default()
}

/// `127.0.0.1:8080` of `http://127.0.0.1:8080/api`.
pub(crate) fn host_of(base: &str) -> &str {
    base.split('/').nth(2).unwrap_or_default()
}

impl Client {
    /// Connects to a host and port.
    pub(crate) fn connect(host: &str) -> Result<Self> {
        let stream = TcpStream::connect(host).with_context(|| format!("cannot connect to {host}"))?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: vec![0; BUFFER], start: 0, end: 0, head: Vec::new(), has_begun: false })
    }

    /// The same, with a bound on how long it waits for a byte.
    pub(crate) fn patient(host: &str, patience: Duration) -> Result<Self> {
        let client = Self::connect(host)?;
        client.stream.set_read_timeout(Some(patience))?;
        client.stream.set_write_timeout(Some(patience))?;
        Ok(client)
    }

    /// Sends a request and gives the status; the body goes piece by piece to `take`.
    pub(crate) fn exchange(&mut self, request: &[u8], mut take: impl FnMut(&[u8])) -> Result<u16> {
        self.has_begun = false;
        self.stream.write_all(request).context("cannot send a request")?;
        self.read_head()?;
        let status = std::str::from_utf8(self.head.get(9..12).unwrap_or_default())?.parse().context("no status")?;
        if self.header("transfer-encoding").is_some() {
            loop {
                let line = self.line()?;
                let size = u64::from_str_radix(&line, 16).context("a chunk has no size")?;
                self.body(size, &mut take)?;
                ensure!(self.line()?.is_empty(), "a chunk is longer than it says");
                if size == 0 {
                    self.has_begun = false;
                    return Ok(status);
                }
            }
        }
        let length = self.header("content-length").map_or(Ok(0), str::parse).context("no length")?;
        self.body(length, &mut take)?;
        self.has_begun = false;
        Ok(status)
    }

    /// Whether bytes of an answer came that did not come whole: asked after an exchange that failed.
    pub(crate) const fn is_cut(&self) -> bool {
        self.has_begun
    }

    /// The value of a header of the last answer, by its name in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.split(|byte| *byte == b'\n').find_map(|line| {
            let at = line.iter().position(|byte| *byte == b':')?;
            let found = line[..at].eq_ignore_ascii_case(name.as_bytes());
            found.then(|| std::str::from_utf8(&line[at + 1..]).ok().map(str::trim)).flatten()
        })
    }

    /// The body of an answer that is a success.
    pub(crate) fn body_of(&mut self, request: &[u8]) -> Result<Vec<u8>> {
        let mut body = Vec::new();
        let status = self.exchange(request, |bytes| body.extend_from_slice(bytes))?;
        if !(200..300).contains(&status) {
            let asked = String::from_utf8_lossy(request);
            let asked = asked.lines().next().unwrap_or_default();
            bail!("{asked} was answered {status}: {}", String::from_utf8_lossy(&body));
        }
        Ok(body)
    }

    /// The bytes of a whole answer, head included.
    pub(crate) fn record(&mut self, request: &[u8]) -> Result<Vec<u8>> {
        let body = self.body_of(request)?;
        // An answer in chunks is told with its length, as its bytes are kept without the chunks.
        let lines = std::str::from_utf8(&self.head)?.lines().filter(|line| {
            let name = line.split(':').next().unwrap_or_default().to_ascii_lowercase();
            !matches!(name.as_str(), "transfer-encoding" | "content-length")
        });
        let head = lines.fold(String::new(), |head, line| head + line + "\r\n");
        Ok([format!("{head}content-length: {}\r\n\r\n", body.len()).as_bytes(), &body].concat())
    }

    fn read_head(&mut self) -> Result<()> {
        self.head.clear();
        loop {
            let unread = &self.buffer[self.start..self.end];
            if let Some(at) = unread.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
                self.head.extend_from_slice(&unread[..at]);
                self.start += at + 4;
                return Ok(());
            }
            ensure!(unread.len() < BUFFER, "a head of an answer is too long");
            self.fill()?;
        }
    }

    fn line(&mut self) -> Result<String> {
        loop {
            let unread = &self.buffer[self.start..self.end];
            if let Some(at) = unread.windows(2).position(|bytes| bytes == b"\r\n") {
                let line = String::from_utf8_lossy(&unread[..at]).into_owned();
                self.start += at + 2;
                return Ok(line);
            }
            self.fill()?;
        }
    }

    fn body(&mut self, length: u64, take: &mut impl FnMut(&[u8])) -> Result<()> {
        let mut left = length;
        while left > 0 {
            if self.start == self.end {
                self.fill()?;
            }
            let count = usize::try_from(left).unwrap_or(usize::MAX).min(self.end - self.start);
            take(&self.buffer[self.start..self.start + count]);
            self.start += count;
            left -= count as u64;
        }
        Ok(())
    }

    /// Reads more behind what is unread.
    fn fill(&mut self) -> Result<()> {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        let count = self.stream.read(&mut self.buffer[self.end..]).context("cannot read an answer")?;
        ensure!(count > 0, "the service closed the connection");
        self.end += count;
        self.has_begun = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
