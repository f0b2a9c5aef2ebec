//! Blanking the texts of replaced versions.

use ports::ledger::{PackedItems, PartPlace, TextPlace};
use ports::store::StoreError;
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::error::StoreErr as _;
use crate::session::Session;

/// Blanks a text. Its bytes are overwritten in the file, once the log is copied there.
pub(crate) fn blank(conn: &Connection, session: &mut Session, text: &TextPlace) -> Result<(), StoreError> {
    let PartPlace { change, part } = text.part;
    let packed: Option<Vec<u8>> = conn
        .prepare_cached("SELECT items FROM change_items WHERE change = ? AND part = ?")
        .and_then(|mut statement| statement.query_row(params![change, part], |row| row.get(0)).optional())
        .store_err()?;
    let blanked = packed.map(PackedItems::from_stored).and_then(|packed| packed.without_text(text));
    let blanked = blanked.ok_or(StoreError::Stale)?;
    // Else the pages that the row no longer fills would keep what stood in them.
    conn.pragma_update(None, "secure_delete", true).store_err()?;
    let written = conn
        .prepare_cached("UPDATE change_items SET items = ? WHERE change = ? AND part = ?")
        .and_then(|mut statement| statement.execute(params![blanked.as_bytes(), change, part]));
    conn.pragma_update(None, "secure_delete", false).store_err()?;
    written.store_err()?;
    session.note(text.item());
    Ok(())
}
