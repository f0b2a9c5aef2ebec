//! Factors as their publishers give them: the sets of the installation, searching them, one of them with its source.

mod ask;
mod wire;

use actix_web::{HttpResponse, web};
use ports::Permission;
use ports::inbound::Error;

use crate::answer::{page, unchanging, written};
use crate::answer_value::{list, number};
use crate::caller::Caller;
use crate::condition::IfNoneMatchParam;
use crate::media::{self, Accepted};
use crate::operation::{Answer, Operation, SchemaOf};
use crate::page_or_table::{Collection, OFFERS, answer_list, listed};
use crate::problem::{Kind, Problem};
use crate::query::{InQuery, NoQuery};
use crate::request_part::Ask;
use crate::resource::{table, tabled};
use crate::service::Service;
use ask::{FactorPath, Searched, Under};
use files::{ByteOrderMark, Cells, Json};
use wire::{FACTOR, PAGE, SET, SETS, View};

/// The operations on published factors.
pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::get(Permission::CatalogRead, "/v1/factor-set", list_factor_sets)
            .named("list_factor_sets", "Factors")
            .does("The sets of published factors, the newest edition first.")
            .noting("Sets belong to the installation: its operator imports them, every company may read them.")
            .offering(&[media::JSON, media::CSV, media::XLSX])
            .answers(
                Answer::ok(SchemaOf::Named(&SETS))
                    .or(media::CSV, SchemaOf::Text)
                    .or(media::XLSX, SchemaOf::Text)
                    .with_header_at_times("Content-Disposition", "The name to keep a table under.")
                    .with_header_at_times("ETag", "A digest of the answer; of a table none."),
            ),
        Operation::get(Permission::CatalogRead, "/v1/factor", search_factors)
            .named("search_factors", "Factors")
            .does("Published factors, found by words, the best first.")
            .noting(
                "Every word is the beginning of a word of the factor's name, path, region or unit, or of its publisher; case \
                 and marks do not count. Whole words stand before beginnings, words of the name before others, shorter names \
                 before longer ones, newer sets before older ones, then cells in the order of their characters. As a table all \
                 that are found are given, unless a page is asked for; a table of all counts as one of the streams that run \
                 at once.",
            )
            .offering(OFFERS)
            .answers(
                listed(SchemaOf::Named(&PAGE))
                    .with_header_at_times("ETag", "A digest of the answer; of a table none."),
            )
            .refused_with(Kind::Invalid),
        Operation::get(Permission::CatalogRead, "/v1/factor/{set}/{cell}", get_published_factor)
            .named("get_published_factor", "Factors")
            .does("One published factor, with the rows of the file that it was read from.")
            .noting("With `gwp` its CO2e under that set of global warming potentials, or why it has none.")
            .answers(Answer::ok(SchemaOf::Named(&FACTOR)).tagged()),
    ]
}

/// Handles GET of the sets.
async fn list_factor_sets(
    caller: Caller,
    Ask((conditions, _), _): Ask<(IfNoneMatchParam, NoQuery)>,
    accepted: Accepted,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let sets = service.areas().published.list_factor_sets(&caller).await?;
    if accepted.0 != media::JSON {
        let sets: Vec<Json> = sets.iter().map(|set| SET.show(set)).collect();
        return tabled(&table("factor-sets", &SET.columns(), &sets), accepted, Cells::Verbatim, ByteOrderMark::Absent);
    }
    let members = [("count", number(sets.len())), ("data", list(&sets, |set| SET.show(set)))];
    let body = Json::Object(members.map(|(name, value)| (name.to_owned(), value)).into());
    unchanging(&conditions, written(&body)?)
}

/// Handles GET of the factors.
async fn search_factors(
    caller: Caller,
    Ask((conditions, Searched { question, form }), _): Ask<(IfNoneMatchParam, Searched)>,
    accepted: Accepted,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let (published, by) = (&service.areas().published, &caller);
    let read = move |page| {
        let question = question.clone();
        async move {
            let found = published.search_factors(by, question, page).await?;
            Ok::<_, Error>(found.map(|found| View { found, under: None }))
        }
    };
    if accepted.0 != media::JSON {
        let key = |view: &View| (view.found.installed.set.id, view.found.factor.cell.clone());
        let of = Collection { name: "published-factors", shape: &FACTOR };
        return answer_list(form, accepted, (service.get_ref(), &caller), of, key, read).await;
    }
    let found = read(form.page()).await?;
    unchanging(&conditions, written(&page(found, |view| FACTOR.show(&view)))?)
}

/// Handles GET of one factor.
async fn get_published_factor(
    caller: Caller,
    Ask((FactorPath { set, cell }, conditions, InQuery(Under(gwp))), _): Ask<(
        FactorPath,
        IfNoneMatchParam,
        InQuery<Under>,
    )>,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let found = service.areas().published.get_published_factor(&caller, &set, &cell).await?;
    let under = gwp.map(|gwp| (gwp, found.factor.intensity_under(&found.installed.set, gwp)));
    unchanging(&conditions, written(&FACTOR.show(&View { found, under }))?)
}
