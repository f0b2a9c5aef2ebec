//! Calls to partners' hosts of the PACT data exchange: a token by discovery, lists, records and events. Each connection is
//! made to an address that was judged, to no other host than the partner's, within times and sizes that have limits.

mod address;
mod call;
mod client;
mod link;
mod network;
mod plain_call;
mod probe;
mod reach;
mod roots;
mod token;

pub use call::Limits;
pub use client::Client;
pub use network::{Network, SystemNetwork};
pub use plain_call::{PlainCalls, Reach};
pub use roots::{Roots, RootsError};
