//! A bar beside an amount in a row of a ranked table.

use domain::Total;
use maud::{Markup, html};

use super::{Ink, Px};

const WIDTH: i64 = 1_200;

/// The bar of the amount, where the longest is as wide as the cell. It says nothing that the row does not, so nobody is read
/// it aloud.
#[must_use]
pub fn bar(amount: Total, longest: Total, ink: Ink) -> Markup {
    let size = |total: Total| if total < Total::ZERO { -total } else { total };
    let parts = size(amount).parts_of(size(longest), WIDTH).and_then(|parts| i64::try_from(parts).ok());
    let width = parts.unwrap_or(0).clamp(if amount.is_zero() { 0 } else { 10 }, WIDTH);
    let class = if amount < Total::ZERO { "f-before" } else { ink.class() };
    html! {
        svg width="120" height="14" viewBox="0 0 120 14" aria-hidden="true" focusable="false" {
            rect x="0" y="2" width=(Px(width)) height="10" rx="1" class=(class) {}
        }
    }
}
