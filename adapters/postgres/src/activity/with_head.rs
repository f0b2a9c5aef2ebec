//! One activity and the head, read by one statement.

use std::collections::HashMap;

use domain::{Activity, ActivityId};
use ports::store::StoreError;
use ports::{ChainHead, Stored};
use sea_orm::{FromQueryResult as _, IdenStatic as _, Iterable as _};
use uuid::Uuid;

use crate::conn::{TenantConn, sql, unreadable};
use crate::entity::activity::{Column, Model};
use crate::{head, series, table};

/// The head, and the activity if it is there.
pub(crate) async fn find_with_head(
    conn: &mut TenantConn,
    id: ActivityId,
) -> Result<(ChainHead, Option<Stored<Activity>>), StoreError> {
    let tenant = conn.tenant();
    // Named one by one: a statement that is kept would fail once a later version has added a column to `*`.
    let columns: Vec<String> = Column::iter().map(|column| format!("activity.{}", column.as_str())).collect();
    let text = format!(
        "SELECT {}, series.scope, series.org, series.taxonomy, {} FROM tonne.head \
         LEFT JOIN tonne.activity ON activity.tenant_id = $1 AND activity.id = $2 \
         LEFT JOIN tonne.series ON series.tenant_id = $1 AND series.key = activity.series \
         WHERE head.tenant_id = $1",
        head::COLUMNS,
        columns.join(", "),
    );
    let mut found = None;
    conn.each(sql(&text, [tenant.uuid().into(), id.uuid().into()]), |row| {
        let id_or_null = |name| row.try_get::<Option<Uuid>>("", name).map_err(unreadable);
        let head = head::of_row(row, tenant)?.head;
        if id_or_null("id")?.is_none() {
            found = Some((head, None));
            return Ok(());
        }
        let activity = Model::from_query_result(row, "").map_err(unreadable)?;
        let mut known = HashMap::new();
        // A series that is not there is damage that is found with the row.
        if let (Some(scope), Some(org), Some(taxonomy)) =
            (id_or_null("scope")?, id_or_null("org")?, id_or_null("taxonomy")?)
        {
            known.insert(activity.series, series::read([scope, org, taxonomy]));
        }
        found = Some((head, Some(table::record(activity, &mut known)?)));
        Ok(())
    })
    .await?;
    found.ok_or_else(|| head::absent(tenant))
}
