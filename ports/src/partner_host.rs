//! A partner's host of the PACT data exchange, as it is called from here.

use async_trait::async_trait;
use domain::footprint::Edition;

/// Where a partner's host is, what it knows us by, and which addresses it may have.
#[derive(Clone, PartialEq, Eq)]
pub struct PartnerAddress {
    /// The address that `/2` and `/3` stand below, without a slash at its end.
    pub base_url: String,
    /// The address that `/.well-known/openid-configuration` and `/auth/token` stand below, where it is another.
    pub auth_url: Option<String>,
    /// Our id at the partner.
    pub client_id: String,
    /// Our secret at the partner, as it is sent.
    pub client_secret: String,
    /// Whether its name may resolve to loopback, private and link-local addresses.
    pub private_addresses: bool,
    /// Whether `http://` may be used for it.
    pub plain_http: bool,
}

impl std::fmt::Debug for PartnerAddress {
    /// Without the secret.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PartnerAddress")
            .field("base_url", &self.base_url)
            .field("auth_url", &self.auth_url)
            .field("client_id", &self.client_id)
            .field("private_addresses", &self.private_addresses)
            .field("plain_http", &self.plain_http)
            .finish_non_exhaustive()
    }
}

/// A part of a partner's list: its body as it came, and where the rest is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostPage {
    /// The JSON of the answer.
    pub body: String,
    /// The target of its `Link` with `rel="next"`, absolute.
    pub next: Option<String>,
}

/// Why a call came to nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HostError {
    /// The address may not be called: it is no `https` address, or leads to a network that is not allowed for this partner.
    /// A later call is refused in the same way until the partner's record changes.
    #[error("the address may not be called: {0}")]
    NotAllowed(String),
    /// No connection, no name, no answer in time, or an answer cut short. A later call may succeed.
    #[error("the host could not be reached: {0}")]
    Unreachable(String),
    /// It gave no token for our credentials.
    #[error("the host gave no token: {0}")]
    NoToken(String),
    /// It answered with another status than the call asks for.
    #[error("the host answered {status}: {message}")]
    Status {
        /// The status of the answer.
        status: u16,
        /// Its `code`, where the body had one.
        code: Option<String>,
        /// Its `message`, or the first 200 characters of its body.
        message: String,
    },
    /// The answer is too large, or is not of the form of the standard.
    #[error("the host's answer cannot be read: {0}")]
    Answer(String),
}

/// Why an event was not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{error}")]
pub struct NotTaken {
    /// What went wrong.
    pub error: HostError,
    /// Whether the event began to leave this process: the host may have it all the same. Without a name, a connection or a
    /// token it did not.
    pub has_left: bool,
}

/// The calls to partners' hosts. A name is resolved once per connection and its addresses are judged before that is made, to
/// one of them; no redirect is followed; times and sizes have limits. A call that is answered with 401 is made once more, with
/// a new token; in version 2, whose hosts say so with 400, where the token was a kept one.
#[async_trait]
pub trait PartnerHost: Send + Sync {
    /// Posts an event, a `CloudEvents` envelope in JSON, to the host's `/2/events` or `/3/events`. An answer of 2xx is taken.
    async fn send(&self, at: &PartnerAddress, edition: Edition, event: &str) -> Result<(), NotTaken>;

    /// A part of its list: the first one with a query such as `limit=100&productId=urn:gtin:1`, percent-encoded.
    async fn list(&self, at: &PartnerAddress, edition: Edition, query: &str) -> Result<HostPage, HostError>;

    /// The part of its list that a `Link` named; refused where its scheme, host or port is not that of the partner.
    async fn next(&self, at: &PartnerAddress, link: &str) -> Result<HostPage, HostError>;

    /// One footprint by its UUID, as the JSON of the answer.
    async fn footprint(&self, at: &PartnerAddress, edition: Edition, id: &str) -> Result<String, HostError>;
}

/// A request to a partner's host as a test of it makes it: by `GET`, or by `POST` where there is a body.
#[derive(Clone, PartialEq, Eq)]
pub struct HostRequest {
    /// The whole address.
    pub url: String,
    /// What is sent as `Authorization`.
    pub authorization: HostAuthorization,
    /// The body and its `Content-Type`.
    pub body: Option<(&'static str, String)>,
}

/// What a request says of who sends it.
#[derive(Clone, PartialEq, Eq)]
pub enum HostAuthorization {
    /// A client's id and secret.
    Basic {
        /// The id.
        id: String,
        /// The secret.
        secret: String,
    },
    /// A token.
    Bearer(String),
}

/// An answer of a partner's host, whatever its status.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostAnswer {
    /// Its status.
    pub status: u16,
    /// Its `Content-Type`.
    pub content_type: Option<String>,
    /// Its `Link`s, joined by commas.
    pub link: Option<String>,
    /// Its body.
    pub body: Vec<u8>,
}

/// Where a host's tokens are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenEndpoint {
    /// The address.
    pub url: String,
    /// Why no discovery document names it; `None` where one does.
    pub no_document: Option<String>,
}

/// Single requests to a partner's host, to find out what it does wrong. They are made within the limits of [`PartnerHost`].
#[async_trait]
pub trait HostProbe: Send + Sync {
    /// Where its tokens are asked for, by its discovery document or else by the address that the standard fixes.
    async fn token_endpoint(&self, at: &PartnerAddress) -> Result<TokenEndpoint, HostError>;

    /// Sends the request as it is.
    async fn ask(&self, at: &PartnerAddress, request: HostRequest) -> Result<HostAnswer, HostError>;
}
