//! Whether a file was imported before.

use anyhow::Result;
use domain::Digest;
use ports::Caller;
use ports::inbound::Imports;

/// Refuses a file that was imported before and not undone.
pub(super) async fn refuse_same(imports: &dyn Imports, caller: &Caller, hash: Digest, name: &str) -> Result<()> {
    let Some(earlier) = imports.same_file(caller, hash).await? else { return Ok(()) };
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
