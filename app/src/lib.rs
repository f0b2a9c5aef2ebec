//! Tonne: carbon accounting in one binary.
//!
//! [`App::build`] makes a service of a [`Config`]; run it with [`App::serve`], or ask its areas from code of your own.

mod app;
pub mod clock;
pub mod command;
pub mod config;
mod counted;
pub mod demo;
pub mod doctor;
mod draft_fields;
mod free_room;
pub mod id_source;
pub mod measure;
mod table_source;
mod temporary_file;
mod trace;
pub mod usecase;

pub use app::{App, Listeners, SINGLE_TENANT, ServeLock, UnknownTenant};
pub use config::Config;
