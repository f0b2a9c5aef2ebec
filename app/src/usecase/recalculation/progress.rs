//! What recalculations under one `Idempotency-Key` have written so far. Each step notes what it and those before it came to, in
//! the transaction that writes it: so the answer counts all that was written under the key, also where one was broken off and
//! sent again, or two ran at once.

use domain::{Activity, Digest, Timestamp, Total};
use ports::RecalculationId;
use ports::inbound::{Error, Once, Recalculated};
use ports::repeat::{FirstAnswer, KeyedRequest, RequestKey};
use ports::store::{Intent, StoreError, WriteTx};

use super::Work;

/// What was written under the request's key; without a key, what this recalculation wrote.
#[derive(Debug)]
pub(super) struct Progress {
    request: Option<KeyedRequest>,
    /// How many notes are known.
    notes: u64,
    sum: Sum,
    /// How many of the sum this recalculation changed itself.
    own: u64,
    /// What it is called, once it writes.
    name: Option<RecalculationId>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sum {
    changed: u64,
    before: Total,
    after: Total,
    market_before: Total,
    market_after: Total,
}

impl Sum {
    fn note(&self) -> FirstAnswer {
        let Self { changed, before, after, market_before, market_after } = self;
        let body = format!("{changed} {before} {after} {market_before} {market_after}").into_bytes();
        FirstAnswer { status: 202, location: None, etag: None, body }
    }

    fn of_note(note: &FirstAnswer) -> Option<Self> {
        let mut words = std::str::from_utf8(&note.body).ok()?.split(' ');
        let changed = words.next()?.parse().ok()?;
        let mut total = || Total::parse(words.next()?).ok();
        let (before, after) = (total()?, total()?);
        Some(Self { changed, before, after, market_before: total()?, market_after: total()? })
    }
}

impl Progress {
    pub(super) fn of(once: Option<&Once<Recalculated>>) -> Self {
        Self { request: once.map(|once| once.request), notes: 0, sum: Sum::default(), own: 0, name: None }
    }

    /// What it is called: all that is written under one key is one recalculation. `writes` says that it changes something; before
    /// that it has no name.
    pub(super) async fn name(&mut self, work: &Work<'_>, writes: bool) -> Result<Option<RecalculationId>, Error> {
        if self.name.is_some() || !writes {
            return Ok(self.name);
        }
        let now = work.clock.now();
        let new = RecalculationId::new(work.ids.next(now));
        let Some(request) = self.request else {
            self.name = Some(new);
            return Ok(self.name);
        };
        let note = note_of(request, 0);
        let mut tx = work.store.write(work.grant, Intent { at: now, cause: "recalculate".to_owned() }).await?;
        self.name = if let Some(first) = tx.answers().find(note.key, now).await? {
            let name = std::str::from_utf8(&first.answer.body).ok().and_then(|text| text.parse().ok());
            let subject = format!("answer {}", request.key.digest());
            let detail = "is no name of a recalculation".to_owned();
            Some(name.ok_or(StoreError::Corrupt { subject, detail })?)
        } else {
            let body = new.to_string().into_bytes();
            tx.answers_mut().add(note, FirstAnswer { status: 202, location: None, etag: None, body }).await?;
            tx.commit().await?;
            Some(new)
        };
        Ok(self.name)
    }

    /// Reads what was noted since, by whoever, and adds what a step writes.
    pub(super) async fn add<'a>(
        &mut self,
        tx: &mut dyn WriteTx,
        now: Timestamp,
        changes: impl Iterator<Item = (&'a Activity, &'a Activity)> + Send,
    ) -> Result<(), Error> {
        if let Some(request) = self.request {
            while let Some(stored) = tx.answers().find(note_of(request, self.notes + 1).key, now).await? {
                let detail = || "is no note of what was written".to_owned();
                let damaged =
                    || StoreError::Corrupt { subject: format!("answer {}", request.key.digest()), detail: detail() };
                self.sum = Sum::of_note(&stored.answer).ok_or_else(damaged)?;
                self.notes += 1;
            }
        }
        for (activity, after) in changes {
            self.own += 1;
            self.sum.changed += 1;
            self.sum.before += activity.co2e().map_or(Total::ZERO, Total::from);
            self.sum.after += after.co2e().map_or(Total::ZERO, Total::from);
            self.sum.market_before += activity.counted_in_market().map_or(Total::ZERO, Total::from);
            self.sum.market_after += after.counted_in_market().map_or(Total::ZERO, Total::from);
        }
        Ok(())
    }

    /// Notes what all came to, with what the transaction writes.
    pub(super) async fn note(&mut self, tx: &mut dyn WriteTx) -> Result<(), Error> {
        let Some(request) = self.request else { return Ok(()) };
        self.notes += 1;
        Ok(tx.answers_mut().add(note_of(request, self.notes), self.sum.note()).await?)
    }

    /// What is answered; `looked_at` are the activities that this recalculation met and nobody else changed meanwhile.
    pub(super) fn told(&self, done: Recalculated, looked_at: u64) -> Recalculated {
        let Sum { changed, before, after, market_before, market_after } = self.sum;
        let id = self.name.filter(|_| changed > 0);
        let activities = looked_at + (changed - self.own);
        Recalculated { activities, changed, before, after, market_before, market_after, id, ..done }
    }

    /// How many activities were changed.
    pub(super) const fn changed(&self) -> u64 {
        self.sum.changed
    }

    /// Whether what others wrote under the key is counted too.
    pub(super) const fn is_shared(&self) -> bool {
        self.request.is_some()
    }
}

/// Where a note is stored: beside first answers, under a key that no request has.
fn note_of(request: KeyedRequest, number: u64) -> KeyedRequest {
    let KeyedRequest { key, content } = request;
    let text = format!("recalculation {} {content} {number}", key.digest());
    KeyedRequest { key: RequestKey::from_stored(Digest::of(text.as_bytes())), content }
}
