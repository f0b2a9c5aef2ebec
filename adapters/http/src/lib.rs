//! The HTTP service: routes, wire types, problems and the OpenAPI document.
//!
//! A handler reads its request into a question, asks one of [`ports::inbound`], and writes the answer. What every
//! request goes through stands around the handlers: `frame` (ids, problems, headers), `tenancy` (whose address it is),
//! then `gate` (who calls, which form the answer has).

mod activity;
mod answer;
mod body;
mod caller;
mod condition;
mod credential;
mod discovery;
mod document;
mod factor;
mod footprint;
mod forwarded;
mod frame;
mod gate;
mod health;
mod input;
mod media;
mod model;
mod node;
mod outage;
mod parameter;
mod path;
mod places;
mod problem;
mod product;
mod query;
mod report;
mod request_id;
mod resource;
mod routes;
mod server;
mod service;
mod stream;
mod switch;
mod tenancy;
mod token;
mod unit;
mod wire;

pub use document::openapi;
pub use ipnet::IpNet;
pub use routes::{configure, operations};
pub use server::serve;
pub use service::{Areas, Limits, Service, Settings};
pub use tenancy::Tenancy;
