//! One user: what it may do, where it is signed in, a link that signs it in once.

use actix_web::{HttpResponse, web};
use http::edge::{self, Failure};
use maud::{Markup, html};
use ports::UserId;
use ports::inbound::{Error, Field, NewLink, Standing, UserDraft, UserView};
use ports::people::Identity;

use super::users::{self, PATH, draft, rights_fields, ways};
use super::{after, file, moment, page, refused, sessions, tell};
use crate::csv;
use crate::form::Fields;
use crate::here::Here;
use crate::page::segment;
use crate::site::Site;

pub(crate) async fn show(here: Here, site: web::Data<Site>) -> Result<HttpResponse, Failure> {
    let id = meant(&here)?;
    let view = site.users.get_user(here.caller(), id).await?;
    if file::is_asked_for(&here) {
        let its = site.users.list_sessions(here.caller(), id).await?;
        return csv::file(&format!("sessions-{id}"), &file::sessions(&its));
    }
    let body = body(&here, &site, &view, None).await?;
    let layout = page(&here, PATH, view.user.display.as_str(), body);
    Ok(layout.csv(&file::address(format!("{PATH}/{id}"))).answer(&here))
}

pub(crate) async fn change(here: Here, fields: Fields, site: web::Data<Site>) -> Result<HttpResponse, Failure> {
    let (id, caller, users) = (meant(&here)?, here.caller(), &site.users);
    let own = format!("{PATH}/{id}");
    let standing = |standing| UserDraft { standing: Field::Given(standing), ..UserDraft::default() };
    let seen = fields.get("version").and_then(|text| text.parse().ok()).map(ports::Version);
    let (word, path, done) = match fields.get("do") {
        Some("change") => ("changed", own, users.update_user(caller, id, seen, draft(&fields)).await.map(drop)),
        Some("disable") => {
            ("changed", own, users.update_user(caller, id, None, standing(Standing::Disabled)).await.map(drop))
        }
        Some("enable") => {
            ("changed", own, users.update_user(caller, id, None, standing(Standing::Active)).await.map(drop))
        }
        Some("remove") => ("removed", PATH.to_owned(), users.remove_user(caller, id, None).await),
        Some("end-session") => match fields.get("session").and_then(|text| text.parse().ok()) {
            Some(session) => match users.end_session(caller, session).await {
                // Somebody else was faster.
                Err(Error::NotFound) => ("ended", own, Ok(())),
                ended => ("ended", own, ended),
            },
            None => return Err(Failure::malformed("The form names no session.")),
        },
        Some("link") => match users.make_link(caller, id).await {
            Ok(link) => {
                tell(&here, "make link");
                return shown(&here, &site, &link).await;
            }
            Err(error) => ("", own, Err(error)),
        },
        Some(_) | None => return Err(Failure::malformed("The form does not say what to do.")),
    };
    match done {
        Ok(()) => {
            tell(&here, &format!("{word} user"));
            Ok(after(&here, &path, word))
        }
        Err(error) => {
            let (status, wrong) = refused(error)?;
            let view = users.get_user(caller, id).await?;
            let body = body(&here, &site, &view, Some(wrong)).await?;
            Ok(page(&here, PATH, view.user.display.as_str(), body).status(status).answer(&here))
        }
    }
}

fn meant(here: &Here) -> Result<UserId, Failure> {
    segment(here.request(), "uuid").parse().map_err(|_| Failure::nowhere())
}

/// The link, shown this once.
async fn shown(here: &Here, site: &Site, link: &NewLink) -> Result<HttpResponse, Failure> {
    let view = site.users.get_user(here.caller(), link.user.id).await?;
    let address = format!("{}/login/once/{}", edge::pages_url(here.request())?, link.text.0);
    let note = html! {
        div.notice.ok role="status" {
            p { "This link signs " b { (link.user.display) } " in once, until " (moment(link.expires)) ". It is shown this once: send it where nobody else reads it." }
            p { code { (address) } }
        }
    };
    let body = body(here, site, &view, Some(note)).await?;
    let mut answer = page(here, PATH, view.user.display.as_str(), body).answer(here);
    answer
        .headers_mut()
        .insert(actix_web::http::header::CACHE_CONTROL, actix_web::http::header::HeaderValue::from_static("no-store"));
    Ok(answer)
}

async fn body(here: &Here, site: &Site, view: &UserView, said: Option<Markup>) -> Result<Markup, Failure> {
    let UserView { user, version } = view;
    let action = here.path(&format!("{}/{}", users::PATH, user.id));
    let its = site.users.list_sessions(here.caller(), user.id).await?;
    let button = |word: &str, text: &str| {
        html! { form method="post" action=(action) { (here.token_field()) button type="submit" name="do" value=(word) { (text) } } }
    };
    Ok(html! {
        (said.unwrap_or_default())
        section {
            dl.fields {
                dt { "Signs in by" } dd { (ways(user)) }
                dt { "Added" } dd { (moment(user.created)) }
                dt { "Last seen" } dd { @match user.last_seen { Some(at) => (moment(at)), None => "never" } }
            }
        }
        section {
            form.form method="post" action=(action) {
                (here.token_field())
                input type="hidden" name="version" value=(version.0);
                div.row {
                    label.field { "Name to sign in with" input type="text" name="name" value=(user.name) autocomplete="off" required; }
                    label.field { "Display name" input type="text" name="display" value=(user.display) autocomplete="off" required; }
                }
                (rights_fields(Some(user.rights)))
                div.row {
                    label.field {
                        "Provider's issuer"
                        input type="text" name="issuer" value=(user.identity.as_ref().map(Identity::issuer).unwrap_or_default()) autocomplete="off";
                    }
                    label.field {
                        "Subject there"
                        input type="text" name="subject" value=(user.identity.as_ref().map(Identity::subject).unwrap_or_default()) autocomplete="off";
                        span.hint { "Only who signs in as this subject at this issuer is this user; e-mail addresses do not count." }
                    }
                }
                p { button type="submit" name="do" value="change" { "Save" } }
            }
        }
        section {
            h2 { "Sign in" }
            div.row {
                (button("link", "Make a link that signs in once"))
                @if user.disabled.is_some() { (button("enable", "Let the user sign in again")) }
                @else { (button("disable", "Disable")) }
                (button("remove", "Remove"))
            }
        }
        section {
            h2 { "Where the user is signed in" }
            @if its.is_empty() { p.muted { "Nowhere." } } @else { (sessions(here, &its, None, &action)) }
        }
    })
}
