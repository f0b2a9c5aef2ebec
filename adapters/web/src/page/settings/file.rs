//! The lists of the settings as files. None has a secret, nor the hash of one.

use files::{Cell, Table};
use ports::inbound::{ClientView, KeyView, PartnerView, UserView};
use ports::people::Session;

use crate::address::Address;
use crate::csv;
use crate::here::Here;

/// Whether the list of a page is asked for as a file.
pub(super) fn is_asked_for(here: &Here) -> bool {
    here.params().word("form", &[("csv", true)]).unwrap_or(false)
}

/// The address of the list of that page as a file.
pub(super) fn address(path: impl Into<String>) -> Address {
    Address::to(path).with("form", "csv")
}

const USERS: [&str; 9] =
    ["uuid", "name", "display", "rights", "hasPassword", "hasProvider", "created", "disabled", "lastSeen"];

pub(super) fn users(users: &[UserView]) -> Table {
    let row = |UserView { user, .. }: &UserView| {
        let mut cells = vec![Cell::text(user.id), Cell::text(&user.name), Cell::text(&user.display)];
        cells.push(Cell::text(user.rights));
        cells.extend([user.password.is_some(), user.identity.is_some()].map(Cell::text));
        cells.extend([Some(user.created), user.disabled, user.last_seen].map(csv::text));
        cells
    };
    csv::table("users", &USERS, users.iter().map(row).collect())
}

pub(super) fn keys(keys: &[KeyView]) -> Table {
    let row = |KeyView { key, .. }: &KeyView| {
        let mut cells = vec![Cell::text(key.id), Cell::text(&key.prefix), Cell::text(&key.name)];
        cells.push(Cell::text(key.permissions));
        cells.extend([Some(key.created), key.expires, key.last_used].map(csv::text));
        cells
    };
    let columns = ["uuid", "prefix", "name", "permissions", "created", "expires", "lastUsed"];
    csv::table("keys", &columns, keys.iter().map(row).collect())
}

pub(super) fn clients(clients: &[ClientView]) -> Table {
    let row = |ClientView { client, .. }: &ClientView| {
        let mut cells = vec![Cell::text(client.id), Cell::text(&client.name), Cell::text(client.permissions)];
        cells.extend([Some(client.created), client.expires, client.last_used].map(csv::text));
        cells
    };
    let columns = ["uuid", "name", "permissions", "created", "expires", "lastUsed"];
    csv::table("clients", &columns, clients.iter().map(row).collect())
}

pub(super) fn partners(partners: &[PartnerView]) -> Table {
    let row = |view: &PartnerView| {
        let partner = &view.partner.value;
        let mut cells = vec![Cell::text(partner.id), Cell::text(&partner.name), Cell::text(&partner.base_url)];
        cells.extend([Cell::text(view.has_secret), csv::number(Some(partner.clients.len()))]);
        cells.extend([Some(view.partner.created), view.heard].map(csv::text));
        cells
    };
    let columns = ["uuid", "name", "baseUrl", "hasSecret", "clients", "created", "heard"];
    csv::table("partners", &columns, partners.iter().map(row).collect())
}

pub(super) fn sessions(sessions: &[Session]) -> Table {
    let row = |session: &Session| {
        let mut cells = vec![Cell::text(session.id), Cell::text(&session.agent), Cell::text(session.by.as_str())];
        cells.extend([session.created, session.last_seen, session.expires].map(Cell::text));
        cells
    };
    let columns = ["uuid", "browser", "by", "created", "lastSeen", "expires"];
    csv::table("sessions", &columns, sessions.iter().map(row).collect())
}
