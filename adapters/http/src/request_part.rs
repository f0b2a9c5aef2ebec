//! The parts of a request, read all together: whatever is wrong with path, query, headers and body is reported at once.

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use domain::Faults;
use files::Json;
use futures_util::future::LocalBoxFuture;
use serde_json::Value;

use crate::body;
use crate::keyed_body;
use crate::problem::{HeadFaults, Problem};
use crate::schema::{Components, Kind};

/// A parameter, as the document describes it.
#[derive(Clone, Copy)]
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) place: Place,
    pub(crate) doc: &'static str,
    pub(crate) kind: Kind,
    /// What else its schema says, as JSON members.
    pub(crate) more: &'static [(&'static str, &'static str)],
}

/// Where a parameter stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Path,
    Query,
    Header,
}

impl Parameter {
    /// A parameter of the query.
    pub(crate) const fn query(name: &'static str, kind: Kind, doc: &'static str) -> Self {
        Self { name, place: Place::Query, doc, kind, more: &[] }
    }

    /// A segment of the path that names a record.
    pub(crate) const fn id(name: &'static str, doc: &'static str) -> Self {
        Self { name, place: Place::Path, doc, kind: Kind::Uuid, more: &[] }
    }
}

/// A part of a request's head.
pub(crate) trait Part: Sized + 'static {
    /// The parameters it is read from.
    fn parameters() -> Vec<Parameter>;

    /// Reads it. `None` where a fault was noted.
    fn read(request: &HttpRequest, faults: &mut HeadFaults) -> Option<Self>;
}

/// What is read from the JSON of a body.
pub(crate) trait Content: Sized + 'static {
    /// The media types it is taken in, the documented one first; none where there is no body.
    const MEDIA: &'static [&'static str];

    fn schema(components: &mut Components) -> Value;

    /// An example of it.
    fn example() -> Option<Value> {
        None
    }

    /// Reads it: the content, which keeps the faults for the use case, and the faults again for the problem that names those
    /// of the head too. The error is a body of which nothing can be read.
    fn read(json: &Json) -> Result<(Self, Faults), Faults>;
}

/// The parts of a request that an operation asks for: those of its head, and its body.
pub(crate) struct Ask<P, C = NoBody>(pub(crate) P, pub(crate) C);

/// That nothing is read from the body.
pub(crate) struct NoBody;

impl Content for NoBody {
    const MEDIA: &'static [&'static str] = &[];

    fn schema(_: &mut Components) -> Value {
        Value::Null
    }

    fn read(_: &Json) -> Result<(Self, Faults), Faults> {
        Ok((Self, Faults::new()))
    }
}

impl<P: Part, C: Content> FromRequest for Ask<P, C> {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let mut head = HeadFaults::default();
        let parts = P::read(request, &mut head);
        let body = (!C::MEDIA.is_empty()).then(|| body::json(request, payload, C::MEDIA));
        let request = request.clone();
        Box::pin(async move {
            let json = match body {
                None => Json::Null,
                Some(body) => match body.await {
                    Ok((json, bytes)) => {
                        keyed_body::remember(&request, &bytes);
                        json
                    }
                    Err(problem) => return Err(problem.with_head(head)),
                },
            };
            match (parts, C::read(&json)) {
                (Some(parts), Ok((content, _))) if head.is_empty() => Ok(Self(parts, content)),
                (_, Err(faults)) if head.is_empty() => Err(Problem::invalid(faults)),
                (_, Ok((_, faults)) | Err(faults)) => Err(Problem::request(head, faults)),
            }
        })
    }
}

macro_rules! parts {
    ($($part:ident)*) => {
        impl<$($part: Part),*> Part for ($($part,)*) {
            fn parameters() -> Vec<Parameter> {
                [$($part::parameters()),*].concat()
            }

            #[expect(non_snake_case, reason = "a value is named after its type")]
            fn read(request: &HttpRequest, faults: &mut HeadFaults) -> Option<Self> {
                $(let $part = $part::read(request, faults);)*
                Some(($($part?,)*))
            }
        }
    };
}

parts!(A);
parts!(A B);
parts!(A B C);
parts!(A B C D);
