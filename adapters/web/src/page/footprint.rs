//! A footprint: its fields with each broken rule beside its field, what came before and after it, and with whom it is shared.

mod fields;
mod records;
mod sharing;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use domain::footprint::{ACTIVE, DEPRECATED, Edition, Verdict};
use domain::{Faults, Footprint, FootprintId};
use http::edge::Failure;
use maud::{Markup, html};
use ports::inbound::{Error, Field, FootprintView};
use ports::{Permission, RecordKind, Version};

use super::footprints::{PATH, named, shown, status, titled};
use super::login::see_other;
use super::refused::refused;
use crate::address::Address;
use crate::component::{self, Input, history, notice};
use crate::form::Fields;
use crate::here::Here;
use crate::layout::Layout;
use crate::page::segment;
use records::{Chain, Link};

/// So many changes of one are shown.
const MOST_CHANGES: usize = 50;
/// The number behind which others are looked at that may name the footprint.
const BEHIND: &str = "behind";
/// The most characters of a status comment in the form.
const MOST_COMMENT: usize = 1_000;

/// Answers GET of `/footprints/{uuid}`.
pub(crate) async fn show(here: Here) -> Result<HttpResponse, Failure> {
    let id = meant(&here)?;
    let said = match here.params().take("done").as_deref() {
        Some("shared") => Some("Saved. Partners it is shared with are told of it."),
        Some("amended") => Some("Saved."),
        _ => None,
    };
    let said = said.map(|said| html! { p.notice.ok role="status" { (said) } });
    answer(&here, id, StatusCode::OK, said, &Fields::default()).await
}

/// Answers POST to `/footprints/{uuid}`: says with whom it is shared, or changes its status.
pub(crate) async fn change(here: Here, sent: Fields) -> Result<HttpResponse, Failure> {
    let id = meant(&here)?;
    let seen = seen(&here, &sent)?;
    let (caller, areas) = (here.caller(), here.areas());
    let (word, done) = match (sent.get("do"), seen) {
        // The version is one of a history that was replaced.
        (Some("share" | "amend" | "deprecate"), None) => ("", Err(Error::Stale)),
        (Some("share"), seen) => {
            ("shared", areas.partners.share(caller, id, seen, sharing::draft(&sent)?).await.map(drop))
        }
        (Some(word @ ("amend" | "deprecate")), seen) => {
            let status = if word == "deprecate" { Field::Given(DEPRECATED.to_owned()) } else { Field::Absent };
            let comment = sent.filled("statusComment").map_or(Field::Null, |text| Field::Given(text.to_owned()));
            ("amended", areas.footprints.amend(caller, id, seen, status, comment, Faults::new()).await.map(drop))
        }
        (Some(_) | None, _) => return Err(Failure::malformed("The form does not say what to do.")),
    };
    let Err(error) = done else { return Ok(see_other(&format!("{}?done={word}", here.path(&path(id))))) };
    let (status, wrong) = refused(error)?;
    answer(&here, id, status, Some(wrong), &sent).await
}

fn meant(here: &Here) -> Result<FootprintId, Failure> {
    segment(here.request(), "uuid").parse().map_err(|_| Failure::nowhere())
}

fn path(id: FootprintId) -> String {
    format!("{PATH}/{id}")
}

/// A version with the history that it is of.
fn marked(here: &Here, version: Version) -> String {
    format!("{}.{version}", here.company.epoch)
}

/// The version that a form was made from; `None` of another history.
fn seen(here: &Here, sent: &Fields) -> Result<Option<Version>, Failure> {
    let read = || {
        let (epoch, number) = sent.get("version")?.split_once('.')?;
        Some((domain::parse_uuid(epoch).ok()?, number.parse().ok()?))
    };
    let (epoch, number) =
        read().ok_or_else(|| Failure::malformed("The form lacks the version that it was made from. Open it anew."))?;
    Ok((epoch == here.company.epoch).then_some(Version(number)))
}

async fn answer(
    here: &Here,
    id: FootprintId,
    status: StatusCode,
    said: Option<Markup>,
    sent: &Fields,
) -> Result<HttpResponse, Failure> {
    let areas = here.areas();
    let view = areas.footprints.get(here.caller(), id).await?;
    let footprint = &view.footprint.value;
    let verdict = view.verdict.as_deref().cloned().unwrap_or_else(|| Verdict::of(footprint));
    let behind = here.params().take(BEHIND).and_then(|text| text.parse().ok());
    let chain = Chain::find(here, footprint, behind).await?;
    let sharing = sharing::section(here, id, &path(id), sent).await?;
    let changes = areas.histories.of_record(here.caller(), RecordKind::Footprint, id.into(), MOST_CHANGES).await;
    let changes = match changes {
        Err(Error::Denied(_)) => None,
        found => Some(found?),
    };
    let product = named(footprint.fields.text("productNameCompany").unwrap_or_default()).to_owned();
    let body = html! {
        p.small { a href=(here.path(PATH)) { "← Footprints" } }
        h1 { (product) }
        (said.unwrap_or_default())
        (main(here, &view).await?)
        (chained(here, footprint, &chain, behind))
        (sharing)
        @if here.viewer.may(Permission::FootprintWrite) { (amend(here, &view, sent)) }
        section { h2 { "Validity" } (validity(here, &verdict)) (fields::table(here, footprint, &verdict)) }
        section { h2 { "History" }
            @match changes {
                Some(changes) => (history(here, &changes)),
                None => p.muted { "Reading it needs the permission " code { "footprint:review" } "." },
            }
        }
    };
    Ok(Layout::new(product, PATH).status(status).body(body).answer(here))
}

