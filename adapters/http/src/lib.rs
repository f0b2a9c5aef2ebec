//! The HTTP service: routes, wire types, problems and the OpenAPI document.
//!
//! A handler reads its request, asks one of [`ports::inbound`], and writes the answer. Around the handlers are `outer_middleware`
//! (ids, problems, headers), `resolve_tenant` (whose address it is), then `authenticate` (who calls, which form the
//! answer has). An area lists its operations; `routes` has the table of all areas and is above them.

mod activity;
mod addressed_tenant;
mod answer;
mod answer_value;
mod authenticate;
mod batch;
mod body;
mod breakdown;
mod caller;
mod change;
mod condition;
mod connection;
mod cors;
mod credential;
mod credential_watch;
mod deprecation;
mod discovery;
mod document;
mod factor;
mod footprint;
mod forwarded;
mod health;
mod idempotency;
mod import_batch;
mod input;
mod keyed_body;
mod landing;
mod log_pace;
mod measure;
mod media;
mod metrics_server;
mod model;
mod node;
mod operation;
mod outer_middleware;
mod path;
mod prefer;
mod probe;
mod problem;
mod problem_pages;
mod product;
mod query;
mod recalculation;
mod report;
mod request_id;
mod request_part;
mod request_rates;
mod resolve_tenant;
mod resource;
mod routes;
mod schema;
mod security_log;
mod server;
mod service;
mod shape;
mod stream;
mod stream_slots;
mod switch;
mod tenancy;
mod tls;
mod token;
mod unit;

pub use actix_server::Server;
pub use ipnet::IpNet;
pub use metrics_server::{MetricsPage, serve_metrics};
pub use probe::probe;
pub use routes::{configure, openapi, operations};
pub use server::serve;
pub use service::{Areas, Limits, Service, Settings};
pub use tenancy::Tenancy;
pub use tls::{Tls, TlsError};
