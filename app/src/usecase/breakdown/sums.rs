//! The rows of a breakdown before they have names: sums by stretch of time and by record.

use std::collections::BTreeMap;

use domain::{Activity, Catalog, Day, Faults, Filter, GasRow, Period, QualityRow, ScopeClass, SeriesKey, Totals};
use ports::inbound::{BreakdownBy, Error, MAX_DIMENSIONS};
use uuid::Uuid;

use super::question::Question;

/// More stretches of time than these are a mistake in a date, rather than a report: eleven years of days.
const MOST_PARTS: usize = 4_100;
/// More rows than these are no table that anybody reads, and would take memory without bound.
const MOST_ROWS: usize = 100_000;

/// What a row is about in a dimension that is not of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum About {
    Record(Uuid),
    Gas(GasRow),
    Quality(QualityRow),
}

/// Of each dimension what the row is about, if that is neither a stretch of time nor nothing.
pub(super) type Records = [Option<About>; MAX_DIMENSIONS];

/// What a row is about: the part of the period, by its number, and the records.
pub(super) type Key = (usize, Records);

/// Sums by row.
#[derive(Debug, Default)]
pub(super) struct Sums {
    /// The parts that the period is divided into; one where no dimension is a stretch of time.
    pub(super) parts: Vec<Period>,
    pub(super) rows: BTreeMap<Key, Totals>,
}

impl Sums {
    /// No sums yet of a period, whose days are those: where the rows are about time and it has no activities, it has no
    /// parts.
    pub(super) fn new(question: &Question, period: Period, days: (Option<Day>, Option<Day>)) -> Result<Self, Error> {
        let stretches = question.stretches();
        if stretches.is_empty() {
            return Ok(Self { parts: vec![period], rows: BTreeMap::new() });
        }
        let (Some(first), Some(last)) = days else { return Ok(Self::default()) };
        let parts = question.year.divide(first, last, &stretches, MOST_PARTS).ok_or_else(|| {
            let detail = format!("{first} to {last} are more than {MOST_PARTS} rows of time: give a shorter period");
            Error::Parameters(Faults::one("date", detail))
        })?;
        Ok(Self { parts, rows: BTreeMap::new() })
    }

    pub(super) fn add(&mut self, key: Key, totals: &Totals) -> Result<(), Error> {
        *self.rows.entry(key).or_default() += *totals;
        if self.rows.len() <= MOST_ROWS {
            return Ok(());
        }
        let detail = format!("makes more than {MOST_ROWS} rows: give a shorter period, fewer levels or one dimension");
        Err(Error::Parameters(Faults::one("by", detail)))
    }
}

/// The records that a row of activities is about.
pub(super) fn records(catalog: &Catalog, question: &Question, series: &SeriesKey, product: Option<Uuid>) -> Records {
    let record = |by: &BreakdownBy| match by {
        // A gas or a quality: see `of_part`.
        BreakdownBy::Time(_) | BreakdownBy::Gas | BreakdownBy::Quality => None,
        BreakdownBy::Scope => {
            let known = series.scope.filter(|id| catalog.scopes.find(*id).is_some());
            known.map(|id| catalog.scopes.forest().at_depth(id, question.depth).into())
        }
        BreakdownBy::Org => series.org.map(|id| catalog.orgs.forest().at_depth(id, question.depth).into()),
        BreakdownBy::Taxonomy => {
            series.taxonomy.map(|id| catalog.taxonomies.forest().at_depth(id, question.depth).into())
        }
        BreakdownBy::Product => product,
    };
    let mut records = [None; MAX_DIMENSIONS];
    for (place, by) in records.iter_mut().zip(&question.by) {
        *place = record(by).map(About::Record);
    }
    records
}

/// The records that the row of an activity is about.
pub(super) fn records_of(catalog: &Catalog, question: &Question, activity: &Activity) -> Records {
    records(catalog, question, &activity.series(), activity.product.map(Into::into))
}

/// The same of one gas or quality.
pub(super) fn of_part(question: &Question, mut records: Records, part: About) -> Records {
    for (place, by) in records.iter_mut().zip(&question.by) {
        if matches!(by, BreakdownBy::Gas | BreakdownBy::Quality) {
            *place = Some(part);
        }
    }
    records
}

/// What an activity adds in a period, by the records of the rows that it counts in: of one, or of each of its gases and qualities.
pub(super) fn rows_of(
    catalog: &Catalog,
    question: &Question,
    activity: &Activity,
    filter: &Filter,
    period: Period,
) -> Vec<(Records, Totals)> {
    let class: Option<ScopeClass> = activity.scope.and_then(|id| catalog.class(id));
    let records = records_of(catalog, question, activity);
    if question.is_by_gas() {
        let rows = Totals::of_activity_by_gas(activity, class, filter.attribution, period);
        let of = |gas| of_part(question, records, About::Gas(gas));
        return rows.into_iter().map(|(gas, totals)| (of(gas), totals)).collect();
    }
    if question.is_by_quality() {
        let rows = Totals::of_activity_by_quality(activity, class, filter.attribution, period);
        let of = |quality| of_part(question, records, About::Quality(quality));
        return rows.into_iter().map(|(quality, totals)| (of(quality), totals)).collect();
    }
    let adds = Totals::of_activity(activity, class, filter.attribution, period, filter.scope2);
    adds.map(|totals| (records, totals)).into_iter().collect()
}
