//! Blanking texts of replaced versions: what has to be forgotten goes, and who did so, when and why is told for ever.

use domain::{FaultCode, Faults};
use ports::clock::Clock;
use ports::inbound::{BlankDraft, Blanked, Error, Once};
use ports::ledger::{PastVersion, TextPlace, history, texts};
use ports::store::{Intent, ReadTx, Store};
use ports::{Grant, RecordKind, Version, Write};
use uuid::Uuid;

use crate::usecase::draft::required;
use crate::usecase::once;

/// Blanks what the draft names, in one change.
pub(super) async fn blank(
    store: &dyn Store,
    clock: &dyn Clock,
    grant: &Grant<Write>,
    draft: BlankDraft,
    once: Option<&Once<Blanked>>,
) -> Result<Blanked, Error> {
    let BlankDraft { kind, id, version, reason, mut faults } = draft;
    let kind = required(&mut faults, "/kind", kind, None);
    let id = required(&mut faults, "/uuid", id, None);
    let reason = required(&mut faults, "/reason", reason, None);
    let (Some(kind), Some(id), Some(reason), true) = (kind, id, reason, faults.is_empty()) else {
        return Err(Error::Invalid(faults));
    };
    let intent = Intent { at: clock.now(), cause: format!("blank history: {reason}") };
    let mut tx = store.write(grant, intent).await?;
    let (places, already) = places(tx.as_mut(), kind, id, version.into_option()).await?;
    for place in &places {
        tx.ledger_mut().blank(place).await?;
    }
    let versions: Vec<Version> = places.iter().map(|place| place.version.version).collect();
    let change = Some(tx.number()).filter(|_| !versions.is_empty());
    let blanked = Blanked { kind, id, change, versions, already };
    once::keep(tx.as_mut(), once, &blanked).await?;
    tx.commit().await?;
    Ok(blanked)
}

/// The texts that are to go, and how many of those that were asked for are gone already.
async fn places(
    tx: &mut dyn ReadTx,
    kind: RecordKind,
    id: Uuid,
    version: Option<Version>,
) -> Result<(Vec<TextPlace>, u64), Error> {
    let fault = |pointer: &str, detail: String| {
        let mut faults = Faults::new();
        faults.add_coded(FaultCode::NotFound, pointer, detail);
        Error::Invalid(faults)
    };
    let Some(mut places) = texts(tx.ledger(), kind, id).await? else {
        return Err(fault("/uuid", format!("there never was a {kind} {id}")));
    };
    let past = history(tx.ledger(), kind, id, usize::MAX).await?;
    let is_asked = |other: Version| version.is_none_or(|version| version == other);
    places.retain(|place| is_asked(place.version.version));
    let replaced = past.iter().filter_map(|past| past.item.replaced()).filter(|replaced| is_asked(replaced.version));
    let (all, left) = replaced.fold((0_u64, 0), |(all, left), it| (all + 1, left + u64::from(it.text.is_some())));
    match version {
        Some(version) if all == 0 => Err(fault("/version", unknown(tx, kind, id, version, &past).await?)),
        _ => Ok((places, all - left)),
    }
}

/// Why a version has no text that could be blanked.
async fn unknown(
    tx: &mut dyn ReadTx,
    kind: RecordKind,
    id: Uuid,
    version: Version,
    past: &[PastVersion],
) -> Result<String, Error> {
    if tx.ledger().version_of(kind, id).await? == Some(version) {
        return Ok(format!(
            "version {version} is what the {kind} is now: change or remove it, then blank what that replaced"
        ));
    }
    let versions: Vec<String> =
        past.iter().filter_map(|past| past.item.replaced()).map(|replaced| replaced.version.to_string()).collect();
    Ok(match versions.as_slice() {
        [] => format!("no version of {kind} {id} was replaced yet"),
        versions => format!("is no replaced version of {kind} {id}; those are {}", versions.join(", ")),
    })
}
