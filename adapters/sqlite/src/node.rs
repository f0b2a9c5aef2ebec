//! The nodes of the three trees, a table each.

use domain::{Name, Org, Scope, ScopeClass, ScopeKind, Slug, SyncId, Taxonomy, TaxonomyId, TreeNode};
use ports::RecordKind;
use ports::repo::Use;
use ports::store::{Conflict, StoreError};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, params};
use uuid::Uuid;

use crate::error::StoreErr as _;
use crate::reference::{count_uses, key_of};
use crate::row::{self, Columns, Damage};
use crate::table::Table;

impl Table for Scope {
    const NAME: &'static str = "scope";
    const FROM: &'static str = "scope LEFT JOIN scope AS above ON above.key = scope.parent";
    const COLUMNS: &'static str = "scope.sync_id, scope.name, above.id, scope.kind, scope.category";
    const WRITTEN: &'static [&'static str] = &["sync_id", "name", "parent", "kind", "category"];
    const ORDER: &'static str = "scope.id";

    fn decode(_: &Connection, columns: &mut Columns<'_>) -> Result<Self, Damage> {
        let id = columns.record_id()?;
        let (sync_id, name) = (columns.parse_optional(SyncId::parse)?, columns.parse(Name::parse)?);
        let parent = columns.id_optional()?;
        let kind = columns.parse(ScopeKind::parse)?;
        let class = ScopeClass::new(kind, columns.take()?).map_err(|error| Damage(format!("category: {error}")))?;
        Ok(Self::new(id, name, class).with_sync_id(sync_id).with_parent(parent))
    }

    fn values(&self, conn: &Connection) -> Result<Vec<Value>, StoreError> {
        let mut values = shared_values::<Self>(conn, self.sync_id.as_ref(), &self.name, self.parent)?;
        values.push(row::text(self.class.kind().as_str()));
        values.push(row::integer_or_null(self.class.category().map(i64::from)));
        Ok(values)
    }

    fn uses(conn: &Connection, id: Uuid) -> Result<Vec<Use>, StoreError> {
        let mut found = uses::<Self>(conn, id)?;
        found.extend(count_uses(conn, id, &[(RecordKind::Exclusion, EXCLUDED)])?);
        Ok(found)
    }
}

/// The periods that are closed for an org, or were.
const PERIODS: &str = "SELECT count(*) FROM period WHERE org = (SELECT key FROM org WHERE id = ?)";

/// The exclusions that are for an org.
const EXCLUDED_FOR: &str = "SELECT count(*) FROM exclusion WHERE org = (SELECT key FROM org WHERE id = ?)";

/// The exclusions of a scope.
const EXCLUDED: &str = "SELECT count(*) FROM exclusion WHERE scope = (SELECT key FROM scope WHERE id = ?)";

impl Table for Org {
    const NAME: &'static str = "org";
    const FROM: &'static str = "org LEFT JOIN org AS above ON above.key = org.parent";
    const COLUMNS: &'static str = "org.sync_id, org.name, above.id, org.region";
    const WRITTEN: &'static [&'static str] = &["sync_id", "name", "parent", "region"];
    const ORDER: &'static str = "org.id";

    fn decode(_: &Connection, columns: &mut Columns<'_>) -> Result<Self, Damage> {
        let id = columns.record_id()?;
        let (sync_id, name) = (columns.parse_optional(SyncId::parse)?, columns.parse(Name::parse)?);
        let parent = columns.id_optional()?;
        let region = columns.parse_optional(Name::parse)?;
        Ok(Self::new(id, name).with_sync_id(sync_id).with_parent(parent).with_region(region))
    }

    fn values(&self, conn: &Connection) -> Result<Vec<Value>, StoreError> {
        let mut values = shared_values::<Self>(conn, self.sync_id.as_ref(), &self.name, self.parent)?;
        values.push(row::text_or_null(self.region.as_ref()));
        Ok(values)
    }

    fn uses(conn: &Connection, id: Uuid) -> Result<Vec<Use>, StoreError> {
        let mut found = uses::<Self>(conn, id)?;
        found.extend(count_uses(
            conn,
            id,
            &[(RecordKind::ClosedPeriod, PERIODS), (RecordKind::Exclusion, EXCLUDED_FOR)],
        )?);
        Ok(found)
    }
}

