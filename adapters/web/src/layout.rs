//! What is around every page: the header with the company and the navigation, the filter bar, the footer.

mod navigation;

use actix_web::http::header;
use actix_web::{HttpMessage, HttpRequest, HttpResponse, HttpResponseBuilder};
use http::edge::{self, Refusal};
use maud::{DOCTYPE, Markup, html};
use ports::Revision;

use crate::address::Address;
use crate::assets::asset;
use crate::headers;
use crate::here::Here;
use crate::viewer::Viewer;
use navigation::navigation;

/// A page, part by part.
///
/// ```no_run
/// # use maud::html;
/// # use tonne_web::{Address, Here, Layout};
/// # fn page(here: &Here, bar: maud::Markup, revision: ports::Revision) -> actix_web::HttpResponse {
/// Layout::new("Models", "/models")
///     .bar(bar)
///     .as_of(revision)
///     .csv(&Address::to("/models").with("form", "csv"))
///     .body(html! { h1 { "Models" } p { "None yet." } })
///     .answer(here)
/// # }
/// ```
#[derive(Debug)]
pub struct Layout {
    title: String,
    section: &'static str,
    bar: Option<Markup>,
    about: Option<String>,
    revision: Option<Revision>,
    csv: Option<Address>,
    refresh_s: Option<u32>,
    status: actix_web::http::StatusCode,
    body: Markup,
}

impl Layout {
    /// A page of that title; `section` is the path in the navigation that it belongs to.
    #[must_use]
    pub fn new(title: impl Into<String>, section: &'static str) -> Self {
        Self {
            title: title.into(),
            section,
            bar: None,
            about: None,
            revision: None,
            csv: None,
            refresh_s: None,
            status: actix_web::http::StatusCode::OK,
            body: html! {},
        }
    }

    /// With a filter bar ([`crate::filter_bar::bar`]).
    #[must_use]
    pub fn bar(self, bar: Markup) -> Self {
        Self { bar: Some(bar), ..self }
    }

    /// With the filter in words, which papers say where the bar is on the screen.
    #[must_use]
    pub fn about(self, words: impl Into<String>) -> Self {
        Self { about: Some(words.into()), ..self }
    }

    /// With the point of history that its figures are of.
    #[must_use]
    pub fn as_of(self, revision: Revision) -> Self {
        Self { revision: Some(revision), ..self }
    }

    /// With a link to this view as CSV, all rows of it.
    #[must_use]
    pub fn csv(self, address: &Address) -> Self {
        Self { csv: Some(address.clone()), ..self }
    }

    /// With something that goes on: a script tells it anew every so many seconds, in the element that has the role of a status,
    /// and loads the page anew once it is over. Without scripts the browser loads the page anew each time.
    #[must_use]
    pub fn refreshed(self, seconds: u32) -> Self {
        Self { refresh_s: Some(seconds), ..self }
    }

    /// With another status than 200.
    #[must_use]
    pub fn status(self, status: actix_web::http::StatusCode) -> Self {
        Self { status, ..self }
    }

    /// With that content, which begins with a heading.
    #[must_use]
    pub fn body(self, body: Markup) -> Self {
        Self { body, ..self }
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(self, here: &Here) -> HttpResponse {
        let frame = Frame { base: here.path(""), company: &here.company.name, viewer: Some(&here.viewer) };
        let foot = self.foot(here);
        let page = document(&self, Some(&frame), &foot);
        sent(HttpResponse::build(self.status), page)
    }

    fn foot(&self, here: &Here) -> Markup {
        let now = here.now.to_string();
        let time = now.get(..16).unwrap_or(&now).replace('T', " ");
        html! {
            @if let Some(about) = &self.about { p.about { (about) } }
            p {
                @if let Some(revision) = &self.revision {
                    "As of change " (here.numbers().count(revision.number)) ", "
                }
                time datetime=(now) { (time) "Z" }
            }
        }
    }
}

/// Whose page it is.
struct Frame<'a> {
    base: String,
    company: &'a str,
    viewer: Option<&'a Viewer>,
}

/// A page for whoever did not sign in, such as the one where they do.
#[must_use]
pub fn outside(company: &str, title: &str, body: Markup) -> HttpResponse {
    let layout = Layout::new(title, "").body(body);
    let frame = Frame { base: String::new(), company, viewer: None };
    sent(HttpResponse::Ok(), document(&layout, Some(&frame), &html! {}))
}

/// The page that says why there is no other.
#[must_use]
pub fn refusal(request: Option<&HttpRequest>, refusal: &Refusal<'_>) -> HttpResponse {
    let body = html! {
        h1 { (refusal.title) }
        p.lead { (refusal.detail) }
        @if !refusal.faults.is_empty() {
            ul.faults { @for fault in &refusal.faults { li { code { (fault.pointer) } " " (fault.detail) } } }
        }
        p.muted { "Request " code { (refusal.request_id) } }
    };
    let layout = Layout::new(refusal.title, "").body(body);
    let known = request.and_then(|request| {
        let viewer = request.extensions().get::<Viewer>().cloned();
        Some((edge::company(request).ok()?.name, edge::pages_path(request).ok()?, viewer))
    });
    let frame =
        known.as_ref().map(|(company, base, viewer)| Frame { base: base.clone(), company, viewer: viewer.as_ref() });
    sent(HttpResponse::build(refusal.status), document(&layout, frame.as_ref(), &html! {}))
}

fn sent(mut answer: HttpResponseBuilder, page: Markup) -> HttpResponse {
    answer.insert_header((header::CONTENT_TYPE, "text/html; charset=utf-8"));
    let mut answer = answer.body(page.into_string());
    headers::add(answer.headers_mut());
    answer
}

fn document(layout: &Layout, frame: Option<&Frame<'_>>, foot: &Markup) -> Markup {
    let company = frame.map_or("Tonne", |frame| frame.company);
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                @if let Some(seconds) = layout.refresh_s { noscript { meta http-equiv="refresh" content=(seconds); } }
                title { (layout.title) " · " (company) }
                link rel="stylesheet" href=(asset("tonne.css"));
                link rel="icon" type="image/svg+xml" href=(asset("icon.svg"));
                script type="module" src=(asset("tonne.js")) {}
            }
            body {
                a.skip href="#main" { "Skip to the content" }
                @if let Some(frame) = frame { (top(frame, layout.section)) }
                @if let Some(bar) = &layout.bar { (bar) }
                main #main data-refresh=[layout.refresh_s] {
                    @if layout.csv.is_some() || layout.bar.is_some() { (tools(layout, frame)) }
                    (layout.body)
                }
                footer { (foot) }
            }
        }
    }
}

fn top(frame: &Frame<'_>, section: &str) -> Markup {
    let Frame { base, company, viewer } = frame;
    html! {
        header.top {
            a.company href={ (base) "/" } { (company) }
            @if let Some(viewer) = viewer {
                (navigation(base, viewer, section))
                details.menu {
                    summary { (viewer.name) }
                    div {
                        a href={ (base) "/settings/me" } { "Settings" }
                        form method="post" action={ (base) "/logout" } {
                            input type="hidden" name=(crate::form::TOKEN) value=(viewer.form_token.0);
                            button.plain type="submit" { "Sign out" }
                        }
                    }
                }
            }
        }
    }
}

fn tools(layout: &Layout, frame: Option<&Frame<'_>>) -> Markup {
    let base = frame.map_or("", |frame| frame.base.as_str());
    html! {
        div.tools {
            @if let Some(csv) = &layout.csv { a href={ (base) (csv) } download { "CSV" } }
            button.plain type="button" data-copy-link hidden { "Copy link" }
        }
    }
}
