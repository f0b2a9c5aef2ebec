//! A server of a test's own, for what belongs to a whole server.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

/// A new server, gone with the test.
pub(crate) struct TemporaryServer {
    keeper: Child,
    url: String,
}

impl TemporaryServer {
    /// A new one, with nothing in it.
    pub(crate) fn new() -> Self {
        let mut command = Command::new(xtask());
        command.args(["postgres", "temporary"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut keeper = command.spawn().unwrap();
        let mut url = String::new();
        BufReader::new(keeper.stdout.take().unwrap()).read_line(&mut url).unwrap();
        let url = url.trim().to_owned();
        assert!(!url.is_empty(), "no server was started; see above");
        Self { keeper, url }
    }

    /// The address of its first database, for a superuser.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// The address of that database, for that user.
    pub(crate) fn url_of(&self, user: &str, database: &str) -> String {
        self.url.replace("://postgres@", &format!("://{user}@")).replace("/postgres?", &format!("/{database}?"))
    }
}

impl Drop for TemporaryServer {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let ended = self.keeper.wait();
        assert!(ended.is_ok_and(|status| status.success()) || std::thread::panicking(), "the server was not stopped");
    }
}

/// The program that starts servers.
pub(crate) fn xtask() -> String {
    std::env::var("TONNE_TEST_XTASK")
        .unwrap_or_else(|_| panic!("set TONNE_TEST_XTASK, or run the tests by cargo xtask test"))
}
