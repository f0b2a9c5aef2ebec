//! Forgetting staged imports that nobody goes on with.

use ports::inbound::Error;
use ports::{Grant, Maintenance};

use super::{StagedService, kept};

impl StagedService {
    /// Removes the staged imports of a tenant that were last heard of more than a day ago, and gives how many. One that cannot be
    /// read goes too: nothing but its file is lost.
    pub async fn sweep(&self, grant: &Grant<Maintenance>) -> Result<u64, Error> {
        let (mut removed, now) = (0, self.clock.now());
        for entry in self.spool.list(&grant.to_read()).await? {
            if kept::read(&entry).is_ok_and(|staged| !staged.is_over(now)) {
                continue;
            }
            self.spool.remove(&grant.to_write(), entry.id).await?;
            removed += 1;
        }
        Ok(removed)
    }
}
