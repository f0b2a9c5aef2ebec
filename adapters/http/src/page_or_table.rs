//! Lists without filters, and searches: page by page as JSON, all of them or one page as a table.

use std::hash::Hash;

use actix_web::HttpResponse;
use files::{ByteOrderMark, Cells, Json};
use ports::inbound::Error;
use ports::repo::{Listing, Page};

use crate::answer;
use crate::caller::Caller;
use crate::media::{self, Accepted};
use crate::operation::{Answer, SchemaOf};
use crate::problem::Problem;
use crate::query::{PAGING, Queried, Query};
use crate::report::parameters::{BOM, CELLS, cells, mark};
use crate::request_part::Parameter;
use crate::resource::{table, tabled};
use crate::service::Service;
use crate::shape::Shape;
use crate::whole_list::whole_list;

/// The forms that such a list comes in.
pub(crate) const OFFERS: &[&str] = &[media::JSON, media::CSV, media::XLSX];

/// Which page is asked for, and how a table is written.
pub(crate) struct PageOrTable {
    page: Option<Page>,
    cells: Cells,
    mark: ByteOrderMark,
}

impl Queried for PageOrTable {
    fn parameters() -> Vec<Parameter> {
        PAGING.into_iter().chain([CELLS, BOM]).collect()
    }

    fn take(query: &mut Query) -> Self {
        Self { page: query.find_page(), cells: cells(query), mark: mark(query) }
    }
}

impl PageOrTable {
    /// The page that JSON gives.
    pub(crate) fn page(&self) -> Page {
        self.page.unwrap_or(Page::FIRST)
    }
}

/// The answer with such a list, whose pages are of that schema.
pub(crate) fn listed(page: SchemaOf) -> Answer {
    Answer::ok(page)
        .or(media::CSV, SchemaOf::Text)
        .or(media::XLSX, SchemaOf::Text)
        .with_header_at_times("Content-Disposition", "The name to keep a table under.")
}

/// What a list is of.
pub(crate) struct Collection<'a, V: 'static, D: 'static> {
    /// The name of a table of them.
    pub(crate) name: &'a str,
    /// How each is shown.
    pub(crate) shape: &'a Shape<V, D>,
}

/// Answers the caller with the list of those items, each once by its key. A table of all of them takes the place of a stream while
/// it is made.
pub(crate) async fn answer_list<V, D, K, F>(
    asked: PageOrTable,
    accepted: Accepted,
    (service, caller): (&Service, &Caller),
    Collection { name, shape }: Collection<'_, V, D>,
    key: impl Fn(&V) -> K,
    read: impl Fn(Page) -> F,
) -> Result<HttpResponse, Problem>
where
    K: Eq + Hash,
    F: Future<Output = Result<Listing<V>, Error>>,
{
    if accepted.0 == media::JSON {
        let listing = read(asked.page()).await?;
        return answer::ok(&answer::page(listing, |view| shape.show(&view)));
    }
    let PageOrTable { page, cells, mark } = asked;
    let (items, slot) = if let Some(page) = page {
        (read(page).await?.data, None)
    } else {
        let slot = service.stream_slots().take(caller).await?;
        (whole_list(key, read).await?, Some(slot))
    };
    let rows: Vec<Json> = items.iter().map(|view| shape.show(view)).collect();
    let answer = tabled(&table(name, &shape.columns(), &rows), accepted, cells, mark);
    drop(slot);
    answer
}
