//! A provider of sign-ins that says what a test tells it to: documents and keys, and a token for a code whose verifier fits.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// Our id at the provider, and our secret.
pub(super) const CLIENT: (&str, &str) = ("tonne", "s3cret");
/// The one code that it gives tokens for.
pub(super) const CODE: &str = "a-code";

/// What the provider says next.
pub(super) struct Script {
    /// What it calls itself in its document.
    pub(super) issuer: String,
    /// What the token says besides what is usual.
    pub(super) claims: Value,
    /// What signs the token.
    pub(super) signer: Signer,
    /// The challenge that the browser was sent with.
    pub(super) challenge: String,
    /// What the browser was sent with for the token.
    pub(super) nonce: String,
}

/// What signs a token.
pub(super) enum Signer {
    /// The key that the provider shows.
    Own,
    /// Another key by its name.
    Another,
    /// Our own secret, as if it were a key.
    Secret,
    /// Nothing.
    Nobody,
}

/// A running provider; it ends with the test's process.
#[derive(Clone)]
pub(super) struct Provider {
    pub(super) issuer: String,
    pub(super) script: Arc<Mutex<Script>>,
}

impl Provider {
    pub(super) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let issuer = format!("http://{}/realm", listener.local_addr().unwrap());
        let script = Script {
            issuer: issuer.clone(),
            claims: json!({}),
            signer: Signer::Own,
            challenge: String::new(),
            nonce: String::new(),
        };
        let provider = Self { issuer, script: Arc::new(Mutex::new(script)) };
        let answering = provider.clone();
        let [own, another] = [(); 2].map(|()| key());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                answering.answer(stream, &own, &another);
            }
        });
        provider
    }

    pub(super) fn set(&self, change: impl FnOnce(&mut Script)) {
        change(&mut self.script.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn answer(&self, mut stream: TcpStream, own: &EncodingKey, another: &EncodingKey) {
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or(0) == 0 || line == "\r\n" {
                break;
            }
            lines.push(line.trim_end().to_owned());
        }
        let header = |name: &str| {
            lines.iter().find_map(|line| {
                line.to_ascii_lowercase().starts_with(name).then(|| line[name.len()..].trim().to_owned())
            })
        };
        let length = header("content-length:").and_then(|length| length.parse().ok()).unwrap_or(0);
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let path = lines.first().and_then(|line| line.split(' ').nth(1)).unwrap_or_default().to_owned();
        let body = String::from_utf8(body).unwrap();
        let (status, answer) = match path.as_str() {
            "/realm/.well-known/openid-configuration" => (200, self.document()),
            "/realm/keys" => (200, json!({ "keys": [shown(own)] })),
            "/realm/token" => self.token(&header("authorization:").unwrap_or_default(), &body, own, another),
            _ => (404, json!({})),
        };
        let answer = answer.to_string();
        let head = format!(
            "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            answer.len()
        );
        let _ = stream.write_all(format!("{head}{answer}").as_bytes());
    }

    fn document(&self) -> Value {
        let issuer = &self.issuer;
        json!({
            "issuer": self.script.lock().unwrap().issuer,
            "authorization_endpoint": format!("{issuer}/authorize"),
            "token_endpoint": format!("{issuer}/token"),
            "jwks_uri": format!("{issuer}/keys"),
        })
    }

    fn token(&self, basic: &str, body: &str, own: &EncodingKey, another: &EncodingKey) -> (u16, Value) {
        let script = self.script.lock().unwrap();
        let field = |name: &str| {
            let pairs = body.split('&').filter_map(|pair| pair.split_once('='));
            pairs.filter(|(known, _)| *known == name).map(|(_, value)| value.to_owned()).next().unwrap_or_default()
        };
        let fits = URL_SAFE_NO_PAD.encode(Sha256::digest(field("code_verifier"))) == script.challenge;
        let (id, secret) = CLIENT;
        let is_us = basic == format!("Basic {}", STANDARD.encode(format!("{id}:{secret}")));
        if !fits || !is_us || field("code") != CODE || field("grant_type") != "authorization_code" {
            return (400, json!({ "error": "invalid_grant" }));
        }
        let now = jsonwebtoken::get_current_timestamp();
        let mut claims = json!({
            "iss": self.issuer, "aud": id, "sub": "248289761001", "iat": now, "exp": now + 300, "nonce": script.nonce,
            "preferred_username": "ana@example.org", "name": "Ana A", "email": "ana@example.org",
        });
        for (name, value) in script.claims.as_object().unwrap() {
            claims[name] = value.clone();
        }
        let of = |algorithm| Header { kid: Some("k1".to_owned()), ..Header::new(algorithm) };
        let token = match script.signer {
            Signer::Own => encode(&of(Algorithm::ES256), &claims, own).unwrap(),
            Signer::Another => encode(&of(Algorithm::ES256), &claims, another).unwrap(),
            Signer::Secret => {
                encode(&of(Algorithm::HS256), &claims, &EncodingKey::from_secret(secret.as_bytes())).unwrap()
            }
            Signer::Nobody => {
                let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
                format!("{}.{}.", part(&json!({ "alg": "none", "kid": "k1" })), part(&claims))
            }
        };
        (200, json!({ "access_token": "x", "token_type": "Bearer", "id_token": token }))
    }
}

fn key() -> EncodingKey {
    let pair = rcgen::KeyPair::generate_for(&rcgen::PKCS_ECDSA_P256_SHA256).unwrap();
    EncodingKey::from_ec_der(&pair.serialize_der())
}

fn shown(key: &EncodingKey) -> Value {
    let mut shown = Jwk::from_encoding_key(key, Algorithm::ES256).unwrap();
    shown.common.key_id = Some("k1".to_owned());
    serde_json::to_value(shown).unwrap()
}
