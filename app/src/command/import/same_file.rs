//! Whether a file was imported before: the same bytes, read in the same way.

use anyhow::Result;
use domain::Digest;
use ports::Caller;
use ports::import_batch::ImportState;
use ports::inbound::Imports;

use super::super::output;
pub(super) use crate::table_source::reading;

/// Refuses a file that was imported before and not undone, or is being imported. Of one that was read in another way it is said.
pub(super) async fn refuse_same(
    imports: &dyn Imports,
    caller: &Caller,
    (hash, reading): (Digest, Option<Digest>),
    name: &str,
) -> Result<()> {
    let Some(earlier) = imports.same_file(caller, hash, reading).await? else {
        if let Some(earlier) = imports.same_bytes(caller, hash).await? {
            let how = if earlier.reading == reading { "but not to its end" } else { "with another sheet or map" };
            output::note(&format!(
                "{name}: the same file was imported as {id} ({}), {how}; rows without a syncId are added once more. `tonne \
                 import undo {id}` takes back what it wrote",
                earlier.name,
                id = earlier.id
            ));
        }
        return Ok(());
    };
    if earlier.state == ImportState::Running {
        anyhow::bail!(
            "{name} is being imported: import {} of {} has not ended; nothing was written now. If it was broken off, wait a \
             minute; or add --again to import the file beside it",
            earlier.id,
            earlier.begun
        );
    }
    anyhow::bail!(
        "{name} was imported before: import {} of {} ({} created, {} updated); nothing was written now. Add --again to import \
         it once more, or take the earlier import back: tonne import undo {}",
        earlier.id,
        earlier.begun,
        earlier.counts.created,
        earlier.counts.updated,
        earlier.id
    )
}