impl Table for Taxonomy {
    const NAME: &'static str = "taxonomy";
    const FROM: &'static str = "taxonomy LEFT JOIN taxonomy AS above ON above.key = taxonomy.parent";
    const COLUMNS: &'static str = "taxonomy.sync_id, taxonomy.name, above.id, taxonomy.slug";
    const WRITTEN: &'static [&'static str] = &["sync_id", "name", "parent", "slug"];
    const ORDER: &'static str = "taxonomy.id";

    fn decode(_: &Connection, columns: &mut Columns<'_>) -> Result<Self, Damage> {
        let id = columns.record_id()?;
        let (sync_id, name) = (columns.parse_optional(SyncId::parse)?, columns.parse(Name::parse)?);
        let parent = columns.id_optional()?;
        let slug = columns.parse(Slug::parse)?;
        Ok(Self::new(id, name, slug).with_sync_id(sync_id).with_parent(parent))
    }

    fn values(&self, conn: &Connection) -> Result<Vec<Value>, StoreError> {
        let mut values = shared_values::<Self>(conn, self.sync_id.as_ref(), &self.name, self.parent)?;
        values.push(row::text(&self.slug));
        Ok(values)
    }

    fn uses(conn: &Connection, id: Uuid) -> Result<Vec<Use>, StoreError> {
        uses::<Self>(conn, id)
    }

    fn check(&self, conn: &Connection) -> Result<(), StoreError> {
        let parent = self.parent.map(|parent| key_of(conn, "taxonomy", RecordKind::Taxonomy, parent)).transpose()?;
        let holder: Option<Uuid> = conn
            .prepare_cached("SELECT id FROM taxonomy WHERE ifnull(parent, 0) = ? AND slug = ? AND id <> ?")
            .and_then(|mut statement| {
                let params = params![parent.unwrap_or(0), self.slug.as_str(), self.id.uuid()];
                statement.query_row(params, |row| row.get(0)).optional()
            })
            .store_err()?;
        match holder {
            Some(holder) => Err(StoreError::Conflict(Conflict::Slug { holder })),
            None => Ok(()),
        }
    }
}

/// The values of the columns that the tables of all three trees begin with.
fn shared_values<T: Table + TreeNode>(
    conn: &Connection,
    sync_id: Option<&SyncId>,
    name: &Name,
    parent: Option<<T as TreeNode>::Id>,
) -> Result<Vec<Value>, StoreError> {
    let parent = parent.map(|parent| key_of(conn, T::NAME, T::TREE.into(), parent)).transpose()?;
    Ok(vec![row::text_or_null(sync_id), row::text(name), row::integer_or_null(parent)])
}

fn uses<T: Table + TreeNode>(conn: &Connection, id: Uuid) -> Result<Vec<Use>, StoreError> {
    let kind = RecordKind::from(T::TREE);
    let activities = format!("SELECT activities FROM activity_use WHERE kind = {} AND id = ?", kind.code());
    let children = format!("SELECT count(*) FROM {0} WHERE parent = (SELECT key FROM {0} WHERE id = ?)", T::NAME);
    count_uses(conn, id, &[(RecordKind::Activity, &activities), (kind, &children)])
}

/// The taxonomy with that slug below that parent, or at the root.
pub(crate) fn with_slug(
    conn: &Connection,
    parent: Option<TaxonomyId>,
    slug: &Slug,
) -> Result<Option<TaxonomyId>, StoreError> {
    // 0 stands for no parent in the index. A parent that is not there is NULL, which equals nothing.
    let sql = "SELECT id FROM taxonomy WHERE slug = ?2 AND \
               ifnull(parent, 0) = CASE WHEN ?1 IS NULL THEN 0 ELSE (SELECT key FROM taxonomy WHERE id = ?1) END";
    let found: Option<Uuid> = conn
        .prepare_cached(sql)
        .and_then(|mut statement| {
            statement.query_row(params![parent.map(TaxonomyId::uuid), slug.as_str()], |row| row.get(0)).optional()
        })
        .store_err()?;
    Ok(found.map(TaxonomyId::from))
}
