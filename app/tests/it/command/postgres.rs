//! Services and commands on PostgreSQL: nodes as processes of their own that share a database.

mod backup;
mod commands;
mod explain;
mod metrics;
mod moving;
mod nodes;
mod pooler;
mod tenants;
mod users;

use std::time::{Duration, Instant};

use postgres::testing::{Fresh, ask, runtime};

use super::run::{Ended, Place, Served};

/// The secret that the nodes of a database share.
const SECRET: &str = "YSBzZWNyZXQgdGhhdCBhbGwgbm9kZXMgb2YgYSB0ZXN0IHNoYXJl";
/// The secret of a node that was set up wrongly.
const OTHER_SECRET: &str = "YW5vdGhlciBzZWNyZXQgYW5vdGhlciBzZWNyZXQgYW5vdGhlcg==";
/// The flag that every command of a node gets.
const CONFIG: [&str; 2] = ["--config", "tonne.toml"];
/// How long is waited for a change of the directory to count on every node.
const HEARD: Duration = Duration::from_mins(1);

/// A database with nothing in it.
pub(super) fn bare() -> Fresh {
    runtime().block_on(Fresh::bare())
}

/// What a superuser's statement gives: the first column of each row, which is a text.
pub(super) fn sql(url: &str, text: &str) -> Vec<String> {
    runtime().block_on(ask(url, text))
}

/// The header of a request with that key or token.
pub(super) fn bearer(key: &str) -> String {
    format!("Authorization: Bearer {key}")
}

/// Checks that it is so for every question asked later than a change may take to be noticed.
#[track_caller]
pub(super) fn soon(what: &str, is_so: impl Fn() -> bool) {
    let changed = Instant::now();
    loop {
        let late = changed.elapsed() > HEARD;
        if is_so() {
            return;
        }
        assert!(!late, "{what}: not within {HEARD:?}");
    }
}

/// A folder to run the binary in, set up for a database that other nodes use too.
pub(super) struct Node(pub(super) Place);

impl Node {
    /// One that has the secret of all.
    pub(super) fn new(url: &str) -> Self {
        Self::with(url, "")
    }

    /// The same with further settings, a line each.
    fn with(url: &str, settings: &str) -> Self {
        let node = Self::without_secret(url, &format!("secrets.key_file = \"secret.key\"\n{settings}"));
        node.give(SECRET);
        node
    }

    /// One without a secret that it was given.
    fn without_secret(url: &str, settings: &str) -> Self {
        let place = Place::new();
        place.file("tonne.toml", &format!("database.url = {url:?}\ndatabase.connections = 4\n{settings}"));
        Self(place)
    }

    /// Gives it that secret, for its owner alone.
    fn give(&self, secret: &str) {
        let path = self.0.file("secret.key", secret);
        #[cfg(unix)]
        std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    }

    pub(super) fn run(&self, arguments: &[&str]) -> Ended {
        self.0.run(&[arguments, &CONFIG[..]].concat())
    }

    pub(super) fn ok(&self, arguments: &[&str]) -> String {
        self.0.ok(&[arguments, &CONFIG[..]].concat())
    }

    fn json(&self, arguments: &[&str]) -> serde_json::Value {
        self.0.json(&[arguments, &CONFIG[..]].concat())
    }

    pub(super) fn serve(&self) -> Served {
        self.0.serve_with(&CONFIG)
    }

    /// The line in which the service says why it does not start; it says nothing else.
    #[track_caller]
    fn refusal(&self) -> String {
        let ended = self.run(&["serve", "--listen", "127.0.0.1:0"]);
        assert_eq!((ended.status, ended.stdout.as_str()), (1, ""), "{}", ended.stderr);
        let told: Vec<_> = ended.stderr.lines().collect();
        let [line] = told[..] else { panic!("more than one line: {}", ended.stderr) };
        line.to_owned()
    }

    /// A new key with these permissions.
    pub(super) fn key(&self, permissions: &str, flags: &[&str]) -> String {
        let create = ["key", "create", "--name", "k", "--permissions", permissions];
        self.ok(&[&create[..], flags].concat()).trim().to_owned()
    }
}
