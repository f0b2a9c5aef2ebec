//! What a breakdown is asked, with every word looked up; everything that is wrong with it at once.

use domain::{Catalog, Faults, Filter, Period, Scope2, Stretch, YearStart};
use ports::inbound::{BreakdownBy, BreakdownQuery, Error, MAX_DIMENSIONS};
use ports::store::ReadTx;

use super::filter::filter;
use crate::usecase::choice::Choice;

/// A query whose words were found.
#[derive(Clone, Debug)]
pub(super) struct Question {
    /// Which activities, but for what follows.
    pub(super) filter: Filter,
    /// Which single activities of those.
    pub(super) choice: Choice,
    pub(super) by: Vec<BreakdownBy>,
    pub(super) depth: usize,
    pub(super) year: YearStart,
    /// Whether the activities have to be read one by one.
    pub(super) is_of_single_activities: bool,
}

impl Question {
    /// Looks up what the query names.
    pub(super) async fn read(tx: &mut dyn ReadTx, catalog: &Catalog, query: &BreakdownQuery) -> Result<Self, Error> {
        let mut faults = query.faults.clone();
        let filter = filter(catalog, query, &mut faults);
        let choice = Choice::read(tx, catalog, &query.only, &mut faults).await?;
        check(query, &mut faults);
        if !faults.is_empty() {
            return Err(Error::Parameters(faults));
        }
        Ok(Self {
            filter,
            choice,
            by: query.by.clone(),
            depth: query.depth.max(1),
            year: query.year,
            is_of_single_activities: is_of_single_activities(query),
        })
    }

    /// Whether rows are about single gases.
    pub(super) fn is_by_gas(&self) -> bool {
        self.by.contains(&BreakdownBy::Gas)
    }

    /// Whether rows are about how well figures are known.
    pub(super) fn is_by_quality(&self) -> bool {
        self.by.contains(&BreakdownBy::Quality)
    }

    /// The stretches of time that rows are about.
    pub(super) fn stretches(&self) -> Vec<Stretch> {
        stretches(&self.by)
    }
}

fn is_of_single_activities(query: &BreakdownQuery) -> bool {
    query.by.contains(&BreakdownBy::Product) || !query.only.is_all()
}

fn stretches(by: &[BreakdownBy]) -> Vec<Stretch> {
    let stretch = |by: &BreakdownBy| match by {
        BreakdownBy::Time(stretch) => Some(*stretch),
        BreakdownBy::Scope
        | BreakdownBy::Org
        | BreakdownBy::Taxonomy
        | BreakdownBy::Product
        | BreakdownBy::Gas
        | BreakdownBy::Quality => None,
    };
    by.iter().filter_map(stretch).collect()
}

/// Notes dimensions that make no table, and periods that cannot be compared.
fn check(query: &BreakdownQuery, faults: &mut Faults) {
    let is_noted = |faults: &Faults, name: &str| faults.clone().into_iter().any(|fault| fault.pointer == name);
    if !(1..=MAX_DIMENSIONS).contains(&query.by.len()) && !is_noted(faults, "by") {
        faults.add("by", format!("names {} dimensions; give 1 to {MAX_DIMENSIONS}", query.by.len()));
    }
    if query.scope2 != Scope2::Location && query.by.contains(&BreakdownBy::Gas) {
        faults.add("scope2", "is location where rows are about gases, which market-based figures have none of");
    }
    if query.scope2 != Scope2::Location && query.by.contains(&BreakdownBy::Quality) {
        faults.add("scope2", "is location where rows are about quality, which is stated of location-based figures");
    }
    if query.by.contains(&BreakdownBy::Gas) && query.by.contains(&BreakdownBy::Quality) {
        faults.add("by", "names gas and quality, which do not go together: the quality of single gases is not known");
    }
    let stretches = stretches(&query.by);
    let Some(compare) = query.compare else { return };
    if stretches.contains(&Stretch::Day) {
        faults
            .add("compare", "goes without days, since those of two periods are not the same; give by=month or longer");
    } else if !stretches.is_empty() && !is_noted(faults, "date") {
        let begins = |period: Period| period.first().is_some();
        if !begins(query.period) || !begins(compare) {
            faults.add("compare", "goes with time where both periods have a first day: give date, or sd");
        }
    }
}
