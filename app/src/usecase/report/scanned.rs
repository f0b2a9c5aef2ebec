//! A report of single activities, which the sums know nothing of: one walk over the activities of the snapshot, in their
//! order, adds them up and keeps those of the page.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use domain::{Activity, Attribution, Catalog, Day, Filter, Report, Totals};
use ports::inbound::{Error, ReportRows, ReportView, Step};
use ports::repo::{Page, Place, Side};
use ports::store::ReadTx;
use ports::{ReadModel, Stored};

use super::answer::Answer;
use super::rows::{Left, Rows};
use super::{BATCH, named, view};
use crate::usecase::choice::Choice;
use crate::usecase::factors::Factors;
use crate::usecase::outdated::Outdated;

/// The report on the activities that the filter and the choice select.
pub(super) async fn report(
    mut tx: Box<dyn ReadTx>,
    (read_model, outdated): (&ReadModel, &Outdated),
    filter: Filter,
    choice: Choice,
    rows: ReportRows,
) -> Result<ReportView, Error> {
    let catalog = Arc::clone(read_model.catalog());
    let not_spread = match filter.attribution {
        Attribution::Daily => catalog.not_spread(),
        Attribution::Start => HashSet::new(),
    };
    let mut found = Report::default();
    (found.first, found.last) = (filter.period.first(), filter.period.last());
    let scope2 = filter.scope2;
    let without_co2e = choice.without_co2e(read_model.cube(), &filter);
    let (mut window, mut after, mut count) = (Window::new(rows), None, 0);
    loop {
        let selected = (&filter, &not_spread, without_co2e.as_ref());
        let batch = choice.walk(tx.as_mut(), &catalog, selected, after, BATCH).await?;
        for stored in batch.activities {
            add(&catalog, &filter, &stored.value, &mut found);
            count += u64::from(outdated.contains(stored.value.id));
            window.pass(stored);
        }
        after = batch.next;
        if after.is_none() {
            break;
        }
    }
    let answer = Answer { outdated: count, ..named(&catalog, found) };
    let (previous, next) = window.ends();
    let count = u64::try_from(answer.totals.count).unwrap_or(0);
    let left = match rows {
        ReportRows::All => Left::All { after: None, given: 0, count },
        ReportRows::None
        | ReportRows::Page(_)
        | ReportRows::Step(_)
        | ReportRows::AllIfPermitted
        | ReportRows::PageIfPermitted(_)
        | ReportRows::StepIfPermitted(_) => Left::Read(window.kept.into()),
    };
    let detailed = rows != ReportRows::None;
    let tx = detailed.then_some(tx);
    let rows = Rows { tx, catalog, filter, choice, without_co2e, not_spread, factors: Factors::default(), left };
    Ok(ReportView { detailed, previous, next, ..view(&answer, scope2, read_model.revision(), rows) })
}

/// Adds the activity to what the report comes to.
fn add(catalog: &Catalog, filter: &Filter, activity: &Activity, found: &mut Report) {
    let class = activity.scope.and_then(|id| catalog.class(id));
    let Some(totals) = Totals::of_activity(activity, class, filter.attribution, filter.period, filter.scope2) else {
        return;
    };
    found.totals += totals;
    let (first, last) = activity.counted_days(class, filter.attribution);
    if filter.period.first().is_none() {
        found.first = Some(found.first.map_or(first, |known: Day| known.min(first)));
    }
    if filter.period.last().is_none() {
        found.last = Some(found.last.map_or(last, |known: Day| known.max(last)));
    }
    found.scopes.extend(activity.scope);
    found.orgs.extend(activity.org);
    found.taxonomies.extend(activity.taxonomy);
}

/// The activities of a page or step, kept as all of them pass by.
struct Window {
    rows: ReportRows,
    passed: u64,
    kept: VecDeque<Stored<Activity>>,
    is_any_before: bool,
    is_any_behind: bool,
}

impl Window {
    const fn new(rows: ReportRows) -> Self {
        Self { rows, passed: 0, kept: VecDeque::new(), is_any_before: false, is_any_behind: false }
    }

    fn pass(&mut self, stored: Stored<Activity>) {
        let place = Place::of(&stored.value);
        match self.rows {
            ReportRows::Page(page) | ReportRows::PageIfPermitted(page) => self.onto(page, stored),
            ReportRows::Step(Step { side: side @ Side::After(_), limit })
            | ReportRows::StepIfPermitted(Step { side: side @ Side::After(_), limit }) => {
                if !side.has(place) {
                    self.is_any_before = true;
                } else if self.kept.len() < limit as usize {
                    self.kept.push_back(stored);
                } else {
                    self.is_any_behind = true;
                }
            }
            ReportRows::Step(Step { side, limit }) | ReportRows::StepIfPermitted(Step { side, limit }) => {
                if side.has(place) {
                    // The nearest to the place are the last ones.
                    if self.kept.len() == limit as usize {
                        self.kept.pop_front();
                        self.is_any_before = true;
                    }
                    self.kept.push_back(stored);
                } else {
                    self.is_any_behind = true;
                }
            }
            ReportRows::None | ReportRows::All | ReportRows::AllIfPermitted => {}
        }
    }

    fn onto(&mut self, page: Page, stored: Stored<Activity>) {
        let number = self.passed;
        self.passed += 1;
        if number < page.offset() {
            self.is_any_before = true;
        } else if number - page.offset() < page.size.into() {
            self.kept.push_back(stored);
        } else {
            self.is_any_behind = true;
        }
    }

    /// Before which place others are, and after which.
    fn ends(&self) -> (Option<Place>, Option<Place>) {
        let place = |stored: Option<&Stored<Activity>>| stored.map(|stored| Place::of(&stored.value));
        let first = place(self.kept.front()).filter(|_| self.is_any_before);
        (first, place(self.kept.back()).filter(|_| self.is_any_behind))
    }
}
