//! What the inventory leaves out, and why.

use domain::{Category, Reason, Tree};
use ports::Caller;
use ports::inbound::{Error, ExclusionDraft, Exclusions, Field};
use ports::repo::Page;

use super::{node_text, parse};

/// The category, the org, the first and the last year, and the reason.
const EXCLUSIONS: [(u8, &str, u16, u16, &str); 2] = [
    (
        8,
        "retail",
        2023,
        2025,
        "The rooms of the shops are rented by turnover: landlords tell no data; below 1 % by an estimate.",
    ),
    (
        2,
        "services",
        2023,
        2023,
        "Office furniture before 2024 was not booked apart; below 0.1 % by the spend of later years.",
    ),
];

/// Adds them, unless there is any.
pub(super) async fn fill(exclusions: &dyn Exclusions, caller: &Caller) -> Result<(), Error> {
    if exclusions.list(caller, Page::FIRST).await?.count > 0 {
        return Ok(());
    }
    for (category, org, first_year, last_year, reason) in EXCLUSIONS {
        let draft = ExclusionDraft {
            category: Field::of(Category::new(category).ok()),
            org: parse::reference(&node_text(Tree::Org, org))?,
            first_year: Field::Given(first_year),
            last_year: Field::Given(last_year),
            reason: parse::field(Reason::parse, reason)?,
            ..ExclusionDraft::default()
        };
        exclusions.add(caller, draft).await?;
    }
    Ok(())
}
