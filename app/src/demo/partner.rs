//! Partners, and what is shared with them. Their hosts are names that nobody can have, and we have no secret there: the event
//! that tells of a shared footprint waits, and nothing is sent.

use domain::footprint::Edition;
use domain::{FootprintId, HostAddress, HostClientId, Name, ProductAlias};
use ports::Caller;
use ports::inbound::{Error, Field, Footprints, PartnerDraft, Partners, SharingDraft};
use ports::repo::Page;

use super::parse;

/// A page with all footprints of the demo.
const ALL: Page = Page { number: 1, size: 1_000 };

/// A dealer with shops of its own, who reads the footprints of what it buys.
const DEALER: &str = "Kestrel Cycle Shops";
/// A supplier, whose footprints are to be pulled.
const SUPPLIER: &str = "Larkmoor Aluminium";
/// Descriptions of the footprints that the dealer is shown.
const SHARED: [&str; 2] = ["Swift e-bike, as sold in 2024", "Otter cargo bike, as sold in 2025"];
/// That of the one which every partner is shown.
const SHARED_WITH_ALL: &str = "Heron city bicycle, as sold in 2025";

/// Adds the partners and shares footprints with them, unless there is any partner.
pub(super) async fn fill(partners: &dyn Partners, footprints: &dyn Footprints, caller: &Caller) -> Result<(), Error> {
    if partners.list(caller, Page::FIRST).await?.count > 0 {
        return Ok(());
    }
    let alias = ProductAlias {
        theirs: "urn:pact:kestrel.example:article:4711".to_owned(),
        ours: "urn:pact:halvenmere.example:product-id:swift".to_owned(),
    };
    let dealer = PartnerDraft {
        client_id: parse::field(HostClientId::parse, "halvenmere")?,
        aliases: Field::Given(vec![alias]),
        ..draft(DEALER, "https://pact.kestrel.example", Edition::V3)?
    };
    partners.add(caller, draft(SUPPLIER, "https://pact.larkmoor.example", Edition::V2)?).await?;
    let dealer = partners.add(caller, dealer).await?.partner.value.id;
    for description in SHARED {
        let draft = SharingDraft { partners: Field::Given(vec![dealer.uuid()]), ..SharingDraft::default() };
        share(partners, footprints, caller, description, draft).await?;
    }
    let draft = SharingDraft { all: Field::Given(true), ..SharingDraft::default() };
    share(partners, footprints, caller, SHARED_WITH_ALL, draft).await
}

fn draft(name: &str, base_url: &str, pact: Edition) -> Result<PartnerDraft, Error> {
    Ok(PartnerDraft {
        name: parse::field(Name::parse, name)?,
        base_url: parse::field(HostAddress::parse, base_url)?,
        pact: Field::Given(pact),
        ..PartnerDraft::default()
    })
}

async fn share(
    partners: &dyn Partners,
    footprints: &dyn Footprints,
    caller: &Caller,
    description: &str,
    draft: SharingDraft,
) -> Result<(), Error> {
    let id = described(footprints, caller, description).await?;
    partners.share(caller, id, None, draft).await.map(drop)
}

/// The footprint of that description.
async fn described(footprints: &dyn Footprints, caller: &Caller, description: &str) -> Result<FootprintId, Error> {
    let known = footprints.list(caller, ALL).await?.data;
    let found = known.iter().find(|view| view.footprint.value.fields.text("productDescription") == Some(description));
    found.map(|view| view.footprint.value.id).ok_or(Error::NotFound)
}
