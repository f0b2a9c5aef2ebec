//! The users of the company, and adding one.

use actix_web::{HttpResponse, web};
use domain::{Faults, Name};
use http::edge::{Failure, whole_list};
use maud::{Markup, html};
use ports::inbound::{Field, UserDraft, UserView};
use ports::people::{Identity, Rights, Role, SignInName, User};
use ports::repo::Page;

use super::{file, moment, page, refused, tell};
use crate::csv;
use crate::form::Fields;
use crate::here::Here;
use crate::page::login::see_other;
use crate::site::Site;

pub(super) const PATH: &str = "/settings/users";
/// The users of a page.
const PAGE: u32 = 200;

pub(crate) async fn show(here: Here, site: web::Data<Site>) -> Result<HttpResponse, Failure> {
    if file::is_asked_for(&here) {
        let key = |view: &UserView| view.user.id;
        let found = whole_list(key, |page| site.users.list_users(here.caller(), page)).await?;
        return csv::file("users", &file::users(&found));
    }
    let layout = page(&here, PATH, "Users", body(&here, &site, None).await?);
    Ok(layout.csv(&file::address(PATH)).answer(&here))
}

pub(crate) async fn add(here: Here, fields: Fields, site: web::Data<Site>) -> Result<HttpResponse, Failure> {
    match site.users.add_user(here.caller(), draft(&fields)).await {
        Ok(added) => {
            tell(&here, "add user");
            Ok(see_other(&format!("{}?done=added", here.path(&format!("{PATH}/{}", added.user.id)))))
        }
        Err(error) => {
            let (status, wrong) = refused(error)?;
            let body = body(&here, &site, Some(wrong)).await?;
            Ok(page(&here, PATH, "Users", body).status(status).answer(&here))
        }
    }
}

/// The members of a user in a form.
pub(super) fn draft(fields: &Fields) -> UserDraft {
    let mut faults = Faults::new();
    let mut draft = UserDraft {
        name: fields.parse("name", SignInName::parse, &mut faults),
        display: fields.parse("display", Name::parse, &mut faults),
        rights: rights(fields, &mut faults),
        ..UserDraft::default()
    };
    draft.identity = match (fields.filled("issuer"), fields.filled("subject")) {
        (Some(issuer), Some(subject)) => match Identity::new(issuer, subject) {
            Ok(identity) => Field::Given(identity),
            Err(error) => {
                faults.add("/subject", error.to_string());
                Field::Faulty
            }
        },
        (None, None) => Field::Null,
        (Some(_), None) | (None, Some(_)) => {
            faults.add("/subject", "stands with the issuer: give both or neither");
            Field::Faulty
        }
    };
    UserDraft { faults, ..draft }
}

/// A role, or permissions where they are typed.
fn rights(fields: &Fields, faults: &mut Faults) -> Field<Rights> {
    match fields.filled("role") {
        Some("permissions") => {
            let given = fields.parse("permissions", Rights::parse, faults);
            if given.is_missing() {
                faults.add("/permissions", "is required where there is no role");
            }
            given
        }
        Some(word) => {
            if let Some(role) = Role::parse(word) {
                Field::Given(Rights::Role(role))
            } else {
                faults.add("/role", "is no role");
                Field::Faulty
            }
        }
        None => Field::Absent,
    }
}

/// The fields of what a user may do.
pub(super) fn rights_fields(rights: Option<Rights>) -> Markup {
    let role = match rights {
        Some(Rights::Role(role)) => Some(role),
        Some(Rights::Permissions(_)) | None => None,
    };
    let permissions = match rights {
        Some(Rights::Permissions(permissions)) => Some(permissions.to_string()),
        Some(Rights::Role(_)) | None => None,
    };
    html! {
        div.row {
            label.field {
                "Role"
                select name="role" {
                    @for each in Role::ALL {
                        option value=(each) selected[role == Some(each)] { (name_of(each)) }
                    }
                    option value="permissions" selected[permissions.is_some()] { "permissions one by one" }
                }
            }
            label.field {
                "Permissions"
                input type="text" name="permissions" value=(permissions.unwrap_or_default()) autocomplete="off" spellcheck="false";
                span.hint { "Where there is no role, such as activity:read catalog:read." }
            }
        }
    }
}

const fn name_of(role: Role) -> &'static str {
    match role {
        Role::Viewer => "Viewer: totals and the catalog",
        Role::Auditor => "Auditor: reads everything, writes nothing",
        Role::Editor => "Editor: writes all records",
        Role::Admin => "Admin: everything, users and keys included",
    }
}

async fn body(here: &Here, site: &Site, wrong: Option<Markup>) -> Result<Markup, Failure> {
    let mut params = here.params();
    let number = params.read("page", str::parse::<u32>).unwrap_or(1).max(1);
    let listing = site.users.list_users(here.caller(), Page { number, size: PAGE }).await?;
    let (has_more, action) = (u64::from(number) * u64::from(PAGE) < listing.count, here.path(PATH));
    Ok(html! {
        (wrong.unwrap_or_default())
        section {
            @if listing.data.is_empty() {
                div.empty { h2 { "No users" } p { "Add the first below." } }
            } @else {
                div.scroll {
                    table {
                        caption { (here.numbers().counted(listing.count, "user", "users")) }
                        thead { tr { th { "Name" } th { "Display name" } th { "Permissions" } th { "Signs in by" } th { "Last seen" } } }
                        tbody { @for UserView { user, .. } in &listing.data { (row(here, user)) } }
                    }
                }
                @if has_more { p { a href={ (action) "?page=" (number + 1) } { "Next" } } }
            }
        }
        section {
            h2 { "Add a user" }
            form.form method="post" action=(action) {
                (here.token_field())
                div.row {
                    label.field {
                        "Name to sign in with"
                        input type="text" name="name" autocomplete="off" autocapitalize="none" spellcheck="false" required;
                        span.hint { "An e-mail address will do." }
                    }
                    label.field { "Display name" input type="text" name="display" autocomplete="off"; }
                }
                (rights_fields(None))
                p { button type="submit" { "Add" } }
            }
        }
    })
}

fn row(here: &Here, user: &User) -> Markup {
    html! {
        tr {
            th.link scope="row" { a href=(here.path(&format!("{PATH}/{}", user.id))) { (user.name) } }
            td { (user.display) }
            td { (user.rights) }
            td { (ways(user)) }
            td { @match user.last_seen { Some(at) => (moment(at)), None => "never" } }
        }
    }
}

pub(super) fn ways(user: &User) -> Markup {
    html! {
        @if user.disabled.is_some() { span.tag.bad { "disabled" } }
        @else if user.password.is_none() && user.identity.is_none() { span.tag.warn { "link alone" } }
        @else {
            @if user.password.is_some() { "password" }
            @if user.password.is_some() && user.identity.is_some() { ", " }
            @if user.identity.is_some() { "provider" }
        }
    }
}
