//! What the core asks of the world, and what the world may ask of it.
//!
//! [`store`], [`load`], [`repo`], [`directory`], [`credential`] and [`world`] are what adapters implement; [`inbound`] is what the
//! use cases implement and the HTTP service and the command line call. With the feature `contract`, `contract` has the
//! tests that every store and directory passes.

#[cfg(feature = "contract")]
pub mod contract;
pub mod credential;
pub mod directory;
pub mod inbound;
pub mod load;
pub mod repo;
pub mod store;
pub mod world;
