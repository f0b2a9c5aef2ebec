//! How many activities refer to a record: what a call changes is added up first, then added to each count once.

use std::collections::BTreeMap;

use domain::Activity;
use ports::store::StoreError;
use ports::{Entity as _, RecordKind};
use uuid::Uuid;

use crate::bulk::{Kind, Rows, Target};
use crate::conn::TenantConn;
use crate::database::Bulk;

/// The table of uses, to which rows are added.
static USES: Target = Target {
    table: "tonne.activity_use",
    columns: &[("kind", Kind::Smallint), ("id", Kind::Uuid), ("activities", Kind::Bigint)],
    end: "ON CONFLICT (tenant_id, kind, id) DO UPDATE SET activities = activity_use.activities + excluded.activities",
};

/// By how much counts change, by the record that activities refer to.
#[derive(Debug, Default)]
pub(crate) struct Uses(BTreeMap<(RecordKind, Uuid), i64>);

impl Uses {
    pub(crate) fn add(&mut self, activity: &Activity) {
        for to in activity.references() {
            *self.0.entry((to.kind, to.id)).or_default() += 1;
        }
    }

    /// Takes an activity away.
    pub(crate) fn take(&mut self, activity: &Activity) {
        for to in activity.references() {
            *self.0.entry((to.kind, to.id)).or_default() -= 1;
        }
    }

    /// Adds those of another call.
    pub(crate) fn add_all(&mut self, others: Self) {
        for (record, change) in others.0 {
            *self.0.entry(record).or_default() += change;
        }
    }

    /// The rows that add to the counts.
    pub(crate) fn into_rows(self) -> Rows {
        let mut rows = Rows::new(&USES);
        for ((kind, id), change) in self.0.into_iter().filter(|(_, change)| *change != 0) {
            rows.row().smallint(kind.code().into()).id(id).bigint(change);
        }
        rows
    }

    /// Adds to the counts.
    pub(crate) async fn write(self, conn: &mut TenantConn, bulk: Bulk) -> Result<(), StoreError> {
        self.into_rows().insert(conn, bulk).await
    }
}
