//! When an event that was not taken is sent again.

use domain::Timestamp;

/// How long an event is sent again and again: three days.
const LONGEST_MS: i64 = 72 * 60 * 60 * 1_000;
/// The shortest time between two attempts.
const FIRST_MS: i64 = 2_000;
/// The longest.
const MOST_MS: i64 = 6 * 60 * 60 * 1_000;

/// When an event whose three days began `since` is sent after so many attempts, the last one ending now: after a time that doubles each time, of
/// which `chance` (0 to 255) takes up to a half. `None` when its time is over.
pub(super) fn next(since: Timestamp, now: Timestamp, attempts: u32, chance: u8) -> Option<Timestamp> {
    let whole = FIRST_MS.saturating_mul(1_i64.checked_shl(attempts.saturating_sub(1)).unwrap_or(i64::MAX)).min(MOST_MS);
    let whole = if whole <= 0 { MOST_MS } else { whole };
    let wait = whole - whole / 2 * i64::from(chance) / 255;
    let end = since.millis().saturating_add(LONGEST_MS);
    if now.millis() >= end {
        return None;
    }
    // The last attempt is made when the time is over.
    Timestamp::from_millis(now.millis().saturating_add(wait).min(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis).unwrap()
    }

    #[test]
    fn the_wait_doubles_up_to_six_hours_and_chance_takes_half_at_most() {
        let wait = |attempts, chance| next(at(0), at(0), attempts, chance).unwrap().millis();
        assert_eq!([1, 2, 3, 4].map(|n| wait(n, 0)), [2_000, 4_000, 8_000, 16_000]);
        assert_eq!([1, 2, 3].map(|n| wait(n, 255)), [1_000, 2_000, 4_000]);
        for attempts in [20, 62, 63, 64, 65, 1_000, u32::MAX] {
            assert_eq!(wait(attempts, 0), MOST_MS, "{attempts}");
        }
    }

    #[test]
    fn the_last_attempt_is_after_three_days_and_none_follows() {
        assert_eq!(next(at(0), at(LONGEST_MS - 5), 9, 0), Some(at(LONGEST_MS)));
        assert_eq!(next(at(0), at(LONGEST_MS), 10, 0), None);
    }
}
