//! The table of operations: what the service answers, where, to whom and in which form.
//!
//! Each area lists its own. Routes are made from this table, and the OpenAPI document is tested against it.

use std::collections::BTreeMap;

use actix_web::http::{Method, header};
use actix_web::middleware::from_fn;
use actix_web::{FromRequest, Handler, Responder, Route, guard, web};

use crate::frame::frame;
use crate::gate::{Audience, gate};
use crate::problem::{Kind, Problem};
use crate::service::Service;
use crate::tenancy::{nowhere, resolve};
use crate::{
    activity, credential, discovery, document, factor, footprint, health, input, media, model, node, problem, product,
    report, switch, token, unit,
};

/// What the paths of a tenant begin with, behind what names the tenant.
pub(crate) const BASE: &str = "/api";

/// Something the service does: a method at a path.
pub(crate) struct Operation {
    method: Method,
    path: &'static str,
    audience: Audience,
    offers: &'static [&'static str],
    route: Route,
}

impl Operation {
    fn new<F, Args>(method: Method, path: &'static str, handler: F) -> Self
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        let route = web::route().to(handler);
        Self { method, path, audience: Audience::Callers, offers: &[media::JSON], route }
    }

    /// Reading: GET, and HEAD with it.
    pub(crate) fn get<F, Args>(path: &'static str, handler: F) -> Self
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        Self::new(Method::GET, path, handler)
    }

    /// Adding, or another act.
    pub(crate) fn post<F, Args>(path: &'static str, handler: F) -> Self
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        Self::new(Method::POST, path, handler)
    }

    /// Changing a part.
    pub(crate) fn patch<F, Args>(path: &'static str, handler: F) -> Self
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        Self::new(Method::PATCH, path, handler)
    }

    /// Replacing.
    pub(crate) fn put<F, Args>(path: &'static str, handler: F) -> Self
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        Self::new(Method::PUT, path, handler)
    }

    /// Removing.
    pub(crate) fn delete<F, Args>(path: &'static str, handler: F) -> Self
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        Self::new(Method::DELETE, path, handler)
    }

    /// For everybody, without credentials.
    pub(crate) fn public(self) -> Self {
        Self { audience: Audience::Everybody, ..self }
    }

    /// Answering in those media types, the first unless another is asked for.
    pub(crate) fn offering(self, offers: &'static [&'static str]) -> Self {
        Self { offers, ..self }
    }

    /// Its method and the path it is documented under.
    fn name(&self) -> (String, &'static str) {
        (self.method.to_string(), self.path)
    }

    fn into_route(self) -> Route {
        let (audience, offers) = (self.audience, self.offers);
        let route = match self.method {
            Method::GET => self.route.guard(guard::Any(guard::Get()).or(guard::Head())),
            method => self.route.method(method),
        };
        route.wrap(from_fn(move |request, next| gate(request, next, audience, offers)))
    }
}

/// Method and path of every operation below the base address, as the OpenAPI document names them.
#[must_use]
pub fn operations() -> Vec<(String, &'static str)> {
    table().iter().map(Operation::name).collect()
}

/// Every operation below the base address.
fn table() -> Vec<Operation> {
    let areas = [
        activity::operations(),
        report::operations(),
        switch::operations(),
        model::operations(),
        input::operations(),
        footprint::operations(),
        node::operations(),
        product::operations(),
        factor::operations(),
        credential::operations(),
        unit::operations(),
        token::operations(),
        discovery::operations(),
        document::operations(),
    ];
    areas.into_iter().flatten().collect()
}

/// Registers the service with an actix application: everything below the tenants' addresses, `/health` and `/problems`,
/// and the answer to every path that nothing else of the application answers.
pub fn configure(service: &Service) -> impl Fn(&mut web::ServiceConfig) + use<> {
    let service = web::Data::new(service.clone());
    move |config| {
        config.app_data(service.clone());
        let base = web::scope(&service.settings().tenancy.route());
        let mut base = base.wrap(from_fn(resolve)).wrap(from_fn(frame)).default_service(web::to(not_found));
        for (path, operations) in by_path(table()) {
            base = base.service(resource(path, operations));
        }
        config.service(base);
        for (path, operations) in by_path(health::operations().into_iter().chain(problem::operations())) {
            config.service(resource(path, operations).wrap(from_fn(frame)));
        }
        config.default_service(web::to(not_found).wrap(from_fn(frame)));
    }
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
