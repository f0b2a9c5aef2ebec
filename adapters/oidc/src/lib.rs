//! Signing in at a provider of `OpenID` Connect: the code flow with PKCE, over the same guarded connections as calls to partners.

mod discovery;
mod id_token;
mod keys;
mod names;
mod provider;

pub use provider::{Names, OidcProvider, OidcSettings};
