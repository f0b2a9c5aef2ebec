//! What activities come to, year by year, before and behind an import.

use std::collections::{BTreeMap, HashMap};

use domain::{Filter, Period, Total, breakdown};
use ports::inbound::Error;
use ports::staged_import::YearEffect;
use ports::{Grant, Read, ReadModel};

use super::StagedService;
use crate::usecase::report::snapshot;

/// The totals of so many years are read; rows in more are most likely read wrongly, which their warnings say.
const MOST_YEARS: usize = 50;

impl StagedService {
    /// What the years come to before and behind an import that adds so much to them.
    pub(super) async fn effects(
        &self,
        grant: &Grant<Read>,
        added: &BTreeMap<i32, Total>,
    ) -> Result<Vec<YearEffect>, Error> {
        let (_, read_model) = snapshot(self.store.as_ref(), &self.read_models, grant).await?;
        let years: Vec<i32> = added.keys().rev().take(MOST_YEARS).copied().collect();
        let before = totals(&read_model, &years);
        let effect = |year: &i32| {
            let before = before.get(year).copied().unwrap_or_default();
            let mut after = before;
            after += added.get(year).copied().unwrap_or_default();
            YearEffect { year: *year, before, after }
        };
        Ok(years.iter().rev().map(effect).collect())
    }
}

/// What all activities come to that begin in these years, in kg CO2e.
fn totals(read_model: &ReadModel, years: &[i32]) -> HashMap<i32, Total> {
    let periods: Vec<Period> = years.iter().filter_map(|year| Period::parse(&format!("{year:04}")).ok()).collect();
    let catalog = read_model.catalog();
    let table = breakdown(read_model.cube(), &Filter::default(), &|id| catalog.class(id), &periods, &|key| *key);
    let mut sums: HashMap<i32, Total> = HashMap::new();
    for (period, _, totals) in table {
        let Some(first) = period.first() else { continue };
        let sum = sums.entry(first.calendar().0).or_default();
        for part in [totals.co2e, totals.uncategorized, totals.biogenic, totals.credits, totals.outside] {
            *sum += part;
        }
    }
    sums
}
