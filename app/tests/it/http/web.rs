//! The pages in a browser, from the socket down to the store.

mod access;
mod activity;
mod agree;
mod behavior;
mod choices;
mod clicks;
mod csv;
mod demo;
mod drill;
pub(crate) mod evil;
mod files;
mod footprint;
mod forgery;
mod forms;
mod lists;
mod records;
mod registered;
mod safety;
mod scopes;
mod seek;
mod settings;
mod statement;
mod table;
mod tree;
pub(crate) mod visitor;
