//! One line of a breakdown: the activities that it is made of, read one by one and added up again.

use std::collections::HashSet;
use std::sync::Arc;

use domain::{Attribution, Catalog, Faults, Filter, NodeTree, Totals, TreeNode};
use ports::ReadModel;
use ports::inbound::{BreakdownBy, BreakdownLine, BreakdownQuery, Error, Label, LineActivity};
use ports::repo::{Listing, Page};
use ports::store::ReadTx;
use uuid::Uuid;

use super::labels::Labels;
use super::question::Question;
use super::scan::BATCH;
use super::sums::{About, Key, Sums, rows_of};
use crate::usecase::outdated::Outdated;

/// How many lines a fault names that is about one that is not there.
const NAMED: usize = 20;

/// The line of that word, of the whole without one.
pub(super) async fn line(
    tx: &mut dyn ReadTx,
    (read_model, outdated): (&Arc<ReadModel>, &Outdated),
    question: &Question,
    query: BreakdownQuery,
    word: Option<&str>,
    page: Page,
) -> Result<BreakdownLine, Error> {
    let catalog = read_model.catalog();
    let (whole, sums) = super::answer(tx, (read_model, outdated), question, query.period).await?;
    let labels = Labels::new(catalog, &query, &sums, None);
    let key = word.map(|word| find(&labels, &sums, word)).transpose()?;
    let (totals, labels) = match &key {
        Some(key) => (sums.rows.get(key).copied().unwrap_or_default(), labels.of(key)),
        None => (whole.totals, Vec::new()),
    };
    let part = key.and_then(|(number, _)| sums.parts.get(number).copied()).unwrap_or(query.period);
    let filter = narrowed(catalog, question, question.filter.clone().with_period(part), key.as_ref());
    let not_spread = match filter.attribution {
        Attribution::Daily => catalog.not_spread(),
        Attribution::Start => HashSet::new(),
    };
    let (mut recomputed, mut count, mut data, mut after) = (Totals::default(), 0_u64, Vec::new(), None);
    let shown = page.offset()..page.offset().saturating_add(page.size.into());
    let without_co2e = question.choice.without_co2e(read_model.cube(), &filter);
    loop {
        let selected = (&filter, &not_spread, without_co2e.as_ref());
        let batch = question.choice.walk(tx, catalog, selected, after, BATCH).await?;
        for stored in &batch.activities {
            let activity = &stored.value;
            let class = activity.scope.and_then(|id| catalog.class(id));
            let adds = match &key {
                None => Totals::of_activity(activity, class, filter.attribution, part, filter.scope2),
                Some((_, records)) => {
                    let rows = rows_of(catalog, question, activity, &filter, part);
                    rows.into_iter().find(|(of_row, _)| of_row == records).map(|(_, totals)| totals)
                }
            };
            let Some(adds) = adds else { continue };
            if shown.contains(&count) {
                data.push(LineActivity {
                    id: activity.id,
                    name: activity.name.clone(),
                    day: activity.span.first(),
                    co2e: activity.co2e(),
                    adds,
                });
            }
            recomputed += adds;
            count += 1;
        }
        after = batch.next;
        if after.is_none() {
            break;
        }
    }
    let activities = Listing { count, page, data };
    Ok(BreakdownLine { revision: read_model.revision(), query, labels, totals, recomputed, activities })
}

/// The row that the word asks for: the words of its labels with commas between them, of records the UUID, path or name.
fn find(labels: &Labels, sums: &Sums, word: &str) -> Result<Key, Error> {
    let asked: Vec<String> = word.split(',').map(|one| one.trim().to_lowercase()).collect();
    let rows = labels.ordered(sums, None);
    let is_asked = |key: &Key, ways: fn(&Label) -> Vec<String>| {
        let labels = labels.of(key);
        labels.len() == asked.len()
            && labels.iter().zip(&asked).all(|(label, word)| ways(label).iter().any(|way| way.to_lowercase() == *word))
    };
    let found = |ways: fn(&Label) -> Vec<String>| {
        let mut found = rows.iter().filter(|key| is_asked(key, ways));
        found.next().filter(|_| found.next().is_none()).copied()
    };
    let by_key = |label: &Label| vec![label.key()];
    let by_name = |label: &Label| match label {
        Label::Record { name, path, .. } => vec![label.key(), name.clone(), path.clone()],
        Label::Time(_) | Label::Gas(_) | Label::Quality(_) | Label::Without => vec![label.key()],
    };
    found(by_key).or_else(|| found(by_name)).ok_or_else(|| {
        let shown = |label: &Label| match label {
            Label::Record { name, .. } => format!("{} ({name})", label.key()),
            Label::Time(_) | Label::Gas(_) | Label::Quality(_) | Label::Without => label.key(),
        };
        let words = |key: &Key| labels.of(key).iter().map(shown).collect::<Vec<_>>().join(",");
        let mut known: Vec<String> = rows.iter().take(NAMED).map(words).collect();
        if rows.len() > NAMED {
            known.push(format!("and {} more", rows.len() - NAMED));
        }
        let detail = match known.as_slice() {
            [] => "names no row: the report has none".to_owned(),
            known => format!("names no row of the report; there are: {}", known.join("; ")),
        };
        Error::Parameters(Faults::one("line", detail))
    })
}

/// The filter without activities that cannot be in the row, so that fewer are read.
fn narrowed(catalog: &Catalog, question: &Question, filter: Filter, key: Option<&Key>) -> Filter {
    let Some((_, records)) = key else { return filter };
    let mut filter = filter;
    for (by, record) in question.by.iter().zip(records) {
        let Some(About::Record(id)) = *record else { continue };
        match by {
            BreakdownBy::Scope => filter.scopes = Some(below(&catalog.scopes, id, filter.scopes.as_ref())),
            BreakdownBy::Org => filter.orgs = Some(below(&catalog.orgs, id, filter.orgs.as_ref())),
            BreakdownBy::Taxonomy => {
                filter.taxonomies = Some(below(&catalog.taxonomies, id, filter.taxonomies.as_ref()));
            }
            BreakdownBy::Time(_) | BreakdownBy::Product | BreakdownBy::Gas | BreakdownBy::Quality => {}
        }
    }
    filter
}

/// The node and all below it, those of them that are asked for.
fn below<T: TreeNode>(tree: &NodeTree<T>, id: Uuid, asked: Option<&HashSet<T::Id>>) -> HashSet<T::Id> {
    let mut nodes = tree.forest().subtree(id.into());
    nodes.retain(|id| asked.is_none_or(|asked| asked.contains(id)));
    nodes
}
