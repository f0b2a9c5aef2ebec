//! The address that a request reached the service at, where nobody says another.

use std::net::{IpAddr, SocketAddr};

use actix_web::HttpRequest;
use actix_web::http::header;

use crate::connection::Connection;
use crate::forwarded;

/// Where a server of the service listens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Listening {
    /// Its address.
    pub(crate) address: SocketAddr,
    /// `https` where connections begin with a handshake, else `http`.
    pub(crate) scheme: &'static str,
}

/// The origin that the request reached the service at.
pub(crate) fn origin(request: &HttpRequest) -> String {
    let scheme = request.app_data::<Listening>().map_or("http", |listening| listening.scheme);
    format!("{scheme}://{}", host(request))
}

/// Whether the service listens on an address of the machine itself alone, and the host is another name of it.
pub(crate) fn is_loopback_name(request: &HttpRequest, host: &str) -> bool {
    let listening =
        request.app_data::<Listening>().map_or_else(|| request.app_config().local_addr(), |one| one.address);
    let named = host.rsplit_once(':').map(|(name, port)| (name.to_ascii_lowercase(), port.parse::<u16>()));
    let is_own = |name: &str| matches!(name, "localhost" | "127.0.0.1" | "[::1]");
    listening.ip().is_loopback() && matches!(named, Some((name, Ok(port))) if port == listening.port() && is_own(&name))
}

/// Whether the host is the address that the request was sent to, or that the service listens on.
pub(crate) fn is_own_address(request: &HttpRequest, host: &str) -> bool {
    let listening =
        request.app_data::<Listening>().map_or_else(|| request.app_config().local_addr(), |one| one.address);
    let local = request.conn_data::<Connection>().and_then(Connection::local);
    let is = |own: SocketAddr| {
        let own = SocketAddr::new(own.ip().to_canonical(), own.port());
        host.parse::<SocketAddr>().is_ok_and(|named| named == own)
            || host.parse::<IpAddr>().is_ok_and(|ip| ip == own.ip())
    };
    is(listening) || local.is_some_and(is)
}

/// Host and port that the request reached the service at: the listener's, or where it listens on all addresses, those that
/// the client named, or else those that it connected to.
fn host(request: &HttpRequest) -> String {
    let listening =
        request.app_data::<Listening>().map_or_else(|| request.app_config().local_addr(), |one| one.address);
    if !listening.ip().is_unspecified() {
        return listening.to_string();
    }
    let named = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    if let Some(host) = named.filter(|host| forwarded::is_host(host)) {
        return host.to_owned();
    }
    let local = request.conn_data::<Connection>().and_then(Connection::local);
    local.map_or(listening, |local| SocketAddr::new(local.ip().to_canonical(), local.port())).to_string()
}
