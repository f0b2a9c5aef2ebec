//! What a use case refused, for the page whose form asked for it.

use actix_web::http::StatusCode;
use http::edge::Failure;
use maud::{Markup, html};
use ports::inbound::Error;

/// What the fields of settings, periods and footprints are called in their forms, member by member.
const LABELS: [(&str, &str); 16] = [
    ("baseYear", "Base year: threshold in %"),
    ("display", "Display name"),
    ("expires", "Expires"),
    ("first", "First day"),
    ("last", "Last day"),
    ("locale", "Number format"),
    ("name", "Name"),
    ("org", "Org"),
    ("partners", "These partners"),
    ("password", "New password"),
    ("period", "Days by name"),
    ("permissions", "Permissions"),
    ("reason", "Reason"),
    ("role", "Role"),
    ("statusComment", "Comment on the status"),
    ("subject", "Subject there"),
];

/// What a field is called; where no form has it, the pointer without its first slash.
fn label(pointer: &str) -> &str {
    let member = pointer.trim_start_matches('/');
    LABELS.iter().find(|(name, _)| *name == member).map_or(member, |(_, label)| *label)
}

/// What a use case found wrong with what was sent, for the page it was sent from; other failures are answered as such.
#[expect(clippy::wildcard_enum_match_arm, reason = "any other error ends the page")]
pub(super) fn refused(error: Error) -> Result<(StatusCode, Markup), Failure> {
    let said = |status, body: Markup| Ok((status, html! { div.notice.bad role="alert" { (body) } }));
    match error {
        Error::Invalid(faults) => said(
            StatusCode::UNPROCESSABLE_ENTITY,
            html! {
                ul.faults { @for fault in faults.as_slice() { li { b { (label(&fault.pointer)) } " " (fault.detail) } } }
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
