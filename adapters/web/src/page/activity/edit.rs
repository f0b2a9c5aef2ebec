//! Writing activities by forms: adding, changing, removing. A change names the version that was seen; where somebody else was
//! quicker, both versions are shown and nothing is lost.

use actix_web::HttpResponse;
use actix_web::http::{StatusCode, header};
use domain::{Fault, Faults};
use http::edge::Failure;
use maud::{Markup, html};
use ports::Version;
use ports::inbound::{ActivityView, Error};

use super::SECTION;
use super::form::{MEMBERS, Values, fields};
use super::offers::{Offers, Sought, seek_row};
use super::show::{identifier, path};
use crate::component::notice;
use crate::form::Fields;
use crate::here::Here;
use crate::layout::Layout;
use crate::page::segment;

/// The field with the version that was seen.
const SEEN: &str = "version";
/// The fields with what was there begin so.
const BEFORE: &str = "before-";

/// Answers GET of `/activities/new`.
pub(crate) async fn new(here: Here) -> Result<HttpResponse, Failure> {
    let mut values = Values::default();
    values.set("startDate", here.now.to_string().get(..10).unwrap_or_default());
    let offers = Offers::find(&here, values.get("product"), None).await?;
    Ok(page_of_new(&here, &values, &offers, &Faults::new(), StatusCode::OK))
}

/// Answers POST of `/activities/new`.
pub(crate) async fn add(here: Here, sent: Fields) -> Result<HttpResponse, Failure> {
    let values = Values::sent(&sent);
    if let Some(sought) = Sought::of(&sent) {
        let offers = Offers::find(&here, values.get("product"), Some(sought)).await?;
        return Ok(page_of_new(&here, &values, &offers, &Faults::new(), StatusCode::OK));
    }
    match here.areas().activities.add(here.caller(), values.draft(None)).await {
        Ok(view) => Ok(see(&here, &path(view.activity.value.id))),
        Err(error) => {
            let faults = faults(error)?;
            let offers = Offers::find(&here, values.get("product"), None).await?;
            Ok(page_of_new(&here, &values, &offers, &faults, StatusCode::UNPROCESSABLE_ENTITY))
        }
    }
}

fn page_of_new(here: &Here, values: &Values, offers: &Offers, faults: &Faults, status: StatusCode) -> HttpResponse {
    let body = html! {
        p.small { a href=(here.path("/activities")) { "← Activities" } }
        h1 { "Add an activity" }
        (whole(faults))
        form.form method="post" action=(here.path("/activities/new")) {
            (here.token_field())
            (fields(values, offers, faults))
            p { button type="submit" { "Add" } }
            (seek_row(offers))
        }
    };
    Layout::new("Add an activity", SECTION).status(status).body(body).answer(here)
}

/// Answers GET of `/activities/{uuid}/edit`.
pub(crate) async fn edit(here: Here) -> Result<HttpResponse, Failure> {
    let at = segment(here.request(), "uuid");
    let view = here.areas().activities.get(here.caller(), identifier(at)?).await?;
    let values = Values::of(&view);
    let offers = Offers::find(&here, values.get("product"), None).await?;
    let above = Above { message: html! {}, made_from: made_from(&version(&here, &view), &values) };
    Ok(page_of_change(&here, &view, &values, &offers, &above, &Faults::new(), StatusCode::OK))
}

/// Answers POST of `/activities/{uuid}/edit`.
pub(crate) async fn change(here: Here, sent: Fields) -> Result<HttpResponse, Failure> {
    let at = segment(here.request(), "uuid");
    let id = identifier(at)?;
    let seen = seen(&here, &sent)?;
    let (values, before) = (Values::sent(&sent), Values::before(&sent));
    if let Some(sought) = Sought::of(&sent) {
        let view = here.areas().activities.get(here.caller(), id).await?;
        let offers = Offers::find(&here, values.get("product"), Some(sought)).await?;
        // Of the version that it was made from: what others changed since is not overwritten unseen.
        let made_from = made_from(sent.get(SEEN).unwrap_or_default(), &before);
        let above = Above { message: html! {}, made_from };
        return Ok(page_of_change(&here, &view, &values, &offers, &above, &Faults::new(), StatusCode::OK));
    }
    let written = match seen {
        Some(seen) => here.areas().activities.update(here.caller(), id, Some(seen), values.draft(Some(&before))).await,
        // The version is one of a history that was replaced.
        None => Err(Error::Stale),
    };
    let Err(error) = written else { return Ok(see(&here, &path(id))) };
    let (is_stale, offers) = (matches!(error, Error::Stale), Offers::find(&here, values.get("product"), None).await?);
    let faults = if is_stale { Faults::new() } else { faults(error)? };
    let view = here.areas().activities.get(here.caller(), id).await?;
    let (message, status) = if is_stale {
        (both(&values, &Values::of(&view), &offers), StatusCode::PRECONDITION_FAILED)
    } else {
        (whole(&faults), StatusCode::UNPROCESSABLE_ENTITY)
    };
    let above = Above { message, made_from: made_from(&version(&here, &view), &Values::of(&view)) };
    Ok(page_of_change(&here, &view, &values, &offers, &above, &faults, status))
}

