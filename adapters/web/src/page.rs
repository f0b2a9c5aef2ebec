//! The pages, each of which is at one path.

pub(crate) mod activities;
pub(crate) mod activity;
pub(crate) mod catalog;
pub(crate) mod completeness;
pub(crate) mod dashboard;
pub(crate) mod footprint;
pub(crate) mod footprints;
pub(crate) mod history;
pub(crate) mod imports;
mod listed;
pub(crate) mod login;
pub(crate) mod models;
pub(crate) mod oidc;
pub(crate) mod once;
pub(crate) mod periods;
pub(crate) mod product;
pub(crate) mod products;
mod question;
mod refused;
pub(crate) mod report;
pub(crate) mod settings;
pub(crate) mod staged;
pub(crate) mod statement;
pub(crate) mod switches;

/// The part of a request's path that the route names so. Another part names the company where several share a name, so a handler
/// takes no `Path` of one part.
fn segment<'a>(request: &'a actix_web::HttpRequest, name: &str) -> &'a str {
    request.match_info().get(name).unwrap_or_default()
}
