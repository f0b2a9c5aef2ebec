//! Running the binary in a folder of its own, with an environment of its own.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use tempfile::TempDir;

/// A folder to run the binary in; its data is in `tonne-data` below it.
pub(super) struct Place(TempDir);

impl Place {
    pub(super) fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file of the folder.
    pub(super) fn file(&self, name: &str, content: &str) -> PathBuf {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    /// The binary with those arguments, in this folder, without any variable but those given.
    pub(super) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tonne"));
        command.args(arguments).current_dir(self.path()).env_clear().stdin(Stdio::null());
        command
    }

    /// Runs it to its end.
    pub(super) fn run(&self, arguments: &[&str]) -> Ended {
        Ended::of(self.command(arguments).output().unwrap())
    }

    /// Runs it with that on its standard input.
    pub(super) fn feed(&self, arguments: &[&str], input: &str) -> Ended {
        let mut command = self.command(arguments);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        Ended::of(child.wait_with_output().unwrap())
    }

    /// Runs it to its end, which must be a good one, and gives what it printed.
    pub(super) fn ok(&self, arguments: &[&str]) -> String {
        let ended = self.run(arguments);
        assert_eq!(ended.status, 0, "{arguments:?}: {}", ended.stderr);
        ended.stdout
    }

    /// Runs it with `--json`, and gives what it printed as JSON.
    pub(super) fn json(&self, arguments: &[&str]) -> serde_json::Value {
        let printed = self.ok(&[arguments, &["--json"]].concat());
        serde_json::from_str(&printed).unwrap()
    }

    /// A new key with those permissions, as the header of a request.
    pub(super) fn bearer(&self, permissions: &str) -> String {
        let key = self.json(&["key", "create", "--name", "a", "--permissions", permissions]);
        format!("Authorization: Bearer {}", key["key"].as_str().unwrap())
    }

    /// Starts the service on a free port.
    pub(super) fn serve(&self) -> Served {
        self.serve_with(&[])
    }

    /// The same with further flags.
    pub(super) fn serve_with(&self, flags: &[&str]) -> Served {
        let mut command = self.command(&[&["serve", "--listen", "127.0.0.1:0"], flags].concat());
        // Some tests ask more in a minute than a credential may.
        command.env("TONNE_LIMITS__REQUESTS_PER_MINUTE", "0");
        // Nobody reads the log while the service runs: changes of credentials would fill the pipe.
        command.env("TONNE_LOG__LEVEL", "info,tonne::security=off");
        Served::start(command)
    }
}

