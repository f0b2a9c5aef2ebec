//! The lists that partners read: what an edition shows, part by part, each with a signed mark of where the next begins.

use std::collections::HashMap;

use domain::footprint::{Edition, FootprintFilter, FootprintPlace, Projection, Reference, project};
use domain::{Canonical as _, FaultCode, Faults, Footprint, FootprintId};
use ports::credential::TextSigner;
use ports::inbound::{Error, InterfaceList, InterfacePage, ShownList, ShownPage};
use ports::repo::{Shown, Valid};
use ports::store::ReadTx;
use ports::{Stored, TenantId};
use uuid::Uuid;

use crate::usecase::partner::caller::Visible;

/// How many records are read at once: each may have as many bytes as a body.
const BATCH: u32 = 32;
/// A part of so many bytes has no further record, however many were asked for.
const MOST_BYTES: usize = 8 << 20;

/// One part of a list.
pub(super) async fn list(
    tx: &mut dyn ReadTx,
    tenant: TenantId,
    marks: &dyn TextSigner,
    visible: Visible,
    asked: ShownList,
) -> Result<ShownPage, Error> {
    let list = asked.edition.spec_version_text();
    let epoch = tx.head().await?.epoch;
    let signed = SignedMark { tenant, epoch, list, asked: &asked.asked, marks };
    let (until, mut after) = match &asked.next {
        Some(mark) => signed.read(mark).map(|mark| (mark.until, Some(mark.after)))?,
        None => (tx.footprints().highest_number().await?, None),
    };
    let limit = usize::try_from(asked.limit.max(1)).unwrap_or(usize::MAX);
    let (mut found, mut bytes) = (Vec::new(), 0);
    let mut last = None;
    loop {
        let missing = asked.limit.saturating_sub(u32::try_from(found.len()).unwrap_or(u32::MAX)).saturating_add(1);
        let products = asked.filter.product_keys();
        let partner = visible.partner();
        let batch = Shown { edition: asked.edition, after, until, products, partner, limit: missing.min(BATCH) };
        let batch = tx.footprints().shown(batch).await?;
        for stored in batch.records {
            let Some(projection) = shown(&stored.value, asked.edition, &asked.filter) else { continue };
            if found.len() == limit || bytes > MOST_BYTES {
                // There is one more: the next part begins behind the last that was taken.
                let next = last.map(|after| signed.write(Mark { until, after }));
                return Ok(ShownPage { footprints: resolved(tx, found).await?, next });
            }
            bytes += projection.footprint.fields.canonical().len();
            last = Some(FootprintPlace::of(&stored.value));
            found.push(projection);
        }
        after = batch.end;
        if after.is_none() {
            return Ok(ShownPage { footprints: resolved(tx, found).await?, next: None });
        }
    }
}

/// One part of the interface's own list, by number.
pub(super) async fn interface(
    tx: &mut dyn ReadTx,
    tenant: TenantId,
    marks: &dyn TextSigner,
    asked: InterfaceList,
) -> Result<InterfacePage, Error> {
    let epoch = tx.head().await?.epoch;
    let signed = SignedMark { tenant, epoch, list: "interface", asked: &asked.asked, marks };
    let (until, mut after) = match &asked.next {
        Some(mark) => signed.read(mark).map(|mark| (mark.until, mark.after.number))?,
        None => (tx.footprints().highest_number().await?, 0),
    };
    let limit = usize::try_from(asked.limit.max(1)).unwrap_or(usize::MAX);
    let (mut footprints, mut bytes) = (Vec::new(), 0);
    loop {
        let missing = asked.limit.saturating_sub(u32::try_from(footprints.len()).unwrap_or(u32::MAX)).saturating_add(1);
        let batch = tx.footprints().valid(Valid { after, until, limit: missing.min(BATCH) }).await?;
        for stored in batch.records {
            if footprints.len() == limit || bytes > MOST_BYTES {
                let last = footprints.last().map(|last: &Stored<Footprint>| last.value.number);
                let mark = |number| Mark { until, after: FootprintPlace { created_us: 0, number } };
                return Ok(InterfacePage { footprints, next: last.map(|number| signed.write(mark(number))) });
            }
            bytes += stored.value.fields.canonical().len();
            footprints.push(stored);
        }
        let Some(end) = batch.end else { return Ok(InterfacePage { footprints, next: None }) };
        after = end;
    }
}

