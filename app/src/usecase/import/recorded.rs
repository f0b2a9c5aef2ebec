//! Rows without a syncId that say what a recorded activity says: somebody may have imported them before.

use std::collections::{HashMap, HashSet};

use domain::{Activity, ActivityId, Day, Faults, Filter, Period};
use ports::inbound::Error;
use ports::repo::Place;
use ports::store::ReadTx;

use super::content::content;

/// So many recorded activities are compared with, of as many days as they fill.
const MOST_COMPARED: usize = 200_000;
/// How many are read at once.
const PAGE: u32 = 1_000;

/// The recorded activities of the days of rows, as they were when the first row of the day came.
#[derive(Debug, Default)]
pub(super) struct Recorded {
    days: HashMap<Day, HashMap<[u32; 2], ActivityId>>,
    compared: usize,
    /// Whether it was told that further days are not compared.
    passed_over: HashSet<Day>,
}

impl Recorded {
    /// Notes a recorded activity that says the same as a new one without a syncId, and whether there is one. On days beyond
    /// [`MOST_COMPARED`] activities nothing is compared, which is said once for each.
    pub(super) async fn look_at(
        &mut self,
        tx: &mut dyn ReadTx,
        activity: &Activity,
        warnings: &mut Faults,
    ) -> Result<bool, Error> {
        let day = activity.span.first();
        if !self.days.contains_key(&day) {
            self.read(tx, day).await?;
        }
        let Some(recorded) = self.days.get(&day) else {
            if self.passed_over.insert(day) {
                warnings.add(
                    "",
                    format!(
                        "lies on {day}, whose recorded activities are not compared with the rows: there are too many"
                    ),
                );
            }
            return Ok(false);
        };
        let same = recorded.get(&content(activity)).filter(|id| **id != activity.id);
        if let Some(id) = same {
            warnings.add(
                "",
                format!("says the same as the recorded activity {id}: without a syncId it is added once more"),
            );
        }
        Ok(same.is_some())
    }

    async fn read(&mut self, tx: &mut dyn ReadTx, day: Day) -> Result<(), Error> {
        if self.compared >= MOST_COMPARED || self.passed_over.contains(&day) {
            return Ok(());
        }
        let Some(period) = Period::new(Some(day), Some(day)) else { return Ok(()) };
        let filter = Filter::default().with_period(period);
        let (mut found, mut after) = (HashMap::new(), None);
        loop {
            let page = tx.activities().range(&filter, &HashSet::new(), after, PAGE).await?;
            self.compared += page.len();
            after = page.last().map(|stored| Place::of(&stored.value));
            let is_last = page.len() < PAGE as usize;
            found.extend(page.iter().map(|stored| (content(&stored.value), stored.value.id)));
            if is_last {
                self.days.insert(day, found);
                return Ok(());
            }
            if self.compared >= MOST_COMPARED {
                return Ok(());
            }
        }
    }
}
