//! Numbers of activities: sums of them that never wrap.

/// The sum of both numbers.
pub(super) fn plus(count: i64, more: i64) -> i64 {
    counted(count.checked_add(more))
}

/// The difference of both numbers.
pub(super) fn minus(count: i64, fewer: i64) -> i64 {
    counted(count.checked_sub(fewer))
}

/// The number with its sign turned.
pub(super) fn negated(count: i64) -> i64 {
    counted(count.checked_neg())
}

#[expect(clippy::panic, reason = "a number that wrapped would be wrong in silence, and no activities are that many")]
fn counted(found: Option<i64>) -> i64 {
    found.unwrap_or_else(|| panic!("more activities than 64 bits count"))
}
