//! Resources: records of one kind in one collection, that are listed, added, read, changed and removed.
//!
//! An area says by [`Resource`] of what its records consist and how they are asked for; everything that all of them have
//! in common is here: the handlers, the operations, and how bodies are read.

mod handler;

use std::fmt::Display;

use actix_web::HttpResponse;
use actix_web::http::header;
use domain::{Faults, SyncId};
use files::Json;
use ports::credential::Secret;
use ports::inbound::Error;
use ports::repo::{Listing, Page};
use ports::{Permission, Version};
use serde_json::Value;

use crate::answer::{self, page_schema};
use crate::caller::Caller;
use crate::media;
use crate::operation::{Answer, Operation, SchemaOf};
use crate::path::{PathId, Root};
use crate::problem::{Kind, Problem};
use crate::request_part::{Content, Part};
use crate::schema::{Components, Named, Side, reference};
use crate::service::{Areas, Service};
pub(crate) use handler::version_seen;

/// Who asks, and what can be asked.
#[derive(Clone, Copy)]
pub(crate) struct Asking<'a> {
    pub(crate) areas: &'a Areas,
    pub(crate) caller: &'a ports::Caller,
}

impl<'a> Asking<'a> {
    /// That caller asks the service.
    pub(crate) fn of(service: &'a Service, caller: &'a Caller) -> Self {
        Self { areas: service.areas(), caller }
    }
}

/// What an area's operations are called, and what they need.
pub(crate) struct Labels {
    /// The path of the collection.
    pub(crate) collection: &'static str,
    /// The path of a record.
    pub(crate) record: &'static str,
    /// One record, as programs call it.
    pub(crate) one: &'static str,
    /// What several records are called.
    pub(crate) many: &'static str,
    /// The heading in the document.
    pub(crate) tag: &'static str,
    /// The permission to read records.
    pub(crate) reads: Permission,
    /// The permission to write records.
    pub(crate) writes: Permission,
}

/// Records of one kind.
pub(crate) trait Resource: Sized + 'static {
    /// The variable part of the collection's path.
    type In: Part + Within + Copy;
    /// The variable part of a record's path.
    type At: Part + Copy;
    /// What is known of a record.
    type View: 'static;
    /// What a body says of one.
    type Draft: Default + Clone + 'static;

    /// What its operations are called.
    const LABELS: Labels;
    /// Whether records have a syncId. Where they have none, asking for one finds nothing.
    const HAS_SYNC_ID: bool = true;
    /// The member that shows a new record's secret, once, and what it is.
    const SECRET: Option<(&'static str, &'static str)> = None;

    /// Of what a record consists.
    fn schema() -> &'static dyn Named;

    /// An example of a body.
    fn example(side: Side) -> Option<Value>;

    /// What identifies a record, and its version.
    fn identity(view: &Self::View) -> (impl Display, Version);

    /// Puts the faults of a body into the draft that was read from it, so that the use case answers them with its own.
    fn blame(draft: &mut Self::Draft, faults: Faults);

    /// The draft that a body says, with everything that is wrong with it.
    fn read(json: &Json, side: Side) -> Result<(Self::Draft, Faults), Faults>;

    /// The record as it is shown.
    fn write(view: &Self::View) -> Result<Json, Problem>;

    async fn get(by: Asking<'_>, at: Self::At) -> Result<Self::View, Error>;

    async fn add(by: Asking<'_>, within: Self::In, draft: Self::Draft) -> Result<Added<Self::View>, Error>;

    /// Removes a record that still has the version seen.
    async fn remove(by: Asking<'_>, at: Self::At, seen: Option<Version>) -> Result<(), Error>;
}

/// Records that are listed page by page.
pub(crate) trait Lists: Resource {
    /// One page of the records.
    async fn list(
        by: Asking<'_>,
        within: Self::In,
        sync_id: Option<SyncId>,
        page: Page,
    ) -> Result<Listing<Self::View>, Error>;
}

/// Records that can be changed.
pub(crate) trait Changes: Resource {
    /// Changes a record that still has the version seen.
    async fn update(
        by: Asking<'_>,
        at: Self::At,
        seen: Option<Version>,
        draft: Self::Draft,
    ) -> Result<Self::View, Error>;
}

/// A record that was added.
pub(crate) struct Added<V> {
    pub(crate) view: V,
    /// What is shown this once.
    pub(crate) secret: Option<Secret>,
}

impl<V> From<V> for Added<V> {
    fn from(view: V) -> Self {
        Self { view, secret: None }
    }
}

/// The variable part of a collection's path: nothing, or the record that the collection belongs to.
pub(crate) trait Within {
    /// The collection's path with its variable segments filled in.
    fn path(&self, pattern: &str) -> String;
}

impl Within for Root {
    fn path(&self, pattern: &str) -> String {
        pattern.to_owned()
    }
}

impl<T: Display> Within for PathId<T> {
    fn path(&self, pattern: &str) -> String {
        pattern.replace("{uuid}", &self.0.to_string())
    }
}

/// A body that adds a record.
pub(crate) struct New<R: Resource>(pub(crate) R::Draft);

/// A body that changes a record: a merge patch.
pub(crate) struct Change<R: Resource>(pub(crate) R::Draft);

impl<R: Resource> Content for New<R> {
    const MEDIA: &'static [&'static str] = &[media::JSON];

    fn schema(components: &mut Components) -> Value {
        reference(R::schema(), Side::New, components)
    }

    fn example() -> Option<Value> {
        R::example(Side::New)
    }

    fn read(json: &Json) -> Result<(Self, Faults), Faults> {
        let (mut draft, faults) = R::read(json, Side::New)?;
        R::blame(&mut draft, faults.clone());
        Ok((Self(draft), faults))
    }
}

impl<R: Resource> Content for Change<R> {
    const MEDIA: &'static [&'static str] = &[media::MERGE_PATCH, media::JSON];

    fn schema(components: &mut Components) -> Value {
        reference(R::schema(), Side::Change, components)
    }

    fn example() -> Option<Value> {
        R::example(Side::Change)
    }

    fn read(json: &Json) -> Result<(Self, Faults), Faults> {
        let (mut draft, faults) = R::read(json, Side::Change)?;
        R::blame(&mut draft, faults.clone());
        Ok((Self(draft), faults))
    }
}

