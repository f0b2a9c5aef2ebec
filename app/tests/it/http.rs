//! The service over HTTP, from the socket down to the store: the files follow the tree of its addresses.

mod harness;
mod health;
