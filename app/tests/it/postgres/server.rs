//! A server of a test's own that can be stopped and started.

use std::path::PathBuf;
use std::process::Command;

use tokio::task::spawn_blocking;

/// The server until the end of the test.
pub(super) struct Server(PathBuf);

impl Server {
    /// A new one, with nothing in it and its address. The name is the test's.
    pub(super) async fn start_new(name: &str) -> (Self, String) {
        let server = Self(PathBuf::from(format!("/tmp/tonne-{name}-{}", std::process::id())));
        let url = server.chore(&["start"]).await;
        (server, url)
    }

    /// Starts or stops it, and gives what was printed.
    pub(super) async fn chore(&self, arguments: &'static [&'static str]) -> String {
        let mut command = Command::new(xtask());
        command.arg("postgres").args(arguments).arg(&self.0);
        let output = spawn_blocking(move || command.output().unwrap()).await.unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Where its socket is.
    pub(super) fn socket(&self) -> PathBuf {
        self.0.join(".s.PGSQL.5432")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = Command::new(xtask()).args(["postgres", "stop", "--immediate"]).arg(&self.0).status();
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The program that starts servers.
fn xtask() -> String {
    std::env::var("TONNE_TEST_XTASK")
        .unwrap_or_else(|_| panic!("set TONNE_TEST_XTASK, or run the tests by cargo xtask test"))
}
