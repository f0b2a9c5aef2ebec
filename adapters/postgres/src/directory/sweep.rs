//! Forgetting what has run out.

use domain::Timestamp;
use ports::directory::{SweepState, Swept};
use ports::store::StoreError;
use sea_orm::FromQueryResult;
use time::OffsetDateTime;

use super::chain::DirectoryWrite;
use super::session;
use crate::conn::sql;
use crate::row::{self, Damage};

#[derive(FromQueryResult)]
struct Row {
    latest: OffsetDateTime,
    mark: OffsetDateTime,
    steady_ms: i64,
}

impl Row {
    fn read(&self) -> Result<SweepState, Damage> {
        let (latest, mark) = (row::timestamp("latest", self.latest)?, row::timestamp("mark", self.mark)?);
        Ok(SweepState { latest, mark, steady_ms: self.steady_ms })
    }
}

/// Forgets what had run out at a moment that is certainly past: tokens, that families were revoked which have none left, that
/// tokens were, sessions and once-links. That changes nothing a cache could hold, so it is no change of the directory.
pub(super) async fn sweep(write: &mut DirectoryWrite, now: Timestamp) -> Result<Swept, StoreError> {
    let found: Option<Row> =
        write.conn.one(sql("SELECT latest, mark, steady_ms FROM tonne_directory.sweep", [])).await?;
    let before = found.as_ref().map(Row::read).transpose();
    let before = before.map_err(|Damage(detail)| StoreError::Corrupt { subject: "sweep".to_owned(), detail })?;
    let behind = SweepState::behind(before, now);
    let (state, past) = SweepState::advance(before, now);
    let text = "INSERT INTO tonne_directory.sweep (one, latest, mark, steady_ms) VALUES (1, $1, $2, $3) \
                ON CONFLICT (one) DO UPDATE \
                SET latest = excluded.latest, mark = excluded.mark, steady_ms = excluded.steady_ms";
    let values = [row::at(state.latest), row::at(state.mark), state.steady_ms.into()];
    write.conn.execute(sql(text, values)).await?;
    let Some(past) = past else { return Ok(Swept { removed: 0, behind, past }) };
    let tokens = "DELETE FROM tonne_directory.refresh WHERE expires <= $1";
    let families = "DELETE FROM tonne_directory.revoked_family WHERE NOT EXISTS (SELECT FROM tonne_directory.refresh \
                    WHERE refresh.family = revoked_family.family)";
    let ran_out = "DELETE FROM tonne_directory.revoked_token WHERE expires <= $1";
    let mut removed = write.conn.execute(sql(tokens, [row::at(past)])).await?;
    removed += write.conn.execute(sql(families, [])).await?;
    removed += write.conn.execute(sql(ran_out, [row::at(past)])).await?;
    removed += session::forget(write, past).await?;
    Ok(Swept { removed, behind, past: Some(past) })
}
