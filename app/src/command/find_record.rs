//! Finding the record that a word means: its UUID, its syncId or its one matching name.

use anyhow::Result;
use domain::{Org, Scope, SyncId, Taxonomy};
use ports::inbound::{Nodes, Only, ReportQuery, ReportRows};
use ports::repo::{Listing, Page};
use ports::{Caller, RecordKind};
use uuid::Uuid;

use super::Usage;
use crate::App;

/// The most records of a page.
const PAGE: u32 = 1_000;

/// A record: its UUID and its name.
type Named = (Uuid, String);

/// The record of that kind that the word means. One that was removed is found by its UUID alone.
pub(super) async fn find(app: &App, caller: &Caller, kind: RecordKind, word: &str) -> Result<Uuid> {
    find_of(app, caller, &[kind], word).await
}

/// The record of one of those kinds that the word means.
pub(super) async fn find_of(app: &App, caller: &Caller, kinds: &[RecordKind], word: &str) -> Result<Uuid> {
    if let Ok(id) = domain::parse_uuid(word) {
        return Ok(id);
    }
    let mut found = Vec::new();
    if let Ok(sync_id) = SyncId::parse(word) {
        for kind in kinds {
            found.extend(with_sync_id(app, caller, *kind, sync_id.clone()).await?);
        }
    }
    if found.is_empty() {
        for kind in kinds {
            found.extend(named(app, caller, *kind, word).await?);
        }
    }
    match found.as_slice() {
        [(id, _)] => Ok(*id),
        [] => {
            let kinds = kinds.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ");
            Err(Usage(format!(
                "there is no {kinds} with the syncId or name {word:?}; one that was removed is found by its UUID"
            ))
            .into())
        }
        several => {
            let ids: Vec<String> = several.iter().map(|(id, _)| id.to_string()).collect();
            Err(Usage(format!("several are called {word:?}; give the UUID of one: {}", ids.join(", "))).into())
        }
    }
}

async fn with_sync_id(app: &App, caller: &Caller, kind: RecordKind, sync_id: SyncId) -> Result<Vec<Named>> {
    if kind == RecordKind::Activity {
        let rows = ReportRows::Page(Page::FIRST);
        return activities(app, caller, ReportQuery { sync_id: Some(sync_id), rows, ..ReportQuery::default() }).await;
    }
    Ok(list(app, caller, kind, Some(sync_id), Page::FIRST).await?.data)
}

async fn named(app: &App, caller: &Caller, kind: RecordKind, name: &str) -> Result<Vec<Named>> {
    let mut found = Vec::new();
    if kind == RecordKind::Activity {
        let only = Only { name: Some(name.to_owned()), ..Only::default() };
        found = activities(app, caller, ReportQuery { only, rows: ReportRows::All, ..ReportQuery::default() }).await?;
    } else {
        for number in 1.. {
            let Listing { data, .. } = list(app, caller, kind, None, Page { number, size: PAGE }).await?;
            let is_last = data.len() < PAGE as usize;
            found.extend(data);
            if is_last {
                break;
            }
        }
    }
    found.retain(|(_, known)| known == name);
    Ok(found)
}

async fn activities(app: &App, caller: &Caller, query: ReportQuery) -> Result<Vec<Named>> {
    let mut rows = app.areas().activities.report(caller, query).await?.rows;
    let mut found = Vec::new();
    loop {
        let batch = rows.next().await?;
        if batch.is_empty() {
            return Ok(found);
        }
        found.extend(batch.into_iter().map(|(view, _)| {
            let activity = view.activity.value;
            (activity.id.into(), activity.name.to_string())
        }));
    }
}

/// One page of the records of a kind that has syncIds and names.
async fn list(
    app: &App,
    caller: &Caller,
    kind: RecordKind,
    sync_id: Option<SyncId>,
    page: Page,
) -> Result<Listing<Named>> {
    let (areas, catalog) = (app.areas(), &app.areas().catalog);
    let found = match kind {
        RecordKind::Scope => {
            let nodes = Nodes::<Scope>::list_nodes(catalog.as_ref(), caller, sync_id, page).await?;
            pairs(nodes, |view| (view.node.value.id.into(), view.node.value.name.to_string()))
        }
        RecordKind::Org => {
            let nodes = Nodes::<Org>::list_nodes(catalog.as_ref(), caller, sync_id, page).await?;
            pairs(nodes, |view| (view.node.value.id.into(), view.node.value.name.to_string()))
        }
        RecordKind::Taxonomy => {
            let nodes = Nodes::<Taxonomy>::list_nodes(catalog.as_ref(), caller, sync_id, page).await?;
            pairs(nodes, |view| (view.node.value.id.into(), view.node.value.name.to_string()))
        }
        RecordKind::Product => pairs(catalog.list_products(caller, sync_id, page).await?, |view| {
            (view.product.value.id.into(), view.product.value.name.to_string())
        }),
        RecordKind::Model => pairs(areas.models.list(caller, sync_id, page).await?, |view| {
            (view.model.value.id.into(), view.model.value.name.to_string())
        }),
        RecordKind::Switch => pairs(areas.switches.list(caller, sync_id, page).await?, |view| {
            (view.switch.value.id.into(), view.switch.value.name.to_string())
        }),
        RecordKind::Activity
        | RecordKind::Factor
        | RecordKind::Input
        | RecordKind::Footprint
        | RecordKind::ClosedPeriod
        | RecordKind::Exclusion
        | RecordKind::Partner
        | RecordKind::Sharing => {
            return Err(Usage(format!("a {kind} is named by its UUID")).into());
        }
    };
    Ok(found)
}

fn pairs<T>(listing: Listing<T>, pair: impl Fn(&T) -> Named) -> Listing<Named> {
    let Listing { count, page, data } = listing;
    Listing { count, page, data: data.iter().map(pair).collect() }
}
