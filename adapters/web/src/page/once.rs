//! Links that sign in once: opening one shows a button, since whatever scans mails opens links; pressing it uses the link up and
//! offers to set a password.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use http::edge::{self, Failure, SecurityEvent};
use maud::{Markup, html};
use ports::credential::Secret;
use ports::inbound::SignInError;

use super::login::{begun, failure, outside, see_other, tell, token_of_viewer, unencrypted};
use super::settings::{new_password_fields, set_password};
use crate::account::{Account, browser};
use crate::cookie::SessionCookie;
use crate::form::Fields;
use crate::here::Here;
use crate::layout::Layout;
use crate::page::segment;
use crate::site::Site;

/// The button, if the link is good.
pub(crate) async fn show(request: HttpRequest, site: web::Data<Site>) -> Result<HttpResponse, Failure> {
    let company = edge::company(&request)?;
    let text = Secret(segment(&request, "text").to_owned());
    if !site.sessions.is_good_link(company.id, &text).await.map_err(failure)? {
        return gone(&request);
    }
    let body = html! {
        div.narrow {
            h1 { "Sign in to " (company.name) }
            (unencrypted(&request))
            p { "This link signs in once. It is used up when you press the button." }
            form method="post" { (token_of_viewer(&request)) p { button type="submit" autofocus { "Sign in" } } }
        }
    };
    outside(&request, "Sign in", StatusCode::OK, body)
}

/// Uses the link up.
pub(crate) async fn redeem(request: HttpRequest, site: web::Data<Site>) -> Result<HttpResponse, Failure> {
    let company = edge::company(&request)?;
    match site.sessions.redeem_link(company.id, &Secret(segment(&request, "text").to_owned()), &browser(&request)).await
    {
        Ok(new) => {
            tell(&request, SecurityEvent::SignedIn, &new);
            let mut answer = see_other(&format!("{}/login/password", edge::pages_path(&request)?));
            SessionCookie::of(&request)?.set(&new.text, &mut answer)?;
            Ok(answer)
        }
        Err(SignInError::Refused) => {
            edge::tell_security(&request, SecurityEvent::LinkRefused, "unknown", "POST /login/once");
            gone(&request)
        }
        Err(error) => Err(failure(error)),
    }
}

fn gone(request: &HttpRequest) -> Result<HttpResponse, Failure> {
    let base = edge::pages_path(request)?;
    let body = html! {
        div.narrow {
            h1 { "This link no longer works" }
            p { "A link signs in once, within 15 minutes. This one was used, has run out, or another was made since." }
            p { "Whoever administers the company makes a new one, or on the machine itself " code { "tonne user link NAME" } "." }
            p { a href={ (base) "/login" } { "Sign in with a password" } }
        }
    };
    outside(request, "The link is used up", StatusCode::GONE, body)
}

/// The offer to set a password.
pub(crate) async fn offer(here: Here, account: Account) -> Result<HttpResponse, Failure> {
    Ok(page(&here, &account, None).answer(&here))
}

/// Sets it, and goes on to the dashboard.
pub(crate) async fn set(
    here: Here,
    account: Account,
    fields: Fields,
    site: web::Data<Site>,
) -> Result<HttpResponse, Failure> {
    match set_password(&here, &account, &fields, &site).await? {
        Ok(new) => begun(here.request(), &new, None),
        Err(wrong) => Ok(page(&here, &account, Some(wrong)).status(StatusCode::UNPROCESSABLE_ENTITY).answer(&here)),
    }
}

fn page(here: &Here, account: &Account, wrong: Option<Markup>) -> Layout {
    let user = account.0.user.user();
    let has = if user.password.is_some() { "Set a new password" } else { "Set a password" };
    Layout::new(has, "").body(html! {
        div.narrow {
            h1 { "You are signed in" }
            p { "as " b { (user.display) } ". The link is used up: with a password you can sign in again as " code { (user.name) } "." }
            (wrong.unwrap_or_default())
            form.form method="post" action=(here.path("/login/password")) {
                (here.token_field())
                (new_password_fields(&user.name))
                p { button type="submit" { (has) } " " a href=(here.path("/")) { "Not now, go to the dashboard" } }
            }
        }
    })
}
