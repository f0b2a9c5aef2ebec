//! The scopes of the GHG Protocol, added by a button: without a scope no activity is in a total.

use std::collections::HashSet;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use domain::{Scope, SyncId};
use http::edge::{Failure, whole_list};
use maud::{Markup, html};
use ports::Permission;
use ports::inbound::{CatalogBundle, CatalogOptions, NodeView, Nodes, Outcome};

use super::super::login::see_other;
use crate::form::Fields;
use crate::here::Here;
use crate::layout::Layout;

/// The page of the scopes.
const SCOPES: &str = "/catalog/scope";
/// Where the form is sent to.
const PATH: &str = "/catalog/scope/standard";

/// Answers POST to `/catalog/scope/standard`: adds the scopes that are missing.
pub(crate) async fn add(here: Here, fields: Fields) -> Result<HttpResponse, Failure> {
    if fields.get("do") != Some("add") {
        return Err(Failure::malformed("The form does not say what to do."));
    }
    let options =
        CatalogOptions { outcome: Outcome::AllOrNothing, cause: "scopes of the GHG Protocol by a page".to_owned() };
    let outcome = here.catalog_imports().import_catalog(here.caller(), vec![standard()?], options).await?;
    if outcome.faults.is_empty() {
        return Ok(see_other(&here.path(SCOPES)));
    }
    let body = html! {
        h1 { "Scopes" }
        div.notice.bad role="alert" {
            p { "No scope was added. Mend these, and add them again:" }
            ul.faults { @for (place, faults) in &outcome.faults { @for fault in faults.as_slice() {
                li { (place) ", " code { (fault.pointer) } " " (fault.detail) }
            } } }
        }
    };
    Ok(Layout::new("Scopes", super::SECTION).status(StatusCode::UNPROCESSABLE_ENTITY).body(body).answer(&here))
}

/// The form that adds them, for whoever may, where any is missing: in full where there are no scopes, else folded.
pub(crate) async fn offer(here: &Here) -> Result<Markup, Failure> {
    if !here.viewer.may(Permission::CatalogRead) || !here.viewer.may(Permission::CatalogWrite) {
        return Ok(html! {});
    }
    let catalog = here.areas().catalog.as_ref();
    let key = |view: &NodeView<Scope>| view.node.value.id;
    let scopes = whole_list(key, |page| Nodes::<Scope>::list_nodes(catalog, here.caller(), None, page)).await?;
    let known: HashSet<&SyncId> = scopes.iter().filter_map(|view| view.node.value.sync_id.as_ref()).collect();
    let standard = standard()?;
    let mut wanted = standard.scopes.iter().filter_map(|placed| placed.draft.sync_id.given());
    if wanted.all(|sync_id| known.contains(sync_id)) {
        return Ok(html! {});
    }
    Ok(if scopes.is_empty() {
        html! { (form(here)) }
    } else {
        html! { details { summary { "Scopes of the GHG Protocol" } (form(here)) } }
    })
}

fn form(here: &Here) -> Markup {
    html! {
        form.form method="post" action=(here.path(PATH)) {
            (here.token_field())
            p {
                "Scopes 1 to 3, the 15 categories of scope 3, and what is reported apart: biogenic CO₂, credits, and what is outside the scopes. "
                "Those that are there stay as they are. An activity is in a total once it has a scope."
            }
            p { button type="submit" name="do" value="add" { "Add the scopes of the GHG Protocol" } }
        }
    }
}

fn standard() -> Result<CatalogBundle, Failure> {
    CatalogBundle::ghg_protocol().map_err(Failure::internal)
}
