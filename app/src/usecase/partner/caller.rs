//! Which partner calls, and what is shared with it.

use domain::{FootprintId, Partner, PartnerId};
use ports::inbound::Error;
use ports::store::ReadTx;
use ports::{Caller, Stored};
use uuid::Uuid;

/// The partner whose client calls; `None` where it is the company itself. A partner that is no longer there, or does not have
/// that client, is refused: its credentials hold a moment longer than its record.
pub(crate) async fn partner_of(tx: &mut dyn ReadTx, caller: &Caller) -> Result<Option<Stored<Partner>>, Error> {
    let Some(partner) = caller.partner else { return Ok(None) };
    let client = caller.actor.strip_prefix("client:").and_then(|id| Uuid::parse_str(id).ok());
    let found = match client {
        Some(client) => tx.partners().of_client(client).await?,
        None => None,
    };
    match found.filter(|found| found.value.id == partner) {
        Some(found) => Ok(Some(found)),
        None => Err(Error::Refused("These credentials were a partner's that does not have them any more.".to_owned())),
    }
}

/// What a caller may read of the footprints that are shown.
#[derive(Clone, Copy)]
pub(crate) enum Visible {
    /// Every one: it is the company itself.
    All,
    /// Those that are shared with the partner.
    SharedWith(PartnerId),
}

impl Visible {
    /// The partner that reads.
    pub(crate) const fn partner(self) -> Option<PartnerId> {
        match self {
            Self::All => None,
            Self::SharedWith(partner) => Some(partner),
        }
    }

    /// Whether that footprint is among them.
    pub(crate) async fn has(self, tx: &mut dyn ReadTx, id: FootprintId) -> Result<bool, Error> {
        let Self::SharedWith(partner) = self else { return Ok(true) };
        Ok(tx.sharings().find(id).await?.is_some_and(|sharing| sharing.value.opens_to(partner)))
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
