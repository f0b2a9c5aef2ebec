//! Comparing stored figures with what their explanations come to, in constant memory.

use std::collections::{HashMap, HashSet};

use domain::{
    Activity, CitedFactor, Day, Explanation, Factor, FactorId, Figures, Filter, Input, ModelId, Name, Unexplained,
};
use ports::RecordKind;
use ports::inbound::{CheckedFigures, Error, Wrong, WrongFigure};
use ports::repo::{Page, Place, Query};
use ports::store::ReadTx;
use uuid::Uuid;

/// How many records are read at a time.
const AT_ONCE: u32 = 1_000;
/// How many factors are kept at most: those of some 10 MB.
const MOST_FACTORS: usize = 20_000;

/// Computes every stored figure of that snapshot anew, and tells of each record in which one differs.
pub(super) async fn check(
    tx: &mut dyn ReadTx,
    tell: &mut (dyn FnMut(WrongFigure) + Send),
) -> Result<CheckedFigures, Error> {
    let mut check = Check { factors: HashMap::new(), checked: CheckedFigures::default(), tell };
    check.activities(tx).await?;
    check.models(tx).await?;
    Ok(check.checked)
}

struct Check<'a> {
    /// Those that were asked for; `None` is not there.
    factors: HashMap<FactorId, Option<Factor>>,
    checked: CheckedFigures,
    tell: &'a mut (dyn FnMut(WrongFigure) + Send),
}

impl Check<'_> {
    async fn activities(&mut self, tx: &mut dyn ReadTx) -> Result<(), Error> {
        let (filter, not_spread, mut after) = (Filter::default(), HashSet::new(), None);
        loop {
            let batch = tx.activities().range(&filter, &not_spread, after, AT_ONCE).await?;
            let named = batch.iter().filter_map(|one| one.value.calculation.factor());
            let in_market = batch.iter().filter_map(|one| one.value.stated.market.as_ref()).map(|market| market.factor);
            self.read_factors(tx, named.chain(in_market)).await?;
            for activity in &batch {
                self.activity(&activity.value);
            }
            match batch.last().filter(|_| batch.len() >= AT_ONCE as usize) {
                Some(last) => after = Some(Place::of(&last.value)),
                None => return Ok(()),
            }
        }
    }

    fn activity(&mut self, activity: &Activity) {
        let factor = self.cited(activity.calculation.factor());
        if activity.co2e().is_some() {
            self.checked.activities += 1;
        } else {
            self.checked.incomplete += 1;
        }
        let in_market = activity.stated.market.as_ref().and_then(|market| self.factors.get(&market.factor)?.as_ref());
        let found =
            Explanation::of_activity(activity, factor).and_then(|explanation| explanation.with_market(in_market));
        self.compare(RecordKind::Activity, activity.id.into(), &activity.name, found);
    }

    async fn models(&mut self, tx: &mut dyn ReadTx) -> Result<(), Error> {
        let mut page = Page { number: 1, size: AT_ONCE };
        loop {
            let models = tx.models().list(&Query::all(page)).await?.data;
            for model in &models {
                self.inputs(tx, model.value.id, model.value.reference_date).await?;
            }
            if models.len() < AT_ONCE as usize {
                return Ok(());
            }
            page.number += 1;
        }
    }

    async fn inputs(&mut self, tx: &mut dyn ReadTx, model: ModelId, day: Day) -> Result<(), Error> {
        let mut page = Page { number: 1, size: AT_ONCE };
        loop {
            let inputs = tx.inputs().list(&Query::of(model, page)).await?.data;
            self.read_factors(tx, inputs.iter().filter_map(|one| one.value.calculation.factor())).await?;
            for input in &inputs {
                self.input(&input.value, day);
            }
            if inputs.len() < AT_ONCE as usize {
                return Ok(());
            }
            page.number += 1;
        }
    }

    fn input(&mut self, input: &Input, day: Day) {
        let factor = self.cited(input.calculation.factor());
        if input.calculation.co2e().is_some() {
            self.checked.inputs += 1;
        } else {
            self.checked.incomplete += 1;
        }
        let found = Explanation::of_input(input, day, factor);
        self.compare(RecordKind::Input, input.id.into(), &input.name, found);
    }

    /// Reads those factors that are not known yet.
    async fn read_factors(
        &mut self,
        tx: &mut dyn ReadTx,
        ids: impl Iterator<Item = FactorId> + Send,
    ) -> Result<(), Error> {
        let wanted: HashSet<FactorId> = ids.collect();
        if wanted.iter().all(|id| self.factors.contains_key(id)) {
            return Ok(());
        }
        if self.factors.len() > MOST_FACTORS {
            self.factors.clear();
        }
        let unknown: Vec<FactorId> = wanted.into_iter().filter(|id| !self.factors.contains_key(id)).collect();
        let found = tx.factors().find_all(&unknown).await?;
        self.factors.extend(unknown.into_iter().map(|id| (id, None)));
        self.factors.extend(found.into_iter().map(|factor| (factor.value.id(), Some(factor.value))));
        Ok(())
    }

    fn cited(&self, id: Option<FactorId>) -> Option<CitedFactor> {
        let factor = self.factors.get(&id?)?.clone()?;
        // Which factor stands in its place does not change what was computed with it.
        Some(CitedFactor { factor, corrected_by: None })
    }

    /// Tells of a record whose figures do not come out as they are stored.
    fn compare(&mut self, kind: RecordKind, id: Uuid, name: &Name, found: Result<Explanation, Unexplained>) {
        let wrong = match found {
            Err(wrong) => Wrong::Unexplained(wrong),
            Ok(explanation) if explanation.holds() => return,
            Ok(explanation) => Wrong::Differs {
                recomputed: explanation.replay().unwrap_or_else(Figures::default),
                factor: explanation.factor.map(|cited| cited.factor.id().into()),
                stored: explanation.stored,
            },
        };
        self.checked.wrong += 1;
        (self.tell)(WrongFigure { kind, id, name: name.clone(), wrong });
    }
}
