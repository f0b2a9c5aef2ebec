//! Tonne: carbon accounting in one binary.
//!
//! [`App::build`] makes a service of a [`Config`]; run it with [`App::serve`], or ask its areas from code of your own.

mod app;
pub mod command;
pub mod config;
pub mod demo;
pub mod usecase;
pub mod world;

pub use app::{App, SINGLE_TENANT, ServeLock, UnknownTenant};
pub use config::Config;
