//! Which records of a collection are asked for, and reading them: page by page, or all of them as they were at one time.

use std::collections::HashMap;
use std::marker::PhantomData;

use actix_web::HttpRequest;
use domain::{SyncId, Timestamp, parse_uuid};
use files::{ByteOrderMark, Cells, Json};
use ports::repo::{Listing, Page};

use super::{Asking, Lists};
use crate::problem::{HeadFaults, Kind as ProblemKind, Problem};
use crate::query::{MAX_SIZE, Query, listing};
use crate::report::parameters::{BOM, cells, cells_words, mark};
use crate::request_part::{Parameter, Part};
use crate::schema::Kind;

/// The most records of a collection that are read for one answer.
const MOST_RECORDS: u64 = 100_000;
/// How often all records are read before they are said to change too fast.
const READINGS: u32 = 5;

/// Which records of a collection are asked for.
pub(crate) struct Listed<R> {
    sync_id: Option<SyncId>,
    page: Option<Page>,
    only: Only,
    /// How the cells of CSV are written.
    pub(super) cells: Cells,
    /// Whether CSV begins with a byte-order mark.
    pub(super) mark: ByteOrderMark,
    /// The form of the answer.
    form: Form,
    records: PhantomData<fn() -> R>,
}

/// The form that records are asked for in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// As pages of JSON.
    Page,
    /// As a table.
    Table,
}

/// What records must be, by the members that they are shown with.
#[derive(Debug, Default, PartialEq, Eq)]
struct Only {
    /// In lower case.
    name: Option<String>,
    parent: Option<String>,
    updated_since: Option<Timestamp>,
}

impl Only {
    fn is_all(&self) -> bool {
        *self == Self::default()
    }

    fn selects(&self, record: &Json) -> bool {
        let text = |name: &str| record.get(name).and_then(Json::as_text);
        let above = record.get("parent").and_then(|above| above.get("uuid")).and_then(Json::as_text);
        let named = |part: &String| text("name").is_some_and(|name| name.to_lowercase().contains(part));
        let below = |id: &String| above == Some(id);
        let updated = text("updated").and_then(|text| Timestamp::parse(text).ok());
        self.name.as_ref().is_none_or(named)
            && self.parent.as_ref().is_none_or(below)
            && self.updated_since.is_none_or(|since| updated.is_some_and(|updated| updated >= since))
    }
}

impl<R: Lists> Listed<R> {
    fn has(member: &str) -> bool {
        R::columns().iter().any(|(name, _)| *name == member)
    }

    /// The same for a table.
    pub(super) fn tabled(self) -> Self {
        Self { form: Form::Table, ..self }
    }

    fn take(query: &mut Query) -> Self {
        let name = if Self::has("name") { query.take("name") } else { None };
        let parent = if Self::has("parent") { query.read("parent", parse_uuid) } else { None };
        let updated_since = if Self::has("updated") { query.read("updatedSince", Timestamp::parse) } else { None };
        let only =
            Only { name: name.map(|name| name.to_lowercase()), parent: parent.map(|id| id.to_string()), updated_since };
        let (sync_id, page) = (query.sync_id(), query.find_page());
        let mark = mark(query);
        Self { sync_id, page, only, cells: cells(query), mark, form: Form::Page, records: PhantomData }
    }
}

impl<R: Lists> Part for Listed<R> {
    fn parameters() -> Vec<Parameter> {
        let query = Parameter::query;
        let mut all = listing();
        let filters = [
            (
                "name",
                query("name", Kind::Text(1, 255), "Only records with that text in their name, whatever the case."),
            ),
            ("parent", query("parent", Kind::Uuid, "Only the nodes directly below that one.")),
            ("updated", query("updatedSince", Kind::Time, "Only records that were added or changed since then.")),
        ];
        all.extend(filters.into_iter().filter(|(member, _)| Self::has(member)).map(|(_, parameter)| parameter));
        all.push(query(
            "cells",
            Kind::Word(cells_words),
            "text: in CSV, a text that a spreadsheet would take for a formula has an apostrophe before it; verbatim unless \
             given.",
        ));
        all.push(BOM);
        all
    }

    fn read(request: &HttpRequest, faults: &mut HeadFaults) -> Option<Self> {
        let mut query = Query::parse(request.query_string());
        let asked = Self::take(&mut query);
        faults.query(query.into_faults());
        Some(asked)
    }
}

/// One page of the records that are asked for, as they are shown.
pub(super) async fn page<R: Lists>(by: Asking<'_>, within: R::In, asked: &Listed<R>) -> Result<Listing<Json>, Problem> {
    let page = asked.page.unwrap_or(Page::FIRST);
    if asked.only.is_all() {
        return at(by, within, asked, page).await;
    }
    let Listing { data, count, .. } = all(by, within, asked).await?;
    let (skip, take) = (usize::try_from(page.offset()).unwrap_or(usize::MAX), page.size as usize);
    Ok(Listing { count, page, data: data.into_iter().skip(skip).take(take).collect() })
}

