//! Reading one activity.

use actix_web::HttpResponse;
use domain::{ActivityId, Evidence, Total};
use files::{explanation_json, explanation_text};
use http::edge::Failure;
use maud::{Markup, html};
use ports::inbound::{ActivityView, Named};
use ports::{Permission, RecordKind};

use super::{MOST_CHANGES, SECTION};
use crate::address::Address;
use crate::component::{explain, history, notice};
use crate::figure::{Digits, Figures};
use crate::here::Here;
use crate::layout::Layout;
use crate::page::segment;

/// The path of an activity's page.
pub(super) fn path(id: ActivityId) -> String {
    format!("/activities/{id}")
}

/// Reads the identifier in a path; one that is none names nothing.
pub(super) fn identifier(text: &str) -> Result<ActivityId, Failure> {
    text.parse().map_err(|_| Failure::nowhere())
}

/// Answers GET of `/activities/{uuid}`.
pub(crate) async fn show(here: Here) -> Result<HttpResponse, Failure> {
    let at = segment(here.request(), "uuid");
    let id = identifier(at)?;
    let areas = here.areas();
    let view = areas.activities.get(here.caller(), id).await?;
    let explanation = areas.explanations.activity(here.caller(), id).await?;
    let changes = areas.histories.of_record(here.caller(), RecordKind::Activity, id.into(), MOST_CHANGES).await?;
    let revision = areas.activities.revision(here.caller()).await?;
    let activity = &view.activity.value;
    let body = html! {
        (head(&here, &view))
        div.cols {
            section { h2 { "Fields" } (fields(&here, &view)) }
            section {
                h2 { "How the figure comes about" a.more href=(here.path(&format!("{}/explanation", path(id)))) data-explain { "on a page of its own" } }
                (explain(&here, &explanation))
            }
        }
        section { h2 { "History" } (history(&here, &changes)) }
    };
    Ok(Layout::new(activity.name.to_string(), SECTION).as_of(revision).body(body).answer(&here))
}

fn head(here: &Here, view: &ActivityView) -> Markup {
    let activity = &view.activity.value;
    let co2e = activity.co2e().map(Total::from);
    let figures = Figures::of(here.numbers(), Digits::Fixed, co2e);
    let may_write = here.viewer.may(Permission::ActivityWrite);
    html! {
        p.small { a href=(here.path("/activities")) { "← Activities" } }
        h1 { (activity.name) }
        div.head {
            @match co2e {
                Some(co2e) => { span.total { (figures.amount(co2e)) " " span.unit { (figures.heading()) } } span.muted { (figures.exact(co2e)) } },
                None => span.total.muted { "-" },
            }
            @if may_write { a.button.plain href=(here.path(&format!("{}/edit", path(activity.id)))) data-edit { "Change" } }
        }
        @if let Some(reason) = &view.incomplete { (notice("warn", html! { b { "Not computed. " } (reason) (mend(here, view)) })) }
        @if view.outdated {
            (notice("warn", html! { "Its figure was computed from a factor that was corrected or replaced since. A recalculation brings it up to date." }))
        }
    }
}

/// What mends an activity without CO2e.
fn mend(here: &Here, view: &ActivityView) -> Markup {
    html! {
        @if here.viewer.may(Permission::ActivityWrite) {
            " " a href=(here.path(&format!("{}/edit", path(view.activity.value.id)))) { "Fill in what is missing" } "."
        }
    }
}

