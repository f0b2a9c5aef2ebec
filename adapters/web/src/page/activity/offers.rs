//! What can be chosen in the form of an activity, and what is found for it: factors in the market, by words or by id.

use domain::{Factor, ProductId};
use http::edge::{self, Failure};
use maud::{Markup, html};
use ports::inbound::{Error, FactorPlace, FactorSearch, SearchWords};
use ports::repo::Page;

use crate::filter::Dimension;
use crate::filter_bar::Choices;
use crate::form::Fields;
use crate::here::Here;

/// The field whose words seek factors in the market.
const SEEK: &str = "seek";
/// What the button that finds does; with a place behind it, the one that looks further.
const FIND: &str = "find";
/// So many factors that are found are enough for one look.
const ENOUGH: u32 = 100;
/// So many products and factors are looked at for them.
const LOOK_AT: u32 = 20_000;
/// So many factors of the product that is chosen are offered.
const MOST_FACTORS: u32 = 50;

/// What a form seeks whose button that finds was pressed: nothing is written then, whatever is sought for.
pub(super) struct Sought {
    /// No words find nothing: the form is shown again.
    words: Option<SearchWords>,
    after: Option<FactorPlace>,
}

impl Sought {
    /// What is sought; `None` where that button was not pressed.
    pub(super) fn of(sent: &Fields) -> Option<Self> {
        let asked = sent.get("do")?.strip_prefix(FIND)?;
        let after = asked.strip_prefix(':').and_then(place);
        Some(Self { words: sent.filled(SEEK).map(SearchWords::of), after })
    }
}

/// The place that a button which looks further names.
fn place(text: &str) -> Option<FactorPlace> {
    let (product, parts) = text.split_once('.')?;
    Some(FactorPlace { product: product.parse().ok()?, parts: parts.parse().ok()? })
}

/// What can be chosen in the form.
pub(super) struct Offers {
    choices: Choices,
    pub(super) products: Vec<(String, String)>,
    /// Factors in the market, by what they are called.
    pub(super) market: Vec<(String, String)>,
    /// What words found, where some were sought.
    found: Option<FoundPart>,
}

struct FoundPart {
    words: SearchWords,
    count: usize,
    /// Where there may be more.
    end: Option<FactorPlace>,
}

impl Offers {
    /// What there is for a form with that product, with the factors that are found.
    pub(super) async fn find(here: &Here, product: &str, sought: Option<Sought>) -> Result<Self, Failure> {
        let page = Page { number: 1, size: 1_000 };
        let products = match here.areas().catalog.list_products(here.caller(), None, page).await {
            Err(Error::Denied(_)) => Vec::new(),
            found => found?
                .data
                .into_iter()
                .map(|view| (view.product.value.id.to_string(), view.product.value.name.to_string()))
                .collect(),
        };
        let mut market = Vec::new();
        if let Ok(id) = product.parse::<ProductId>() {
            let name = products.iter().find(|(known, _)| known == product).map_or("", |(_, name)| name);
            market = factors(here, id, name).await?;
        }
        let mut found = None;
        if let Some(Sought { words: Some(words), after }) = sought {
            let (those, end) = seek(here, &words, after).await?;
            found = Some(FoundPart { words, count: those.len(), end });
            market.retain(|(id, _)| !those.iter().any(|(other, _)| other == id));
            market.splice(0..0, those);
        }
        Ok(Self { choices: Choices::find(here).await?, products, market, found })
    }

    pub(super) fn nodes(&self, dimension: Dimension) -> Vec<(String, String)> {
        let named = |choice: &crate::filter_bar::Choice| {
            (
                choice.id.to_string(),
                format!("{}{}", "\u{2003}".repeat(choice.path.len().saturating_sub(1)), choice.name),
            )
        };
        self.choices.all(dimension).iter().map(named).collect()
    }

