//! All footprints as a table: a column for each field of PACT, those of the carbon footprint among them.

use actix_web::http::header::{CONTENT_DISPOSITION, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, web};
use async_trait::async_trait;
use domain::footprint::{FOOTPRINT, FieldSpec, JsonType};
use files::{ByteOrderMark, Cell, Cells, Json, Table};
use ports::Permission;
use ports::inbound::FootprintView;
use ports::repo::Page;
use tokio::task::spawn_blocking;

use super::record::written;
use crate::answer::is_head;
use crate::caller::Caller;
use crate::media::{self, Accepted};
use crate::problem::{Kind as ProblemKind, Problem};
use crate::query::{Queried, Query, listing};
use crate::report::parameters::{BOM, cells, cells_words, mark};
use crate::request_id::RequestId;
use crate::request_part::Parameter;
use crate::resource::{cell, file};
use crate::schema::Kind;
use crate::service::{Service, Settings};
use crate::stream::{self, Form, Source};
use crate::stream_slots::StreamSlot;

/// How many records are in memory at once, beside their cells.
const BATCH: u32 = 8;
/// How many bytes of the file are handed on at once.
const BLOCK: usize = 64 << 10;
/// The most bytes that the cells of one table have in memory.
const MOST_BYTES: usize = 64 << 20;

/// Which footprints are asked for, and how a table of them is written.
#[derive(Debug)]
pub(super) struct Asked {
    /// Whether one is asked for by its syncId, which none has.
    pub(super) finds_nothing: bool,
    /// The page that is asked for, if one is.
    pub(super) page: Option<Page>,
    cells: Cells,
    mark: ByteOrderMark,
}

impl Queried for Asked {
    fn parameters() -> Vec<Parameter> {
        let mut all = listing();
        all.push(Parameter::query(
            "cells",
            Kind::Word(cells_words),
            "text: in CSV, a text that a spreadsheet would take for a formula has an apostrophe before it; verbatim unless \
             given.",
        ));
        all.push(BOM);
        all
    }

    fn take(query: &mut Query) -> Self {
        let (finds_nothing, page) = (query.sync_id().is_some(), query.find_page());
        Self { finds_nothing, page, cells: cells(query), mark: mark(query) }
    }
}

/// A column: its heading and how its cell is found in a record.
struct Column {
    heading: String,
    path: Vec<&'static str>,
    kind: Kind,
}

/// The footprints that are asked for as a table: all as they are at one time, or a page of them.
pub(super) async fn made(asked: &Asked, caller: &Caller, service: &web::Data<Service>) -> Result<Table, Problem> {
    let columns = columns();
    let (mut rows, mut bytes) = (Vec::new(), 0);
    let page = asked.page.unwrap_or(Page { number: 1, size: u32::MAX });
    let mut found = service.areas().footprints.open_page(caller, page).await?.records;
    loop {
        let views = if asked.finds_nothing { Vec::new() } else { found.next(BATCH).await? };
        if views.is_empty() {
            break;
        }
        for view in &views {
            let row = row(&columns, view);
            bytes += in_memory(&row);
            rows.push(row);
        }
        if bytes > MOST_BYTES {
            let detail = format!("The footprints have more than {MOST_BYTES} bytes: ask page by page.");
            return Err(Problem::new(ProblemKind::Invalid, detail));
        }
    }
    let columns = columns.into_iter().map(|column| column.heading).collect();
    Ok(Table { title: "footprints".to_owned(), columns, rows, ..Table::default() })
}

/// How many bytes the cells of a row have in memory: also one that holds nothing has its place.
fn in_memory(row: &[Cell]) -> usize {
    size_of_val(row) + row.iter().map(|cell| cell.as_str().len()).sum::<usize>()
}