fn fields(here: &Here, view: &ActivityView) -> Markup {
    let activity = &view.activity.value;
    let numbers = here.numbers();
    let node = |named: &Option<Named>, parameter: &str| {
        html! {
            @if let Some(named) = named {
                a href=(here.link(&Address::to("/activities").with(parameter, named.id))) { (named.name) }
            } @else {
                span.muted { "-" }
            }
        }
    };
    let supplied = activity.calculation.supplied();
    html! {
        dl.fields {
            dt { "Days" } dd { (activity.span.start()) @if let Some(end) = activity.span.end() { " to " (end) } }
            dt { "Quantity" } dd {
                @match activity.measured {
                    Some(measured) => span.num { (numbers.plain(&measured.quantity.to_string())) " " (measured.unit) },
                    None => span.muted { "-" },
                }
            }
            dt { "Product" } dd { (node(&view.product, "product")) }
            dt { "Org" } dd { (node(&view.org, "org")) }
            dt { "Scope" } dd { (node(&view.scope, "scope")) }
            dt { "Category" } dd { (node(&view.taxonomy, "taxonomy")) }
            @for (title, part) in [("Upstream, given", supplied.upstream), ("Downstream, given", supplied.downstream)] {
                @if let Some(part) = part { dt { (title) } dd.num { (numbers.plain(&part.to_string())) " kg" } }
            }
            @if let Some(biogenic) = activity.biogenic() { dt { "Biogenic CO₂" } dd.num { (numbers.plain(&biogenic.to_string())) " kg" span.muted { ", in no total" } } }
            @if let Some(market) = &activity.stated.market {
                dt { "Market-based" } dd {
                    @if let Some(co2e) = activity.market_co2e() { span.num { (numbers.plain(&co2e.to_string())) " kg" } ", by " }
                    (market.basis.word()) @if let Some(reference) = &market.reference { ": " (reference) }
                }
            }
            @if let Some(quality) = activity.stated.quality { dt { "Quality" } dd { (quality.word()) } }
            @if !activity.stated.evidence.as_slice().is_empty() {
                dt { "Evidence" } dd { @for one in activity.stated.evidence.as_slice() { div { (shown(one)) } } }
            }
            dt { "syncId" } dd { @match &activity.sync_id { Some(sync_id) => code { (sync_id) }, None => span.muted { "-" } } }
            @if let Some(description) = &activity.description { dt { "Description" } dd { (description) } }
            dt { "Recorded" } dd.num { (view.activity.created) }
            dt { "Changed" } dd.num { (view.activity.updated) ", change " (numbers.count(view.activity.version)) }
            dt { "uuid" } dd { code { (activity.id) } }
        }
    }
}

/// A piece of evidence: a link that nothing is loaded from, or a file that is kept elsewhere.
fn shown(evidence: &Evidence) -> Markup {
    html! { @match evidence {
        Evidence::Link(link) => a href=(link) rel="noopener noreferrer nofollow" { (link) },
        Evidence::File { sha256, name } => { (name) " " code.muted { "sha256:" (sha256) } },
    } }
}

/// Answers GET of `/activities/{uuid}/explanation`: as a page, as text, or as JSON that can be computed anew.
pub(crate) async fn explanation(here: Here) -> Result<HttpResponse, Failure> {
    let at = segment(here.request(), "uuid");
    let id = identifier(at)?;
    let mut params = here.params();
    let form = params.word("form", &[("text", false), ("json", true)]);
    if let Some(fault) = params.finish().as_slice().first() {
        return Err(Failure::malformed(format!("{} {}.", fault.pointer, fault.detail)));
    }
    let view = here.areas().explanations.activity(here.caller(), id).await?;
    match form {
        Some(false) => {
            return Ok(HttpResponse::Ok().content_type("text/plain; charset=utf-8").body(explanation_text(&view)));
        }
        Some(true) => {
            return Ok(HttpResponse::Ok().content_type("application/json").body(explanation_json(&view).to_string()));
        }
        None => {}
    }
    let address = Address::to(format!("{}/explanation", path(id)));
    let body = html! {
        p.small { a href=(here.path(&path(id))) { "← " (view.name) } }
        h1 { "How the figure of “" (view.name) "” comes about" }
        (explain(&here, &view))
        p.small.controls { a href=(here.link(&address.clone().with("form", "text"))) { "as text" } " "
            a href=(here.link(&address.with("form", "json"))) { "as JSON" } }
    };
    let revision = here.areas().activities.revision(here.caller()).await?;
    Ok(Layout::new(format!("Explanation of {}", view.name), SECTION).as_of(revision).body(body).answer(&here))
}
