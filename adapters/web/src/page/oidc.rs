//! Signing in elsewhere. It begins by a link, since a form may not be sent to another origin.

use actix_web::http::{StatusCode, header};
use actix_web::{HttpRequest, HttpResponse, web};
use http::edge::{self, Failure, SecurityEvent};
use maud::html;
use ports::credential::Secret;
use ports::inbound::SignInError;
use ports::provider::ProviderError;

use super::login::{begun, failure, outside, see_other, tell, unencrypted};
use crate::account::browser;
use crate::address::encoded;
use crate::cookie::SessionCookie;
use crate::elsewhere::Elsewhere;
use crate::params::{Params, decoded};
use crate::site::Site;

/// Seconds that somebody has to sign in there.
const ATTEMPT_S: i64 = 600;
/// Seconds after which it is worth a try again.
const RETRY_S: u64 = 30;

/// Sends the browser to the provider.
pub(crate) async fn begin(request: HttpRequest, site: web::Data<Site>) -> Result<HttpResponse, Failure> {
    let elsewhere = provider(&site)?;
    let secret = elsewhere.begin().map_err(Failure::internal)?;
    let attempt = elsewhere.attempt(&secret, redirect(&request)?);
    let address = match elsewhere.provider.address(&attempt).await {
        Ok(address) => address,
        Err(error) => return away(&request, elsewhere, &error),
    };
    let back = Params::parse(request.query_string()).take("return_to").unwrap_or_default();
    let mut answer = see_other(&address);
    let carried = format!("{}.{}", secret.0, encoded(&back));
    SessionCookie::of_attempt(&request)?.write(&carried, ATTEMPT_S, &mut answer)?;
    Ok(answer)
}

/// Signs in whom the provider vouches for, in the browser that was sent there.
pub(crate) async fn finish(request: HttpRequest, site: web::Data<Site>) -> Result<HttpResponse, Failure> {
    let elsewhere = provider(&site)?;
    let cookie = SessionCookie::of_attempt(&request)?;
    let mut params = Params::parse(request.query_string());
    let (state, code) = (params.take("state").unwrap_or_default(), params.take("code"));
    let carried = cookie.read(&request);
    let (secret, back) = carried.as_ref().and_then(|carried| carried.0.split_once('.')).unwrap_or_default();
    let secret = Secret(secret.to_owned());
    if secret.0.is_empty() || !elsewhere.is_state(&secret, &state) {
        return refused(&request, "it is not of this browser, or took too long");
    }
    // RFC 9207: an answer that names its issuer is of that one.
    if params.take("iss").is_some_and(|issuer| issuer != elsewhere.issuer) {
        return refused(&request, "the answer is another issuer's");
    }
    let Some(code) = code.map(Secret) else {
        return refused(&request, "the provider vouches for nobody");
    };
    let attempt = elsewhere.attempt(&secret, redirect(&request)?);
    let who = match elsewhere.provider.identify(&attempt, &code, site.clock.now()).await {
        Ok(who) => who,
        Err(ProviderError::Refused(why)) => return refused(&request, &why),
        Err(error) => return away(&request, elsewhere, &error),
    };
    match site.sessions.sign_in_as(edge::company(&request)?.id, who, &browser(&request)).await {
        Ok(new) => {
            tell(&request, SecurityEvent::SignedIn, &new);
            let back = decoded(back).filter(|back| !back.is_empty());
            let mut answer = begun(&request, &new, back.as_deref())?;
            cookie.clear(&mut answer)?;
            Ok(answer)
        }
        Err(SignInError::Refused) => refused(&request, "nobody here is who the provider says"),
        Err(error) => Err(failure(error)),
    }
}

fn provider(site: &Site) -> Result<&Elsewhere, Failure> {
    site.provider.as_ref().ok_or_else(Failure::nowhere)
}

/// Where the browser comes back to: what the provider has to know us by.
fn redirect(request: &HttpRequest) -> Result<String, Failure> {
    Ok(format!("{}/login/oidc/callback", edge::pages_url(request)?))
}

/// The provider, or the way to it, is out of order: the cause is for the log, and the page says what else there is.
fn away(request: &HttpRequest, elsewhere: &Elsewhere, error: &ProviderError) -> Result<HttpResponse, Failure> {
    edge::tell_security(request, SecurityEvent::ProviderRefused, "unknown", &error.to_string());
    let base = edge::pages_path(request)?;
    let body = html! {
        div.narrow {
            h1 { "You are not signed in" }
            (unencrypted(request))
            p { (elsewhere.name) " cannot be asked now. Nothing is wrong with your account: try again in half a minute." }
            p { "Whoever has a password or a link signs in without it." }
            p { a href={ (base) "/login" } { "Back to signing in" } }
        }
    };
    let mut answer = outside(request, "Not signed in", StatusCode::SERVICE_UNAVAILABLE, body)?;
    answer.headers_mut().insert(header::RETRY_AFTER, header::HeaderValue::from(RETRY_S));
    Ok(answer)
}

/// Nobody is signed in. The log says why; the page says what to do.
fn refused(request: &HttpRequest, why: &str) -> Result<HttpResponse, Failure> {
    edge::tell_security(request, SecurityEvent::ProviderRefused, "unknown", why);
    let base = edge::pages_path(request)?;
    let body = html! {
        div.narrow {
            h1 { "You are not signed in" }
            (unencrypted(request))
            p { "The provider vouches for nobody who may sign in here, or it took too long, or began in another browser." }
            p { "Try again. If it stays so, ask whoever administers the company: your page among the users has to name your issuer and subject there." }
            p { a href={ (base) "/login" } { "Back to signing in" } }
        }
    };
    let mut answer = outside(request, "Not signed in", StatusCode::FORBIDDEN, body)?;
    SessionCookie::of_attempt(request)?.clear(&mut answer)?;
    Ok(answer)
}
