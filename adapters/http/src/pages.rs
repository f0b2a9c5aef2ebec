//! Pages beside the API, as they are told to the service, and how errors are answered at their addresses.

use std::fmt;
use std::sync::Arc;

use actix_web::http::{StatusCode, header};
use actix_web::{HttpRequest, HttpResponse, web};
use domain::Fault;

use crate::media;
use crate::problem::{ErrorForm, Problem};

/// Makes the page that says why there is no other. The request is missing where the answer to it broke down.
pub(crate) type ErrorPage = fn(Option<&HttpRequest>, &Refusal<'_>) -> HttpResponse;
type Configure = Arc<dyn Fn(&mut web::ServiceConfig) + Send + Sync>;

/// Pages that are served beside the API.
#[derive(Clone)]
pub struct Pages {
    /// Registers what is below each company's address: paths such as `/report`, and the empty one for the address itself.
    pub of_company: Configure,
    /// Registers what is the same for all companies, below `/assets`.
    pub assets: Configure,
    /// Makes the page of a refusal.
    pub refusal: ErrorPage,
}

impl fmt::Debug for Pages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pages").finish_non_exhaustive()
    }
}

/// How errors are answered at an address of pages.
#[derive(Clone, Copy)]
pub(crate) struct PageForm {
    pub(crate) page: ErrorPage,
    pub(crate) reads_pages: bool,
}

impl PageForm {
    /// The answer to that problem.
    pub(crate) fn render(&self, problem: &Problem, request: Option<&HttpRequest>, id: &str) -> HttpResponse {
        render(problem, request, self.reads_pages, self.page, id)
    }
}

/// What a page says of a request that was refused.
#[derive(Debug)]
pub struct Refusal<'a> {
    /// The status of the answer.
    pub status: StatusCode,
    /// What it is, in a few words.
    pub title: &'static str,
    /// What to do.
    pub detail: &'a str,
    /// What is wrong, each with its place: a parameter's name or a pointer into what was sent.
    pub faults: Vec<&'a Fault>,
    /// The id that the log names the request by.
    pub request_id: &'a str,
}

/// The answer to a problem at a page's address: a page for whoever reads pages, else the problem.
fn render(
    problem: &Problem,
    request: Option<&HttpRequest>,
    reads_pages: bool,
    page: ErrorPage,
    request_id: &str,
) -> HttpResponse {
    let mut plain = problem.render(ErrorForm::Problem, Some(request_id));
    if !reads_pages {
        plain.headers_mut().remove(header::WWW_AUTHENTICATE);
        return plain;
    }
    let refusal = Refusal {
        status: problem.kind().status(),
        title: problem.kind().title(),
        detail: problem.detail(),
        faults: problem.faults().collect(),
        request_id,
    };
    let mut answer = page(request, &refusal);
    for name in [header::RETRY_AFTER, header::ALLOW] {
        if let Some(value) = plain.headers().get(&name) {
            answer.headers_mut().insert(name, value.clone());
        }
    }
    if plain.head().connection_type() == actix_web::http::ConnectionType::Close {
        answer.head_mut().set_connection_type(actix_web::http::ConnectionType::Close);
    }
    answer
}

/// Whether the request asks for pages.
pub(crate) fn reads_pages(headers: &header::HeaderMap) -> bool {
    media::negotiate(headers, &[media::JSON, media::HTML]).is_ok_and(|best| best.0 == media::HTML)
}
