//! Calls of other protocols than that of partners, on the same connections.

use std::sync::Arc;

use hyper::{Request, Response, StatusCode};
use ports::partner_host::{HostError, PartnerAddress};
use url::Url;

use crate::address::read;
use crate::call::{Caller, Limits};
use crate::network::Network;
use crate::roots::Roots;

/// Whether hosts nearby, and such without TLS, may be called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// Whether a name may lead to loopback and private addresses.
    pub private_addresses: bool,
    /// Whether `http://` may be used.
    pub plain_http: bool,
}

/// Calls whatever host an address names, within its reach.
pub struct PlainCalls {
    caller: Caller,
    at: PartnerAddress,
}

impl std::fmt::Debug for PlainCalls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PlainCalls").finish_non_exhaustive()
    }
}

impl PlainCalls {
    /// Calls over that network to hosts whose certificates the roots vouch for.
    #[must_use]
    pub fn new(network: Arc<dyn Network>, roots: Roots, limits: Limits, reach: Reach) -> Self {
        let Reach { private_addresses, plain_http } = reach;
        let at = PartnerAddress {
            base_url: String::new(),
            auth_url: None,
            client_id: String::new(),
            client_secret: String::new(),
            private_addresses,
            plain_http,
        };
        Self { caller: Caller { network, roots, limits }, at }
    }

    /// The answer to the request, whatever its status.
    pub async fn call(&self, request: Request<Vec<u8>>) -> Result<Response<Vec<u8>>, HostError> {
        let url: Url = read(&request.uri().to_string(), &self.at)?;
        let answered = self.caller.call(&self.at, &url, request).await?;
        let mut response = Response::new(answered.body);
        *response.status_mut() =
            StatusCode::from_u16(answered.status).map_err(|_| HostError::Answer("its status is none".to_owned()))?;
        *response.headers_mut() = answered.headers;
        Ok(response)
    }
}
