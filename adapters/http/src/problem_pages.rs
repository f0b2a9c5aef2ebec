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

    const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/errors.md");
    const HEAD: &str = "# Errors\n\n\
        Every answer with an error is `application/problem+json`; [the interface over HTTP](../api.md#errors) says what is in it. Its\n\
        `type` is `/problems/` and one of these names, and a page that the service serves at that address, with this text.\n";

    /// The page of the book, from the same texts as those that are served.
    fn page() -> String {
        let section = |kind: &Kind| {
            let lines: Vec<_> = kind.text().lines().map(str::trim).collect();
            format!(
                "\n## `{}`\n\n**{}: {}.** {}\n",
                kind.name(),
                kind.status().as_u16(),
                kind.title(),
                lines.join("\n").trim_end()
            )
        };
        HEAD.to_owned() + &Kind::ALL.iter().map(section).collect::<String>()
    }

    #[test]
    fn the_page_of_the_book_has_the_texts_that_are_served() {
        if std::env::var_os("TONNE_WRITE_PAGES").is_some() {
            std::fs::write(PAGE, page()).unwrap();
        }
        let written = std::fs::read_to_string(PAGE).unwrap_or_default();
        assert!(written == page(), "docs/reference/errors.md is another; TONNE_WRITE_PAGES=1 with this test writes it");
    }

    #[test]
    fn backticks_become_code() {
        assert_eq!(marked(" see `Allow` and `detail`"), " see <code>Allow</code> and <code>detail</code>");
    }
}
