//! Resources: records of one kind in one collection, that are listed, added, read, changed and removed.
//!
//! An area says by [`Resource`] of what its records consist and how they are asked for; everything that all of them have
//! in common is here: the handlers, the operations, and how bodies are read.

mod answers;
mod body;
mod handler;
mod listed;
mod operations;
mod table;

use std::fmt::Display;

use domain::{Faults, SyncId};
use files::Json;
use ports::credential::Secret;
use ports::inbound::{Done, Error, Once};
use ports::repo::{Listing, Page};
use ports::{Permission, Version};
use serde_json::Value;
use uuid::Uuid;

use crate::answer;
use crate::caller::Caller;
use crate::path::{PathId, Root};
use crate::problem::Problem;
use crate::request_part::Part;
use crate::schema::{Kind, Named, Side};
use crate::service::{Areas, Service};
pub(crate) use answers::{added, changed, created, with_secret};
pub(crate) use body::{Change, New};
pub(crate) use handler::{or_tagged, version_seen};
pub(crate) use operations::{added_schema, create, get, list, operations, remove, update};
pub(crate) use table::{cell, file, table, tabled};

/// Who asks, and what can be asked.
#[derive(Clone, Copy)]
pub(crate) struct Asking<'a> {
    pub(crate) areas: &'a Areas,
    pub(crate) caller: &'a ports::Caller,
    /// The epoch of the caller's tenant.
    pub(crate) epoch: Uuid,
}

impl<'a> Asking<'a> {
    /// That caller asks the service.
    pub(crate) fn of(service: &'a Service, caller: &'a Caller) -> Self {
        Self { areas: service.areas(), caller, epoch: caller.epoch }
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
    type In: Part + Within + Copy + Send + Sync;
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

    /// The text of that.
    fn body(view: &Self::View) -> Result<Vec<u8>, Problem> {
        answer::written(&Self::write(view)?)
    }

    async fn get(by: Asking<'_>, at: Self::At) -> Result<Self::View, Error>;

    /// Adds a record, once where the request may be sent again.
    async fn add(
        by: Asking<'_>,
        within: Self::In,
        draft: Self::Draft,
        once: Option<Once<Self::View>>,
    ) -> Result<Done<Added<Self::View>>, Error>;

    /// Removes a record that still has the version seen.
    async fn remove(by: Asking<'_>, at: Self::At, seen: Option<Version>) -> Result<(), Error>;
}

/// Records that are listed page by page.
pub(crate) trait Lists: Resource {
    /// The members that every record has, with what they are: the columns of a table of them.
    fn columns() -> Vec<(&'static str, Kind)>;

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
