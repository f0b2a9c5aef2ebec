//! The content of a partner.

use super::{Canonical, CanonicalError, CanonicalReader, CanonicalWriter};
use crate::footprint::Edition;
use crate::id::PartnerId;
use crate::partner::{Partner, ProductAlias};
use crate::text::{HostAddress, HostClientId, Name};

impl Canonical for Partner {
    type Known = PartnerId;

    fn write(&self, to: &mut CanonicalWriter) {
        to.text("name", &self.name);
        to.text("baseUrl", &self.base_url);
        to.optional("authUrl", self.auth_url.as_ref());
        to.optional("clientId", self.client_id.as_ref());
        to.objects("aliases", &self.aliases, |alias, to| {
            to.text("theirs", &alias.theirs);
            to.text("ours", &alias.ours);
        });
        to.flag("privateAddresses", self.private_addresses);
        to.flag("plainHttp", self.plain_http);
        to.texts("clients", &self.clients);
        to.optional("pact", (self.pact != Edition::V3).then(|| self.pact.segment()));
    }

    fn read(id: PartnerId, from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        let name = from.text("name", Name::parse)?;
        let base_url = from.text("baseUrl", HostAddress::parse)?;
        Ok(Self {
            auth_url: from.optional("authUrl", HostAddress::parse)?,
            client_id: from.optional("clientId", HostClientId::parse)?,
            aliases: from.objects("aliases", |from| {
                Ok(ProductAlias { theirs: from.string("theirs")?, ours: from.string("ours")? })
            })?,
            private_addresses: from.flag("privateAddresses")?,
            plain_http: from.flag("plainHttp")?,
            clients: from.texts("clients", crate::id::parse_uuid)?,
            pact: from.optional_word("pact", |word| Edition::parse(word).ok())?.unwrap_or(Edition::V3),
            ..Self::new(id, name, base_url)
        })
    }
}
