//! What a use case refused, for the page whose form asked for it.

use actix_web::http::StatusCode;
use http::edge::Failure;
use maud::{Markup, html};
use ports::inbound::Error;

/// What a use case found wrong with what was sent, for the page it was sent from; other failures are answered as such.
#[expect(clippy::wildcard_enum_match_arm, reason = "any other error ends the page")]
pub(super) fn refused(error: Error) -> Result<(StatusCode, Markup), Failure> {
    let said = |status, body: Markup| Ok((status, html! { div.notice.bad role="alert" { (body) } }));
    match error {
        Error::Invalid(faults) => said(
            StatusCode::UNPROCESSABLE_ENTITY,
            html! {
                ul.faults { @for fault in faults.as_slice() { li { b { (fault.pointer.trim_start_matches('/')) } " " (fault.detail) } } }
            },
        ),
        Error::Conflict { detail, .. } => said(StatusCode::CONFLICT, html! { (detail) "." }),
        Error::PeriodClosed(closed) => said(StatusCode::CONFLICT, html! { (closed) "." }),
        Error::Stale => said(
            StatusCode::PRECONDITION_FAILED,
            html! { "It was changed since this page was opened. This is how it is now; change it again if that is still right." },
        ),
        error => Err(error.into()),
    }
}