/// The records that are asked for, for a table: all of them unless a page is asked for, nodes with their path.
pub(super) async fn rows<R: Lists>(by: Asking<'_>, within: R::In, asked: &Listed<R>) -> Result<Vec<Json>, Problem> {
    let Listing { data, .. } = all(by, within, asked).await?;
    let Some(page) = asked.page else { return Ok(data) };
    let (skip, take) = (usize::try_from(page.offset()).unwrap_or(usize::MAX), page.size as usize);
    Ok(data.into_iter().skip(skip).take(take).collect())
}

/// Whether the records are nodes that do not say their path themselves.
pub(super) fn lacks_path<R: Lists>() -> bool {
    is_tree::<R>() && !Listed::<R>::has("path")
}

/// Whether the records are nodes of a tree.
fn is_tree<R: Lists>() -> bool {
    Listed::<R>::has("parent")
}

/// Gives each node the names from its root down to it as another member, `path`.
fn add_paths(nodes: &mut [Json]) {
    let above = |node: &Json| node.get("parent").and_then(|parent| text(parent, "uuid"));
    let known: HashMap<String, (String, Option<String>)> =
        nodes.iter().filter_map(|node| Some((text(node, "uuid")?, (text(node, "name")?, above(node))))).collect();
    for node in nodes {
        let (mut names, mut at) = (Vec::new(), text(node, "uuid"));
        // Trees are less deep than they have nodes; a cycle, which no store lets in, would end there too.
        while let Some((name, parent)) = at.as_ref().and_then(|id| known.get(id)).filter(|_| names.len() < known.len())
        {
            names.push(name.as_str());
            at.clone_from(parent);
        }
        names.reverse();
        if let Json::Object(members) = node {
            members.push(("path".to_owned(), Json::Text(names.join(" / "))));
        }
    }
}

/// Says of the node above each node what finds it in another installation: its syncId and its path.
fn add_above(nodes: &mut [Json]) {
    let said = |node: &Json| ["syncId", "path"].map(|name| (name, text(node, name)));
    let known: HashMap<String, [(&str, Option<String>); 2]> =
        nodes.iter().filter_map(|node| Some((text(node, "uuid")?, said(node)))).collect();
    let parents = nodes.iter_mut().filter_map(|node| {
        let Json::Object(members) = node else { return None };
        members.iter_mut().find(|(name, _)| name == "parent").map(|(_, parent)| parent)
    });
    for parent in parents {
        let found = text(parent, "uuid").and_then(|id| known.get(&id));
        if let (Some(found), Json::Object(members)) = (found, parent) {
            let texts = found.iter().filter_map(|(name, value)| Some(((*name).to_owned(), Json::Text(value.clone()?))));
            members.extend(texts);
        }
    }
}

fn text(node: &Json, name: &str) -> Option<String> {
    node.get(name).and_then(Json::as_text).map(str::to_owned)
}

/// All records that are asked for, as they were at one time.
async fn all<R: Lists>(by: Asking<'_>, within: R::In, asked: &Listed<R>) -> Result<Listing<Json>, Problem> {
    let mut before = None;
    for _ in 0..READINGS {
        let read = once(by, within, asked).await?;
        // A single page is of one snapshot. Several are, where reading them again finds the same.
        if read.len() <= MAX_SIZE as usize || before.as_ref() == Some(&read) {
            let mut read = read;
            if asked.form == Form::Table && is_tree::<R>() {
                if lacks_path::<R>() {
                    add_paths(&mut read);
                }
                add_above(&mut read);
            }
            let data: Vec<Json> = read.into_iter().filter(|record| asked.only.selects(record)).collect();
            return Ok(Listing { count: data.len() as u64, page: Page::FIRST, data });
        }
        before = Some(read);
    }
    Err(Problem::busy("the records changed faster than they were read"))
}

async fn once<R: Lists>(by: Asking<'_>, within: R::In, asked: &Listed<R>) -> Result<Vec<Json>, Problem> {
    let (mut records, mut number) = (Vec::new(), 1);
    loop {
        let Listing { count, data, .. } = at(by, within, asked, Page { number, size: MAX_SIZE }).await?;
        if count > MOST_RECORDS {
            let detail = format!("There are {count} records, more than {MOST_RECORDS}: ask page by page.");
            return Err(Problem::new(ProblemKind::Invalid, detail));
        }
        let is_last = data.len() < MAX_SIZE as usize;
        records.extend(data);
        if is_last {
            return Ok(records);
        }
        number += 1;
    }
}

/// That page of the records, as they are shown, with none left out but by their syncId.
async fn at<R: Lists>(by: Asking<'_>, within: R::In, asked: &Listed<R>, page: Page) -> Result<Listing<Json>, Problem> {
    let finds_nothing = asked.sync_id.is_some() && !R::HAS_SYNC_ID;
    let listing = R::list(by, within, asked.sync_id.clone(), page).await?;
    if finds_nothing {
        return Ok(Listing { count: 0, page, data: Vec::new() });
    }
    let data: Result<Vec<_>, _> = listing.data.iter().map(R::write).collect();
    Ok(Listing { count: listing.count, page: listing.page, data: data? })
}
