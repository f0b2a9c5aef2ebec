//! The activity report: totals from the read model of a snapshot, rows from the snapshot itself.

pub(super) mod answer;
mod rows;
mod scanned;

use std::collections::HashSet;
use std::sync::Arc;

use domain::{
    Activity, Attribution, Catalog, Cube, FaultCode, Faults, Filter, NodeTree, Scope2, ScopeId, TaxonomyId, TreeNode,
};
use ports::ReadModel;
use ports::inbound::{Error, MarketTotals, QualityTotals, ReportQuery, ReportRows, ReportView, Step, TaxonomyView};
use ports::repo::{Page, Place};
use ports::store::{ReadTx, Store};
use ports::{Caller, Grant, Permission, Read, Revision, Stored, demand, permit};
use uuid::Uuid;

use super::choice::Choice;
use super::factors::Factors;
use super::names;
use super::page::{Found, Pages};
use super::read_model::ReadModels;
use answer::{Answer, Question};
use rows::{Left, Rows};

/// How many activities a batch of rows has.
const BATCH: u32 = 500;
/// How often a snapshot may turn out to be older than the cached read model.
const SNAPSHOTS: u32 = 20;

/// A snapshot with exactly its read model.
pub(super) async fn snapshot(
    store: &dyn Store,
    read_models: &ReadModels,
    grant: &Grant<Read>,
) -> Result<(Box<dyn ReadTx>, Arc<ReadModel>), Error> {
    for _ in 0..SNAPSHOTS {
        let mut tx = store.read(grant).await?;
        if let Some(read_model) = read_models.of(grant.tenant(), tx.as_mut()).await? {
            return Ok((tx, read_model));
        }
    }
    Err(Error::Busy("the records changed faster than they were read".into()))
}

/// Which activities a report has of those that are asked for: none where they are asked for if permitted, and are not.
fn permitted(rows: ReportRows, caller: &Caller) -> Result<ReportRows, Error> {
    let may_read = caller.permissions.allows(Permission::ActivityRead);
    Ok(match rows {
        ReportRows::All | ReportRows::Page(_) | ReportRows::Step(_) => {
            permit(caller, demand::ACTIVITY_READ)?;
            rows
        }
        ReportRows::AllIfPermitted if may_read => ReportRows::All,
        ReportRows::PageIfPermitted(page) if may_read => ReportRows::Page(page),
        ReportRows::StepIfPermitted(step) if may_read => ReportRows::Step(step),
        ReportRows::None
        | ReportRows::AllIfPermitted
        | ReportRows::PageIfPermitted(_)
        | ReportRows::StepIfPermitted(_) => ReportRows::None,
    })
}

