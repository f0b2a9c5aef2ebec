//! One activity: its fields, how its figure comes about, its history; changing, adding and removing it.

mod edit;
mod form;
mod offers;
mod show;

pub(crate) use edit::{add, change, edit, new, remove};
pub(crate) use show::{explanation, show};

/// The page of the navigation that it belongs to.
const SECTION: &str = "/activities";
/// So many changes of its history are shown.
const MOST_CHANGES: usize = 50;
