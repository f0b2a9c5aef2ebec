//! What the figures of a statement come from: one walk over the activities of the snapshot, in their order.

use std::collections::{HashMap, HashSet};

use domain::{
    Attribution, Catalog, FactorId, FigureSource, Filter, GwpSet, Period, Scope2, SourceSums, StatementTables,
};
use ports::inbound::{Error, StatementSources};
use ports::repo::Place;
use ports::store::ReadTx;

/// How many activities, and how many factors, are read at once.
const BATCH: u32 = 1_000;

/// The sources of the activities that count in those days, and whether they come to the figures of the tables.
pub(super) async fn sources(
    tx: &mut dyn ReadTx,
    catalog: &Catalog,
    (days, attribution): (Period, Attribution),
    tables: &StatementTables,
) -> Result<StatementSources, Error> {
    let sums = added_up(tx, catalog, (days, attribution)).await?;
    let mut known: HashMap<FactorId, FigureSource> = HashMap::new();
    for ids in sums.factors().chunks(BATCH as usize) {
        let factors = tx.factors().find_all(ids).await?;
        known.extend(factors.into_iter().map(|stored| (stored.value.id(), FigureSource::of(stored.value.data()))));
    }
    let find = |id: FactorId| known.get(&id).cloned();
    let (lines, market) = (sums.lines(&find), sums.market(&find));
    let named = lines.iter().map(|line| &line.source).chain(market.iter().map(|line| &line.source));
    let mut gwp: Vec<GwpSet> = named.filter_map(FigureSource::gwp).collect();
    gwp.sort_unstable();
    gwp.dedup();
    Ok(StatementSources { lines, market, gwp, agrees: *sums.whole() == tables.whole })
}

async fn added_up(
    tx: &mut dyn ReadTx,
    catalog: &Catalog,
    (days, attribution): (Period, Attribution),
) -> Result<SourceSums, Error> {
    let filter = Filter::default().with_period(days).with_attribution(attribution).with_scope2(Scope2::Both);
    let not_spread = match attribution {
        Attribution::Daily => catalog.not_spread(),
        Attribution::Start => HashSet::new(),
    };
    let (mut sums, mut after) = (SourceSums::default(), None);
    loop {
        let batch = tx.activities().range(&filter, &not_spread, after, BATCH).await?;
        for stored in &batch {
            let class = stored.value.scope.and_then(|id| catalog.class(id));
            sums.add(&stored.value, class, attribution, days);
        }
        match batch.last() {
            Some(last) if batch.len() == BATCH as usize => after = Some(Place::of(&last.value)),
            Some(_) | None => return Ok(sums),
        }
    }
}
