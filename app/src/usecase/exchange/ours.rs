//! Our own requests, and sending again what was not taken.

use domain::footprint::Edition;
use domain::{FaultCode, Faults, Partner, PartnerId};
use ports::exchange::{ExchangeKind, ExchangeRow};
use ports::inbound::{Done, Error, Once, PartnerAnswer, RequestDraft, RequestView};
use ports::repo::Page;
use ports::store::ReadTx;
use ports::{Caller, demand, permit};

use super::stored::{Answered, Delivery, Request, State, What, number, read};
use super::{ExchangeService, kept_footprint};
use crate::usecase::draft::{begin, required};
use crate::usecase::once;

/// The most products of a request.
const MOST: usize = 100;
/// How many rows are read at once.
const PAGE_SIZE: u32 = 500;

impl ExchangeService {
    /// Stores a request and the event that asks for it.
    pub(super) async fn ask(
        &self,
        caller: &Caller,
        partner: PartnerId,
        draft: RequestDraft,
        once: Option<Once<RequestView>>,
    ) -> Result<Done<RequestView>, Error> {
        let grant = permit(caller, demand::EVENT_SEND)?;
        let work = async {
            let found = find(self.store.read(&grant.to_read()).await?.as_mut(), partner).await?;
            let mut request = build(draft)?;
            request.edition = number(found.pact);
            let now = self.clock.now();
            let id = self.ids.random().to_string();
            let mut tx = begin(self.store.as_ref(), self.clock.as_ref(), &grant, "POST /v1/partner/request").await?;
            find(tx.as_mut(), partner).await?;
            let row = request.row(id.clone(), partner, now)?;
            tx.exchange_mut().put(row.clone()).await?;
            let said = request.product_ids.join(", ");
            let delivery = Delivery { said: Some(said), ..Delivery::new(found.pact, What::Request) };
            tx.exchange_mut().put(delivery.row(id, partner, now, Some(now))?).await?;
            let view = request.view(&row);
            once::keep(tx.as_mut(), once.as_ref(), &view).await?;
            tx.commit().await?;
            self.wake.wake(grant.tenant());
            Ok(view)
        };
        once::once(self.store.as_ref(), self.clock.as_ref(), &grant, once::request(once.as_ref()), work).await
    }

    /// Keeps a request that was sent by other means.
    pub(super) async fn keep_request(
        &self,
        caller: &Caller,
        partner: PartnerId,
        edition: Edition,
        id: &str,
        product_ids: Vec<String>,
    ) -> Result<(), Error> {
        let grant = permit(caller, demand::EVENT_SEND)?;
        let mut tx = begin(self.store.as_ref(), self.clock.as_ref(), &grant, "tonne pact test").await?;
        find(tx.as_mut(), partner).await?;
        let comment = Some("a test of the partner's host".to_owned());
        let request = Request { edition: number(edition), product_ids, comment, state: Answered::Sent, answered: None };
        tx.exchange_mut().put(request.row(id.to_owned(), partner, self.clock.now())?).await?;
        Ok(tx.commit().await.map(drop)?)
    }

    /// The answer to a request of ours.
    pub(super) async fn answer_to(
        &self,
        caller: &Caller,
        partner: PartnerId,
        id: &str,
    ) -> Result<Option<PartnerAnswer>, Error> {
        let grant = permit(caller, demand::PARTNER_READ)?;
        let mut tx = self.store.read(&grant).await?;
        let found = tx.exchange().find(ExchangeKind::Request, id.to_owned()).await?;
        let row = found.filter(|row| row.partner == partner).ok_or(Error::NotFound)?;
        let footprints = match read::<Request>(&row)?.state {
            Answered::Waiting | Answered::Sent | Answered::GivenUp { .. } => return Ok(None),
            Answered::Rejected { code, message } => return Ok(Some(PartnerAnswer::Rejected { code, message })),
            Answered::Fulfilled { footprints } => footprints,
        };
        let mut all = Vec::with_capacity(footprints.len());
        for footprint in footprints {
            let id = format!("{partner}/{footprint}");
            if let Some(row) = tx.exchange().find(ExchangeKind::Footprint, id).await? {
                all.extend(kept_footprint(&row)?.sent.map(|(_, json)| json));
            }
        }
        Ok(Some(PartnerAnswer::Fulfilled(all)))
    }

    /// Has all that waits or was given up be due now, but what is being sent. Its three days begin anew: what a clock that ran
    /// ahead gave up is not given up again by the next attempt.
    pub(super) async fn send_again(&self, caller: &Caller, partner: PartnerId) -> Result<u64, Error> {
        let grant = permit(caller, demand::EVENT_SEND)?;
        let now = self.clock.now();
        let mut tx = begin(self.store.as_ref(), self.clock.as_ref(), &grant, "POST /v1/partner/retry").await?;
        find(tx.as_mut(), partner).await?;
        let mut again = 0;
        for page in 1.. {
            let page = Page { number: page, size: PAGE_SIZE };
            let rows = tx.exchange().list(ExchangeKind::Delivery, partner, page).await?.data;
            let is_last = rows.len() < PAGE_SIZE as usize;
            for row in rows {
                let Ok(delivery) = read::<Delivery>(&row) else {
                    // Another release may read it now.
                    tx.exchange_mut().put(ExchangeRow { due: Some(now), ..row }).await?;
                    again += 1;
                    continue;
                };
                let is_sent_now = delivery.claimed.is_some_and(|until| until > now.millis());
                if is_sent_now || !matches!(delivery.state, State::Waiting | State::GivenUp) {
                    continue;
                }
                let waiting = Delivery { state: State::Waiting, since: Some(now.millis()), ..delivery };
                tx.exchange_mut().put(waiting.row(row.id, partner, row.at, Some(now))?).await?;
                again += 1;
            }
            if is_last {
                break;
            }
        }
        tx.commit().await?;
        self.wake.wake(grant.tenant());
        Ok(again)
    }
}

async fn find(tx: &mut dyn ReadTx, partner: PartnerId) -> Result<Partner, Error> {
    Ok(tx.partners().find(partner).await?.ok_or(Error::NotFound)?.value)
}

/// The request that a draft makes, or all that is wrong with it.
fn build(draft: RequestDraft) -> Result<Request, Faults> {
    let RequestDraft { product_ids, comment, mut faults } = draft;
    let product_ids = required(&mut faults, "/productIds", product_ids, None);
    if let Some(ids) = &product_ids {
        if ids.is_empty() {
            faults.add_coded(FaultCode::Required, "/productIds", "names one product at least");
        }
        if ids.len() > MOST {
            faults.add_coded(FaultCode::TooMuch, "/productIds", format!("names more than {MOST} products"));
        }
        for (index, id) in ids.iter().enumerate().take(MOST) {
            if !id.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("urn:")) || id.len() > 1_000 {
                let detail = "must be a URN, such as urn:gtin:4712345060507";
                faults.add_coded(FaultCode::Invalid, format!("/productIds/{index}"), detail);
            }
        }
    }
    let comment = comment.into_option();
    if comment.as_ref().is_some_and(|comment| comment.chars().count() > 10_000) {
        faults.add_coded(FaultCode::TooMuch, "/comment", "has more than 10000 characters");
    }
    match product_ids {
        Some(product_ids) if faults.is_empty() => {
            Ok(Request { edition: 3, product_ids, comment, state: Answered::Waiting, answered: None })
        }
        _ => Err(faults),
    }
}
