//! Reading a query: every parameter once and known, everything that is wrong told at once.

mod page;
mod text;

use std::collections::BTreeSet;

use actix_web::HttpRequest;
use domain::{FaultCode, Faults, SyncId};

use crate::problem::{HeadFaults, Problem};
use crate::request_part::{Parameter, Part};
pub(crate) use page::{MAX_SIZE, PAGING, listing, size};
pub(crate) use text::decode;

/// Parameters that would carry a secret into logs and histories.
const CREDENTIALS: [&str; 9] = [
    "access_token",
    "api_key",
    "apikey",
    "authorization",
    "client_secret",
    "key",
    "password",
    "refresh_token",
    "token",
];

/// The parameters of a request, taken one by one. What is left at the end is unknown.
#[derive(Debug)]
pub(crate) struct Query {
    raw: String,
    pairs: Vec<(String, String)>,
    known: Vec<&'static str>,
    faults: Faults,
}

impl Query {
    /// Splits a query string. What cannot be decoded is a fault.
    pub(crate) fn parse(raw: &str) -> Self {
        let mut query = Self { raw: raw.to_owned(), pairs: Vec::new(), known: Vec::new(), faults: Faults::new() };
        for part in raw.split('&').filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            match (decode(name), decode(value)) {
                (Some(name), Some(value)) => query.pairs.push((name, value)),
                (Some(name), None) => query.faults.add_coded(FaultCode::Invalid, name, "is not percent-encoded UTF-8"),
                (None, _) => query.faults.add(name, "is not a percent-encoded UTF-8 name"),
            }
        }
        query
    }

    /// Reads what a use case is asked. What is wrong with the query goes on to the use case by `keep`, which finds more;
    /// beside faults of other parts it is reported with them.
    pub(crate) fn read_on<T>(
        request: &HttpRequest,
        faults: &mut HeadFaults,
        take: impl FnOnce(&mut Self) -> T,
        keep: impl FnOnce(&mut T, Faults),
    ) -> T {
        let mut query = Self::parse(request.query_string());
        let mut asked = take(&mut query);
        let found = query.into_faults();
        if faults.is_empty() {
            keep(&mut asked, found);
        } else {
            faults.query(found);
        }
        asked
    }

    /// The query string as it was received.
    pub(crate) fn raw(&self) -> &str {
        &self.raw
    }

    /// Whether a parameter is given and not taken yet.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.pairs.iter().any(|(known, _)| known == name)
    }

    /// The value of a parameter that may be given once; given without a value it is a fault.
    pub(crate) fn take(&mut self, name: &'static str) -> Option<String> {
        let values = self.take_all(&[name]);
        if values.len() > 1 {
            self.faults.add_coded(FaultCode::Repeated, name, "is given more than once");
            return None;
        }
        let value = values.into_iter().next()?;
        if value.is_empty() {
            self.faults.add_coded(FaultCode::Required, name, "is empty; leave it out or give a value");
            return None;
        }
        Some(value)
    }

    /// The values of a parameter that may repeat, under any of its names.
    pub(crate) fn take_all(&mut self, names: &[&'static str]) -> Vec<String> {
        self.known.extend(names);
        let taken = self.pairs.extract_if(.., |(name, _)| names.contains(&name.as_str()));
        taken.map(|(_, value)| value).collect()
    }

    /// The value of a parameter, read; a value that cannot be read is a fault.
    pub(crate) fn read<T, E: std::fmt::Display>(
        &mut self,
        name: &'static str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        let value = self.take(name)?;
        self.faults.check(name, parse(&value))
    }

    /// A parameter that is `true` or `false`; false unless given.
    pub(crate) fn flag(&mut self, name: &'static str) -> bool {
        self.read(name, |text| text.parse::<bool>().map_err(|_| "is not true or false")).unwrap_or(false)
    }

    /// The syncId that a collection is asked for.
    pub(crate) fn sync_id(&mut self) -> Option<SyncId> {
        self.read("syncId", SyncId::parse)
    }

    pub(crate) fn fault(&mut self, code: FaultCode, name: &str, detail: impl Into<String>) {
        self.faults.add_coded(code, name, detail);
    }

    /// Everything that is wrong, parameters that nobody took included.
    pub(crate) fn into_faults(mut self) -> Faults {
        for (name, _) in std::mem::take(&mut self.pairs) {
            let detail = match files::suggestion(&name, self.known.iter().copied()) {
                Some(known) => format!("is not known here; did you mean {known}?"),
                None if self.known.is_empty() => "is not known here; there are no parameters".to_owned(),
                None => format!("is not known here; there are {}", self.known.join(", ")),
            };
            self.faults.add_coded(FaultCode::Unknown, name, detail);
        }
        self.faults
    }
}

/// What an operation reads from a query.
pub(crate) trait Queried: Sized + 'static {
    /// The parameters it is read from.
    fn parameters() -> Vec<Parameter>;

    /// Takes them; faults are noted in the query.
    fn take(query: &mut Query) -> Self;
}

/// What is read from the query.
pub(crate) struct InQuery<Q>(pub(crate) Q);

impl<Q: Queried> Part for InQuery<Q> {
    fn parameters() -> Vec<Parameter> {
        Q::parameters()
    }

    fn read(request: &HttpRequest, faults: &mut HeadFaults) -> Option<Self> {
        let mut query = Query::parse(request.query_string());
        let taken = Q::take(&mut query);
        faults.query(query.into_faults());
        Some(Self(taken))
    }
}

/// That the request has no parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoQuery;

impl Part for NoQuery {
    fn parameters() -> Vec<Parameter> {
        Vec::new()
    }

    fn read(request: &HttpRequest, faults: &mut HeadFaults) -> Option<Self> {
        faults.query(Query::parse(request.query_string()).into_faults());
        Some(Self)
    }
}

/// Refuses a query that carries credentials: it would be in logs.
pub(crate) fn refuse_credentials(raw: &str) -> Result<(), Problem> {
    let (mut faults, mut named) = (Faults::new(), BTreeSet::new());
    for (name, _) in Query::parse(raw).pairs {
        let known = name.to_ascii_lowercase();
        // Each is named once: whoever asks needs no credentials.
        if CREDENTIALS.contains(&known.as_str()) && named.insert(known) {
            faults.add_coded(
                FaultCode::Unknown,
                name,
                "credentials belong into the header Authorization, never into an address; replace this one",
            );
        }
    }
    faults.into_result().map_err(Problem::parameters)
}
