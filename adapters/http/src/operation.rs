//! An operation: what the service does for one method at one path, for whom, and how the OpenAPI document says it.

mod about;

use actix_web::http::Method;
use actix_web::middleware::from_fn;
use actix_web::{FromRequest, Handler, Responder, Route, guard, web};
use ports::Permission;

use crate::authenticate::{Audience, authenticate};
use crate::deprecation;
use crate::media;
use crate::problem::Kind;
use crate::schema::Named;
pub(crate) use about::{About, Answer, Arguments, BodyAbout, Describe, SchemaOf};

/// Something the service does: a method at a path.
pub(crate) struct Operation {
    pub(crate) method: Method,
    pub(crate) path: &'static str,
    pub(crate) audience: Audience,
    /// The media types it answers in, the first unless another is asked for.
    pub(crate) offers: &'static [&'static str],
    pub(crate) about: About,
    route: Route,
}

impl Operation {
    fn new<F, Args>(method: Method, audience: Audience, path: &'static str, handler: F) -> Self
    where
        F: Handler<Args>,
        Args: FromRequest + Arguments + 'static,
        F::Output: Responder + 'static,
    {
        let route = web::route().to(handler);
        Self { method, path, audience, offers: &[media::JSON], about: About::of::<Args>(), route }
    }

    /// Reading: GET, and HEAD with it.
    pub(crate) fn get<F, Args>(needs: Permission, path: &'static str, handler: F) -> Self
    where
        F: Handler<Args>,
        Args: FromRequest + Arguments + 'static,
        F::Output: Responder + 'static,
    {
        Self::new(Method::GET, Audience::Holders(needs), path, handler)
    }

    /// Reading, for everybody, without credentials.
    pub(crate) fn public<F, Args>(path: &'static str, handler: F) -> Self
    where
        F: Handler<Args>,
        Args: FromRequest + Arguments + 'static,
        F::Output: Responder + 'static,
    {
        Self::new(Method::GET, Audience::Everybody, path, handler)
    }

    /// What a client asks for with its own credentials.
    pub(crate) fn for_clients<F, Args>(path: &'static str, handler: F) -> Self
    where
        F: Handler<Args>,
        Args: FromRequest + Arguments + 'static,
        F::Output: Responder + 'static,
    {
        Self::new(Method::POST, Audience::Clients, path, handler)
    }

    /// Adding, or another act.
    pub(crate) fn post<F, Args>(needs: Permission, path: &'static str, handler: F) -> Self
    where
        F: Handler<Args>,
        Args: FromRequest + Arguments + 'static,
        F::Output: Responder + 'static,
    {
        Self::new(Method::POST, Audience::Holders(needs), path, handler)
    }

    /// An operation that changes members of a record.
    pub(crate) fn patch<F, Args>(needs: Permission, path: &'static str, handler: F) -> Self
    where
        F: Handler<Args>,
        Args: FromRequest + Arguments + 'static,
        F::Output: Responder + 'static,
    {
        Self::new(Method::PATCH, Audience::Holders(needs), path, handler)
    }

    /// An operation that replaces a part of a record.
    pub(crate) fn put<F, Args>(needs: Permission, path: &'static str, handler: F) -> Self
    where
        F: Handler<Args>,
        Args: FromRequest + Arguments + 'static,
        F::Output: Responder + 'static,
    {
        Self::new(Method::PUT, Audience::Holders(needs), path, handler)
    }

    /// An operation that removes a record.
    pub(crate) fn delete<F, Args>(needs: Permission, path: &'static str, handler: F) -> Self
    where
        F: Handler<Args>,
        Args: FromRequest + Arguments + 'static,
        F::Output: Responder + 'static,
    {
        Self::new(Method::DELETE, Audience::Holders(needs), path, handler)
    }

    /// Called so by programs, and listed under that heading.
    pub(crate) fn named(mut self, id: impl Into<String>, tag: &'static str) -> Self {
        self.about.id = id.into();
        self.about.tag = tag;
        self
    }

    /// What it does, in a sentence.
    pub(crate) fn does(mut self, summary: impl Into<String>) -> Self {
        self.about.summary = summary.into();
        self
    }

    /// What else is to be known of it.
    pub(crate) fn noting(mut self, note: impl Into<String>) -> Self {
        self.about.note = note.into();
        self
    }

    /// Taking a body that its handler does not describe.
    pub(crate) fn taking(mut self, body: BodyAbout) -> Self {
        self.about.body = Some(body);
        self
    }

    /// Answering in those media types, the first unless another is asked for.
    pub(crate) fn offering(self, offers: &'static [&'static str]) -> Self {
        Self { offers, ..self }
    }

    /// Adds an answer to those that are documented.
    pub(crate) fn answers(mut self, answer: Answer) -> Self {
        self.about.answers.push(answer);
        self
    }

    /// Answering 200 with a JSON object.
    pub(crate) fn answers_with(self, what: &'static dyn Named) -> Self {
        self.answers(Answer::ok(SchemaOf::Named(what)))
    }

    /// Also refused with that kind of problem.
    pub(crate) fn refused_with(mut self, kind: Kind) -> Self {
        self.about.refusals.push(kind);
        self
    }

    /// Its method and the path it is documented under.
    pub(crate) fn name(&self) -> (String, &'static str) {
        (self.method.to_string(), self.path)
    }

    pub(crate) fn into_route(self) -> Route {
        let (audience, offers, deprecation) = (self.audience, self.offers, self.about.deprecation);
        let route = match self.method {
            Method::GET => self.route.guard(guard::Any(guard::Get()).or(guard::Head())),
            method => self.route.method(method),
        };
        route
            .wrap(from_fn(move |request, next| authenticate(request, next, audience, offers)))
            .wrap(from_fn(move |request, next| deprecation::tell(request, next, deprecation)))
    }
}
