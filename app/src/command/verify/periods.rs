//! Whether the figures of closed periods are still those of their frozen reports.

use anyhow::Result;
use ports::directory::Tenant;
use ports::inbound::Error;
use ports::repo::Page;
use ports::store::Finding;

use crate::App;
use crate::counted::counted;

/// How many periods are read at once.
const PAGE: u32 = 100;

/// What is wrong with the closed periods of a company. That a frozen report has its digest is checked where records are read.
pub(super) async fn check(app: &App, tenant: &Tenant) -> Result<Vec<Finding>> {
    match differences(app, tenant).await {
        Ok(findings) => Ok(findings),
        // A record that cannot be read at all is one of the findings.
        Err(Error::Failed(error)) => {
            Ok(vec![Finding { subject: "periods".to_owned(), detail: format!("cannot be checked: {error}") }])
        }
        Err(error) => Err(error.into()),
    }
}

async fn differences(app: &App, tenant: &Tenant) -> Result<Vec<Finding>, Error> {
    let (operator, periods, mut findings) = (app.operator(tenant), &app.areas().periods, Vec::new());
    for number in 1.. {
        let page = Page { number, size: PAGE };
        let listing = periods.list(&operator, page).await?;
        for view in listing.data.iter().filter(|view| view.period.value.is_closed()) {
            let id = view.period.value.id;
            let differ = periods.restatement(&operator, id).await?.lines.len();
            if differ > 0 {
                let detail = format!(
                    "is closed, and {} other figures than its frozen report; `tonne period restatement {id}` shows them",
                    counted(differ as u64, "series of it has", "series of it have")
                );
                findings.push(Finding { subject: format!("period {id}"), detail });
            }
        }
        if page.offset() + u64::from(PAGE) >= listing.count {
            break;
        }
    }
    Ok(findings)
}
