//! The pages in a browser, from the socket down to the store.

mod activity;
mod drill;
mod safety;
mod table;
mod visitor;
