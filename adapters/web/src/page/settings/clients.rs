//! Clients, which get tokens: added, given a new secret, revoked.

use actix_web::HttpResponse;
use http::edge::{self, Failure, whole_list};
use maud::{Markup, html};
use ports::ClientId;
use ports::inbound::{ClientView, Error, NewClient};
use ports::repo::Page;

use super::keys::{draft, fields as credential_fields, secret};
use super::{after, file, moment, page, refused, tell};
use crate::csv;
use crate::form::Fields;
use crate::here::Here;

const PATH: &str = "/settings/clients";
/// The most clients that are shown.
const MOST: u32 = 1_000;

pub(crate) async fn show(here: Here) -> Result<HttpResponse, Failure> {
    if file::is_asked_for(&here) {
        let credentials = &here.areas().credentials;
        let key = |view: &ClientView| view.client.id;
        let found = whole_list(key, |page| credentials.list_clients(here.caller(), page)).await?;
        return csv::file("clients", &file::clients(&found));
    }
    let layout = page(&here, PATH, "Clients", body(&here, None).await?);
    Ok(layout.csv(&file::address(PATH)).answer(&here))
}

pub(crate) async fn change(here: Here, fields: Fields) -> Result<HttpResponse, Failure> {
    let (caller, credentials) = (here.caller(), &here.areas().credentials);
    let meant = || {
        let id: Option<ClientId> = fields.get("client").and_then(|text| text.parse().ok());
        id.ok_or_else(|| Failure::malformed("The form names no client."))
    };
    let made = match fields.get("do") {
        Some("add") => credentials.add_client(caller, draft(&fields)).await.map(Some),
        Some("rotate") => credentials.rotate_client(caller, meant()?, None).await.map(Some),
        Some("revoke") => match credentials.remove_client(caller, meant()?, None).await {
            // Somebody else was faster.
            Ok(()) | Err(Error::NotFound) => Ok(None),
            Err(error) => Err(error),
        },
        Some(_) | None => return Err(Failure::malformed("The form does not say what to do.")),
    };
    match made {
        Ok(Some(new)) => {
            tell(&here, "new secret of client");
            let said = added(&here, &new)?;
            Ok(secret(page(&here, PATH, "Clients", body(&here, Some(said)).await?).answer(&here)))
        }
        Ok(None) => {
            tell(&here, "remove client");
            Ok(after(&here, PATH, "revoked"))
        }
        Err(error) => {
            let (status, wrong) = refused(error)?;
            Ok(page(&here, PATH, "Clients", body(&here, Some(wrong)).await?).status(status).answer(&here))
        }
    }
}

fn added(here: &Here, new: &NewClient) -> Result<Markup, Failure> {
    let (api, id) = (edge::api_url(here.request())?, new.view.client.id);
    let line = format!("curl -u '{id}:{}' -d grant_type=client_credentials '{api}/auth/token'", new.secret.0);
    Ok(html! {
        div.notice.ok role="status" {
            p { "The secret of the client " b { (new.view.client.name) } " is shown this once; an earlier one no longer works:" }
            dl.fields { dt { "client_id" } dd { code { (id) } } dt { "client_secret" } dd { code { (new.secret.0) } } }
            p { code { (line) } }
        }
    })
}

async fn body(here: &Here, said: Option<Markup>) -> Result<Markup, Failure> {
    let listing = here.areas().credentials.list_clients(here.caller(), Page { number: 1, size: MOST }).await?;
    let action = here.path(PATH);
    Ok(html! {
        (said.unwrap_or_default())
        section {
            @if listing.data.is_empty() {
                div.empty { h2 { "No clients" } p { "A client gets tokens with its secret (OAuth 2.0). Add one below." } }
            } @else {
                div.scroll {
                    table {
                        caption { (here.numbers().counted(listing.count, "client", "clients")) }
                        thead { tr { th { "client_id" } th { "Name" } th { "Permissions" } th { "Expires" } th { "Last used" } th { span.aloud { "Changes" } } } }
                        tbody {
                            @for view in &listing.data {
                                tr {
                                    th scope="row" { code { (view.client.id) } }
                                    td { (view.client.name) }
                                    td.wrap { (view.client.permissions) }
                                    td { @match view.client.expires { Some(at) => (moment(at)), None => "never" } }
                                    td { @match view.client.last_used { Some(at) => (moment(at)), None => "never" } }
                                    td.r {
                                        form method="post" action=(action) {
                                            (here.token_field())
                                            input type="hidden" name="client" value=(view.client.id);
                                            button.plain type="submit" name="do" value="rotate" { "New secret" }
                                            button.plain type="submit" name="do" value="revoke" { "Revoke" }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
        section {
            h2 { "Add a client" }
            form.form method="post" action=(action) {
                (here.token_field())
                (credential_fields())
                p { button type="submit" name="do" value="add" { "Add" } }
            }
        }
    })
}
