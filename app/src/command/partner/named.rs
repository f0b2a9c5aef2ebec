//! The partner that a word means: its id or its one matching name.

use anyhow::Result;
use domain::PartnerId;
use ports::Caller;
use ports::inbound::{Error, PartnerView};

use crate::App;
use crate::command::Usage;
use crate::command::credential::page;

/// Every partner, the one that was added first first.
pub(super) async fn all(app: &App, operator: &Caller) -> Result<Vec<PartnerView>> {
    let mut all = Vec::new();
    for number in 1.. {
        let listing = app.areas().partners.list(operator, page(number)).await?;
        let is_last = listing.data.is_empty();
        all.extend(listing.data);
        if is_last || all.len() as u64 >= listing.count {
            break;
        }
    }
    Ok(all)
}

/// The partner that the word means.
pub(in crate::command) async fn find(app: &App, operator: &Caller, word: &str) -> Result<PartnerView> {
    let none = || Usage(format!("there is no partner {word:?}; `tonne partner list` shows those there are"));
    if let Ok(id) = domain::parse_uuid(word) {
        return match app.areas().partners.get(operator, PartnerId::new(id)).await {
            Err(Error::NotFound) => Err(none().into()),
            found => Ok(found?),
        };
    }
    let mut found = all(app, operator).await?;
    found.retain(|view| view.partner.value.name.as_str().to_lowercase() == word.trim().to_lowercase());
    if found.len() > 1 {
        let ids: Vec<String> = found.iter().map(|view| view.partner.value.id.to_string()).collect();
        return Err(
            Usage(format!("several partners are called {word:?}; give the id of one: {}", ids.join(", "))).into()
        );
    }
    Ok(found.pop().ok_or_else(none)?)
}