/// What a run of the binary left.
pub(super) struct Ended {
    pub(super) status: i32,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

impl Ended {
    fn of(output: Output) -> Self {
        Self {
            status: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// Asks a process to end, as operators do.
#[cfg(unix)]
pub(super) fn end(child: &Child) {
    rustix::process::kill_process(rustix::process::Pid::from_child(child), rustix::process::Signal::TERM).unwrap();
}

/// A running service; it is killed when it is dropped.
pub(super) struct Served {
    child: Child,
    pub(super) base: String,
}

impl Served {
    /// The service that the command is of, once it answers.
    pub(super) fn start(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        stdout.read_line(&mut line).unwrap();
        let base = line.trim().rsplit(' ').next().unwrap().to_owned();
        assert!(base.starts_with("http://127.0.0.1:"), "{line:?}");
        Self { child, base }
    }

    /// The status and the body of the answer to a GET of that path below the base address.
    pub(super) fn get(&self, path: &str, headers: &[&str]) -> (u16, String) {
        Base(self.base.clone()).get(path, headers)
    }

    /// The answer to a request of that path below the base address.
    pub(super) fn ask(&self, method: &str, path: &str, headers: &[&str], body: &str) -> Reply {
        Base(self.base.clone()).ask(method, path, headers, body)
    }

    /// The base address of a company, where there are several.
    pub(super) fn of(&self, tenant: &str) -> Base {
        Base(self.base.replace("{tenant}", tenant))
    }

    /// The status and the body of the answer to a POST of JSON to that path below a base address; an error when the
    /// service is gone.
    pub(super) fn post_to(base: &str, path: &str, headers: &[&str], body: &str) -> std::io::Result<(u16, String)> {
        let authority = base.strip_prefix("http://").unwrap().strip_suffix("/api").unwrap();
        let mut stream = TcpStream::connect(authority)?;
        let headers: String = headers.iter().flat_map(|header| [*header, "\r\n"]).collect();
        let length = body.len();
        let request = format!(
            "POST /api{path} HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n{headers}\r\n{body}"
        );
        stream.write_all(request.as_bytes())?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let gone = || std::io::Error::from(std::io::ErrorKind::UnexpectedEof);
        let (head, body) = answer.split_once("\r\n\r\n").ok_or_else(gone)?;
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or_else(gone)?;
        Ok((status, body.to_owned()))
    }

    /// Asks it to end, and gives its exit status.
    #[cfg(unix)]
    pub(super) fn terminate(mut self) -> Option<i32> {
        end(&self.child);
        self.child.wait().unwrap().code()
    }

    /// The next line on its standard error with that text, while it runs.
    #[cfg(unix)]
    pub(super) fn told(&mut self, part: &str) -> String {
        let stderr = self.child.stderr.as_mut().unwrap();
        let (mut line, mut byte) = (Vec::new(), [0]);
        // No more is read than the line, so that the rest is still there for who asks next.
        while stderr.read(&mut byte).unwrap() == 1 {
            if byte != *b"\n" {
                line.extend(byte);
                continue;
            }
            let text = String::from_utf8(std::mem::take(&mut line)).unwrap();
            if text.contains(part) {
                return text;
            }
        }
        panic!("it ended without saying {part}");
    }

    /// Asks it to end, and gives what it logged.
    #[cfg(unix)]
    pub(super) fn log(mut self) -> String {
        let mut stderr = self.child.stderr.take().unwrap();
        assert_eq!(self.terminate(), Some(0));
        let mut log = String::new();
        stderr.read_to_string(&mut log).unwrap();
        log
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A base address of a running service.
pub(super) struct Base(String);

impl Base {
    /// That base address.
    pub(super) fn new(address: &str) -> Self {
        Self(address.to_owned())
    }

    /// The status and the body of the answer to a GET of that path below it.
    pub(super) fn get(&self, path: &str, headers: &[&str]) -> (u16, String) {
        let Reply { status, body, .. } = self.ask("GET", path, headers, "");
        (status, body)
    }

    /// The answer to a request of that path below it.
    pub(super) fn ask(&self, method: &str, path: &str, headers: &[&str], body: &str) -> Reply {
        let (authority, base) = self.0.strip_prefix("http://").unwrap().split_once('/').unwrap();
        let mut stream = TcpStream::connect(authority).unwrap();
        let headers: String = headers.iter().flat_map(|header| [*header, "\r\n"]).collect();
        let length = body.len();
        let request = format!(
            "{method} /{base}{path} HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\n\
             Content-Length: {length}\r\n{headers}\r\n{body}"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        Reply::parse(&answer)
    }
}

/// What a service answered.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: u16,
    head: String,
    pub(super) body: String,
}

impl Reply {
    fn parse(answer: &[u8]) -> Self {
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        let head = String::from_utf8(answer[..end].to_vec()).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let body = &answer[end + 4..];
        let is_chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
        let body = if is_chunked { unchunked(body) } else { body.to_vec() };
        Self { status, head, body: String::from_utf8(body).unwrap() }
    }

    /// The body as JSON.
    pub(super) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().filter_map(|line| line.split_once(": ")).find(|(own, _)| *own == name).map(|(_, value)| value)
    }

    pub(super) fn etag(&self) -> &str {
        self.header("etag").unwrap_or_else(|| panic!("no etag: {self:?}"))
    }
}

/// The content of chunks, all of which must have come.
fn unchunked(mut bytes: &[u8]) -> Vec<u8> {
    let mut content = Vec::new();
    loop {
        let end = bytes.windows(2).position(|two| two == b"\r\n").expect("the answer is cut");
        let length = usize::from_str_radix(std::str::from_utf8(&bytes[..end]).unwrap(), 16).unwrap();
        if length == 0 {
            return content;
        }
        content.extend_from_slice(&bytes[end + 2..end + 2 + length]);
        bytes = &bytes[end + 2 + length + 2..];
    }
}