/// One record.
pub(crate) async fn get(tx: &mut dyn ReadTx, edition: Edition, id: FootprintId) -> Result<Projection, Error> {
    let verdict = tx.footprints().verdict(id).await?;
    if !verdict.is_some_and(|verdict| verdict.is_shown(edition)) {
        return Err(Error::NotFound);
    }
    let stored = tx.footprints().find(id).await?.ok_or(Error::NotFound)?;
    let projection = project(&stored.value, edition).ok_or(Error::NotFound)?;
    resolved(tx, vec![projection]).await?.pop().ok_or(Error::NotFound)
}

/// All that is asked for; `None` where that is more than so many records, or has more than so many bytes.
pub(crate) async fn matching(
    tx: &mut dyn ReadTx,
    visible: Visible,
    edition: Edition,
    filter: &FootprintFilter,
    most: usize,
    most_bytes: usize,
) -> Result<Option<Vec<Projection>>, Error> {
    let (mut found, mut bytes, mut after) = (Vec::new(), 0, None);
    let until = tx.footprints().highest_number().await?;
    loop {
        let (products, partner) = (filter.product_keys(), visible.partner());
        let batch = Shown { edition, after, until, products, partner, limit: BATCH };
        let batch = tx.footprints().shown(batch).await?;
        for stored in batch.records {
            let Some(projection) = shown(&stored.value, edition, filter) else { continue };
            bytes += projection.footprint.fields.canonical().len();
            found.push(projection);
            if found.len() > most || bytes > most_bytes {
                return Ok(None);
            }
        }
        after = batch.end;
        if after.is_none() {
            return resolved(tx, found).await.map(Some);
        }
    }
}

/// The record as the edition shows it, if it is asked for.
fn shown(footprint: &Footprint, edition: Edition, filter: &FootprintFilter) -> Option<Projection> {
    project(footprint, edition).filter(|projection| filter.matches(&projection.footprint.fields))
}

/// The records, those that they replace named by their UUIDs.
async fn resolved(tx: &mut dyn ReadTx, projections: Vec<Projection>) -> Result<Vec<Projection>, Error> {
    let number = |reference: &Reference| match reference {
        Reference::Number(number) => u64::try_from(*number).ok(),
        Reference::Text(_) => None,
    };
    let named = projections.iter().flat_map(|one| one.footprint.fields.references("precedingPfIds"));
    let numbers: Vec<_> = named.filter_map(number).collect();
    let ids: HashMap<_, _> = if numbers.is_empty() {
        HashMap::new()
    } else {
        tx.footprints().numbered(&numbers).await?.into_iter().collect()
    };
    Ok(projections.into_iter().map(|one| one.resolve(|number| ids.get(&number).copied())).collect())
}

/// Where a part of a list ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    /// The highest number when the first part was read.
    until: u64,
    /// The place of the last record of the part.
    after: FootprintPlace,
}

/// What a mark is signed with beside its own text.
struct SignedMark<'a> {
    tenant: TenantId,
    /// Under which the numbers of footprints are given: another one gives the same numbers again.
    epoch: Uuid,
    /// Which list it is of.
    list: &'static str,
    asked: &'a str,
    marks: &'a dyn TextSigner,
}

impl SignedMark<'_> {
    fn write(&self, mark: Mark) -> String {
        let Mark { until, after: FootprintPlace { created_us, number } } = mark;
        let text = format!("{until}.{created_us}.{number}.{}", self.epoch.simple());
        let signature = self.marks.sign(&self.bound(&text));
        format!("{text}.{signature}")
    }

    fn read(&self, mark: &str) -> Result<Mark, Error> {
        let read = || {
            let (text, signature) = mark.rsplit_once('.')?;
            if !self.marks.fits(&self.bound(text), signature) {
                return None;
            }
            let mut parts = text.split('.');
            let (until, created_us, number, epoch) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
            let after = FootprintPlace { created_us: created_us.parse().ok()?, number: number.parse().ok()? };
            Some((Mark { until: until.parse().ok()?, after }, Uuid::parse_str(epoch).ok()?))
        };
        let detail = "belongs to a link of another list: take the link as it was given, or ask from the beginning";
        let (mark, epoch) =
            read().ok_or_else(|| Error::Parameters(Faults::one_coded(FaultCode::Invalid, "next", detail)))?;
        if epoch != self.epoch {
            let detail = "the link was given before the footprints were restored from a backup, or their epoch renewed: ask from the beginning";
            return Err(Error::Gone(detail.to_owned()));
        }
        Ok(mark)
    }

    fn bound(&self, text: &str) -> String {
        let Self { tenant, list, asked, .. } = self;
        format!("footprints\n{tenant}\n{list}\n{text}\n{asked}")
    }
}
