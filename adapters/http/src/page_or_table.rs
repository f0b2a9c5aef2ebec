//! Lists without filters, and searches: page by page as JSON, all of them or one page as a table.

use std::collections::HashSet;
use std::hash::Hash;

use actix_web::HttpResponse;
use files::{ByteOrderMark, Cells, Json};
use ports::inbound::Error;
use ports::repo::{Listing, Page};

use crate::answer;
use crate::media::{self, Accepted};
use crate::operation::{Answer, SchemaOf};
use crate::problem::{Kind as Problems, Problem};
use crate::query::{MAX_SIZE, PAGING, Queried, Query};
use crate::report::parameters::{BOM, CELLS, cells, mark};
use crate::request_part::Parameter;
use crate::resource::{table, tabled};
use crate::shape::Shape;

/// The forms that such a list comes in.
pub(crate) const OFFERS: &[&str] = &[media::JSON, media::CSV, media::XLSX];

/// The most items that are read for one table.
const MOST_ROWS: usize = 100_000;

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

/// Answers with the list of that name, its items as the shape shows them, each once by its key.
pub(crate) async fn answer_list<V, D, K, F>(
    asked: PageOrTable,
    accepted: Accepted,
    (name, shape): (&str, &Shape<V, D>),
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
    let items = match page {
        Some(page) => read(page).await?.data,
        None => all(key, read).await?,
    };
    let rows: Vec<Json> = items.iter().map(|view| shape.show(view)).collect();
    tabled(&table(name, &shape.columns(), &rows), accepted, cells, mark)
}

/// All items. One that comes meanwhile moves others to a later page, where they are seen again.
async fn all<V, K, F>(key: impl Fn(&V) -> K, read: impl Fn(Page) -> F) -> Result<Vec<V>, Problem>
where
    K: Eq + Hash,
    F: Future<Output = Result<Listing<V>, Error>>,
{
    let (mut found, mut known) = (Vec::new(), HashSet::new());
    for number in 1.. {
        let Listing { count, data, .. } = read(Page { number, size: MAX_SIZE }).await?;
        let is_last = data.len() < MAX_SIZE as usize;
        found.extend(data.into_iter().filter(|item| known.insert(key(item))));
        if count > MOST_ROWS as u64 {
            let detail = format!("There are {count} of them, more than {MOST_ROWS}: ask page by page.");
            return Err(Problem::new(Problems::Invalid, detail));
        }
        if is_last {
            break;
        }
    }
    Ok(found)
}
