//! The provider as a process, and what it is told to be.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// Our id and secret there.
pub(super) const CLIENT: (&str, &str) = ("tonne", "a secret: 100 % + more than thirty-two bytes");
/// The id and secret of another client.
pub(super) const OTHER: (&str, &str) = ("another", "another secret of more than thirty-two bytes");

/// What the provider is; whatever is not said is as a good provider does.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// Where it sends our people back to.
    pub(super) redirect: String,
    /// How it signs our tokens: the first of its keys that can.
    pub(super) algorithm: &'static str,
    /// The names of its keys and what they sign with.
    pub(super) keys: Vec<(&'static str, &'static str)>,
    /// What it calls itself, where that is not its address.
    pub(super) issuer: Option<&'static str>,
    /// Seconds from when a token is given to its end.
    pub(super) token_lives: i64,
    /// Whether names stand in the identity token; a strict provider tells them at its userinfo endpoint alone.
    pub(super) names_in_token: bool,
    /// Gives everybody the last token of that client.
    pub(super) token_of: Option<&'static str>,
    /// The paths that it cannot serve now begin so.
    pub(super) away: Option<&'static str>,
}

impl Settings {
    pub(super) fn of(redirect: String) -> Self {
        Self {
            redirect,
            algorithm: "ES256",
            keys: vec![("first", "ES256")],
            issuer: None,
            token_lives: 300,
            names_in_token: false,
            token_of: None,
            away: None,
        }
    }

    fn json(&self) -> Value {
        let keys: Vec<_> = self.keys.iter().map(|(kid, alg)| json!({ "kid": kid, "alg": alg })).collect();
        let client = |(id, secret): (&str, &str)| {
            json!({
                "client_id": id, "client_secret": secret, "redirect_uris": [self.redirect],
                "id_token_signed_response_alg": self.algorithm,
            })
        };
        let mut settings = json!({
            "clients": [client(CLIENT), client(OTHER)], "keys": keys, "tokenLives": self.token_lives,
            "namesInToken": self.names_in_token,
        });
        for (name, value) in [("issuer", self.issuer), ("tokenOf", self.token_of), ("away", self.away)] {
            if let Some(value) = value {
                settings[name] = json!(value);
            }
        }
        settings
    }
}

/// A running provider; it ends when this is dropped.
pub(super) struct Provider {
    child: Child,
    tell: ChildStdin,
    answers: BufReader<ChildStdout>,
    pub(super) issuer: String,
}

impl Provider {
    /// A provider that is nothing yet.
    pub(super) fn start() -> Self {
        let folder = std::env::var_os("TONNE_TEST_OIDC_PROVIDER").map(PathBuf::from);
        let folder = folder.expect("TONNE_TEST_OIDC_PROVIDER is not set: run `cargo xtask test`");
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/command/real_provider/provider.mjs");
        let mut command = Command::new("node");
        command.arg(script).arg(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("node runs");
        let tell = child.stdin.take().unwrap();
        let mut answers = BufReader::new(child.stdout.take().unwrap());
        let issuer = line(&mut answers);
        assert!(issuer.starts_with("http://127.0.0.1:"), "{issuer:?}");
        Self { child, tell, answers, issuer }
    }

    /// Makes it another from now on; codes and who is signed in there stay. Gives how often it was asked for each path since it was
    /// told last.
    pub(super) fn is(&mut self, settings: &Settings) -> Value {
        writeln!(self.tell, "{}", settings.json()).unwrap();
        let answer = line(&mut self.answers);
        serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{error}: {answer:?}"))
    }
}

fn line(answers: &mut BufReader<ChildStdout>) -> String {
    let mut line = String::new();
    answers.read_line(&mut line).unwrap();
    line.trim_end().to_owned()
}

impl Drop for Provider {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
