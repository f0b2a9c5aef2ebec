//! The nodes of the three trees, each in a table of its own.

use async_trait::async_trait;
use domain::{Name, Org, OrgId, Scope, ScopeClass, ScopeId, ScopeKind, Slug, SyncId, Taxonomy, TaxonomyId, TreeNode};
use ports::repo::Use;
use ports::store::{Conflict, StoreError};
use ports::{RecordKind, Stored};
use sea_orm::{ColumnTrait as _, DbBackend, QueryFilter as _, QuerySelect as _, QueryTrait as _, Select};
use uuid::Uuid;

use crate::conn::TenantConn;
use crate::entity::{Stamp, org, scope, taxonomy};
use crate::reference;
use crate::row::{self, Damage};
use crate::table::{self, Table};

#[async_trait]
impl Table for Scope {
    type Orm = scope::Entity;
    type Parts = ();

    const ORDER: &'static [scope::Column] = &[scope::Column::Id];
    const SYNC_ID: Option<scope::Column> = Some(scope::Column::SyncId);

    fn decode(row: scope::Model, (): &mut ()) -> Result<Self, Damage> {
        let kind = row::parse("kind", &row.kind, ScopeKind::parse)?;
        let category = row.category.map(u8::try_from).transpose().map_err(|error| row::damage("category", error))?;
        Ok(Self::new(
            ScopeId::new(row.id),
            row::parse("name", &row.name, Name::parse)?,
            ScopeClass::new(kind, category).map_err(|error| row::damage("category", error))?,
        )
        .with_sync_id(row::parse_optional("sync_id", row.sync_id.as_deref(), SyncId::parse)?)
        .with_parent(row.parent.map(ScopeId::new)))
    }

    async fn row(&self, _: &mut TenantConn, stamp: Stamp) -> Result<scope::Model, StoreError> {
        let Stamp { tenant: tenant_id, id, created, updated, version, digest } = stamp;
        Ok(scope::Model {
            tenant_id,
            id,
            sync_id: self.sync_id.as_ref().map(SyncId::to_string),
            name: self.name.to_string(),
            parent: self.parent.map(ScopeId::uuid),
            kind: self.class.kind().as_str().to_owned(),
            category: self.class.category().map(i16::from),
            created,
            updated,
            version,
            digest,
        })
    }

    async fn uses(conn: &mut TenantConn, id: Uuid) -> Result<Vec<Use>, StoreError> {
        let mut found = uses(conn, RecordKind::Scope, "scope", id).await?;
        found.extend(reference::uses(conn, id, &[(RecordKind::Exclusion, EXCLUDED)]).await?);
        Ok(found)
    }
}

/// The periods that are closed for an org, or were.
const PERIODS: &str = "SELECT count(*) FROM tonne.period WHERE tenant_id = $1 AND org = $2";

/// The exclusions that are for an org.
const EXCLUDED_FOR: &str = "SELECT count(*) FROM tonne.exclusion WHERE tenant_id = $1 AND org = $2";

/// The exclusions of a scope.
const EXCLUDED: &str = "SELECT count(*) FROM tonne.exclusion WHERE tenant_id = $1 AND scope = $2";

#[async_trait]
impl Table for Org {
    type Orm = org::Entity;
    type Parts = ();

    const ORDER: &'static [org::Column] = &[org::Column::Id];
    const SYNC_ID: Option<org::Column> = Some(org::Column::SyncId);

    fn decode(row: org::Model, (): &mut ()) -> Result<Self, Damage> {
        Ok(Self::new(OrgId::new(row.id), row::parse("name", &row.name, Name::parse)?)
            .with_sync_id(row::parse_optional("sync_id", row.sync_id.as_deref(), SyncId::parse)?)
            .with_parent(row.parent.map(OrgId::new))
            .with_region(row::parse_optional("region", row.region.as_deref(), Name::parse)?))
    }

    async fn row(&self, _: &mut TenantConn, stamp: Stamp) -> Result<org::Model, StoreError> {
        let Stamp { tenant: tenant_id, id, created, updated, version, digest } = stamp;
        Ok(org::Model {
            tenant_id,
            id,
            sync_id: self.sync_id.as_ref().map(SyncId::to_string),
            name: self.name.to_string(),
            parent: self.parent.map(OrgId::uuid),
            region: self.region.as_ref().map(Name::to_string),
            created,
            updated,
            version,
            digest,
        })
    }

