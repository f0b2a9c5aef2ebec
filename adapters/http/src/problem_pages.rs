//! The pages that problem types point to.

use actix_web::{HttpRequest, HttpResponse};

use crate::media;
use crate::operation::Operation;
use crate::problem::{Kind, Problem};

/// The operations on the pages. They are the service's, not a company's: their address is outside the base address.
pub(crate) fn operations() -> Vec<Operation> {
    vec![Operation::public("/problems/{name}", get_problem).offering(&[media::HTML])]
}

/// The page of one kind of problem.
async fn get_problem(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let name = request.match_info().query("name");
    let kind = Kind::ALL.iter().find(|kind| kind.name() == name);
    let kind = kind.ok_or_else(|| Problem::new(Kind::NotFound, "There is no such kind of problem."))?;
    let page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title></head>\n\
         <body><h1>{title}</h1>\n<p>Status {status}</p>\n<p>{text}</p></body></html>\n",
        title = kind.title(),
        status = kind.status(),
        text = marked(kind.text()),
    );
    Ok(HttpResponse::Ok().content_type("text/html; charset=utf-8").body(page))
}

/// The text with what is between backticks as code.
pub(crate) fn marked(text: &str) -> String {
    let parts = text.split('`').enumerate();
    parts.map(|(index, part)| if index % 2 == 1 { format!("<code>{part}</code>") } else { part.to_owned() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backticks_become_code() {
        assert_eq!(marked(" see `Allow` and `detail`"), " see <code>Allow</code> and <code>detail</code>");
    }
}
