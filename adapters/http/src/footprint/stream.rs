//! The records of a list, read in small batches: a record may have as many bytes as a body.

use actix_web::web;
use async_trait::async_trait;
use domain::Footprint;
use files::Json;
use ports::Caller;
use ports::inbound::FootprintBatches;

use super::interface::interface_view;
use super::json::of_interface;
use super::record::written;
use crate::problem::Problem;
use crate::service::Service;
use crate::stream::Source;

/// How many records are in memory at once.
const BATCH: u32 = 8;

/// The valid records, as partners are shown them.
pub(super) struct Valid {
    service: web::Data<Service>,
    caller: Caller,
    after: u64,
    items: Items,
}

impl Valid {
    pub(super) fn new(service: web::Data<Service>, caller: Caller) -> Self {
        Self { service, caller, after: 0, items: Items::default() }
    }
}

#[async_trait]
impl Source for Valid {
    async fn next(&mut self) -> Result<Option<Vec<u8>>, Problem> {
        let views = self.service.areas().footprints.list_valid(&self.caller, self.after, BATCH).await?;
        let Some(last) = views.last() else { return Ok(None) };
        self.after = last.footprint.value.number;
        let mut out = Vec::new();
        for view in views {
            self.items.write(&mut out, &of_interface(&interface_view(&view.footprint.value)))?;
        }
        Ok(Some(out))
    }
}

/// The list of those records, as partners are shown them.
pub(super) fn all<'a>(footprints: impl Iterator<Item = &'a Footprint>) -> Result<Vec<u8>, Problem> {
    let (mut items, mut out) = (Items::default(), br#"{"data":["#.to_vec());
    for footprint in footprints {
        items.write(&mut out, &of_interface(&interface_view(footprint)))?;
    }
    out.extend(b"]}");
    Ok(out)
}

/// The records of one page, with their verdict.
pub(super) struct OnPage {
    records: Box<dyn FootprintBatches>,
    items: Items,
}

impl OnPage {
    pub(super) fn new(records: Box<dyn FootprintBatches>) -> Self {
        Self { records, items: Items::default() }
    }
}

#[async_trait]
impl Source for OnPage {
    async fn next(&mut self) -> Result<Option<Vec<u8>>, Problem> {
        let views = self.records.next(BATCH).await?;
        if views.is_empty() {
            return Ok(None);
        }
        let mut out = Vec::new();
        for view in views {
            self.items.write(&mut out, &written(&view))?;
        }
        Ok(Some(out))
    }
}

/// The items of a JSON array, of which some may be written already.
#[derive(Default)]
struct Items {
    written: bool,
}

impl Items {
    fn write(&mut self, out: &mut Vec<u8>, item: &Json) -> Result<(), Problem> {
        if self.written {
            out.push(b',');
        }
        self.written = true;
        serde_json::to_writer(out, item).map_err(Problem::internal)
    }
}
