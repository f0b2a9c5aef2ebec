//! The cases of the official conformance suite, by their numbers, as it makes them: over TLS, against a host of which it knows
//! the base address and the credentials alone. What is asked for is judged here, without a word of the service's own code.

mod case_common;
mod case_v2;
mod case_v3;
mod changed;
mod event;
mod experiment;
mod judge;
mod listener;
mod single_change;

#[path = "../../../../../adapters/pact/tests/it/field_table/table.rs"]
mod table;

use domain::footprint::Edition;
use ports::partner_host::{HostAnswer, HostAuthorization, HostProbe as _, HostRequest};

use super::super::harness::Value;
use super::secure::{Secure, records};
use changed::{Change, Changed};
use judge::{Judged, is_json, listed, parsed};
use listener::Listener;
use table::without_later;

/// A version that hosts are tested for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    V2_0,
    V2_1,
    V2_2,
    V2_3,
    V3_0,
}

impl Version {
    /// The number behind the point.
    const fn minor(self) -> u8 {
        match self {
            Self::V2_0 | Self::V3_0 => 0,
            Self::V2_1 => 1,
            Self::V2_2 => 2,
            Self::V2_3 => 3,
        }
    }

    const fn edition(self) -> Edition {
        match self {
            Self::V2_0 | Self::V2_1 | Self::V2_2 | Self::V2_3 => Edition::V2,
            Self::V3_0 => Edition::V3,
        }
    }
}

/// A run of the suite: the host, and what was learnt of it before the cases.
struct Run {
    host: Secure,
    version: Version,
    token: String,
    /// The list as it came first.
    list: Vec<Value>,
    /// The list with `limit=1`.
    page: HostAnswer,
    /// Where the host calls back.
    listener: Listener,
    /// What becomes of the host's answers on the way.
    change: Change,
}

const TOKEN_FORM: (&str, &str) = ("application/x-www-form-urlencoded", "grant_type=client_credentials");

impl Run {
    fn begin(records: Vec<Value>, version: Version) -> Judged<Self> {
        Self::begin_changed(records, version, Change::None)
    }

    /// Reads the discovery document, gets a token, lists the footprints and reads the first link.
    fn begin_changed(records: Vec<Value>, version: Version, change: Change) -> Judged<Self> {
        let mut listener = Listener::start();
        if change.takes_events() {
            listener.expect_nothing();
        }
        let host = Secure::tested_from(records, &listener.base);
        let page = HostAnswer::default();
        let mut run = Self { host, version, token: String::new(), list: Vec::new(), page, listener, change };
        let answer = run.ask_token(&run.token_endpoint()?, run.own())?;
        let token = parsed(&answer)?["access_token"].as_str().map(str::to_owned);
        run.token = token.ok_or("there is no access_token")?;
        run.list = listed(&run.get("/footprints")?, &[200, 202])?;
        if run.list.is_empty() {
            return Err("the list is empty".to_owned());
        }
        run.page = run.get("/footprints?limit=1")?;
        Ok(run)
    }

    fn first(&self) -> &Value {
        &self.list[0]
    }

    /// The first text of an array of the first footprint, or none.
    fn first_of(&self, name: &str) -> Option<&str> {
        self.first()[name][0].as_str()
    }

    /// The value as it stands in the queries of the suite, which encodes nothing.
    fn raw(&self, pointer: &str) -> Option<&str> {
        self.first().pointer(pointer)?.as_str()
    }

    fn own(&self) -> HostAuthorization {
        let at = &self.host.at;
        HostAuthorization::Basic { id: at.client_id.clone(), secret: at.client_secret.clone() }
    }

    /// The endpoint of the discovery document, else the fixed one.
    fn token_endpoint(&self) -> Judged<String> {
        let base = &self.host.at.base_url;
        let nobody = HostAuthorization::Bearer(String::new());
        let document = self.ask(&format!("{base}/.well-known/openid-configuration"), nobody, None)?;
        let named = is_json(&document).then(|| parsed(&document).ok()).flatten();
        let named = named.and_then(|document| document["token_endpoint"].as_str().map(str::to_owned));
        Ok(named.unwrap_or_else(|| format!("{base}/auth/token")))
    }

    fn ask_token(&self, url: &str, authorization: HostAuthorization) -> Judged<HostAnswer> {
        self.ask(url, authorization, Some((TOKEN_FORM.0, TOKEN_FORM.1.to_owned())))
    }

