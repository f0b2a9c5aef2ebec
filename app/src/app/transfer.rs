//! A whole company out of the installation and into it, for its operator.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use ports::directory::Tenant;
use ports::people::People;

use super::App;
use super::operator::maintenance;
use crate::usecase::transfer::{
    Credentials, Existing, ExportError, Exported, ImportError, Imported, Incoming, WithPeople, export_to_file,
    export_to_reader, import,
};

impl App {
    fn with_people<'a>(&'a self, people: &'a Arc<dyn People>) -> WithPeople<'a> {
        WithPeople { directory: self.directory.as_ref(), people: people.as_ref() }
    }

    /// Writes the tenant as it is in one snapshot, which ends before the first byte is written; `progress` is called with the number
    /// of bytes that were read of it.
    pub(crate) async fn export_tenant(
        &self,
        tenant: &Tenant,
        credentials: Credentials,
        out: &mut (impl Write + Send),
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Exported, ExportError> {
        let people = self.people();
        export_to_reader(
            self.store.as_ref(),
            self.with_people(&people),
            (&maintenance(tenant.id), tenant),
            credentials,
            out,
            progress,
        )
        .await
    }

    /// The same into a file, which is there when it is whole.
    pub(crate) async fn export_tenant_to_file(
        &self,
        tenant: &Tenant,
        credentials: Credentials,
        to: (&Path, Existing),
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Exported, ExportError> {
        let people = self.people();
        export_to_file(
            self.store.as_ref(),
            self.with_people(&people),
            (&maintenance(tenant.id), tenant),
            credentials,
            to,
            progress,
        )
        .await
    }

    /// Fills a tenant that is empty with what comes in: all of it or nothing. Reports of it are quick from then on.
    pub(crate) async fn import_tenant(
        &self,
        tenant: &Tenant,
        credentials: Credentials,
        incoming: Incoming,
    ) -> Result<Imported, ImportError> {
        let grant = maintenance(tenant.id);
        let people = self.people();
        let to = self.with_people(&people);
        let imported = import(self.store.as_ref(), to, &grant, credentials, incoming).await?;
        self.checkpoints.after_import(tenant.id).await;
        Ok(imported)
    }
}
