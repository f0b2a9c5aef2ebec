//! Signing in with a password, and signing out.

use actix_web::http::{StatusCode, header};
use actix_web::{HttpMessage, HttpRequest, HttpResponse, web};
use http::edge::{self, Failure, SecurityEvent};
use maud::{Markup, html};
use ports::credential::Secret;
use ports::inbound::{NewSession, PasswordSignIn, SignInError};

use crate::account::{Account, browser};
use crate::address::Address;
use crate::cookie::SessionCookie;
use crate::form::{Fields, TOKEN};
use crate::gate::local_path;
use crate::layout;
use crate::params::Params;
use crate::site::Site;
use crate::viewer::Viewer;

/// Said whatever was not right, so that nobody learns which names there are, or when guessing helps again.
const WRONG: &str = "The name or the password is not right, or there were too many tries: check both, and wait a minute before you \
                     try again.";

/// The page with the form; whoever is signed in is sent on.
pub(crate) async fn show(request: HttpRequest, site: web::Data<Site>) -> Result<HttpResponse, Failure> {
    let back = Params::parse(request.query_string()).take("return_to");
    if request.extensions().get::<Viewer>().is_some() {
        return to(&request, back.as_deref());
    }
    let body = form(&request, &site, back.as_deref(), None).await?;
    outside(&request, "Sign in", StatusCode::OK, body)
}

/// Signs in with a name and a password.
pub(crate) async fn sign_in(
    request: HttpRequest,
    fields: Fields,
    site: web::Data<Site>,
) -> Result<HttpResponse, Failure> {
    let company = edge::company(&request)?;
    let field = |name: &str| fields.get(name).unwrap_or_default().to_owned();
    let given = PasswordSignIn { name: field("name"), password: Secret(field("password")), browser: browser(&request) };
    let back = fields.filled("return_to");
    match site.sessions.sign_in(company.id, given).await {
        Ok(new) => {
            tell(&request, SecurityEvent::SignedIn, &new);
            begun(&request, &new, back)
        }
        Err(SignInError::Refused) => {
            edge::tell_security(&request, SecurityEvent::PasswordWrong, "unknown", "POST /login");
            let body = form(&request, &site, back, Some(WRONG)).await?;
            outside(&request, "Sign in", StatusCode::UNAUTHORIZED, body)
        }
        Err(SignInError::TooMany { retry_after_s }) => {
            edge::tell_security(&request, SecurityEvent::LockedOut, "unknown", "POST /login");
            let body = form(&request, &site, back, Some(WRONG)).await?;
            let mut answer = outside(&request, "Sign in", StatusCode::TOO_MANY_REQUESTS, body)?;
            answer.headers_mut().insert(header::RETRY_AFTER, header::HeaderValue::from(retry_after_s));
            Ok(answer)
        }
        Err(error) => Err(failure(error)),
    }
}

/// Ends the session.
pub(crate) async fn sign_out(
    request: HttpRequest,
    account: Account,
    site: web::Data<Site>,
) -> Result<HttpResponse, Failure> {
    site.sessions.sign_out(&account.0).await?;
    edge::tell_security(&request, SecurityEvent::SessionEnded, &account.0.caller.actor, "POST /logout");
    let mut answer = see_other(&format!("{}/login", edge::pages_path(&request)?));
    SessionCookie::of(&request)?.clear(&mut answer)?;
    Ok(answer)
}

async fn form(request: &HttpRequest, site: &Site, back: Option<&str>, wrong: Option<&str>) -> Result<Markup, Failure> {
    let (company, base) = (edge::company(request)?, edge::pages_path(request)?);
    let has_users = site.sessions.has_users(company.id).await?;
    Ok(html! {
        div.narrow {
            h1 { "Sign in to " (company.name) }
            (unencrypted(request))
            @if let Some(wrong) = wrong { p.notice.bad role="alert" { (wrong) } }
            @if !has_users {
                div.empty {
                    h2 { "Nobody can sign in here yet" }
                    p { "The first link was printed where Tonne was started. Another one is made there by" }
                    p { code { "tonne user add NAME --role admin --link" } }
                }
            }
            form.form method="post" action={ (base) "/login" } {
                @if let Some(back) = back { input type="hidden" name="return_to" value=(back); }
                label.field {
                    "Name"
                    input type="text" name="name" autocomplete="username" autocapitalize="none" spellcheck="false" required
                        autofocus;
                }
                label.field {
                    "Password"
                    input type="password" name="password" autocomplete="current-password" required;
                }
                p { button type="submit" { "Sign in" } }
            }
            @if let Some(provider) = &site.provider {
                p {
                    a href={ (base) (Address::to("/login/oidc").with_some("return_to", back)) } {
                        "Sign in with " (provider.name)
                    }
                }
            }
            p.muted {
                "No password, or forgotten? Whoever administers the company makes you a link that signs in once."
            }
        }
    })
}

