//! What a breakdown is asked, with every word looked up; everything that is wrong with it at once.

use domain::{Catalog, Faults, Filter, Period, ProductId, Stretch, SyncId, Timestamp, YearStart};
use ports::inbound::{BreakdownBy, BreakdownQuery, Error, MAX_DIMENSIONS, State};
use ports::store::ReadTx;

use super::filter::filter;
use super::nodes::several;

/// A query whose words were found.
#[derive(Clone, Debug)]
pub(super) struct Question {
    /// Which activities, but for what follows.
    pub(super) filter: Filter,
    pub(super) product: Option<ProductId>,
    /// In lower case.
    pub(super) name: Option<String>,
    pub(super) updated_since: Option<Timestamp>,
    pub(super) states: Vec<State>,
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
        let product = match &query.only.product {
            None => None,
            Some(word) => faults.check("product", product(tx, catalog, word).await?),
        };
        check(query, &mut faults);
        if !faults.is_empty() {
            return Err(Error::Parameters(faults));
        }
        Ok(Self {
            filter,
            product,
            name: query.only.name.as_ref().map(|name| name.to_lowercase()),
            updated_since: query.only.updated_since,
            states: query.only.states.clone(),
            by: query.by.clone(),
            depth: query.depth.max(1),
            year: query.year,
            is_of_single_activities: is_of_single_activities(query),
        })
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
        BreakdownBy::Scope | BreakdownBy::Org | BreakdownBy::Taxonomy | BreakdownBy::Product => None,
    };
    by.iter().filter_map(stretch).collect()
}

/// Notes dimensions that make no table, and periods that cannot be compared.
fn check(query: &BreakdownQuery, faults: &mut Faults) {
    let is_noted = |faults: &Faults, name: &str| faults.clone().into_iter().any(|fault| fault.pointer == name);
    if !(1..=MAX_DIMENSIONS).contains(&query.by.len()) && !is_noted(faults, "by") {
        faults.add("by", format!("names {} dimensions; give 1 to {MAX_DIMENSIONS}", query.by.len()));
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

/// The product of that UUID, syncId or name; else what is wrong with the word.
async fn product(tx: &mut dyn ReadTx, catalog: &Catalog, word: &str) -> Result<Result<ProductId, String>, Error> {
    if let Ok(id) = domain::parse_uuid(word) {
        let known = catalog.products.contains_key(&id.into());
        return Ok(if known { Ok(id.into()) } else { Err(format!("there is no product {id}")) });
    }
    if let Ok(sync_id) = SyncId::parse(word)
        && let Some(found) = tx.products().find_by_sync_id(&sync_id).await?
    {
        return Ok(Ok(found.value.id));
    }
    let mut named: Vec<ProductId> =
        catalog.products.iter().filter(|(_, name)| name.as_str() == word).map(|(id, _)| *id).collect();
    named.sort_unstable();
    Ok(match named.as_slice() {
        [one] => Ok(*one),
        [] => {
            let near = files::did_you_mean(word, catalog.products.values().map(domain::Name::as_str));
            Err(format!("there is no product {word:?}{near}"))
        }
        ids => Err(several(word, ids)),
    })
}