    /// The address of a path below that of the version.
    fn url(&self, path: &str) -> String {
        format!("{}/{}{path}", self.host.at.base_url, self.version.edition().segment())
    }

    fn get(&self, path: &str) -> Judged<HostAnswer> {
        self.get_with(&self.url(path), &self.token)
    }

    fn get_with(&self, url: &str, token: &str) -> Judged<HostAnswer> {
        self.ask(url, HostAuthorization::Bearer(token.to_owned()), None)
    }

    fn ask(
        &self,
        url: &str,
        authorization: HostAuthorization,
        body: Option<(&'static str, String)>,
    ) -> Judged<HostAnswer> {
        let (host, at, url) = (self.changed(), self.host.at.clone(), url.to_owned());
        let asked = async move { host.ask(&at, HostRequest { url, authorization, body }).await };
        self.host.service.wait(asked).map_err(|error| error.to_string())
    }

    /// The host with its change.
    fn changed(&self) -> Changed {
        Changed { client: self.host.client(), change: self.change }
    }

    /// What a request without TLS to the same port gets: the status of an answer in HTTP, if there is one.
    fn plainly(&self, head: &str, body: &str) -> Option<u16> {
        use std::io::{Read as _, Write as _};
        let mut stream = std::net::TcpStream::connect(self.host.service.address()).ok()?;
        stream.set_read_timeout(Some(std::time::Duration::from_mins(1))).ok()?;
        let host = self.host.service.address();
        let _ = stream.write_all(format!("{head}\r\nHost: {host}\r\nConnection: close\r\n\r\n{body}").as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let text = String::from_utf8_lossy(&answer);
        text.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok()
    }

    /// The path of the base address.
    fn base_path(&self) -> &str {
        let base = &self.host.at.base_url;
        base.splitn(4, '/').nth(3).map_or("", |path| &base[base.len() - path.len() - 1..])
    }
}

/// How a case judges a run.
type Check = fn(&Run) -> Judged<()>;

/// Passes the case against a host of its own.
#[track_caller]
fn passes(version: Version, check: Check) {
    let run = Run::begin(records(), version).unwrap();
    assert_eq!(check(&run), Ok(()), "{version:?}");
}

/// Passes all cases of the version, one after the other against one host with those records.
#[track_caller]
fn pass_together(version: Version, records: Vec<Value>) {
    assert_eq!(failed_cases(&Run::begin(records, version).unwrap()), [], "{version:?}");
}

/// The cases of the run's version that fail, each with the reason.
fn failed_cases(run: &Run) -> Vec<(&'static str, String)> {
    let own = match run.version.edition() {
        Edition::V2 => case_v2::ALL,
        Edition::V3 => case_v3::ALL,
    };
    let all = case_common::ALL.iter().chain(own);
    all.filter_map(|(name, check)| Some((*name, check(run).err()?))).collect()
}

/// A test of each case against a host of each version, and the table of them all.
macro_rules! cases {
    ($($version:ident),+; $($name:ident = $check:expr;)*) => {
        pub(super) const ALL: &[(&str, super::Check)] = &[$((stringify!($name), $check),)*];

        cases! { @tests ($($version),+) $($name = $check;)* }
    };
    (@tests $versions:tt $($name:ident = $check:expr;)*) => {
        $(cases! { @test $versions $name = $check })*
    };
    (@test ($($version:ident),+) $name:ident = $check:expr) => {
        #[test]
        fn $name() {
            for version in [$(super::Version::$version),+] {
                super::passes(version, $check);
            }
        }
    };
}
use cases;

/// The records, those of version 2 written in an earlier version of it, without what that does not have.
fn written_in(minor: u8, spec_version: &str) -> Vec<Value> {
    let rewrite = |mut record: Value| {
        if record["specVersion"].as_str().is_some_and(|version| version.starts_with('2')) {
            record = without_later(&record, minor);
            record["specVersion"] = spec_version.into();
        }
        record
    };
    records().into_iter().map(rewrite).collect()
}

#[test]
fn earlier_versions_of_2_pass_all_their_cases_judged_by_their_own_tables() {
    for (version, minor, spec_version) in
        [(Version::V2_0, 0, "2.0.0"), (Version::V2_1, 1, "2.1.0"), (Version::V2_2, 2, "2.2.0")]
    {
        pass_together(version, records());
        pass_together(version, written_in(minor, spec_version));
    }
}

#[test]
fn all_cases_pass_one_after_the_other() {
    pass_together(Version::V2_3, records());
    pass_together(Version::V3_0, records());
}
