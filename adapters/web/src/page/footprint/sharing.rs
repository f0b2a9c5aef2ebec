//! With whom a footprint is shared, and the form that says it anew.

use std::collections::HashMap;

use domain::{Faults, FootprintId, SharedWith, parse_uuid};
use http::edge::Failure;
use maud::{Markup, html};
use ports::Permission;
use ports::inbound::{Error, Field, SharingDraft};
use ports::repo::Page;
use uuid::Uuid;

use super::marked;
use crate::form::Fields;
use crate::here::Here;

/// The most partners that are listed.
const MOST: u32 = 1_000;

/// What a form says.
pub(super) fn draft(sent: &Fields) -> Result<SharingDraft, Failure> {
    let partners: Option<Vec<_>> = sent.all("partner").map(|text| parse_uuid(text).ok()).collect();
    let partners = partners.ok_or_else(|| Failure::malformed("The form names a partner that is none."))?;
    let (all, partners) = match sent.get("with") {
        Some("nobody") => (false, Vec::new()),
        Some("partners") => (false, partners),
        Some("all") => (true, Vec::new()),
        Some(_) | None => return Err(Failure::malformed("The form does not say with whom it is shared.")),
    };
    let mut faults = Faults::new();
    if sent.get("with") == Some("partners") && partners.is_empty() {
        faults.add("/partners", "are none: choose one at least, or keep the footprint private");
    }
    Ok(SharingDraft { all: Field::Given(all), partners: Field::Given(partners), faults })
}

/// The part of the page.
pub(super) async fn section(here: &Here, id: FootprintId, path: &str, sent: &Fields) -> Result<Markup, Failure> {
    let partners = &here.areas().partners;
    let sharing = match partners.sharing(here.caller(), id).await {
        Ok(sharing) => sharing,
        Err(Error::Denied(denied)) => {
            return Ok(
                html! { section { h2 { "Sharing" } p.muted { "Seeing with whom it is shared needs the permission " code { (denied.0) } "." } } },
            );
        }
        Err(error) => return Err(error.into()),
    };
    let listing = partners.list(here.caller(), Page { number: 1, size: MOST }).await?;
    let known: Vec<(Uuid, String)> =
        listing.data.iter().map(|view| (view.partner.value.id.into(), view.partner.value.name.to_string())).collect();
    let names: HashMap<Uuid, &str> = known.iter().map(|(id, name)| (*id, name.as_str())).collect();
    let named: Vec<Uuid> = match &sharing.with {
        Some(SharedWith::Partners(partners)) => partners.iter().map(|id| Uuid::from(*id)).collect(),
        Some(SharedWith::All) | None => Vec::new(),
    };
    let word = match &sharing.with {
        None => "nobody",
        Some(SharedWith::Partners(_)) => "partners",
        Some(SharedWith::All) => "all",
    };
    let is_sent = sent.get("do") == Some("share");
    let chosen = if is_sent { sent.get("with").unwrap_or(word) } else { word };
    let is_named = |id: &Uuid| {
        if is_sent { sent.all("partner").any(|text| text == id.to_string()) } else { named.contains(id) }
    };
    let choice = |value: &str, label: &str| {
        html! { label { input type="radio" name="with" value=(value) checked[chosen == value]; " " (label) } }
    };
    Ok(html! {
        section { h2 { "Sharing" }
            p { @match &sharing.with {
                None => { b { "Private" } ": no partner may read it." },
                Some(SharedWith::All) => { b { "Every partner" } " may read it, those that are added later too." },
                Some(SharedWith::Partners(_)) => {
                    "These partners may read it: "
                    @for (index, id) in named.iter().enumerate() { @if index > 0 { ", " } b { (names.get(id).copied().unwrap_or("another partner")) } }
                },
            } }
            @if here.viewer.may(Permission::FootprintWrite) {
                details.noprint open[is_sent] { summary { "Change" }
                    form.form method="post" action=(here.path(path)) {
                        (here.token_field())
                        input type="hidden" name="version" value=(marked(here, sharing.version));
                        fieldset { legend { "Who may read it" }
                            p { (choice("nobody", "Nobody: private")) }
                            p { (choice("all", "Every partner")) }
                            @if !known.is_empty() { p { (choice("partners", "These partners:")) } }
                            @for (id, name) in &known { p { label { input type="checkbox" name="partner" value=(id) checked[is_named(id)]; " " (name) } } }
                        }
                        @if known.is_empty() { p.small.muted { "There are no partners yet. One is added by " code { "tonne partner add" } "." } }
                        @if listing.count > u64::from(MOST) { p.small.muted { "The first " (here.numbers().count(MOST)) " partners. The footprint is shared with others through the API." } }
                        p { button type="submit" name="do" value="share" { "Save" } }
                    }
                }
            }
        }
    })
}
