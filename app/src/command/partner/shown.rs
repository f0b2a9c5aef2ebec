//! Partners as they are printed.

use anyhow::Result;
use files::Json;
use ports::inbound::{NewClient, PartnerView};

use crate::command::credential::or_dash;
use crate::command::json::{array, count, members, object, optional, text};
use crate::command::output;
use crate::command::terminal_table::{Align, Table};

fn parts(view: &PartnerView) -> Vec<(String, Json)> {
    let partner = &view.partner.value;
    let alias = |one: &domain::ProductAlias| object([("theirs", text(&one.theirs)), ("ours", text(&one.ours))]);
    members([
        ("uuid", text(partner.id)),
        ("name", text(&partner.name)),
        ("baseUrl", text(&partner.base_url)),
        ("authUrl", optional(partner.auth_url.as_ref())),
        ("clientId", optional(partner.client_id.as_ref())),
        ("hasSecret", Json::Bool(view.has_secret)),
        ("aliases", array(partner.aliases.iter().map(alias))),
        ("privateAddresses", Json::Bool(partner.private_addresses)),
        ("plainHttp", Json::Bool(partner.plain_http)),
        ("pact", text(partner.pact.segment())),
        ("clients", array(partner.clients.iter().map(text))),
        ("heard", optional(view.heard)),
        ("called", optional(view.called)),
        ("announced", count(view.announced)),
        ("created", text(view.partner.created)),
        ("updated", text(view.partner.updated)),
    ])
}

pub(super) fn json(view: &PartnerView) -> Json {
    Json::Object(parts(view))
}

/// Prints the partner with the credentials that it calls us with. What is only to be read by people goes elsewhere.
pub(super) fn report(view: &PartnerView, new: &NewClient, json: bool) -> Result<()> {
    let (id, secret) = (new.view.client.id, &new.secret.0);
    if json {
        let mut all = parts(view);
        all.push(("client_id".to_owned(), text(id)));
        all.push(("client_secret".to_owned(), Json::Text(secret.clone())));
        output::say(&Json::Object(all).to_string())?;
    } else {
        let partner = view.partner.value.id;
        output::say(&format!("partner        {partner}\nclient_id      {id}\nclient_secret  {secret}"))?;
        output::note("The partner calls with these credentials. The secret is shown this once.");
    }
    Ok(())
}

pub(super) fn table(views: &[PartnerView]) -> String {
    let mut table = Table::new(
        ["uuid", "name", "address", "our id", "clients", "heard", "called", "announced"]
            .map(|name| (name, Align::Left)),
    );
    for view in views {
        let partner = &view.partner.value;
        table.row([
            partner.id.to_string(),
            partner.name.to_string(),
            partner.base_url.to_string(),
            or_dash(partner.client_id.as_ref()),
            partner.clients.len().to_string(),
            or_dash(view.heard),
            or_dash(view.called),
            view.announced.to_string(),
        ]);
    }
    table.render()
}
