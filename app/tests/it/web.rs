//! The pages in a browser, from the socket down to the store.

pub(crate) mod browser;
mod closed;
mod columns;
mod forms;
mod imports;
mod nodes;
mod oidc;
mod settings;
mod sign_in;
