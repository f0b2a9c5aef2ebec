//! Step 1: the file.

use actix_web::HttpResponse;
use http::edge::{self, Failure};
use maud::{Markup, html};
use ports::Permission;
use ports::inbound::{Error, Upload};
use ports::staged_import::{MOST_BYTES, StagedImport};

use super::{SECTION, path, steps};
use crate::here::Here;
use crate::layout::Layout;
use crate::page::login::see_other;
use crate::page::refused::refused;
use crate::upload::{FILE, Sent, SentFile};

const TITLE: &str = "Import a file";

/// Answers GET of `/imports/new`.
pub(crate) async fn show(here: Here) -> Result<HttpResponse, Failure> {
    here.caller().check(Permission::ActivityWrite).map_err(Error::from)?;
    Ok(layout(&here, html! {}).answer(&here))
}

/// Answers POST to `/imports/new`: takes a file.
pub(crate) async fn receive(here: Here, sent: Sent) -> Result<HttpResponse, Failure> {
    match take(&here, sent).await? {
        Ok(staged) => Ok(see_other(&path(&here, staged.id, "table"))),
        Err(error) => {
            let (status, wrong) = refused(error)?;
            Ok(layout(&here, wrong).status(status).answer(&here))
        }
    }
}

async fn take(here: &Here, sent: Sent) -> Result<Result<StagedImport, Error>, Failure> {
    let _slot = edge::stream_slot(here.request(), here.caller()).await?;
    // Who may not import, and a company that has too many files here, are refused before the file is read.
    let Some(mut file) = sent.file().await? else { return Err(Failure::malformed("The form has no file.")) };
    let mut upload = match here.staged().receive(here.caller(), &file.name).await {
        Ok(upload) => upload,
        Err(error) => return Ok(Err(error)),
    };
    match put_all(upload.as_mut(), &mut file).await {
        Ok(Ok(())) => Ok(upload.finish().await),
        Ok(Err(error)) => {
            upload.abandon().await?;
            Ok(Err(error))
        }
        Err(failure) => {
            upload.abandon().await?;
            Err(failure)
        }
    }
}

async fn put_all(upload: &mut dyn Upload, file: &mut SentFile) -> Result<Result<(), Error>, Failure> {
    while let Some(bytes) = file.next().await? {
        if let Err(error) = upload.put(&bytes).await {
            return Ok(Err(error));
        }
    }
    Ok(Ok(()))
}

#[expect(clippy::needless_pass_by_value, reason = "markup is made where it is given")]
fn layout(here: &Here, said: Markup) -> Layout {
    let body = html! {
        h1 { (TITLE) }
        (steps(here, None, 0))
        (said)
        p.lead { "A table of activities as it is: CSV or another text, a workbook (.xlsx, .xls, .ods), or NDJSON; compressed with gzip or not. Nothing is written before the last step." }
        form.form method="post" enctype="multipart/form-data" action=(here.path(&format!("{SECTION}/new"))) {
            (here.token_field())
            label.field {
                span { "File *" }
                input type="file" name=(FILE) required;
                span.hint { "At most " (MOST_BYTES >> 20) " MiB" }
            }
            button type="submit" { "Go on" }
        }
    };
    Layout::new(TITLE, SECTION).body(body)
}
