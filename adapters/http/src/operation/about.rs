//! What the OpenAPI document says of an operation. Parameters and body come from the handler's own arguments.

use actix_web::{HttpRequest, web};
use serde_json::Value;

use crate::body::{EventBody, Form};
use crate::caller::Caller;
use crate::deprecation::Deprecation;
use crate::media::{self, Accepted};
use crate::problem::Kind;
use crate::request_id::RequestId;
use crate::request_part::{Ask, Content, Parameter, Part};
use crate::schema::{Components, Named};

/// What is said of an operation.
#[derive(Default)]
pub(crate) struct About {
    /// What programs call it.
    pub(crate) id: String,
    /// The heading it is under.
    pub(crate) tag: &'static str,
    /// What the operation does, in a few words.
    pub(crate) summary: String,
    /// What else is to be known of it.
    pub(crate) note: String,
    /// What its head is read from.
    pub(crate) parameters: Vec<Parameter>,
    /// What its body is.
    pub(crate) body: Option<BodyAbout>,
    /// How it answers when all is well.
    pub(crate) answers: Vec<Answer>,
    /// Whether it is to go away, and when.
    pub(crate) deprecation: Option<Deprecation>,
    /// The problems it has beside those that its parts bring.
    pub(crate) refusals: Vec<Kind>,
}

/// What a body is.
pub(crate) struct BodyAbout {
    /// The media types it is taken in, the documented one first.
    pub(crate) media: &'static [&'static str],
    pub(crate) schema: fn(&mut Components) -> Value,
    /// An example of it.
    pub(crate) example: Option<Value>,
}

/// A schema that an answer has.
#[derive(Clone, Copy)]
pub(crate) enum SchemaOf {
    /// A schema under a name of its own, which others refer to.
    Named(&'static dyn Named),
    /// One that is made.
    Made(fn(&mut Components) -> Value),
    Text,
}

/// An answer as it is documented.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) doc: String,
    /// Schemas by media type.
    pub(crate) content: Vec<(&'static str, SchemaOf)>,
    /// Names of headers, what they say, and whether they are always there.
    pub(crate) headers: Vec<(&'static str, &'static str, bool)>,
}

impl Answer {
    /// Status 200 with a JSON body.
    pub(crate) fn ok(schema: SchemaOf) -> Self {
        Self::json(200, schema)
    }

    /// That status with JSON.
    pub(crate) fn json(status: u16, schema: SchemaOf) -> Self {
        let doc = if status == 201 { "It was added." } else { "What was asked for." };
        Self { status, doc: doc.to_owned(), content: vec![(media::JSON, schema)], headers: Vec::new() }
    }

    /// 204: the record is gone.
    pub(crate) fn gone() -> Self {
        Self { status: 204, doc: "It is gone.".to_owned(), content: Vec::new(), headers: Vec::new() }
    }

    /// 200 without a body.
    pub(crate) fn empty(doc: &str) -> Self {
        Self { status: 200, doc: doc.to_owned(), content: Vec::new(), headers: Vec::new() }
    }

    /// In that media type too.
    pub(crate) fn or(mut self, media: &'static str, schema: SchemaOf) -> Self {
        self.content.push((media, schema));
        self
    }

    /// In that media type alone.
    pub(crate) fn only(mut self, media: &'static str) -> Self {
        self.content = vec![(media, SchemaOf::Text)];
        self
    }

    /// Adds a header to the answer.
    pub(crate) fn with_header(mut self, name: &'static str, says: &'static str) -> Self {
        self.headers.push((name, says, true));
        self
    }

    /// Adds a header that the answer has at times.
    pub(crate) fn with_header_at_times(mut self, name: &'static str, says: &'static str) -> Self {
        self.headers.push((name, says, false));
        self
    }

    /// With the tag of the record.
    pub(crate) fn tagged(self) -> Self {
        self.with_header("ETag", "Its version and a digest of the answer.")
    }

    /// With the address of the record.
    pub(crate) fn located(self) -> Self {
        self.with_header("Location", "Its address.")
    }
}

impl About {
    /// What the arguments of a handler say.
    pub(crate) fn of<A: Arguments>() -> Self {
        let mut about = Self::default();
        A::describe(&mut about);
        about
    }
}

/// An argument of a handler that says what it is read from.
pub(crate) trait Describe {
    /// Adds it to what is said of the operation; nothing where it is not read from what a client sends.
    fn describe(_about: &mut About) {}
}

impl Describe for Caller {}
impl Describe for Accepted {}
impl Describe for RequestId {}
impl Describe for HttpRequest {}
impl Describe for Form {}
impl Describe for EventBody {}
impl<T> Describe for web::Data<T> {}

impl<P: Part, C: Content> Describe for Ask<P, C> {
    fn describe(about: &mut About) {
        about.parameters.extend(P::parameters());
        if !C::MEDIA.is_empty() {
            about.body = Some(BodyAbout { media: C::MEDIA, schema: C::schema, example: C::example() });
        }
    }
}

/// All arguments of a handler.
pub(crate) trait Arguments {
    /// Says what they are read from.
    fn describe(about: &mut About);
}

macro_rules! arguments {
    ($($argument:ident)*) => {
        impl<$($argument: Describe),*> Arguments for ($($argument,)*) {
            fn describe(_about: &mut About) {
                $($argument::describe(_about);)*
            }
        }
    };
}

arguments!();
arguments!(A);
arguments!(A B);
arguments!(A B C);
arguments!(A B C D);
arguments!(A B C D E);
arguments!(A B C D E F);
