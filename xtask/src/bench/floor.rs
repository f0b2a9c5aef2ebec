//! Floor programs: what a path costs without what the program does beside it.

pub(super) mod commits;
mod copy;
pub(super) mod digest;
mod rows;
pub(super) mod socket;
mod sqlite;

use anyhow::Result;

use super::activities::Order;
use super::store::{Kind, Store};
use super::subject::Subject;

/// How many rows a second the same rows take into the same tables; the store has them from the program.
pub(super) fn import(subject: &Subject, store: &Store, order: Order) -> Result<f64> {
    match subject.kind {
        Kind::Sqlite => sqlite::rows_per_second(subject, store, order),
        Kind::Postgres => copy::rows_per_second(subject, order),
    }
}