/// What it is of, and where it was made.
async fn main(here: &Here, view: &FootprintView) -> Result<Markup, Failure> {
    let footprint = &view.footprint.value;
    let fields = &footprint.fields;
    let model = match &footprint.from_model {
        None => None,
        Some(from) => {
            let name = match here.areas().models.get(here.caller(), from.model).await {
                Ok(model) => Some(model.model.value.name.to_string()),
                Err(Error::Denied(_) | Error::NotFound) => None,
                Err(error) => return Err(error.into()),
            };
            Some((from.model, name))
        }
    };
    Ok(html! {
        section { dl.fields {
            dt { "Status" } dd { (status(footprint.status())) @if let Some(comment) = fields.text("statusComment") { " " (comment) } }
            dt { "Company" } dd { (fields.text("companyName").unwrap_or("-")) }
            dt { "Product ids" } dd { @for id in fields.texts("productIds") { div { code { (id) } } } @if fields.texts("productIds").is_empty() { span.muted { "-" } } }
            dt { "Model" } dd { @match &model {
                Some((id, Some(name))) => a href=(here.path(&format!("/models/{id}"))) { (name) },
                Some((id, None)) => code { (id) },
                None => span.muted { "none: it was written as it is" },
            } }
            dt { "Written in" } dd { "PACT " (fields.text("specVersion").unwrap_or("-")) }
            dt { "Version" } dd { (here.numbers().count(footprint.version())) }
            dt { "Created" } dd { time { (footprint.created()) } @if let Some(updated) = footprint.updated() { ", updated " time { (updated) } } }
            dt { "Number" } dd { (here.numbers().count(footprint.number)) }
            dt { "uuid" } dd { code { (footprint.id) } }
        } }
    })
}

/// What came before it and what took its place.
fn chained(here: &Here, footprint: &Footprint, chain: &Chain, behind: Option<u64>) -> Markup {
    let look = |number: u64| here.link(&Address::to(path(footprint.id)).with(BEHIND, number));
    let to = |link: &Link| {
        html! {
            div { a href=(here.path(&format!("{PATH}/{}", link.id))) { (named(&link.product)) } }
            div.small { (status(&link.status)) " " span.muted { "created " (link.created.get(..10).unwrap_or(&link.created)) } }
        }
    };
    html! {
        section { h2 { "Before and after" }
            dl.fields {
                dt { "Replaces" } dd {
                    @if chain.before.is_empty() { span.muted { "no other footprint" } }
                    @for (named, link) in &chain.before { div { @match link {
                        Some(link) => (to(link)),
                        None => { code { (named) } " " span.muted { "not among those that you may read" } },
                    } } }
                    @if chain.more_before > 0 { div.muted { "and " (here.numbers().count(chain.more_before)) " more: the table below has all that it names" } }
                }
                dt { "Replaced by" } dd {
                    @if chain.after.is_empty() { span.muted { @if behind.is_none() && chain.end.is_none() { "no later footprint" } @else { "none of those that were looked at" } } }
                    @for link in &chain.after { div { (to(link)) } }
                    div.small {
                        @if let Some(end) = chain.end { a href=(look(end)) { "Look at later ones" } " " }
                        @if behind != Some(0) && footprint.number > 1 { a href=(look(0)) { "Look at all from the first" } }
                    }
                }
            }
        }
    }
}

/// What each edition makes of it, in a sentence.
fn validity(here: &Here, verdict: &Verdict) -> Markup {
    html! {
        dl.fields { @for edition in Edition::ALL {
            @let found = verdict.edition(edition);
            @let hiding = found.findings.iter().filter(|finding| finding.layer().hides()).count();
            dt { (titled(edition)) }
            dd {
                (shown(found.is_shown)) " "
                @if found.findings.is_empty() { "It keeps every rule." }
                @else {
                    (here.numbers().counted(hiding, "rule", "rules")) " broken, " (here.numbers().counted(found.findings.len() - hiding, "piece", "pieces")) " of advice"
                    @if found.more > 0 { ", and " (here.numbers().count(found.more)) " more" }
                    "; each stands at its field below."
                }
            }
        } }
    }
}

fn amend(here: &Here, view: &FootprintView, sent: &Fields) -> Markup {
    let footprint = &view.footprint.value;
    let is_sent = matches!(sent.get("do"), Some("amend" | "deprecate"));
    let kept = footprint.fields.text("statusComment").unwrap_or_default();
    let value = if is_sent { sent.get("statusComment").unwrap_or_default() } else { kept };
    let comment = component::Field {
        name: "statusComment",
        label: "Comment on the status",
        hint: Some("such as why it should not be used any more"),
        input: Input::Text,
        value,
        required: false,
    };
    html! {
        section.noprint { h2 { "Status" }
            @if kept.chars().count() > MOST_COMMENT { (notice("warn", html! { "Its comment is long: change it through the API (" code { "PATCH /v1/footprint/{uuid}" } ")." })) }
            form.form method="post" action=(here.path(&path(footprint.id))) {
                (here.token_field())
                input type="hidden" name="version" value=(marked(here, view.footprint.version));
                (component::field(&comment, &Faults::new()))
                p {
                    button.plain type="submit" name="do" value="amend" { "Save the comment" } " "
                    @if footprint.status() == ACTIVE { button.danger type="submit" name="do" value="deprecate" { "Deprecate" } }
                }
                @if footprint.status() == ACTIVE { p.small.muted { "A deprecated footprint never becomes active again. Partners it is shared with are told." } }
            }
        }
    }
}
