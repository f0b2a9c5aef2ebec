//! Footprints that a partner announced or sent become factors: those alone are asked for.

use domain::footprint::Edition;
use domain::{FootprintId, PartnerId, parse_uuid};
use ports::exchange::{ExchangeKind, ExchangeRow};
use ports::inbound::{Error, PullError, Pulled, RefusedFootprint};
use ports::partner_host::{HostError, PartnerAddress};
use ports::repo::Page;
use ports::{Caller, demand, permit};

use super::super::super::draft::begin;
use super::super::super::exchange::{KeptFootprint, kept_footprint};
use super::super::words;
use super::listed::{Listed, listed};
use super::{BATCH, PullService, Supplier, note, write};

/// How many rows are read at once.
const PAGE_SIZE: u32 = 500;

/// A footprint and the row that it is kept in.
struct Kept {
    row: ExchangeRow,
    found: Found,
}

/// What came of asking for a footprint.
enum Found {
    Listed(Box<Listed>),
    /// It will not come, and why: it is kept no longer.
    Refused(String),
    /// It may come another time, and why it did not now: it stays.
    Later(String),
}

impl PullService {
    /// Takes over what a partner announced or sent. What becomes a factor, or is one, is kept no longer; nor is what the host
    /// refuses to give. What it cannot give now stays, and those behind it are asked for. Where the host refuses us altogether, or
    /// asks to wait, that ends it, behind what came before.
    pub(super) async fn take_over(
        &self,
        caller: &Caller,
        partner: PartnerId,
        at: &PartnerAddress,
    ) -> Result<Pulled, PullError> {
        let grant = permit(caller, demand::CATALOG_WRITE).map_err(Error::from)?;
        let supplier = Supplier::new(Some(partner), at)?;
        let mut rows = Vec::new();
        for number in 1.. {
            let page = Page { number, size: PAGE_SIZE };
            let mut tx = self.store.read(&grant.to_read()).await.map_err(Error::from)?;
            let part = tx.exchange().list(ExchangeKind::Footprint, partner, page).await.map_err(Error::from)?.data;
            let is_last = part.len() < PAGE_SIZE as usize;
            rows.extend(part);
            if is_last {
                break;
            }
        }
        let mut pulled = Pulled::default();
        // The newest came first; what is kept longest is taken over first.
        rows.reverse();
        for part in rows.chunks(BATCH) {
            let mut kept = Vec::with_capacity(part.len());
            let mut ended = None;
            for row in part {
                match self.find(at, &supplier, row.clone()).await {
                    Ok(found) => kept.push(found),
                    Err(error) => {
                        ended = Some(error);
                        break;
                    }
                }
            }
            let cause = format!("PACT pull from {}", supplier.host);
            let mut tx = begin(self.store.as_ref(), self.clock.as_ref(), &grant, cause).await?;
            for Kept { row, found } in kept {
                pulled.came += 1;
                let is_done = match found {
                    Found::Listed(one) => {
                        let written = write::one(tx.as_mut(), self, &supplier, &one).await?;
                        let is_refused = matches!(written, write::Written::Refused(_));
                        note(&mut pulled, &one, written);
                        !is_refused
                    }
                    Found::Refused(reason) => {
                        pulled.refused.push(RefusedFootprint { id: id_of(&row), product: None, reason });
                        true
                    }
                    Found::Later(reason) => {
                        pulled.refused.push(RefusedFootprint { id: id_of(&row), product: None, reason });
                        false
                    }
                };
                // Another one may have been sent meanwhile.
                let there = tx.exchange().find(row.kind, row.id.clone()).await.map_err(Error::from)?;
                if is_done && there.as_ref() == Some(&row) {
                    tx.exchange_mut().remove(row.kind, row.id).await.map_err(Error::from)?;
                }
            }
            tx.commit().await.map_err(Error::from)?;
            if let Some(error) = ended {
                return Err(error);
            }
        }
        Ok(pulled)
    }

    /// The footprint of a row: as the host has it, where it was announced; as it was sent, where it was not or the host does not
    /// give one that can be read.
    async fn find(&self, at: &PartnerAddress, supplier: &Supplier, row: ExchangeRow) -> Result<Kept, PullError> {
        let KeptFootprint { announced, sent } = kept_footprint(&row)?;
        let found = match (announced, id_of(&row)) {
            (Some(edition), Some(id)) => match self.host.footprint(at, edition, &id.to_string()).await {
                Ok(body) => match pact::single(body.as_bytes()) {
                    Ok(json) => read(&json, edition, supplier).unwrap_or_else(Found::Refused),
                    Err(faults) => Found::Refused(words(&faults)),
                },
                Err(error) => without(error)?,
            },
            (Some(_), None) => Found::Refused("it has no id".to_owned()),
            (None, _) => Found::Refused("it was not sent".to_owned()),
        };
        let found = match (found, sent) {
            // What was sent is the only one there is: it stays until it can be read.
            (Found::Refused(_), Some((edition, json))) => read(&json, edition, supplier).unwrap_or_else(Found::Later),
            (found, _) => found,
        };
        Ok(Kept { row, found })
    }
}

/// The footprint of that JSON, or why it cannot be read.
fn read(json: &str, edition: Edition, supplier: &Supplier) -> Result<Found, String> {
    let read = pact::read(json.as_bytes(), edition).map_err(|faults| words(&faults))?;
    Ok(Found::Listed(Box::new(listed(read, edition, supplier))))
}

/// What a failed call for one footprint says of that one; the error where it says something of all of them.
fn without(error: HostError) -> Result<Found, HostError> {
    match error {
        HostError::Status { status: 401 | 429, .. }
        | HostError::NotAllowed(_)
        | HostError::Unreachable(_)
        | HostError::NoToken(_) => Err(error),
        HostError::Status { status: 500.., .. } | HostError::Answer(_) => {
            Ok(Found::Later(format!("{error}; it is asked for again by the next pull")))
        }
        HostError::Status { status, message, .. } => {
            Ok(Found::Refused(format!("the host does not give it any more: {status} {message}")))
        }
    }
}

fn id_of(row: &ExchangeRow) -> Option<FootprintId> {
    let (_, id) = row.id.split_once('/')?;
    parse_uuid(id).ok().map(FootprintId::new)
}
