//! How far a directory may forget what has run out, though clocks jump.

use domain::Timestamp;

/// What the sweeps of a directory have seen of the time.
///
/// Any node may sweep, by a clock that may be wrong. What ran out by a wrong clock must not be forgotten: a revoked token
/// would be good again once the clock is right. So a moment is believed to be past when, after a sweep saw it, the sweeps
/// went on evenly for a day ([`DAY_MS`](Self::DAY_MS)) and no clock was behind it. Time between two sweeps that are further
/// apart than [`STEP_MS`](Self::STEP_MS) does not count: nobody knows whether it passed or the clock jumped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SweepState {
    /// The latest moment of a sweep.
    pub latest: Timestamp,
    /// The moment that is to be believed next.
    pub mark: Timestamp,
    /// For how many milliseconds the sweeps have gone on evenly since the mark.
    pub steady_ms: i64,
}

/// That the clock of a sweep was behind the clock of one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockBehind {
    /// How far, in milliseconds.
    pub by_ms: i64,
}

/// What a sweep did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// How many records it removed.
    pub removed: u64,
    /// How far its clock is behind that of an earlier one, where it is too far.
    pub behind: Option<ClockBehind>,
    /// The moment that is believed to be past since this sweep ([`SweepState::advance`]): what had run out then may be
    /// forgotten elsewhere too. None where this sweep does not know one.
    pub past: Option<Timestamp>,
}

impl SweepState {
    /// How long the sweeps go on after a moment until it is believed to be past, in milliseconds.
    pub const DAY_MS: i64 = 24 * 60 * 60 * 1000;
    /// How far apart two sweeps are at most that follow each other evenly, in milliseconds.
    pub const STEP_MS: i64 = 90 * 60 * 1000;

    /// How far the clock of a sweep at that moment is behind an earlier one's, where it is too far for both to go on evenly:
    /// as long as two nodes are so far apart nothing is forgotten.
    #[must_use]
    pub fn behind(before: Option<Self>, now: Timestamp) -> Option<ClockBehind> {
        let by_ms = before?.latest.millis() - now.millis();
        (by_ms > Self::STEP_MS).then_some(ClockBehind { by_ms })
    }

    /// The state at the first sweep.
    #[must_use]
    pub const fn new(now: Timestamp) -> Self {
        Self { latest: now, mark: now, steady_ms: 0 }
    }

    /// The state after a sweep, and the moment up to which everything that ran out is forgotten by it, if any.
    #[must_use]
    pub fn advance(before: Option<Self>, now: Timestamp) -> (Self, Option<Timestamp>) {
        let Some(Self { latest, mark, steady_ms }) = before else { return (Self::new(now), None) };
        let step = now.millis() - latest.millis();
        if step < -Self::STEP_MS {
            return (Self::new(now), None);
        }
        if step > Self::STEP_MS {
            return (Self { latest: now, mark, steady_ms }, None);
        }
        let (latest, steady_ms) = (latest.max(now), steady_ms.saturating_add(step.max(0)));
        if steady_ms < Self::DAY_MS {
            return (Self { latest, mark, steady_ms }, None);
        }
        (Self::new(latest), Some(mark))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 60 * 60 * 1000;
    const START: i64 = 1_735_689_600_000;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(START + millis).unwrap()
    }

    /// Up to when something is forgotten by those sweeps.
    fn forgotten(sweeps: impl IntoIterator<Item = i64>) -> Option<Timestamp> {
        let (mut state, mut up_to) = (None, None);
        for now in sweeps {
            let (next, forgets) = SweepState::advance(state, at(now));
            (state, up_to) = (Some(next), forgets.or(up_to));
        }
        up_to
    }

    #[test]
    fn a_moment_is_believed_after_a_day_of_even_sweeps() {
        assert_eq!(forgotten((0..24).map(|hour| hour * HOUR)), None);
        assert_eq!(forgotten((0..=24).map(|hour| hour * HOUR)), Some(at(0)));
        assert_eq!(forgotten((0..=48).map(|hour| hour * HOUR)), Some(at(24 * HOUR)));
    }

    #[test]
    fn time_without_sweeps_does_not_count() {
        assert_eq!(forgotten([0, 1_000 * HOUR]), None);
        let evenings = (0..8).flat_map(|day| (0..=3).map(move |hour| (24 * day + hour) * HOUR));
        assert_eq!(forgotten(evenings), Some(at(0)));
    }

    #[test]
    fn a_clock_that_goes_back_takes_the_belief_with_it() {
        let ahead = (0..24).map(|hour| (1_000 + hour) * HOUR);
        assert_eq!(forgotten(ahead.chain((0..24).map(|hour| hour * HOUR))), None);
    }

    #[test]
    fn a_clock_that_is_further_behind_than_a_step_is_told() {
        let state = Some(SweepState::new(at(2 * HOUR)));
        assert_eq!(SweepState::behind(state, at(0)), Some(ClockBehind { by_ms: 2 * HOUR }));
        for now in [HOUR / 2, 2 * HOUR, 100 * HOUR] {
            assert_eq!(SweepState::behind(state, at(now)), None, "{now}");
        }
        assert_eq!(SweepState::behind(None, at(0)), None);
    }

    #[test]
    fn clocks_that_differ_a_little_do_not_hinder_each_other() {
        let both = (0..=24).flat_map(|hour| [hour * HOUR, hour * HOUR - 60_000]);
        assert_eq!(forgotten(both), Some(at(0)));
        let both = (0..=24).flat_map(|hour| [hour * HOUR - 60_000, hour * HOUR]);
        assert_eq!(forgotten(both), Some(at(-60_000)));
    }

    #[test]
    fn nothing_is_forgotten_early_by_twenty_jumps_of_the_clock() {
        for seed in 0..2_000_u64 {
            let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
            let mut draw = |below: i64| {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                i64::try_from(random % u64::try_from(below).unwrap()).unwrap()
            };
            // What was revoked by a clock that was right, and how far the clock is off now.
            let (mut now, mut off, mut state, mut revoked) = (0, 0, None, Vec::new());
            for _ in 0..20 {
                for _ in 0..draw(40) {
                    if off == 0 {
                        revoked.push(now + HOUR);
                    }
                    let (next, forgets) = SweepState::advance(state, at(now + off));
                    state = Some(next);
                    if let Some(forgets) = forgets {
                        let early = revoked.iter().find(|expires| at(**expires) <= forgets && **expires > now);
                        assert_eq!(early, None, "seed {seed}");
                    }
                    now += HOUR;
                }
                off = match draw(4) {
                    0 => 0,
                    1 => draw(100 * HOUR),
                    2 => -draw(100 * HOUR),
                    _ => draw(50_000 * HOUR) - 25_000 * HOUR,
                };
            }
        }
    }
}
