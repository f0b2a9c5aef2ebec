//! Blanking the texts of replaced versions.

use ports::ledger::{PackedItems, TextPlace};
use ports::store::StoreError;

use crate::conn::{TenantConn, sql};
use crate::error::failed;
use crate::ledger::number;
use crate::session::Session;

/// Blanks a text, by the function of the tables' owner: the history itself cannot be updated.
pub(crate) async fn blank(conn: &mut TenantConn, session: &mut Session, text: &TextPlace) -> Result<(), StoreError> {
    let integer = |value: usize| i32::try_from(value).map_err(|_| failed("a text stands too far from the start"));
    let part = i32::try_from(text.part.part).map_err(|_| failed("a change has too many parts"))?;
    let (first, behind) = (integer(text.bytes.start)?, integer(text.bytes.end)?);
    let change = number(text.part.change)?;
    let select = "SELECT items FROM tonne.change_items WHERE tenant_id = $1 AND change = $2 AND part = $3";
    let statement = sql(select, [conn.tenant().uuid().into(), change.into(), part.into()]);
    let packed: Option<Vec<u8>> = conn.value(statement).await?;
    packed.map(PackedItems::from_stored).and_then(|packed| packed.without_text(text)).ok_or(StoreError::Stale)?;
    let values = [change.into(), part.into(), first.into(), behind.into()];
    let blanked: Option<bool> = conn.value(sql("SELECT tonne.blank_text($1, $2, $3, $4)", values)).await?;
    if blanked != Some(true) {
        return Err(StoreError::Stale);
    }
    session.draft.note(text.item());
    Ok(())
}
