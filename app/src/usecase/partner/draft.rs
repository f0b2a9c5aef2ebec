//! From a draft to a partner, and a partner with what is known beside its record.

use std::collections::BTreeSet;

use domain::footprint::Edition;
use domain::{FaultCode, Faults, MOST_ALIASES, Partner, PartnerId};
use ports::Stored;
use ports::exchange::ExchangeKind;
use ports::inbound::{Error, Field, PartnerDraft, PartnerView};
use ports::repo::Page;
use ports::store::ReadTx;

use crate::usecase::draft::required;

/// The partner of that id, which must be there.
pub(super) async fn find(tx: &mut dyn ReadTx, id: PartnerId) -> Result<Stored<Partner>, Error> {
    tx.partners().find(id).await?.ok_or(Error::NotFound)
}

/// A partner with what the store knows beside its record.
pub(super) async fn view(tx: &mut dyn ReadTx, partner: Stored<Partner>) -> Result<PartnerView, Error> {
    let id = partner.value.id.to_string();
    let has_secret = tx.exchange().find(ExchangeKind::Secret, id.clone()).await?.is_some();
    let called = tx.exchange().find(ExchangeKind::Called, id.clone()).await?.map(|row| row.at);
    let heard = tx.exchange().find(ExchangeKind::Heard, id).await?.map(|row| row.at);
    let first = Page { number: 1, size: 1 };
    let announced = tx.exchange().list(ExchangeKind::Footprint, partner.value.id, first).await?.count;
    Ok(PartnerView { partner, has_secret, heard, called, announced })
}

/// The partner that a draft makes, of nothing or of `before`; or all that is wrong with it. `is_nearby_allowed`: whether this
/// service lets partners be called at private addresses.
pub(super) fn build(
    id: PartnerId,
    before: Option<&Partner>,
    draft: PartnerDraft,
    is_nearby_allowed: bool,
) -> Result<Partner, Faults> {
    let PartnerDraft {
        name,
        base_url,
        auth_url,
        client_id,
        client_secret,
        aliases,
        private_addresses,
        plain_http,
        pact,
        mut faults,
    } = draft;
    let name = required(&mut faults, "/name", name, before.map(|b| b.name.clone()));
    let base_url = required(&mut faults, "/baseUrl", base_url, before.map(|b| b.base_url.clone()));
    let auth_url = auth_url.merge(before.and_then(|b| b.auth_url.clone()));
    let flag = |field: Field<bool>, before: Option<bool>| match field {
        Field::Given(value) => value,
        Field::Absent => before.unwrap_or(false),
        Field::Null | Field::Faulty => false,
    };
    if matches!(private_addresses, Field::Given(true)) && !is_nearby_allowed {
        let detail =
            "this service calls no private addresses: whoever runs it can allow them by exchange.private_addresses";
        faults.add_coded(FaultCode::Invalid, "/privateAddresses", detail);
    }
    let plain_http = flag(plain_http, before.map(|b| b.plain_http));
    for (pointer, address) in [("/baseUrl", base_url.as_ref()), ("/authUrl", auth_url.as_ref())] {
        let is_plain =
            address.is_some_and(|one| one.as_str().get(..7).is_some_and(|s| s.eq_ignore_ascii_case("http://")));
        if is_plain && !plain_http {
            let detail = "must start with https://, unless plainHttp says that this partner may be called without";
            faults.add_coded(FaultCode::Mismatch, pointer, detail);
        }
    }
    if before.is_some() && matches!(client_secret, Field::Null) {
        faults.add_coded(FaultCode::Invalid, "/clientSecret", "cannot be cleared; a new one takes its place");
    }
    let gives_secret = client_secret.given().is_some();
    let had_client = before.and_then(|b| b.client_id.clone());
    let client_id = client_id.merge(had_client);
    if gives_secret && client_id.is_none() {
        faults.add_coded(FaultCode::Required, "/clientId", "is required with a secret");
    }
    let aliases = aliases.merge(before.map(|b| b.aliases.clone())).unwrap_or_default();
    let pact = match pact {
        Field::Given(edition) => edition,
        Field::Absent => before.map_or(Edition::V3, |b| b.pact),
        Field::Null | Field::Faulty => Edition::V3,
    };
    let mut seen = BTreeSet::new();
    for (index, alias) in aliases.iter().enumerate().take(MOST_ALIASES) {
        if !seen.insert(alias.theirs.to_ascii_lowercase()) {
            faults.add_coded(FaultCode::Repeated, format!("/aliases/{index}/theirs"), "is there already");
        }
    }
    match (name, base_url) {
        (Some(name), Some(base_url)) if faults.is_empty() => Ok(Partner::new(id, name, base_url)
            .with_auth_url(auth_url)
            .with_client_id(client_id)
            .with_aliases(aliases)
            .with_private_addresses(flag(private_addresses, before.map(|b| b.private_addresses)))
            .with_plain_http(plain_http)
            .with_pact(pact)
            .with_clients(before.map(|b| b.clients.clone()).unwrap_or_default())),
        _ => Err(faults),
    }
}
