//! The interfaces of the core: what it needs of its surroundings, and what its callers may ask of it.
//!
//! [`store`], [`ledger`], [`load`], [`repo`], [`repeat`], [`directory`], [`factor_sets`], [`credential`], [`partner_host`],
//! [`spool`], [`clock`] and [`id_source`] are what adapters implement; [`inbound`] is what the use cases implement and the HTTP
//! service and the command line call. With the feature `contract`, `contract` has the tests that every store and directory
//! passes.

mod any_record;
mod caller;
mod change;
pub mod clock;
mod conflict;
#[cfg(feature = "contract")]
pub mod contract;
pub mod credential;
mod credential_kind;
pub mod directory;
mod entity;
mod envelope;
pub mod exchange;
pub mod factor_sets;
mod grant;
mod id;
pub mod id_source;
pub mod import_batch;
pub mod inbound;
pub mod ledger;
pub mod load;
pub mod metric;
pub mod partner_event;
pub mod partner_host;
pub mod people;
mod permission;
pub mod provider;
mod read_model;
mod record;
pub mod repeat;
pub mod repo;
mod slug;
pub mod spool;
pub mod staged_import;
pub mod store;
mod store_error;

pub use caller::Caller;
pub use change::{Action, BlankedVersion, ChainHead, Change, ChangeDigest, ChangeItem, Replaced, Revision, Verb};
pub use entity::{Entity, NoParent, NoSyncId, Refers};
pub use envelope::{Envelope, FORM, read_form, write_form};
pub use grant::{
    Access, Demand, Grant, Installation, Maintenance, Read, TenantCredentials, Within, Write, demand, permit,
};
pub use id::{ClientId, FamilyId, ImportId, KeyId, RecalculationId, SessionId, StagedId, TenantId, UserId};
pub use permission::{Denied, Permission, Permissions, UnknownPermission};
pub use read_model::{AdvanceError, ReadModel};
pub use record::{RecordKind, Stored, Version};
pub use slug::TenantSlug;

/// The types that [`reader_accessors`] and [`writer_accessors`] name.
#[doc(hidden)]
pub mod record_kind_types {
    pub use domain::{
        ClosedPeriod, Exclusion, Factor, Footprint, Input, Model, Org, Partner, Product, Scope, Sharing, Switch,
        Taxonomy,
    };
}
