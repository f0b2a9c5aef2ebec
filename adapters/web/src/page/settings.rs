//! Settings: the viewer's own account, and for whoever administers the company its users, keys, clients and partners.

pub(crate) mod clients;
mod file;
pub(crate) mod keys;
pub(crate) mod me;
pub(crate) mod partners;
pub(crate) mod sign_in;
pub(crate) mod user;
pub(crate) mod users;

use actix_web::HttpResponse;
use http::edge::{self, Failure, SecurityEvent};
use maud::{Markup, html};
use ports::Permission;
use ports::credential::Secret;
use ports::inbound::{NewPassword, NewSession};
use ports::people::Session;
use ports::people::SignInName;

use super::login::see_other;
use super::refused::refused;
use crate::account::{Account, browser};
use crate::component::moment;
use crate::form::Fields;
use crate::here::Here;
use crate::layout::Layout;
use crate::site::Site;

/// The pages of the settings: path, title, and what it needs; without that nobody is shown the link.
const PAGES: [(&str, &str, Option<Permission>); 6] = [
    ("/settings/me", "Your account", None),
    ("/settings/users", "Users", Some(Permission::Admin)),
    ("/settings/keys", "API keys", Some(Permission::Admin)),
    ("/settings/clients", "Clients", Some(Permission::Admin)),
    ("/settings/partners", "Partners", Some(Permission::FootprintReview)),
    ("/settings/sign-in", "Sign-in", Some(Permission::Admin)),
];

/// The page of that path in the settings.
#[expect(clippy::needless_pass_by_value, reason = "markup is made where it is given")]
fn page(here: &Here, path: &str, title: &str, body: Markup) -> Layout {
    Layout::new(title, "/settings").body(html! {
        nav.controls aria-label="Settings" {
            @for (to, name, needs) in PAGES {
                @if needs.is_none_or(|needs| here.viewer.may(needs)) {
                    @if to == path { b { (name) } } @else { a href=(here.path(to)) { (name) } }
                }
            }
        }
        h1 { (title) }
        @if let Some(done) = here.params().take("done").as_deref().and_then(done) { p.notice.ok role="status" { (done) } }
        (body)
    })
}

/// What was done before this page came: of a closed list, so that no address says something else.
fn done(word: &str) -> Option<&'static str> {
    Some(match word {
        "added" => "Added.",
        "changed" => "Changed.",
        "removed" => "Removed.",
        "revoked" => "Revoked: it stops working everywhere within a second.",
        "ended" => "Signed out there.",
        "password" => "Your password is changed. You are signed out everywhere but here.",
        _ => return None,
    })
}

/// Back to a page, where it is said what was done.
fn after(here: &Here, path: &str, word: &str) -> HttpResponse {
    see_other(&format!("{}?done={word}", here.path(path)))
}

/// Tells the log of a change of credentials.
fn tell(here: &Here, what: &str) {
    edge::tell_security(here.request(), SecurityEvent::CredentialChanged, &here.caller().actor, what);
}

/// The fields of a password that is to be set.
pub(super) fn new_password_fields(name: &SignInName) -> Markup {
    html! {
        // For programs that keep passwords: whose it is. It is not sent.
        input type="text" value=(name) autocomplete="username" readonly hidden;
        label.field {
            "New password"
            input type="password" name="password" autocomplete="new-password" minlength="10" required;
            span.hint { "At least 10 characters." }
        }
        label.field {
            "The same again"
            input type="password" name="again" autocomplete="new-password" required;
        }
    }
}

/// Sets the viewer's password from those fields; what is wrong with them is for the page.
pub(super) async fn set_password(
    here: &Here,
    account: &Account,
    fields: &Fields,
    site: &Site,
) -> Result<Result<NewSession, Markup>, Failure> {
    let field = |name: &str| fields.get(name).unwrap_or_default().to_owned();
    if field("password") != field("again") {
        return Ok(Err(html! { p.notice.bad role="alert" { "The two passwords are not the same." } }));
    }
    let current = fields.get("current").filter(|text| !text.is_empty()).map(|text| Secret(text.to_owned()));
    let given = NewPassword { current, password: Secret(field("password")) };
    match site.sessions.set_password(&account.0, given, &browser(here.request())).await {
        Ok(new) => {
            tell(here, "set password");
            Ok(Ok(new))
        }
        Err(error) => Ok(Err(refused(error)?.1)),
    }
}

/// Sessions as a table, each with a button that ends it; `own` is the one that looks.
fn sessions(here: &Here, sessions: &[Session], own: Option<&Session>, action: &str) -> Markup {
    html! {
        div.scroll {
            table {
                thead { tr { th { "Browser" } th { "By" } th { "Since" } th { "Last seen" } th { "Until" } th { span.aloud { "Changes" } } } }
                tbody {
                    @for session in sessions {
                        @let is_own = own.is_some_and(|own| own.id == session.id);
                        tr {
                            td.clip { (session.agent) @if is_own { " " span.tag.ok { "this one" } } }
                            td { (session.by.as_str()) }
                            td { (moment(session.created)) }
                            td { (moment(session.last_seen)) }
                            td { (moment(session.expires)) }
                            td.r {
                                @if !is_own {
                                    form method="post" action=(action) {
                                        (here.token_field())
                                        input type="hidden" name="session" value=(session.id);
                                        button.plain type="submit" name="do" value="end-session" { "Sign out" }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
