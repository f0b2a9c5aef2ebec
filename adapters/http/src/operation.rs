//! An operation: what the service does for one method at one path, for whom, and in which media types it answers.

use actix_web::http::Method;
use actix_web::middleware::from_fn;
use actix_web::{FromRequest, Handler, Responder, Route, guard, web};

use crate::authenticate::{Audience, authenticate};
use crate::media;

/// Something the service does: a method at a path.
pub(crate) struct Operation {
    pub(crate) method: Method,
    pub(crate) path: &'static str,
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
    pub(crate) fn name(&self) -> (String, &'static str) {
        (self.method.to_string(), self.path)
    }

    pub(crate) fn into_route(self) -> Route {
        let (audience, offers) = (self.audience, self.offers);
        let route = match self.method {
            Method::GET => self.route.guard(guard::Any(guard::Get()).or(guard::Head())),
            method => self.route.method(method),
        };
        route.wrap(from_fn(move |request, next| authenticate(request, next, audience, offers)))
    }
}
