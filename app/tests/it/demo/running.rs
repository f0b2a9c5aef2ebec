//! A demo of the started program.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// The running demo and what it printed before it served; it is killed when it is dropped.
pub(crate) struct Running {
    child: Child,
    pub(crate) printed: String,
}

impl Running {
    pub(crate) fn start(folder: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tonne"));
        command.args(["demo", "--listen", "127.0.0.1:0"]).current_dir(folder).env_clear();
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut printed = String::new();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        while !printed.contains("Tonne serves ") {
            assert_ne!(lines.read_line(&mut printed).unwrap(), 0, "it ended after {printed:?}");
        }
        Self { child, printed }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