/// Answers with the table as a file, which keeps the slot until it is sent.
pub(super) async fn answer(
    table: Table,
    (accepted, asked): (Accepted, Asked),
    slot: StreamSlot,
    settings: &Settings,
    id: RequestId,
    request: &HttpRequest,
) -> Result<HttpResponse, Problem> {
    let is_workbook = accepted.0 == media::XLSX;
    // Beside the thread that answers: a workbook takes a while to write.
    let write = move || file(&table, accepted, asked.cells, asked.mark);
    let bytes = spawn_blocking(write).await.map_err(Problem::internal)??;
    let (media_type, name) = if is_workbook {
        (media::XLSX, "attachment; filename=\"footprints.xlsx\"")
    } else {
        ("text/csv; charset=utf-8", "attachment; filename=\"footprints.csv\"")
    };
    let form = Form { media_type, head: Vec::new(), foot: Vec::new() };
    let needs = Permission::FootprintReview;
    let mut answer = if is_head(request) {
        form.head_only()
    } else {
        stream::answer(form, Blocks { bytes, at: 0 }, Some(slot), settings, id, request, needs).await?
    };
    answer.headers_mut().insert(CONTENT_DISPOSITION, HeaderValue::from_static(name));
    Ok(answer)
}

/// The blocks of a file.
struct Blocks {
    bytes: Vec<u8>,
    /// How many are handed on.
    at: usize,
}

#[async_trait]
impl Source for Blocks {
    async fn next(&mut self) -> Result<Option<Vec<u8>>, Problem> {
        let left = self.bytes.get(self.at..).unwrap_or_default();
        let block = left.get(..BLOCK).unwrap_or(left).to_vec();
        self.at += block.len();
        Ok((!block.is_empty()).then_some(block))
    }
}

/// What the service says of a footprint, then every field of it; of an object, each of its fields.
fn columns() -> Vec<Column> {
    let own = [("uuid", Kind::Uuid), ("id", Kind::Integer(1, i64::MAX)), ("valid", Kind::Flag)];
    let own = own.map(|(name, kind)| Column { heading: name.to_owned(), path: vec![name], kind });
    let rules = Column { heading: "brokenRules".to_owned(), path: vec!["brokenRules"], kind: Kind::Text(0, u32::MAX) };
    own.into_iter().chain([rules]).chain(FOOTPRINT.fields.iter().flat_map(columns_of)).collect()
}

fn columns_of(spec: &'static FieldSpec) -> Vec<Column> {
    let JsonType::Object(inner) = spec.kind else {
        return vec![Column { heading: spec.name.to_owned(), path: vec![spec.name], kind: kind(spec.kind) }];
    };
    let part = |part: &'static FieldSpec| Column {
        heading: format!("{}.{}", spec.name, part.name),
        path: vec![spec.name, part.name],
        kind: kind(part.kind),
    };
    inner.fields.iter().map(part).collect()
}

const fn kind(kind: JsonType) -> Kind {
    match kind {
        JsonType::Number | JsonType::Integer => Kind::Number,
        JsonType::Text
        | JsonType::Flag
        | JsonType::Moment
        | JsonType::Texts
        | JsonType::References
        | JsonType::Object(_)
        | JsonType::Objects(_)
        | JsonType::Raw => Kind::Text(0, u32::MAX),
    }
}

fn row(columns: &[Column], view: &FootprintView) -> Vec<Cell> {
    let record = written(view);
    let cell_of = |column: &Column| {
        if column.path == ["brokenRules"] {
            let names: Vec<_> = view.violations.iter().map(|broken| broken.rule.name()).collect();
            return if names.is_empty() { Cell::Empty } else { Cell::text(names.join(" ")) };
        }
        let value = column.path.iter().try_fold(&record, |value, name| Json::get(value, name));
        cell(value, column.kind)
    };
    columns.iter().map(cell_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_hold_nothing_count_too() {
        let place = size_of::<Cell>();
        assert_eq!(in_memory(&vec![Cell::Empty; 100]), 100 * place);
        assert_eq!(in_memory(&[Cell::text("four"), Cell::Empty]), 2 * place + 4);
    }
}
