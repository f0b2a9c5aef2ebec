//! The cases that the versions of 2 alone have.

use super::judge::Judged;
use super::{Run, cases, event};

cases! { V2_0, V2_1, V2_2, V2_3;
    case_20_by_creation = by_creation;
    case_21_a_footprint_is_named_by_its_uuid = event::refuses_a_urn;
}

/// The filter is not encoded but for its blanks, and times are compared as texts.
fn by_creation(run: &Run) -> Judged<()> {
    let created = run.raw("/created").unwrap_or_default();
    run.finds(&format!("$filter=created%20ge%20'{created}'"), |one| {
        one["created"].as_str().is_some_and(|other| other >= created)
    })
}
