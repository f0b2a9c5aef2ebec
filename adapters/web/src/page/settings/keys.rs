//! API keys: added, shown this once, revoked.

use actix_web::HttpResponse;
use actix_web::http::header::{CACHE_CONTROL, HeaderValue};
use domain::{Faults, Moment, Name, Timestamp};
use http::edge::{self, Failure, whole_list};
use maud::{Markup, html};
use ports::Permissions;
use ports::inbound::{CredentialDraft, Error, KeyView, NewKey};
use ports::repo::Page;

use super::{after, file, moment, page, refused, tell};
use crate::csv;
use crate::form::Fields;
use crate::here::Here;

const PATH: &str = "/settings/keys";
/// The most keys that are shown.
const MOST: u32 = 1_000;

pub(crate) async fn show(here: Here) -> Result<HttpResponse, Failure> {
    if file::is_asked_for(&here) {
        let credentials = &here.areas().credentials;
        let key = |view: &KeyView| view.key.id;
        let found = whole_list(key, |page| credentials.list_keys(here.caller(), page)).await?;
        return csv::file("keys", &file::keys(&found));
    }
    let layout = page(&here, PATH, "API keys", body(&here, None).await?);
    Ok(layout.csv(&file::address(PATH)).answer(&here))
}

pub(crate) async fn change(here: Here, fields: Fields) -> Result<HttpResponse, Failure> {
    let (caller, credentials) = (here.caller(), &here.areas().credentials);
    let done = match fields.get("do") {
        Some("add") => match credentials.add_key(caller, draft(&fields)).await {
            Ok(new) => {
                tell(&here, "add key");
                let said = added(&here, &new)?;
                return Ok(secret(page(&here, PATH, "API keys", body(&here, Some(said)).await?).answer(&here)));
            }
            Err(error) => Err(error),
        },
        Some("revoke") => match fields.get("key").and_then(|text| text.parse().ok()) {
            Some(id) => match credentials.remove_key(caller, id, None).await {
                // Somebody else was faster.
                Err(Error::NotFound) => Ok(()),
                removed => removed,
            },
            None => return Err(Failure::malformed("The form names no key.")),
        },
        Some(_) | None => return Err(Failure::malformed("The form does not say what to do.")),
    };
    match done {
        Ok(()) => {
            tell(&here, "remove key");
            Ok(after(&here, PATH, "revoked"))
        }
        Err(error) => {
            let (status, wrong) = refused(error)?;
            Ok(page(&here, PATH, "API keys", body(&here, Some(wrong)).await?).status(status).answer(&here))
        }
    }
}

/// The members of a key or client in a form.
pub(super) fn draft(fields: &Fields) -> CredentialDraft {
    let mut faults = Faults::new();
    let (name, permissions) =
        (fields.parse("name", Name::parse, &mut faults), fields.parse("permissions", Permissions::parse, &mut faults));
    let end = |text: &str| Moment::parse_end(text).and_then(|moment| Timestamp::new(moment.instant()));
    let expires = fields.parse("expires", end, &mut faults);
    CredentialDraft { name, permissions, expires, faults }
}

/// The fields of a key or client that is to be added.
pub(super) fn fields() -> Markup {
    html! {
        div.row {
            label.field { "Name" input type="text" name="name" autocomplete="off" required; }
            label.field {
                "Expires"
                input type="text" name="expires" placeholder="2027-12-31" autocomplete="off";
                span.hint { "The last day on which it works; empty: never." }
            }
        }
        label.field {
            "Permissions"
            input type="text" name="permissions" autocomplete="off" spellcheck="false" required;
            span.hint { "Words with blanks between them, such as activity:read switch:write; admin is all." }
        }
    }
}

/// An answer that shows a secret, which nothing on the way may keep.
pub(super) fn secret(mut answer: HttpResponse) -> HttpResponse {
    answer.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}

fn added(here: &Here, new: &NewKey) -> Result<Markup, Failure> {
    let api = edge::api_url(here.request())?;
    let line = format!("curl -H 'Authorization: Bearer {}' '{api}/v1/activity?pageSize=1'", new.secret.0);
    Ok(html! {
        div.notice.ok role="status" {
            p { "The key " b { (new.view.key.name) } " is shown this once:" }
            p { code { (new.secret.0) } }
            p { code { (line) } }
        }
    })
}

async fn body(here: &Here, said: Option<Markup>) -> Result<Markup, Failure> {
    let listing = here.areas().credentials.list_keys(here.caller(), Page { number: 1, size: MOST }).await?;
    let action = here.path(PATH);
    Ok(html! {
        (said.unwrap_or_default())
        section {
            @if listing.data.is_empty() {
                div.empty { h2 { "No keys" } p { "A program sends a key with each request. Add one below." } }
            } @else {
                div.scroll {
                    table {
                        caption { (here.numbers().counted(listing.count, "key", "keys")) }
                        thead { tr { th { "Begins with" } th { "Name" } th { "Permissions" } th { "Expires" } th { "Last used" } th { span.aloud { "Changes" } } } }
                        tbody {
                            @for view in &listing.data {
                                tr {
                                    th scope="row" { code { (view.key.prefix) } }
                                    td { (view.key.name) }
                                    td.wrap { (view.key.permissions) }
                                    td { @match view.key.expires { Some(at) => (moment(at)), None => "never" } }
                                    td { @match view.key.last_used { Some(at) => (moment(at)), None => "never" } }
                                    td.r {
                                        form method="post" action=(action) {
                                            (here.token_field())
                                            input type="hidden" name="key" value=(view.key.id);
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
            h2 { "Add a key" }
            form.form method="post" action=(action) {
                (here.token_field())
                (fields())
                p { button type="submit" name="do" value="add" { "Add" } }
            }
        }
    })
}
