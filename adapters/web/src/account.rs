//! Who is signed in, by the session's cookie.

use std::future::{Ready, ready};
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use async_trait::async_trait;
use http::edge::{self, Failure, Standing};
use ports::credential::Secret;
use ports::inbound::{AccessError, Browser, Error, Sessions, SignedIn};

use ports::{Caller, TenantId};

use crate::cookie::SessionCookie;
use crate::viewer::{FormToken, Locale, Recognize, Viewer};

/// Recognizes whoever carries the cookie of a session that lives.
#[derive(Clone)]
pub struct SessionCookies {
    /// What knows sessions.
    pub sessions: Arc<dyn Sessions>,
}

#[async_trait(?Send)]
impl Recognize for SessionCookies {
    async fn viewer(&self, request: &HttpRequest) -> Result<Option<Viewer>, Failure> {
        let Some(text) = SessionCookie::of(request)?.read(request) else { return Ok(None) };
        let signed_in = match self.sessions.authenticate(edge::company(request)?.id, &text).await {
            Ok(signed_in) => signed_in,
            Err(AccessError::Invalid | AccessError::Expired) => return Ok(None),
            Err(AccessError::Busy(cause)) => return Err(Error::Busy(cause).into()),
            Err(AccessError::Failed(cause)) => return Err(Error::Failed(cause).into()),
        };
        let user = signed_in.user.user();
        let asked = || {
            let asked = request.headers().get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
            Locale::asked(asked.unwrap_or_default())
        };
        let viewer = Viewer {
            caller: signed_in.caller.clone(),
            name: user.display.as_str().to_owned(),
            form_token: FormToken(signed_in.form_token.0.clone()),
            locale: user.locale.as_ref().and_then(|locale| Locale::parse(locale.as_str())).unwrap_or_else(asked),
        };
        request.extensions_mut().insert(Account(signed_in));
        Ok(Some(viewer))
    }

    fn standing(&self, request: &HttpRequest) -> Option<Arc<dyn Standing>> {
        let text = SessionCookie::of(request).ok()?.read(request)?;
        let tenant = edge::company(request).ok()?.id;
        Some(Arc::new(LivingSession { sessions: Arc::clone(&self.sessions), tenant, text }))
    }
}

/// A session that a long answer is under way for.
struct LivingSession {
    sessions: Arc<dyn Sessions>,
    tenant: TenantId,
    text: Secret,
}

#[async_trait]
impl Standing for LivingSession {
    async fn caller(&self) -> Result<Caller, AccessError> {
        Ok(self.sessions.authenticate(self.tenant, &self.text).await?.caller)
    }
}

/// The viewer's own account: for pages that change it.
#[derive(Clone, Debug)]
pub(crate) struct Account(pub(crate) SignedIn);

impl FromRequest for Account {
    type Error = Failure;
    type Future = Ready<Result<Self, Failure>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let account = request.extensions().get::<Self>().cloned();
        ready(account.ok_or_else(|| Failure::forbidden("This page is for people who signed in with a session.")))
    }
}

/// What the browser tells of itself.
pub(crate) fn browser(request: &HttpRequest) -> Browser {
    let agent = request.headers().get(header::USER_AGENT).and_then(|value| value.to_str().ok());
    let session = SessionCookie::of(request).ok().and_then(|cookie| cookie.read(request));
    Browser { from: edge::source(request), agent: agent.unwrap_or_default().to_owned(), session }
}
