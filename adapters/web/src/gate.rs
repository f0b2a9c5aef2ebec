//! What every request passes before a page is made: who sent it, and whether a form comes from one of our pages.
//!
//! A form passes if the browser says that it comes from this origin (`Sec-Fetch-Site`, or `Origin` where that is not sent) and if
//! it carries the session's token. Nothing else may write.

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header;
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, HttpRequest, HttpResponse, web};
use http::edge::{self, Failure, SecurityEvent};

use crate::address::encoded;
use crate::form::{Fields, TOKEN};
use crate::headers::add_headers;
use crate::site::Site;
use crate::upload;
use crate::viewer::Viewer;

/// Recognizes the viewer, checks forms, and adds the headers of every page.
pub(crate) async fn pass(
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    if let Err(failure) = admit(&mut request).await {
        return Ok(add_headers(request.error_response(failure)));
    }
    Ok(add_headers(next.call(request).await?.map_into_boxed_body()))
}

async fn admit(request: &mut ServiceRequest) -> Result<(), Failure> {
    let site = request.app_data::<web::Data<Site>>().cloned();
    let site = site.ok_or_else(|| Failure::internal("the site is not configured"))?;
    let viewer = site.recognize.viewer(request.request()).await?;
    if let Some(viewer) = &viewer {
        edge::admit(request.request(), &viewer.caller)?;
        if let Some(standing) = site.recognize.standing(request.request()) {
            edge::watch(request.request(), standing);
        }
        request.extensions_mut().insert(viewer.clone());
    }
    if request.method().is_safe() {
        return Ok(());
    }
    let who = viewer.as_ref().map_or("unknown", |viewer| viewer.caller.actor.as_str()).to_owned();
    let refused = |request: &HttpRequest, failure| {
        edge::tell_security(
            request,
            SecurityEvent::FormRefused,
            &who,
            &format!("{} {}", request.method(), edge::logged_path(request.path())),
        );
        failure
    };
    check_origin(request.request()).map_err(|failure| refused(request.request(), failure))?;
    let has_token = |token: Option<&str>| match &viewer {
        Some(viewer) => token.is_some_and(|token| viewer.form_token.is(token)),
        None => true,
    };
    let not_of_session = || {
        let detail = "The form is not of this session, perhaps because you signed in again since it was opened. Open the \
                      page anew and send it again.";
        Failure::forbidden(detail)
    };
    if upload::is_sent(request) {
        // Of whoever is not signed in nothing is read: they are sent elsewhere.
        if viewer.is_none() {
            return Ok(());
        }
        let (token, sent) = upload::begin(request).await?;
        if !has_token(token.as_deref()) {
            return Err(refused(request.request(), not_of_session()));
        }
        request.extensions_mut().insert(sent);
        return Ok(());
    }
    let fields = Fields::read(request).await?;
    if !has_token(fields.get(TOKEN)) {
        return Err(refused(request.request(), not_of_session()));
    }
    request.extensions_mut().insert(fields);
    Ok(())
}

/// Refuses what a page of another origin sends.
fn check_origin(request: &HttpRequest) -> Result<(), Failure> {
    let value = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
    let is_ours = match value("sec-fetch-site") {
        Some(site) => matches!(site, "same-origin" | "none"),
        None => match (value(header::ORIGIN.as_str()), edge::host(request)) {
            (Some(origin), Some(host)) => {
                origin.split_once("://").is_some_and(|(_, named)| named.eq_ignore_ascii_case(&host))
            }
            _ => false,
        },
    };
    if is_ours {
        return Ok(());
    }
    if value("sec-fetch-site").is_none() && value(header::ORIGIN.as_str()).is_none() && !edge::reads_pages(request) {
        return Err(Failure::nowhere());
    }
    Err(Failure::forbidden("The form does not come from a page of this address. Open the page here and send it again."))
}

/// Sends whoever did not sign in to where they can, and back afterwards.
pub(crate) async fn signed_in(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    if request.extensions().get::<Viewer>().is_some() {
        return Ok(next.call(request).await?.map_into_boxed_body());
    }
    if !edge::reads_pages(request.request()) {
        return Ok(request.error_response(Failure::nowhere()));
    }
    let base = edge::pages_path(request.request())?;
    let asked = request.uri().path_and_query().map_or("/", |asked| asked.as_str());
    let asked = if request.method().is_safe() { asked } else { "" };
    let back = if asked.is_empty() { String::new() } else { format!("?return_to={}", encoded(asked)) };
    let mut answer = HttpResponse::SeeOther();
    answer.insert_header((header::LOCATION, format!("{base}/login{back}")));
    Ok(request.into_response(answer.finish()))
}

/// The path, if it is one of this origin: where to go after signing in. Never an address that a browser takes for another
/// host's.
#[must_use]
pub fn local_path(text: &str) -> Option<&str> {
    let plain = text.bytes().all(|b| b.is_ascii_graphic() && b != b'\\');
    (text.starts_with('/') && !text.starts_with("//") && plain).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_sent_back_to_paths_of_this_origin_alone() {
        for path in ["/", "/report?by=org,month", "/acme/activities?after=2025-01-01.x", "/a//b"] {
            assert_eq!(local_path(path), Some(path));
        }
        for other in
            ["", "report", "//evil.example", "/\\evil.example", "https://evil.example", "/a\nb", "javascript:x", "/a b"]
        {
            assert_eq!(local_path(other), None, "{other}");
        }
    }
}
