//! What the page of metrics says of a service that runs.

mod counts;
mod documents;
mod page;
mod store;

pub(super) use page::Measured;
