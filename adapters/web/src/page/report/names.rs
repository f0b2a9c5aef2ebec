//! What the dimensions of a report are called, and what is in no total of the scopes.

use domain::{Stretch, Total};
use ports::inbound::BreakdownBy;

/// What is beside the scopes, where there is some.
pub(super) fn apart(totals: &domain::Totals) -> impl Iterator<Item = (&'static str, Total)> {
    apart_of(totals).into_iter().filter(|(_, amount)| !amount.is_zero())
}

/// What is in no total of the scopes, each apart from the others.
pub(super) const fn apart_of(totals: &domain::Totals) -> [(&'static str, Total); 4] {
    [
        ("no scope", totals.uncategorized),
        ("biogenic CO₂", totals.biogenic),
        ("credits", totals.credits),
        ("outside the scopes", totals.outside),
    ]
}

/// What a dimension is called.
pub(super) const fn title(by: BreakdownBy) -> &'static str {
    match by {
        BreakdownBy::Time(Stretch::Day) => "day",
        BreakdownBy::Time(Stretch::Month) => "month",
        BreakdownBy::Time(Stretch::Quarter) => "quarter",
        BreakdownBy::Time(Stretch::Year) => "year",
        BreakdownBy::Scope => "scope",
        BreakdownBy::Org => "org",
        BreakdownBy::Taxonomy => "category",
        BreakdownBy::Product => "product",
        BreakdownBy::Gas => "gas",
        BreakdownBy::Quality => "quality",
    }
}
