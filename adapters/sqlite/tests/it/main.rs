//! The store on SQLite: the contract of all stores, and what is asked of this one alone.

mod contract;
mod file;
mod group;
mod process;
mod snapshot;
mod support;
mod verify;