/// The schema of a record that was added: with its secret, where it has one.
struct AddedSchema<R: Resource>(std::marker::PhantomData<fn() -> R>);

impl<R: Resource> Named for AddedSchema<R> {
    fn name(&self, _: Side) -> String {
        format!("New{}", R::schema().name(Side::Answer))
    }

    fn describe(&self, _: Side, components: &mut Components) -> Value {
        let mut schema = R::schema().describe(Side::Answer, components);
        if let Some((name, doc)) = R::SECRET {
            schema["properties"][name] = serde_json::json!({ "type": "string", "description": doc });
            if let Some(required) = schema["required"].as_array_mut() {
                required.push(name.into());
            }
        }
        schema
    }
}

/// The schema of what adding answers, or another act that shows a secret.
pub(crate) fn added_schema<R: Resource>(components: &mut Components) -> Value {
    if R::SECRET.is_some() {
        reference(&AddedSchema::<R>(std::marker::PhantomData), Side::Answer, components)
    } else {
        reference(R::schema(), Side::Answer, components)
    }
}

/// Answers with a record whose secret is shown this once, which no cache may keep.
pub(crate) fn with_secret<R: Resource>(
    status: actix_web::http::StatusCode,
    view: &R::View,
    secret: Secret,
) -> Result<HttpResponse, Problem> {
    let mut json = R::write(view)?;
    if let (Json::Object(members), Some((name, _))) = (&mut json, R::SECRET) {
        members.push((name.to_owned(), Json::Text(secret.0)));
    }
    answer::secret(status, &json)
}

/// Answers 200 with a record as a change left it.
pub(crate) fn changed<R: Resource>(view: &R::View) -> Result<HttpResponse, Problem> {
    answer::changed(R::identity(view).1, &R::write(view)?)
}

/// The five operations that most kinds of records have.
pub(crate) fn operations<R: Lists + Changes>() -> Vec<Operation> {
    vec![list::<R>(), create::<R>(), get::<R>(), update::<R>(), remove::<R>()]
}

