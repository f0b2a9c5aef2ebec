//! Series that come to ten times what they came to the year before.

use std::collections::{BTreeSet, HashMap};

use domain::{Faults, Filter, Period, SeriesKey, Total, breakdown};
use ports::ReadModel;
use ports::inbound::Outcome;

use super::suspicion::SeriesChange;

/// This many times last year's amount looks wrong.
const TIMES: i64 = 10;
/// So many series are told of.
const MOST_TOLD: usize = 1_000;
/// Rows in more years than so many are not compared.
const MOST_YEARS: usize = 50;

/// What an import should be looked at for, each with the first line of the series in that year. The read model is that behind
/// the import, or, where nothing was written, before it.
pub(super) fn warnings(
    read_model: &ReadModel,
    changes: &HashMap<(SeriesKey, i32), SeriesChange>,
    outcome: Outcome,
) -> Vec<(u64, Faults)> {
    let years: BTreeSet<i32> = changes.keys().flat_map(|(_, year)| [year - 1, *year]).collect();
    if years.len() > MOST_YEARS {
        return Vec::new();
    }
    let periods: Vec<Period> = years.iter().filter_map(|year| Period::parse(&format!("{year:04}")).ok()).collect();
    let catalog = read_model.catalog();
    let table = breakdown(read_model.cube(), &Filter::default(), &|id| catalog.class(id), &periods, &|key| *key);
    let mut sums: HashMap<(SeriesKey, i32), Total> = HashMap::new();
    for (period, key, totals) in table {
        let Some(first) = period.first() else { continue };
        let all = [totals.co2e, totals.uncategorized, totals.biogenic, totals.credits, totals.outside];
        let sum = sums.entry((key, first.calendar().0)).or_default();
        for part in all {
            *sum += part;
        }
    }
    if outcome == Outcome::Nothing {
        for (at, change) in changes {
            *sums.entry(*at).or_default() += change.added;
        }
    }
    let sum = |key: SeriesKey, year: i32| sums.get(&(key, year)).copied().unwrap_or_default();
    let mut told: Vec<(u64, Faults)> = Vec::new();
    for ((key, year), change) in changes {
        let (now, before) = (sum(*key, *year), sum(*key, year - 1));
        if !before.is_zero() && magnitude(now) >= magnitude(before).times(TIMES) {
            let detail = format!(
                "is the first of those that bring its scope, org and taxonomy to {now} kg CO2e in {year}: at least {TIMES} times \
                 the {before} of the year before"
            );
            told.push((change.line, Faults::one("", detail)));
        }
    }
    told.sort_by_key(|(line, _)| *line);
    told.truncate(MOST_TOLD);
    told
}

fn magnitude(total: Total) -> Total {
    if total < Total::default() { -total } else { total }
}
