//! How users and their links are shown.

use files::Json;
use ports::inbound::{NewLink, UserView};
use ports::people::{Identity, Rights, User};

use super::super::credential::{or_dash, words};
use super::super::json::{members as json_members, object, optional, text};
use super::super::terminal_table::{Align, Table};

pub(super) fn members(user: &User) -> Vec<(String, Json)> {
    let role = match user.rights {
        Rights::Role(role) => Some(role),
        Rights::Permissions(_) => None,
    };
    json_members([
        ("uuid", text(user.id)),
        ("name", text(&user.name)),
        ("display", text(&user.display)),
        ("role", optional(role)),
        ("permissions", words(user.rights.permissions())),
        ("hasPassword", Json::Bool(user.password.is_some())),
        ("issuer", optional(user.identity.as_ref().map(Identity::issuer))),
        ("subject", optional(user.identity.as_ref().map(Identity::subject))),
        ("locale", optional(user.locale.as_ref())),
        ("created", text(user.created)),
        ("disabled", optional(user.disabled)),
        ("lastSeen", optional(user.last_seen)),
    ])
}

pub(super) fn table(users: &[UserView]) -> String {
    let columns = ["name", "called", "may", "signs in by", "last seen"].map(|name| (name, Align::Left));
    let mut table = Table::new(columns);
    for UserView { user, .. } in users {
        table.row([
            user.name.to_string(),
            user.display.to_string(),
            user.rights.to_string(),
            ways(user).to_owned(),
            or_dash(user.last_seen),
        ]);
    }
    table.render()
}

const fn ways(user: &User) -> &'static str {
    match (user.disabled.is_some(), user.password.is_some(), user.identity.is_some()) {
        (true, _, _) => "disabled",
        (false, true, true) => "password, provider",
        (false, true, false) => "password",
        (false, false, true) => "provider",
        (false, false, false) => "link alone",
    }
}

/// The link at those pages.
pub(super) fn link(link: &NewLink, address: &str) -> String {
    format!("{address}/login/once/{}", link.text.0)
}

pub(super) fn link_json(new: &NewLink, address: &str) -> String {
    object(link_members(new, address)).to_string()
}

fn link_members(new: &NewLink, address: &str) -> [(&'static str, Json); 3] {
    [("name", text(&new.user.name)), ("link", text(link(new, address))), ("expires", text(new.expires))]
}

pub(super) fn added_json(user: &User, new: Option<&(NewLink, String)>) -> String {
    let mut shown = members(user);
    if let Some((new, address)) = new {
        shown.push(("link".to_owned(), text(link(new, address))));
        shown.push(("linkExpires".to_owned(), text(new.expires)));
    }
    Json::Object(shown).to_string()
}