    async fn uses(conn: &mut TenantConn, id: Uuid) -> Result<Vec<Use>, StoreError> {
        let mut found = uses(conn, RecordKind::Org, "org", id).await?;
        found.extend(
            reference::uses(conn, id, &[(RecordKind::ClosedPeriod, PERIODS), (RecordKind::Exclusion, EXCLUDED_FOR)])
                .await?,
        );
        Ok(found)
    }
}

#[async_trait]
impl Table for Taxonomy {
    type Orm = taxonomy::Entity;
    type Parts = ();

    const ORDER: &'static [taxonomy::Column] = &[taxonomy::Column::Id];
    const SYNC_ID: Option<taxonomy::Column> = Some(taxonomy::Column::SyncId);

    fn decode(row: taxonomy::Model, (): &mut ()) -> Result<Self, Damage> {
        Ok(Self::new(
            TaxonomyId::new(row.id),
            row::parse("name", &row.name, Name::parse)?,
            row::parse("slug", &row.slug, Slug::parse)?,
        )
        .with_sync_id(row::parse_optional("sync_id", row.sync_id.as_deref(), SyncId::parse)?)
        .with_parent(row.parent.map(TaxonomyId::new)))
    }

    async fn row(&self, _: &mut TenantConn, stamp: Stamp) -> Result<taxonomy::Model, StoreError> {
        let Stamp { tenant: tenant_id, id, created, updated, version, digest } = stamp;
        Ok(taxonomy::Model {
            tenant_id,
            id,
            sync_id: self.sync_id.as_ref().map(SyncId::to_string),
            name: self.name.to_string(),
            parent: self.parent.map(TaxonomyId::uuid),
            slug: self.slug.to_string(),
            created,
            updated,
            version,
            digest,
        })
    }

    async fn uses(conn: &mut TenantConn, id: Uuid) -> Result<Vec<Use>, StoreError> {
        uses(conn, RecordKind::Taxonomy, "taxonomy", id).await
    }

    async fn check(&self, conn: &mut TenantConn) -> Result<(), StoreError> {
        let others = siblings(conn, self.parent, &self.slug).filter(taxonomy::Column::Id.ne(self.id.uuid()));
        match conn.value(others.build(DbBackend::Postgres)).await? {
            Some(holder) => Err(StoreError::Conflict(Conflict::Slug { holder })),
            None => Ok(()),
        }
    }
}

/// All nodes of a tree.
pub(crate) async fn all<T: Table + TreeNode>(conn: &mut TenantConn) -> Result<Vec<Stored<T>>, StoreError> {
    let select = table::select::<T>(conn);
    table::query(conn, select).await
}

/// The taxonomy with that slug below that parent, or at the root.
pub(crate) async fn find_by_slug(
    conn: &mut TenantConn,
    parent: Option<TaxonomyId>,
    slug: &Slug,
) -> Result<Option<TaxonomyId>, StoreError> {
    let taxonomies = siblings(conn, parent, slug);
    let taxonomy: Option<Uuid> = conn.value(taxonomies.build(DbBackend::Postgres)).await?;
    Ok(taxonomy.map(TaxonomyId::new))
}

/// The identifiers of the taxonomies with that slug below that parent, or at the root.
fn siblings(conn: &TenantConn, parent: Option<TaxonomyId>, slug: &Slug) -> Select<taxonomy::Entity> {
    let below = match parent {
        Some(parent) => taxonomy::Column::Parent.eq(parent.uuid()),
        None => taxonomy::Column::Parent.is_null(),
    };
    let rows = table::select::<Taxonomy>(conn).filter(below).filter(taxonomy::Column::Slug.eq(slug.as_str()));
    rows.select_only().column(taxonomy::Column::Id)
}

/// The activities that carry a node, and the nodes below it.
async fn uses(conn: &mut TenantConn, kind: RecordKind, table: &str, id: Uuid) -> Result<Vec<Use>, StoreError> {
    let activities = reference::activities(kind);
    let children = format!("SELECT count(*) FROM tonne.{table} WHERE tenant_id = $1 AND parent = $2");
    reference::uses(conn, id, &[(RecordKind::Activity, &activities), (kind, &children)]).await
}
