//! The nodes of the three trees, in one table.

use async_trait::async_trait;
use domain::{Name, Node, NodeDetail, NodeId, ScopeClass, ScopeKind, Slug, SyncId};
use ports::RecordKind;
use ports::repo::Use;
use ports::store::{Conflict, StoreError};
use sea_orm::{ColumnTrait as _, DbBackend, QueryFilter as _, QuerySelect as _, QueryTrait as _, Select};
use uuid::Uuid;

use crate::conn::TenantConn;
use crate::entity::Stamp;
use crate::entity::node::{Column, Entity, Model};
use crate::refer;
use crate::row::{self, Damage};
use crate::session::kind_code;
use crate::table::{self, Table};

#[async_trait]
impl Table for Node {
    type Orm = Entity;
    type Parts = ();

    const ORDER: &'static [Column] = &[Column::Id];
    const SYNC_ID: Option<Column> = Some(Column::SyncId);
    const KIND: Option<Column> = Some(Column::Tree);

    fn read(row: Model, (): &mut ()) -> Result<Self, Damage> {
        let slug = row::parse_optional("slug", row.slug.as_deref(), Slug::parse)?;
        let kind = |text: &str| ScopeKind::parse(text).ok_or("is no kind of scope");
        let kind = row::parse_optional("scope_kind", row.scope_kind.as_deref(), kind)?;
        let category = row.category.map(u8::try_from).transpose().map_err(|error| row::damage("category", error))?;
        let class = kind.map(|kind| ScopeClass::new(kind, category)).transpose();
        let class = class.map_err(|error| row::damage("category", error))?;
        let detail = match (row.tree, slug, class) {
            (1, None, Some(class)) => NodeDetail::Scope(class),
            (2, None, None) => NodeDetail::Org,
            (3, Some(slug), None) => NodeDetail::Taxonomy(slug),
            _ => return Err(row::damage("tree", "does not go with slug and scope_kind")),
        };
        Ok(Self {
            id: NodeId::from(row.id),
            sync_id: row::parse_optional("sync_id", row.sync_id.as_deref(), SyncId::parse)?,
            name: row::parse("name", &row.name, Name::parse)?,
            parent: row.parent.map(NodeId::from),
            detail,
        })
    }

    async fn row(&self, _: &mut TenantConn, stamp: Stamp) -> Result<Model, StoreError> {
        let Stamp { tenant: tenant_id, id, created, updated, version, digest } = stamp;
        let class = self.class();
        Ok(Model {
            tenant_id,
            id,
            tree: kind_code(RecordKind::from(self.tree())),
            sync_id: self.sync_id.as_ref().map(SyncId::to_string),
            name: self.name.to_string(),
            parent: self.parent.map(NodeId::uuid),
            slug: self.slug().map(Slug::to_string),
            scope_kind: class.map(|class| class.kind().as_str().to_owned()),
            category: class.and_then(ScopeClass::category).map(i16::from),
            created,
            updated,
            version,
            digest,
        })
    }

    fn references(&self) -> Vec<(RecordKind, Uuid)> {
        self.parent.map(|parent| (RecordKind::from(self.tree()), parent.uuid())).into_iter().collect()
    }

    /// Activities are counted by the cells of the series that carry the node, not one by one.
    async fn uses(conn: &mut TenantConn, id: Uuid) -> Result<Vec<Use>, StoreError> {
        let tree = table::select::<Self>(conn).filter(Column::Id.eq(id)).select_only().column(Column::Tree);
        let (kind, column) = match conn.value::<i16>(tree.build(DbBackend::Postgres)).await? {
            Some(1) => (RecordKind::Scope, "scope"),
            Some(2) => (RecordKind::Org, "org"),
            Some(3) => (RecordKind::Taxonomy, "taxonomy"),
            Some(_) | None => return Ok(Vec::new()),
        };
        let activities = format!(
            "SELECT coalesce(sum(cell.starts), 0)::bigint FROM tonne.cell WHERE cell.tenant_id = $1 AND cell.series IN \
             (SELECT key FROM tonne.series WHERE series.tenant_id = $1 AND series.{column} = $2)"
        );
        let children = "SELECT count(*) FROM tonne.node WHERE tenant_id = $1 AND parent = $2";
        refer::uses(conn, id, &[(RecordKind::Activity, &activities), (kind, children)]).await
    }

    async fn check(&self, conn: &mut TenantConn) -> Result<(), StoreError> {
        let Some(slug) = self.slug() else { return Ok(()) };
        let others = siblings(conn, self.parent, slug).filter(Column::Id.ne(self.id.uuid()));
        match conn.value(others.build(DbBackend::Postgres)).await? {
            Some(holder) => Err(StoreError::Conflict(Conflict::Slug { holder })),
            None => Ok(()),
        }
    }
}

/// The taxonomy with that slug below that parent, or at the root.
pub(crate) async fn with_slug(
    conn: &mut TenantConn,
    parent: Option<NodeId>,
    slug: &Slug,
) -> Result<Option<NodeId>, StoreError> {
    let nodes = siblings(conn, parent, slug);
    let node: Option<Uuid> = conn.value(nodes.build(DbBackend::Postgres)).await?;
    Ok(node.map(NodeId::from))
}

/// The identifiers of the nodes with that slug below that parent, or at the root.
fn siblings(conn: &TenantConn, parent: Option<NodeId>, slug: &Slug) -> Select<Entity> {
    let below = match parent {
        Some(parent) => Column::Parent.eq(parent.uuid()),
        None => Column::Parent.is_null(),
    };
    table::select::<Node>(conn).filter(below).filter(Column::Slug.eq(slug.as_str())).select_only().column(Column::Id)
}
