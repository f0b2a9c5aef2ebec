//! The pages in a browser, from the socket down to the store.

mod activity;
mod drill;
mod footprint;
mod lists;
mod safety;
mod table;
mod visitor;
