//! Partners that footprints are exchanged with.

use actix_web::HttpResponse;
use http::edge::{Failure, whole_list};
use maud::html;
use ports::inbound::PartnerView;
use ports::repo::Page;

use super::{file, moment, page};
use crate::csv;
use crate::here::Here;

const PATH: &str = "/settings/partners";
/// The most partners that are shown.
const MOST: u32 = 1_000;

pub(crate) async fn show(here: Here) -> Result<HttpResponse, Failure> {
    if file::is_asked_for(&here) {
        let partners = &here.areas().partners;
        let key = |view: &PartnerView| view.partner.value.id;
        let found = whole_list(key, |page| partners.list(here.caller(), page)).await?;
        return csv::file("partners", &file::partners(&found));
    }
    let listing = here.areas().partners.list(here.caller(), Page { number: 1, size: MOST }).await?;
    let body = html! {
        @if listing.data.is_empty() {
            div.empty {
                h2 { "No partners" }
                p { "A partner is a company that footprints are exchanged with by PACT. It is added by " code { "tonne partner add" } " or through the API (" code { "POST /v1/partner" } ")." }
            }
        } @else {
            div.scroll {
                table {
                    caption { (here.numbers().counted(listing.count, "partner", "partners")) }
                    thead { tr { th { "Name" } th { "Its host" } th { "We call it" } th { "It calls us with" } th { "Last heard from" } } }
                    tbody {
                        @for view in &listing.data {
                            @let partner = &view.partner.value;
                            tr {
                                th scope="row" { (partner.name) }
                                td.clip { (partner.base_url) }
                                td { @if view.has_secret { "with its secret" } @else { "not yet: it gave us no secret" } }
                                td { (here.numbers().counted(partner.clients.len(), "client", "clients")) }
                                td { @match view.heard { Some(at) => (moment(at)), None => "never" } }
                            }
                        }
                    }
                }
            }
        }
    };
    Ok(page(&here, PATH, "Partners", body).csv(&file::address(PATH)).answer(&here))
}