    /// What a value of the form is called.
    pub(super) fn shown(&self, name: &str, value: &str) -> String {
        let id = domain::parse_uuid(value).ok();
        match (Dimension::ALL.into_iter().find(|one| one.word() == name), id) {
            (Some(dimension), Some(id)) => self.choices.path(dimension, id),
            _ if name == "product" => self
                .products
                .iter()
                .find(|(known, _)| known == value)
                .map_or_else(|| value.to_owned(), |(_, name)| name.clone()),
            _ if name == "marketFactor" => {
                let named = self.market.iter().find(|(known, _)| known == value);
                named.map_or_else(|| value.to_owned(), |(_, name)| name.clone())
            }
            _ => value.to_owned(),
        }
    }
}

/// The factors that have words, and where to look further. Few of many may have them, so that it takes the place of a stream.
async fn seek(
    here: &Here,
    words: &SearchWords,
    after: Option<FactorPlace>,
) -> Result<(Vec<(String, String)>, Option<FactorPlace>), Failure> {
    let _slot = edge::stream_slot(here.request(), here.caller()).await?;
    let search = FactorSearch { words: words.clone(), after, limit: ENOUGH, look_at: LOOK_AT };
    let found = match here.areas().catalog.search_factors(here.caller(), &search).await {
        Err(Error::Denied(_)) => return Ok((Vec::new(), None)),
        found => found?,
    };
    let offered = |one: &ports::inbound::ProductFactor| offer(here, one.product.as_str(), &one.factor.value);
    Ok((found.data.iter().map(offered).collect(), found.end))
}

/// The factors of a product, those of the last days first.
async fn factors(here: &Here, product: ProductId, name: &str) -> Result<Vec<(String, String)>, Failure> {
    let page = |number| Page { number, size: MOST_FACTORS };
    let list = async |number| here.areas().catalog.list_factors(here.caller(), product, page(number)).await;
    let first = match list(1).await {
        Err(Error::Denied(_) | Error::NotFound) => return Ok(Vec::new()),
        found => found?,
    };
    // They stand by their first day: of more than are offered, those of the last ones.
    let last = u32::try_from(first.count.div_ceil(u64::from(MOST_FACTORS))).unwrap_or(u32::MAX);
    let mut found = first.data;
    if last > 1 {
        let before = if last > 2 { list(last - 1).await?.data } else { found };
        found = before.into_iter().chain(list(last).await?.data).collect();
    }
    found.reverse();
    Ok(found.iter().map(|stored| offer(here, name, &stored.value)).collect())
}

/// A factor as it is offered: by what it is per unit, from when it holds and whose it is.
fn offer(here: &Here, product: &str, factor: &Factor) -> (String, String) {
    let data = factor.data();
    let parts = [("upstream", data.upstream), ("downstream", data.downstream)];
    let parts = parts.into_iter().filter_map(|(word, part)| Some((word, part?)));
    let parts: Vec<String> =
        parts.map(|(word, part)| format!("{} {word}", here.numbers().plain(&part.to_string()))).collect();
    let called = format!("{product}: {} kg/{}, from {}, {}", parts.join(", "), data.unit, data.valid_from, data.source);
    (factor.id().to_string(), called)
}

/// Finds factors in the market, behind the button that saves: that one is pressed by Enter in any field.
pub(super) fn seek_row(offers: &Offers) -> Markup {
    let found = offers.found.as_ref();
    html! {
        div.row {
            label.field {
                span { "Find a market-based factor" }
                input type="search" name=(SEEK) value=(found.map_or("", |found| found.words.as_str())) maxlength="200" autocomplete="off";
                span.hint { "by the name, syncId or unit of its product, with its source or a day where there are many, or by its uuid; nothing is written" }
            }
            p { button.plain type="submit" name="do" value=(FIND) formnovalidate { "Find" } }
        }
        @if let Some(FoundPart { count, end, .. }) = found {
            p.notice role="status" {
                @match (count, end) {
                    (0, None) => "No factor matches.",
                    (0, Some(_)) => "None of those that were looked at matches.",
                    (1, _) => "One factor was found: it stands first in “Market-based factor”.",
                    (many, _) => { (many) " factors were found: they stand first in “Market-based factor”." }
                }
                @if let Some(FactorPlace { product, parts }) = end {
                    " Not all were looked at. "
                    button.plain type="submit" name="do" value={ (FIND) ":" (product) "." (parts) } formnovalidate { "Look further" }
                }
            }
        }
    }
}