/// See [`ports::inbound::Activities::report`].
pub(super) async fn report(
    store: &dyn Store,
    read_models: &ReadModels,
    caller: &Caller,
    mut query: ReportQuery,
) -> Result<ReportView, Error> {
    let grant = permit(caller, demand::ACTIVITY_REPORT)?;
    if query.only.tells_of_one() {
        permit(caller, demand::ACTIVITY_READ)?;
    }
    let rows = permitted(query.rows, caller)?;
    let (question, is_detailed) = (Question::of(&query), rows != ReportRows::None);
    if let (Some(question), false) = (&question, is_detailed)
        && let Some((model, answer)) = asked_before(store, read_models, &grant, question).await?
    {
        let rows = Rows::none(Arc::clone(model.catalog()));
        return Ok(view(&answer, query.scope2, model.revision(), rows));
    }
    let (mut tx, read_model) = snapshot(store, read_models, &grant).await?;
    let (catalog, revision) = (Arc::clone(read_model.catalog()), read_model.revision());
    let known = question.and_then(|question| read_models.answers.find(grant.tenant(), revision, &question));
    let choice = Choice::read(tx.as_mut(), &catalog, &query.only, &mut query.faults).await?;
    let filter = if known.is_some() && !is_detailed { Filter::default() } else { filter(&catalog, &query)? };
    if !query.only.is_all() && query.sync_id.is_none() {
        let outdated = read_models.outdated.of(grant.tenant(), tx.as_mut()).await?;
        return scanned::report(tx, (&read_model, &outdated), filter, choice, rows).await;
    }
    let only = match &query.sync_id {
        Some(sync_id) => {
            permit(caller, demand::ACTIVITY_READ)?;
            let found = tx.activities().find_by_sync_id(sync_id).await?;
            Some(found.filter(|one| choice.selects(&catalog, one)))
        }
        None => None,
    };
    let answer = match (known, question, &only) {
        (Some(known), _, _) => known,
        (None, _, Some(one)) => {
            let outdated = read_models.outdated.of(grant.tenant(), tx.as_mut()).await?;
            let is_outdated = one.as_ref().is_some_and(|one| {
                outdated.contains(one.value.id) && filter.selects(&one.value, &catalog.not_spread())
            });
            let found = answer(&catalog, &alone(one.as_ref())?, &filter);
            Arc::new(Answer { outdated: u64::from(is_outdated), ..found })
        }
        (None, question, None) => {
            let outdated = read_models.outdated.of(grant.tenant(), tx.as_mut()).await?.count(&catalog, &filter);
            let answer = Arc::new(Answer { outdated, ..answer(&catalog, read_model.cube(), &filter) });
            if let Some(question) = question {
                read_models.answers.put(grant.tenant(), revision, question, Arc::clone(&answer));
            }
            answer
        }
    };
    let count = u64::try_from(answer.totals.count).unwrap_or(0);
    let not_spread = match filter.attribution {
        Attribution::Daily if is_detailed => catalog.not_spread(),
        Attribution::Daily | Attribution::Start => HashSet::new(),
    };
    let (mut previous, mut next) = (None, None);
    let left = match (rows, only) {
        (ReportRows::All, None) => Left::All { after: None, given: 0, count },
        (ReportRows::Page(page), None) => {
            let mut pages = pages(tx.as_mut(), read_model.cube(), &filter, &not_spread, count);
            let activities;
            Found { activities, previous, next } = pages.page(page).await?;
            Left::Read(activities)
        }
        (ReportRows::Step(step), None) => {
            let mut pages = pages(tx.as_mut(), read_model.cube(), &filter, &not_spread, count);
            let activities;
            Found { activities, previous, next } = pages.step(step).await?;
            Left::Read(activities)
        }
        (ReportRows::All | ReportRows::Page(Page { number: 1, .. }), Some(one)) => {
            Left::Read(one.into_iter().filter(|one| filter.selects(&one.value, &not_spread)).collect())
        }
        (ReportRows::Step(Step { side, .. }), Some(one)) => {
            let one = one.into_iter().filter(|one| side.has(Place::of(&one.value)));
            Left::Read(one.filter(|one| filter.selects(&one.value, &not_spread)).collect())
        }
        // Of one activity there is no second page; and no rows are asked for.
        (ReportRows::Page(_), Some(_))
        | (
            ReportRows::None
            | ReportRows::AllIfPermitted
            | ReportRows::PageIfPermitted(_)
            | ReportRows::StepIfPermitted(_),
            _,
        ) => Left::Read(Vec::new()),
    };
    let tx = is_detailed.then_some(tx);
    let (without_co2e, factors) = (None, Factors::default());
    let rows = Rows { tx, catalog, filter, choice, without_co2e, not_spread, factors, left };
    Ok(ReportView { detailed: is_detailed, previous, next, ..view(&answer, query.scope2, revision, rows) })
}

/// What a report came to at the newest change, where its read model is cached and the same was asked of it.
async fn asked_before(
    store: &dyn Store,
    read_models: &ReadModels,
    grant: &Grant<Read>,
    question: &Question,
) -> Result<Option<(Arc<ReadModel>, Arc<Answer>)>, Error> {
    let Some(model) = read_models.newest(grant.tenant()) else { return Ok(None) };
    let Some(answer) = read_models.answers.find(grant.tenant(), model.revision(), question) else { return Ok(None) };
    let is_newest = store.head(grant).await?.revision() == model.revision();
    Ok(is_newest.then_some((model, answer)))
}

