//! The viewer's own account: name, locale, password, and where it is signed in.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use domain::Name;
use http::edge::Failure;
use maud::{Markup, html};
use ports::inbound::{Error, Field, OwnDraft};
use ports::people;

use super::{after, file, new_password_fields, page, refused, sessions, set_password};
use crate::account::Account;
use crate::cookie::SessionCookie;
use crate::csv;
use crate::form::Fields;
use crate::here::Here;
use crate::site::Site;
use crate::viewer::LOCALES;

const PATH: &str = "/settings/me";

pub(crate) async fn show(here: Here, account: Account, site: web::Data<Site>) -> Result<HttpResponse, Failure> {
    if file::is_asked_for(&here) {
        return csv::file("sessions", &file::sessions(&site.sessions.list_own(&account.0).await?));
    }
    let layout = page(&here, PATH, "Your account", body(&here, &account, &site, None).await?);
    Ok(layout.csv(&file::address(PATH)).answer(&here))
}

pub(crate) async fn change(
    here: Here,
    account: Account,
    fields: Fields,
    site: web::Data<Site>,
) -> Result<HttpResponse, Failure> {
    let (word, done) = match fields.get("do") {
        Some("password") => {
            return match set_password(&here, &account, &fields, &site).await? {
                Ok(new) => {
                    let mut answer = after(&here, PATH, "password");
                    SessionCookie::of(here.request())?.set(&new.text, &mut answer)?;
                    Ok(answer)
                }
                Err(wrong) => {
                    let body = body(&here, &account, &site, Some(wrong)).await?;
                    let page = page(&here, PATH, "Your account", body);
                    Ok(page.status(StatusCode::UNPROCESSABLE_ENTITY).answer(&here))
                }
            };
        }
        Some("end-session") => match fields.get("session").and_then(|text| text.parse().ok()) {
            Some(id) => match site.sessions.end_own(&account.0, id).await {
                // Somebody else was faster.
                Err(Error::NotFound) => ("ended", Ok(())),
                ended => ("ended", ended),
            },
            None => return Err(Failure::malformed("The form names no session.")),
        },
        Some("own") => ("changed", site.sessions.update_own(&account.0, draft(&fields)).await),
        Some(_) | None => return Err(Failure::malformed("The form does not say what to do.")),
    };
    match done {
        Ok(()) => Ok(after(&here, PATH, word)),
        Err(error) => {
            let (status, wrong) = refused(error)?;
            let body = body(&here, &account, &site, Some(wrong)).await?;
            Ok(page(&here, PATH, "Your account", body).status(status).answer(&here))
        }
    }
}

fn draft(fields: &Fields) -> OwnDraft {
    let display = match fields.filled("display").map(Name::parse) {
        Some(Ok(name)) => Field::Given(name),
        Some(Err(_)) | None => Field::Null,
    };
    let locale = match fields.filled("locale").map(people::Locale::parse) {
        Some(Ok(locale)) => Field::Given(locale),
        Some(Err(_)) | None => Field::Null,
    };
    OwnDraft { display, locale }
}

async fn body(here: &Here, account: &Account, site: &Site, wrong: Option<Markup>) -> Result<Markup, Failure> {
    let user = account.0.user.user();
    let own = site.sessions.list_own(&account.0).await?;
    let action = here.path(PATH);
    let locale = user.locale.as_ref().map(people::Locale::as_str);
    Ok(html! {
        (wrong.unwrap_or_default())
        section {
            dl.fields { dt { "You sign in as" } dd { code { (user.name) } } dt { "Permissions" } dd { (user.rights) } }
        }
        section {
            form.form method="post" action=(action) {
                (here.token_field())
                label.field { "Display name" input type="text" name="display" value=(user.display) maxlength="255" required; }
                label.field {
                    "Number format"
                    select name="locale" {
                        option value="" selected[locale.is_none()] { "what the browser asks for" }
                        @for (tag, name) in LOCALES { option value=(tag) selected[locale == Some(tag)] { (name) } }
                    }
                }
                p { button type="submit" name="do" value="own" { "Save" } }
            }
        }
        section #password {
            h2 { "Password" }
            form.form method="post" action=(action) {
                (here.token_field())
                @if user.password.is_some() {
                    label.field {
                        "The password you have"
                        input type="password" name="current" autocomplete="current-password";
                        span.hint { "May stay empty for a quarter of an hour after signing in by a link." }
                    }
                }
                (new_password_fields(&user.name))
                p { button type="submit" name="do" value="password" { "Set the password" } }
            }
        }
        section {
            h2 { "Where you are signed in" }
            (sessions(here, &own, Some(&account.0.session), &action))
        }
    })
}