/// Answers POST of `/activities/{uuid}/remove`.
pub(crate) async fn remove(here: Here, sent: Fields) -> Result<HttpResponse, Failure> {
    let at = segment(here.request(), "uuid");
    let id = identifier(at)?;
    let seen = seen(&here, &sent)?.ok_or(Failure::from(Error::Stale))?;
    here.areas().activities.remove(here.caller(), id, Some(seen)).await?;
    Ok(see(&here, "/activities"))
}

/// What stands above the fields of a form of change.
struct Above {
    message: Markup,
    /// What the form says of the record that it was made from.
    made_from: Markup,
}

fn page_of_change(
    here: &Here,
    view: &ActivityView,
    values: &Values,
    offers: &Offers,
    above: &Above,
    faults: &Faults,
    status: StatusCode,
) -> HttpResponse {
    let id = view.activity.value.id;
    let body = html! {
        p.small { a href=(here.path(&path(id))) { "← " (view.activity.value.name) } }
        h1 { "Change “" (view.activity.value.name) "”" }
        (above.message)
        form.form method="post" action=(here.path(&format!("{}/edit", path(id)))) {
            (here.token_field())
            (above.made_from)
            (fields(values, offers, faults))
            p { button type="submit" { "Save" } " " a href=(here.path(&path(id))) { "Leave as it is" } }
            (seek_row(offers))
        }
        details.noprint { summary.muted.small { "Remove this activity" }
            form method="post" action=(here.path(&format!("{}/remove", path(id)))) {
                (here.token_field())
                input type="hidden" name=(SEEN) value=(version(here, view));
                p { "Its history stays. " button.danger type="submit" { "Remove it" } }
            }
        }
    };
    Layout::new("Change an activity", SECTION).status(status).body(body).answer(here)
}

/// What the form says of the record that it was made from: its version, and its values, so that only what was changed is written.
fn made_from(version: &str, before: &Values) -> Markup {
    html! {
        input type="hidden" name=(SEEN) value=(version);
        @for (name, _) in MEMBERS { input type="hidden" name={ (BEFORE) (name) } value=(before.get(name)); }
    }
}

fn version(here: &Here, view: &ActivityView) -> String {
    format!("{}.{}", here.company.epoch, view.activity.version)
}

/// The version that the form was made from; `None` of another history.
fn seen(here: &Here, sent: &Fields) -> Result<Option<Version>, Failure> {
    let read = || {
        let (epoch, number) = sent.get(SEEN)?.split_once('.')?;
        Some((domain::parse_uuid(epoch).ok()?, number.parse().ok()?))
    };
    let (epoch, number) =
        read().ok_or_else(|| Failure::malformed("The form lacks the version that it was made from. Open it anew."))?;
    Ok((epoch == here.company.epoch).then_some(Version(number)))
}

/// The faults of a form; any other error ends the page.
#[expect(clippy::wildcard_enum_match_arm, reason = "any other error ends the page")]
fn faults(error: Error) -> Result<Faults, Failure> {
    match error {
        Error::Invalid(faults) | Error::Parameters(faults) => Ok(faults),
        Error::Conflict { pointer, detail } => Ok(Faults::one(pointer, detail)),
        Error::PeriodClosed(closed) => Ok(Faults::one("", closed.to_string())),
        other => Err(other.into()),
    }
}

/// What is wrong with no field of the form alone.
fn whole(faults: &Faults) -> Markup {
    let is_of_field = |fault: &Fault| {
        MEMBERS.iter().any(|(name, _)| {
            let pointer = format!("/{name}");
            fault.pointer == pointer || fault.pointer.starts_with(&format!("{pointer}/"))
        })
    };
    let others: Vec<_> = faults.as_slice().iter().filter(|fault| !is_of_field(fault)).collect();
    html! {
        @if !faults.is_empty() {
            (notice("bad", html! {
                "Nothing was written. " @if others.is_empty() { "What is wrong stands at its field." }
                @for fault in others { (fault.pointer) " " (fault.detail) " " }
            }))
        }
    }
}

/// Both versions beside each other, after somebody else was quicker.
fn both(mine: &Values, theirs: &Values, offers: &Offers) -> Markup {
    html! {
        (notice("warn", html! {
            b { "Somebody else changed this activity since you opened it. " }
            "Nothing of yours was written yet. The form below has your values: save it to put them in place of what is there now."
        }))
        div.scroll { table.compact {
            thead { tr { th scope="col" { "Field" } th scope="col" { "There now" } th scope="col" { "Yours" } } }
            tbody { @for (name, label) in MEMBERS {
                @let differs = mine.get(name) != theirs.get(name);
                @if differs { tr.differs { th scope="row" { (label) } td { (offers.shown(name, theirs.get(name))) } td { b { (offers.shown(name, mine.get(name))) } } } }
            } }
        } }
    }
}

fn see(here: &Here, path: &str) -> HttpResponse {
    HttpResponse::SeeOther().insert_header((header::LOCATION, here.path(path))).finish()
}
