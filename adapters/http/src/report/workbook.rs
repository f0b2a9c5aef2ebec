//! The activities of a report as a workbook: made in temporary files, then sent as a stream.

use std::fs::File;
use std::io::Read as _;

use actix_web::HttpRequest;
use actix_web::HttpResponse;
use async_trait::async_trait;
use files::{ActivitySheet, MOST_ROWS, WorkbookError};
use ports::Permission;
use ports::inbound::ReportView;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::query::Question;
use crate::media;
use crate::problem::Problem;
use crate::request_id::RequestId;
use crate::service::Settings;
use crate::stream::{self, Form, Source};
use crate::stream_slots::StreamSlot;

/// How many bytes are read at once.
const BLOCK: usize = 64 << 10;

/// Answers with the activities as a workbook.
pub(super) async fn answer(
    question: &Question,
    view: ReportView,
    slot: Option<StreamSlot>,
    settings: &Settings,
    id: RequestId,
    request: &HttpRequest,
) -> Result<HttpResponse, Problem> {
    if question.is_whole() && view.count > u64::from(MOST_ROWS) {
        return Err(WorkbookError::TooManyRows.into());
    }
    let file = timeout(settings.limits.stream, made(question, view))
        .await
        .map_err(|_| Problem::busy("a workbook took longer to make than a stream may take"))??;
    let form = Form { media_type: media::XLSX, head: Vec::new(), foot: Vec::new() };
    stream::answer(form, Blocks(file), slot, settings, id, request, Permission::ActivityRead).await
}

async fn made(question: &Question, mut view: ReportView) -> Result<File, Problem> {
    let mut sheet = ActivitySheet::new(question.unit.shift(), question.shares())?;
    loop {
        let batch = view.rows.next().await?;
        if batch.is_empty() {
            break;
        }
        let push = move || sheet.push(&batch).map(|()| sheet);
        sheet = spawn_blocking(push).await.map_err(Problem::internal)??;
    }
    Ok(spawn_blocking(move || sheet.finish()).await.map_err(Problem::internal)??)
}

struct Blocks(File);

#[async_trait]
impl Source for Blocks {
    async fn next(&mut self) -> Result<Option<Vec<u8>>, Problem> {
        let mut block = Vec::with_capacity(BLOCK);
        let read = (&self.0).take(BLOCK as u64).read_to_end(&mut block).map_err(Problem::internal)?;
        Ok((read > 0).then_some(block))
    }
}
