//! The table of operations: what the service answers, where, to whom and in which form.
//!
//! Each area lists its own. Routes and the OpenAPI document are made from this table.

use std::collections::BTreeMap;

use actix_web::http::header;
use actix_web::middleware::{Compress, from_fn};
use actix_web::web;

use crate::operation::Operation;
use crate::outer_middleware::outer_middleware;
use crate::problem::{Kind, Problem};
use crate::resolve_tenant::{nowhere, resolve_tenant};
use crate::service::Service;
use crate::tenancy::BASE;
use crate::{
    activity, batch, breakdown, change, completeness, credential, deprecated, discovery, document, edge, exclusion,
    explanation, factor, footprint, health, import_batch, input, landing, model, node, pact, partner, period, prefer,
    problem_pages, product, published, recalculation, report, statement, switch, token, unit,
};

/// Method and path of every operation below the base address, as the OpenAPI document names them.
#[must_use]
pub fn operations() -> Vec<(String, &'static str)> {
    table().iter().map(Operation::name).collect()
}

/// The document of a service of that version at that base path.
fn document(version: &str, base: &str) -> serde_json::Value {
    document::document(&table(), version, base)
}

/// The OpenAPI document of this version as JSON, the same bytes every time.
#[must_use]
pub fn openapi() -> String {
    document::text(&document(env!("CARGO_PKG_VERSION"), BASE))
}

/// Every operation below the base address.
pub(crate) fn table() -> Vec<Operation> {
    let areas = [
        activity::operations(),
        batch::operations(),
        change::operations(),
        import_batch::operations(),
        report::operations(),
        breakdown::operations(),
        statement::operations(),
        completeness::operations(),
        recalculation::operations(),
        period::operations(),
        exclusion::operations(),
        partner::operations(),
        explanation::operations(),
        switch::operations(),
        model::operations(),
        input::operations(),
        footprint::operations(),
        pact::operations(),
        node::operations(),
        product::operations(),
        factor::operations(),
        published::operations(),
        credential::operations(),
        unit::operations(),
        token::operations(),
        discovery::operations(),
        document::operations(),
    ];
    deprecated::marked(areas.into_iter().flatten().map(prefer::documented).collect())
}

/// Registers the service with an actix application: everything below the tenants' addresses, `/health` and `/problems`,
/// and the answer to every path that nothing else of the application answers.
pub fn configure(service: &Service) -> impl Fn(&mut web::ServiceConfig) + use<> {
    let service = web::Data::new(service.clone());
    move |config| {
        config.app_data(service.clone());
        config.app_data(web::Data::new(document::Source(document)));
        let base = web::scope(&service.settings().tenancy.route());
        let mut base = base
            .wrap(from_fn(resolve_tenant))
            .wrap(Compress::default())
            .wrap(from_fn(outer_middleware))
            .configure(landing::at_base)
            .default_service(web::to(not_found));
        for (area, paths) in by_area(table()) {
            let mut scope = web::scope(area).default_service(web::to(not_found));
            for (path, operations) in paths {
                scope = scope.service(resource(&path[area.len()..], operations));
            }
            base = base.service(scope);
        }
        config.service(base);
        for (path, operations) in by_path(health::operations().into_iter().chain(problem_pages::operations())) {
            config.service(resource(path, operations).wrap(from_fn(outer_middleware)));
        }
        match service.pages() {
            Some(pages) => edge::mount(config, &service, pages),
            None => landing::above_base(config, &service.settings().tenancy),
        }
        config.default_service(web::to(not_found).wrap(from_fn(outer_middleware)));
    }
}

/// The paths by what they begin with, which is compared as text: only those of one area are matched with their parameters.
fn by_area(
    operations: impl IntoIterator<Item = Operation>,
) -> BTreeMap<&'static str, BTreeMap<&'static str, Vec<Operation>>> {
    let mut areas: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
    for (path, operations) in by_path(operations) {
        areas.entry(area(path)).or_default().insert(path, operations);
    }
    areas
}

/// The first two segments of a path, or the one before its first parameter.
fn area(path: &str) -> &str {
    let mut end = 0;
    for segment in path.split_inclusive('/').skip(1).take(2) {
        if segment.contains('{') {
            break;
        }
        end += 1 + segment.trim_end_matches('/').len();
    }
    &path[..end]
}

fn by_path(operations: impl IntoIterator<Item = Operation>) -> BTreeMap<&'static str, Vec<Operation>> {
    let mut paths: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for operation in operations {
        paths.entry(operation.path).or_default().push(operation);
    }
    paths
}

/// The resource of a path; other methods are answered with those it has.
fn resource(path: &str, operations: Vec<Operation>) -> actix_web::Resource {
    let mut allowed: Vec<_> = operations.iter().map(|operation| operation.method.to_string()).collect();
    if allowed.iter().any(|method| method == "GET") {
        allowed.push("HEAD".to_owned());
    }
    let allow = allowed.join(", ");
    let refuse = move || {
        let detail = format!("The methods here are {allow}.");
        let problem = Problem::new(Kind::MethodNotAllowed, detail).with_header(header::ALLOW, &allow);
        async { Err::<String, _>(problem) }
    };
    let routes = operations.into_iter().map(Operation::into_route);
    routes.fold(web::resource(path), actix_web::Resource::route).default_service(web::to(refuse))
}

async fn not_found() -> Result<String, Problem> {
    Err(nowhere())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_one_area_begin_with_the_same_two_segments() {
        let areas =
            ["/v1/activity", "/v1/activity/{uuid}", "/v1/activity/{uuid}/history", "/openapi.json", "/2/{kind}"];
        assert_eq!(areas.map(area), ["/v1/activity", "/v1/activity", "/v1/activity", "/openapi.json", "/2"]);
    }

    #[test]
    fn every_path_is_in_an_area_that_names_no_parameter_and_is_in_no_other() {
        let areas = by_area(table());
        for (area, paths) in &areas {
            assert!(area.starts_with('/') && !area.ends_with('/') && !area.contains('{'), "{area}");
            let is_within =
                |path: &&str| path.strip_prefix(area).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
            assert!(paths.keys().all(is_within), "{area}");
            assert_eq!(areas.keys().filter(|other| is_within(other)).count(), 1, "{area}");
        }
    }
}