/// A report without details.
fn view(answer: &Answer, scope2: Scope2, revision: Revision, rows: Rows) -> ReportView {
    ReportView {
        revision,
        count: u64::try_from(answer.totals.count).unwrap_or(0),
        incomplete: u64::try_from(answer.totals.incomplete).unwrap_or(0),
        outdated: answer.outdated,
        first: answer.first,
        last: answer.last,
        co2e: answer.totals.co2e,
        uncategorized: answer.totals.uncategorized,
        biogenic: answer.totals.biogenic,
        credits: answer.totals.credits,
        outside: answer.totals.outside,
        market: MarketTotals {
            co2e: answer.totals.market_co2e(),
            instrument: answer.totals.market_instrument,
            residual: answer.totals.market_residual,
            location: answer.totals.market_location(),
        },
        quality: QualityTotals {
            measured: answer.totals.measured,
            estimated: answer.totals.estimated,
            proxy: answer.totals.proxy,
            not_stated: answer.totals.quality_not_stated(scope2),
        },
        scopes: Arc::clone(&answer.scopes),
        orgs: Arc::clone(&answer.orgs),
        taxonomies: Arc::clone(&answer.taxonomies),
        detailed: false,
        previous: None,
        next: None,
        rows: Box::new(rows),
    }
}

fn pages<'a>(
    tx: &'a mut dyn ReadTx,
    cube: &'a Cube,
    filter: &'a Filter,
    not_spread: &'a HashSet<ScopeId>,
    count: u64,
) -> Pages<'a> {
    Pages { tx, cube, filter, not_spread, count }
}

/// What the report on a cube comes to, with the names of the nodes that are found; what is outdated is not counted.
fn answer(catalog: &Catalog, cube: &Cube, filter: &Filter) -> Answer {
    named(catalog, domain::report(cube, filter, &|id| catalog.class(id)))
}

/// The same with the names of the nodes.
fn named(catalog: &Catalog, found: domain::Report) -> Answer {
    Answer {
        totals: found.totals,
        outdated: 0,
        first: found.first,
        last: found.last,
        scopes: found.scopes.into_iter().filter_map(|id| names::node(&catalog.scopes, id)).collect(),
        orgs: found.orgs.into_iter().filter_map(|id| names::node(&catalog.orgs, id)).collect(),
        taxonomies: found.taxonomies.into_iter().filter_map(|id| taxonomy(catalog, id)).collect(),
    }
}

/// The filter that the query asks for; faults name the parameter of each node that is not there.
pub(super) fn filter(catalog: &Catalog, query: &ReportQuery) -> Result<Filter, Error> {
    let mut faults = query.faults.clone();
    let filter = Filter::default()
        .with_period(query.period)
        .with_attribution(query.attribution)
        .with_scope2(query.scope2)
        .with_orgs(subtree(&catalog.orgs, query.org, &mut faults))
        .with_scopes(subtree(&catalog.scopes, query.scope, &mut faults))
        .with_taxonomies(subtree(&catalog.taxonomies, query.taxonomy, &mut faults));
    if faults.is_empty() { Ok(filter) } else { Err(Error::Parameters(faults)) }
}

/// The node of that id and all below it.
fn subtree<T: TreeNode>(nodes: &NodeTree<T>, id: Option<Uuid>, faults: &mut Faults) -> Option<HashSet<T::Id>> {
    let (id, tree) = (T::Id::from(id?), T::TREE);
    if nodes.find(id).is_none() {
        faults.add_coded(
            FaultCode::NotFound,
            tree.to_string(),
            format!("there is no {tree} {id}; GET /v1/{tree} lists those there are"),
        );
        return None;
    }
    Some(nodes.forest().subtree(id))
}

/// The cube of that activity alone.
fn alone(activity: Option<&Stored<Activity>>) -> Result<Cube, Error> {
    let Some(Stored { value: activity, .. }) = activity else { return Ok(Cube::default()) };
    let cells = activity.posting().cells().map(|(day, cell)| (0, day, cell));
    Cube::new([activity.series()], cells).map_err(|error| Error::Failed(Box::new(error)))
}

fn taxonomy(catalog: &Catalog, id: TaxonomyId) -> Option<TaxonomyView> {
    let taxonomy = catalog.taxonomies.find(id)?;
    let (name, slug) = (taxonomy.name.clone(), taxonomy.slug.clone());
    Some(TaxonomyView { id: id.uuid(), name, slug, path: catalog.path(id) })
}
