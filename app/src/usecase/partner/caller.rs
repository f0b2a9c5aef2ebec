//! Which partner calls, and what is shared with it.

use std::collections::HashSet;

use domain::{FootprintId, Partner};
use ports::inbound::Error;
use ports::repo::{Page, Query};
use ports::store::ReadTx;
use ports::{Caller, Stored};
use uuid::Uuid;

/// Records are read in pages of this size.
const PAGE_SIZE: u32 = 1_000;

/// The partner whose client calls; `None` where it is the company itself.
pub(crate) async fn partner_of(tx: &mut dyn ReadTx, caller: &Caller) -> Result<Option<Stored<Partner>>, Error> {
    let client = caller.actor.strip_prefix("client:").and_then(|id| Uuid::parse_str(id).ok());
    let Some(client) = client else { return Ok(None) };
    for number in 1.. {
        let page = tx.partners().list(&Query::all(Page { number, size: PAGE_SIZE })).await?;
        let is_last = page.data.len() < PAGE_SIZE as usize;
        let found = page.data.into_iter().find(|stored| stored.value.clients.contains(&client));
        if found.is_some() || is_last {
            return Ok(found);
        }
    }
    Ok(None)
}

/// What a caller may read of the footprints that are shown.
pub(crate) enum Visible {
    /// Every one: it is the company itself.
    All,
    /// Those that are shared with the partner.
    Shared(HashSet<FootprintId>),
}

impl Visible {
    /// What that caller may read.
    pub(crate) async fn to(tx: &mut dyn ReadTx, caller: &Caller) -> Result<Self, Error> {
        let Some(partner) = partner_of(tx, caller).await? else { return Ok(Self::All) };
        let mut shared = HashSet::new();
        for number in 1.. {
            let page = tx.sharings().list(&Query::all(Page { number, size: PAGE_SIZE })).await?;
            let is_last = page.data.len() < PAGE_SIZE as usize;
            let opened = page.data.into_iter().filter(|stored| stored.value.opens_to(partner.value.id));
            shared.extend(opened.map(|stored| stored.value.id));
            if is_last {
                break;
            }
        }
        Ok(Self::Shared(shared))
    }

    /// Whether that footprint is among them.
    pub(crate) fn has(&self, id: FootprintId) -> bool {
        match self {
            Self::All => true,
            Self::Shared(shared) => shared.contains(&id),
        }
    }
}

/// Refuses a partner what is for the company itself.
pub(crate) async fn refuse_partners(tx: &mut dyn ReadTx, caller: &Caller) -> Result<(), Error> {
    match partner_of(tx, caller).await? {
        Some(_) => Err(Error::Refused(
            "These credentials are a partner's: it reads what is shared with it at /2/footprints and /3/footprints."
                .to_owned(),
        )),
        None => Ok(()),
    }
}
