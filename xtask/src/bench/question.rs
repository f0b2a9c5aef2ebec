//! Questions for reports, no two of a run equal.

use std::sync::atomic::{AtomicU64, Ordering};

use super::activities::{DAYS, date};
use super::company::Company;
use super::dice::Dice;

/// Every pair of days there is, in either order.
const PAIRS: u64 = DAYS as u64 * DAYS as u64;
/// Has no divisor in common with the pairs, so that its multiples go through all of them.
const STEP: u64 = 700_001;

/// Gives each question once: another range of days or another attribution each time, and random filters.
pub(super) struct Questions<'a> {
    company: &'a Company,
    next: AtomicU64,
}

impl<'a> Questions<'a> {
    pub(super) const fn of(company: &'a Company) -> Self {
        Self { company, next: AtomicU64::new(1) }
    }

    /// The next question as a path with its query.
    pub(super) fn next(&self) -> String {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let (range, mut dice) = (range(number), Dice::of(number));
        let Company { orgs, scopes, taxonomies, .. } = self.company;
        let mut path = format!("/v1/activity?{range}");
        // Of eight questions one has no filter, one has all three.
        let filters = dice.below(8);
        for (bit, name, ids) in [(1, "org", orgs), (2, "scope", scopes), (4, "taxonomy", taxonomies)] {
            if filters & bit != 0 && !ids.is_empty() {
                let id = &ids[dice.below(u32::try_from(ids.len()).unwrap_or(1)) as usize];
                path.extend(["&", name, "=", id]);
            }
        }
        path
    }
}

/// Another pair for each number below that of all pairs.
const fn pair(number: u64) -> u64 {
    (number % PAIRS) * STEP % PAIRS
}

/// The range of days and the attribution of a question.
fn range(number: u64) -> String {
    let pair = pair(number);
    let day = |value: u64| u32::try_from(value).unwrap_or_default();
    let (one, other) = (day(pair / u64::from(DAYS)), day(pair % u64::from(DAYS)));
    let attribution = if one <= other { "start" } else { "daily" };
    format!("sd={}&ed={}&attribution={attribution}", date(one.min(other)), date(one.max(other)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_questions_are_equal() {
        let company = Company { orgs: vec!["o".to_owned()], scopes: vec![], taxonomies: vec![], switches: vec![] };
        let questions = Questions::of(&company);
        let all: HashSet<_> = std::iter::repeat_with(|| questions.next()).take(10_000).collect();
        assert_eq!(all.len(), 10_000);
    }

    #[test]
    fn every_pair_of_days_comes_once() {
        let all: HashSet<_> = (0..PAIRS).map(pair).collect();
        assert_eq!(all.len() as u64, PAIRS);
    }

    #[test]
    fn the_two_orders_of_a_pair_are_two_attributions() {
        let all: Vec<_> = (1..100).map(range).collect();
        assert!(all.iter().any(|range| range.ends_with("start")) && all.iter().any(|range| range.ends_with("daily")));
        assert!(all.iter().all(|range| range[3..13] <= range[17..27]), "{all:?}");
    }
}
