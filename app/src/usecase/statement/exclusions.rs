//! What a company leaves out in a statement's year.

use domain::{Catalog, Category, Day, ExcludedPart, ScopeClass, ScopeKind};
use ports::inbound::{Error, StatementExclusion};
use ports::repo::{Page, Query};
use ports::store::ReadTx;

use crate::usecase::exclusion;

/// How many exclusions are read at once.
const PAGE: u32 = 100;

/// The exclusions of the year that ends on that day: it is named by the calendar year of it.
pub(super) async fn of_year(
    tx: &mut dyn ReadTx,
    catalog: &Catalog,
    last: Day,
) -> Result<Vec<StatementExclusion>, Error> {
    let year = u16::try_from(last.calendar().0).map_err(|error| Error::Failed(Box::new(error)))?;
    let mut found = Vec::new();
    for number in 1.. {
        let page = Page { number, size: PAGE };
        let listing = tx.exclusions().list(&Query::all(page)).await?;
        for stored in listing.data.into_iter().filter(|stored| stored.value.touches(&(year..=year))) {
            let (kind, category) = match stored.value.part {
                ExcludedPart::Category(category) => (Some(ScopeKind::Scope3), Some(category)),
                ExcludedPart::Scope(scope) => {
                    let class = catalog.class(scope);
                    let category = class.and_then(ScopeClass::category);
                    (class.map(ScopeClass::kind), category.and_then(|number| Category::new(number).ok()))
                }
            };
            found.push(StatementExclusion { view: exclusion::view(tx, stored).await?, kind, category });
        }
        if page.offset() + u64::from(PAGE) >= listing.count {
            break;
        }
    }
    Ok(found)
}
