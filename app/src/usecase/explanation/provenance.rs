//! Where a record comes from: the change that last wrote it, and the import that brought it.

use std::collections::HashSet;

use ports::inbound::{Error, Imported};
use ports::ledger::{history, line_of};
use ports::store::{ReadTx, StoreError};
use ports::{Change, ImportId, RecordKind, Version};
use uuid::Uuid;

/// How many versions of a record are looked at for the import that brought it.
const VERSIONS: usize = 100;

/// Where a record comes from.
pub(super) struct Provenance {
    /// The change that last wrote it.
    pub(super) written: Change,
    /// The newest import that it has content of.
    pub(super) import: Option<Imported>,
}

/// Where the record of that version comes from.
pub(super) async fn of(tx: &mut dyn ReadTx, kind: RecordKind, id: Uuid, version: Version) -> Result<Provenance, Error> {
    let written = written(tx, kind, id, version).await?;
    let found = match Step::of(&written.cause) {
        Step::Import(import) => Some((import, written.number)),
        // Only activities are imported by batches.
        Step::Undo(_) | Step::Other if kind == RecordKind::Activity => earlier(tx, kind, id).await?,
        Step::Undo(_) | Step::Other => None,
    };
    let import = match found {
        Some((import, change)) => imported(tx, import, change, id).await?,
        None => None,
    };
    Ok(Provenance { written, import })
}

/// The import, and the line from which its change of that number wrote the activity.
async fn imported(
    tx: &mut dyn ReadTx,
    import: ImportId,
    change: u64,
    activity: Uuid,
) -> Result<Option<Imported>, StoreError> {
    let Some(batch) = tx.imports().find(import).await? else { return Ok(None) };
    let line = match line_of(tx.ledger(), change, activity.into()).await {
        // It is a hint: the figure and the file are known without it, and verify tells of the damage.
        Err(error @ StoreError::Corrupt { .. }) => {
            tracing::error!(%error, %activity, "the line of an imported activity is not known");
            None
        }
        found => found?,
    };
    Ok(Some(Imported { batch, line }))
}

/// The change that wrote the record of that version.
pub(super) async fn written(
    tx: &mut dyn ReadTx,
    kind: RecordKind,
    id: Uuid,
    version: Version,
) -> Result<Change, Error> {
    let before = version.0.saturating_sub(1);
    let found = tx.ledger().changes_since(before, 1).await?.into_iter().find(|change| change.number == version.0);
    let missing = || StoreError::Corrupt {
        subject: format!("{kind} {id}"),
        detail: format!("says that change {} wrote it, which is missing", version.0),
    };
    Ok(found.ok_or_else(missing)?)
}

/// The newest import among the changes that wrote the record and were not taken back, with the number of that change.
async fn earlier(tx: &mut dyn ReadTx, kind: RecordKind, id: Uuid) -> Result<Option<(ImportId, u64)>, Error> {
    let mut undone = HashSet::new();
    for past in history(tx.ledger(), kind, id, VERSIONS).await? {
        match Step::of(&past.change.cause) {
            Step::Undo(import) => {
                undone.insert(import);
            }
            Step::Import(import) if !undone.contains(&import) => return Ok(Some((import, past.change.number))),
            Step::Import(_) | Step::Other => {}
        }
    }
    Ok(None)
}

/// What a change was, by its cause.
#[derive(Debug, PartialEq, Eq)]
enum Step {
    /// An import wrote it: [`ImportBatch::cause`].
    Import(ImportId),
    /// It took an import back: [`ImportBatch::undo_cause`].
    Undo(ImportId),
    /// Anything else.
    Other,
}

impl Step {
    fn of(cause: &str) -> Self {
        let import = |rest: &str| rest.split(' ').next().and_then(|id| id.parse().ok());
        if let Some(id) = cause.strip_prefix("import ").and_then(import) {
            Self::Import(id)
        } else if let Some(id) = cause.strip_prefix("undo import ").and_then(import) {
            Self::Undo(id)
        } else {
            Self::Other
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Timestamp;
    use ports::import_batch::ImportBatch;

    #[test]
    fn the_cause_of_a_change_says_which_import_made_it_or_took_it_back() {
        let id = ImportId::new(Uuid::from_u128(7));
        let now = Timestamp::from_millis(0).unwrap();
        let batch = ImportBatch::begin(id, "a b.csv".to_owned(), "cli:ann".to_owned(), now, None);
        assert_eq!(Step::of(&batch.cause()), Step::Import(id));
        assert_eq!(Step::of(&batch.undo_cause()), Step::Undo(id));
        for other in ["POST /v1/activity", "import activities", "import", "undo import x", ""] {
            assert_eq!(Step::of(other), Step::Other, "{other}");
        }
    }
}