/// A warning where everybody on the way can read along.
pub(super) fn unencrypted(request: &HttpRequest) -> Markup {
    let host = edge::host(request).unwrap_or_default();
    let is_this_machine = ["localhost", "127.0.0.1", "[::1]"]
        .iter()
        .any(|name| host.strip_prefix(name).is_some_and(|port| port.is_empty() || port.starts_with(':')));
    html! {
        @if !edge::is_secure(request) && !is_this_machine {
            p.notice.warn role="note" {
                "This connection is not encrypted: whoever is on the way can read your password and act in your name. Ask your \
                 administrator for an address that begins with https."
            }
        }
    }
}

/// Where to go from here: where the viewer came from, or the dashboard.
pub(super) fn to(request: &HttpRequest, back: Option<&str>) -> Result<HttpResponse, Failure> {
    Ok(see_other(&target(request, back)?))
}

/// A path of this company: the cookie of path mode is for what is below it alone.
pub(super) fn target(request: &HttpRequest, back: Option<&str>) -> Result<String, Failure> {
    let base = edge::pages_path(request)?;
    let home = format!("{base}/");
    let back = back.and_then(local_path).filter(|path| path.starts_with(&home));
    let is_login = |path: &&str| path.strip_prefix(base.as_str()).is_some_and(|path| path.starts_with("/login"));
    Ok(back.filter(|path| !is_login(path)).map_or(home, str::to_owned))
}

/// The answer to whoever just signed in.
pub(super) fn begun(request: &HttpRequest, new: &NewSession, back: Option<&str>) -> Result<HttpResponse, Failure> {
    let mut answer = to(request, back)?;
    SessionCookie::of(request)?.set(&new.text, &mut answer)?;
    Ok(answer)
}

pub(super) fn see_other(location: &str) -> HttpResponse {
    HttpResponse::SeeOther().insert_header((header::LOCATION, location)).finish()
}

/// Tells the log who signed in.
pub(super) fn tell(request: &HttpRequest, event: SecurityEvent, new: &NewSession) {
    edge::tell_security(request, event, &new.signed_in.caller.actor, new.signed_in.session.by.as_str());
}

pub(super) fn failure(error: SignInError) -> Failure {
    use ports::inbound::Error;
    match error {
        SignInError::Refused => Failure::forbidden("You cannot sign in this way."),
        SignInError::TooMany { .. } => Error::Busy(Box::new(error)).into(),
        SignInError::Busy(cause) => Error::Busy(cause).into(),
        SignInError::Unknown(cause) => Error::Unknown(cause).into(),
        SignInError::Failed(cause) => Error::Failed(cause).into(),
    }
}

/// The hidden field of a form that may also be sent by somebody who is signed in already.
pub(super) fn token_of_viewer(request: &HttpRequest) -> Markup {
    let token = request.extensions().get::<Viewer>().map(|viewer| viewer.form_token.0.clone());
    html! { @if let Some(token) = token { input type="hidden" name=(TOKEN) value=(token); } }
}

/// A page for whoever did not sign in: never kept, since it may stand at the address of a link.
pub(super) fn outside(
    request: &HttpRequest,
    title: &str,
    status: StatusCode,
    body: Markup,
) -> Result<HttpResponse, Failure> {
    let mut answer = layout::outside(&edge::company(request)?.name, title, body);
    *answer.status_mut() = status;
    answer.headers_mut().insert(header::CACHE_CONTROL, header::HeaderValue::from_static("no-store"));
    Ok(answer)
}