/// GET of the collection.
pub(crate) fn list<R: Lists>() -> Operation {
    let Labels { collection, many, tag, reads, .. } = R::LABELS;
    let page = |components: &mut Components| page_schema(R::schema(), components);
    Operation::get(reads, collection, handler::list::<R>)
        .named(format!("list_{}", snake(many)), tag)
        .does(format!("The {many}, page by page."))
        .answers(Answer::ok(SchemaOf::Made(page)))
}

/// POST to the collection.
pub(crate) fn create<R: Resource>() -> Operation {
    let Labels { collection, one, tag, writes, .. } = R::LABELS;
    let answer = Answer::json(201, SchemaOf::Made(added_schema::<R>)).located();
    let answer = if R::SECRET.is_some() { answer } else { answer.tagged() };
    let once = if R::SECRET.is_some() { "; its secret is shown this once" } else { "" };
    Operation::post(writes, collection, handler::create::<R>)
        .named(format!("create_{}", snake(one)), tag)
        .does(format!("Adds {} {one}{once}.", article(one)))
        .answers(answer)
        .refused_with(Kind::Conflict)
}

/// GET of a record.
pub(crate) fn get<R: Resource>() -> Operation {
    let Labels { record, one, tag, reads, .. } = R::LABELS;
    Operation::get(reads, record, handler::get::<R>)
        .named(format!("get_{}", snake(one)), tag)
        .does(format!("One {one}."))
        .answers(Answer::ok(SchemaOf::Named(R::schema())).tagged())
}

/// PATCH of a record.
pub(crate) fn update<R: Changes>() -> Operation {
    let Labels { record, one, tag, writes, .. } = R::LABELS;
    Operation::patch(writes, record, handler::update::<R>)
        .named(format!("update_{}", snake(one)), tag)
        .does(format!("Changes {} {one}: members that are left out stay, null clears.", article(one)))
        .answers(Answer::ok(SchemaOf::Named(R::schema())).tagged())
        .refused_with(Kind::Conflict)
}

/// DELETE of a record.
pub(crate) fn remove<R: Resource>() -> Operation {
    let Labels { record, one, tag, writes, .. } = R::LABELS;
    Operation::delete(writes, record, handler::remove::<R>)
        .named(format!("remove_{}", snake(one)), tag)
        .does(format!("Removes {} {one} that nothing refers to.", article(one)))
        .answers(Answer::gone())
        .refused_with(Kind::Conflict)
}

fn snake(words: &str) -> String {
    words.replace([' ', '-'], "_")
}

fn article(word: &str) -> &'static str {
    if word.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" }
}

/// The address of a new record, below the base address.
fn location<R: Resource>(base: &str, within: R::In, view: &R::View) -> String {
    format!("{base}{}/{}", within.path(R::LABELS.collection), R::identity(view).0)
}

/// Answers 201 with a record that was added.
pub(crate) fn created<R: Resource>(base: &str, within: R::In, added: Added<R::View>) -> Result<HttpResponse, Problem> {
    let location = location::<R>(base, within, &added.view);
    let Some(secret) = added.secret else {
        return answer::created(&location, R::identity(&added.view).1, &R::write(&added.view)?);
    };
    let mut answer = with_secret::<R>(actix_web::http::StatusCode::CREATED, &added.view, secret)?;
    let location = header::HeaderValue::from_str(&location).map_err(Problem::internal)?;
    answer.headers_mut().insert(header::LOCATION, location);
    Ok(answer)
}

/// In an implementation of `Resource`: its records consist of the members of that shape, which reads and writes them.
macro_rules! shape {
    ($shape:expr) => {
        fn schema() -> &'static dyn crate::schema::Named {
            let shape: &'static crate::shape::Shape<Self::View, Self::Draft> = &$shape;
            shape
        }

        fn example(side: crate::schema::Side) -> Option<serde_json::Value> {
            $shape.example(side)
        }

        fn read(
            json: &files::Json,
            side: crate::schema::Side,
        ) -> Result<(Self::Draft, domain::Faults), domain::Faults> {
            $shape.read(json, side)
        }

        fn write(view: &Self::View) -> Result<files::Json, crate::problem::Problem> {
            Ok($shape.show(view))
        }
    };
}

pub(crate) use shape;
