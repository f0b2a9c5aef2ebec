//! The nodes of the three trees, in one table.

use domain::{Name, Node, NodeDetail, NodeId, ScopeClass, ScopeKind, Slug, SyncId};
use ports::RecordKind;
use ports::repo::Use;
use ports::store::{Conflict, StoreError};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, params};
use uuid::Uuid;

use crate::error::Meaning as _;
use crate::row::{self, Columns, Damage};
use crate::session::kind_code;
use crate::table::{Table, count_uses, node_key};

impl Table for Node {
    const NAME: &'static str = "node";
    const FROM: &'static str = "node LEFT JOIN node AS above ON above.key = node.parent";
    const COLUMNS: &'static str =
        "node.sync_id, node.name, above.id, node.tree, node.slug, node.scope_kind, node.category";
    const WRITTEN: &'static [&'static str] = &["tree", "sync_id", "name", "parent", "slug", "scope_kind", "category"];
    const ORDER: &'static str = "node.id";
    const KIND: Option<&'static str> = Some("node.tree");

    fn read(_: &Connection, columns: &mut Columns<'_>) -> Result<Self, Damage> {
        let id = columns.record_id()?;
        let (sync_id, name) = (columns.parse_optional(SyncId::parse)?, columns.parse(Name::parse)?);
        let parent: Option<NodeId> = columns.id_optional()?;
        let tree: i64 = columns.take()?;
        let slug = columns.parse_optional(Slug::parse)?;
        let kind = columns.parse_optional(|text| ScopeKind::parse(text).ok_or("is no kind of scope"))?;
        let category: Option<u8> = columns.take()?;
        let class = kind.map(|kind| ScopeClass::new(kind, category)).transpose();
        let class = class.map_err(|error| Damage(format!("category: {error}")))?;
        let detail = match (tree, slug, class) {
            (1, None, Some(class)) => NodeDetail::Scope(class),
            (2, None, None) => NodeDetail::Org,
            (3, Some(slug), None) => NodeDetail::Taxonomy(slug),
            _ => return Err(Damage("tree: does not go with slug and scope_kind".to_owned())),
        };
        Ok(Self { id, sync_id, name, parent, detail })
    }

    fn values(&self, conn: &Connection) -> Result<Vec<Value>, StoreError> {
        let tree = RecordKind::from(self.tree());
        let parent = self.parent.map(|parent| node_key(conn, tree, parent)).transpose()?;
        let class = self.class();
        Ok(vec![
            Value::Integer(kind_code(tree)),
            row::text_or_null(self.sync_id.as_ref()),
            row::text(&self.name),
            row::integer_or_null(parent),
            row::text_or_null(self.slug()),
            row::text_or_null(class.map(|class| class.kind().as_str())),
            row::integer_or_null(class.and_then(ScopeClass::category).map(i64::from)),
        ])
    }

    /// Activities are counted by the cells of the series that carry the node, not one by one.
    fn uses(conn: &Connection, id: Uuid) -> Result<Vec<Use>, StoreError> {
        let tree: Option<i64> = conn
            .prepare_cached("SELECT tree FROM node WHERE id = ?")
            .and_then(|mut statement| statement.query_row([id], |row| row.get(0)).optional())
            .meant()?;
        let (kind, column) = match tree {
            Some(1) => (RecordKind::Scope, "scope"),
            Some(2) => (RecordKind::Org, "org"),
            Some(3) => (RecordKind::Taxonomy, "taxonomy"),
            Some(_) | None => return Ok(Vec::new()),
        };
        let activities = format!(
            "SELECT ifnull(sum(cell.starts), 0) FROM cell \
             WHERE cell.series IN (SELECT key FROM series WHERE series.{column} = ?)"
        );
        let children = "SELECT count(*) FROM node WHERE parent = (SELECT key FROM node WHERE id = ?)";
        count_uses(conn, id, &[(RecordKind::Activity, &activities), (kind, children)])
    }

    fn check(&self, conn: &Connection) -> Result<(), StoreError> {
        let Some(slug) = self.slug() else { return Ok(()) };
        let parent =
            self.parent.map(|parent| node_key(conn, RecordKind::from(self.tree()), parent)).transpose()?.unwrap_or(0);
        let holder: Option<Uuid> = conn
            .prepare_cached("SELECT id FROM node WHERE ifnull(parent, 0) = ? AND slug = ? AND id <> ?")
            .and_then(|mut statement| {
                statement.query_row(params![parent, slug.as_str(), self.id.uuid()], |row| row.get(0)).optional()
            })
            .meant()?;
        match holder {
            Some(holder) => Err(StoreError::Conflict(Conflict::Slug { holder })),
            None => Ok(()),
        }
    }
}

/// The taxonomy with that slug below that parent, or at the root.
pub(crate) fn with_slug(conn: &Connection, parent: Option<NodeId>, slug: &Slug) -> Result<Option<NodeId>, StoreError> {
    // 0 stands for no parent in the index. A parent that is not there is NULL, which equals nothing.
    let sql = "SELECT id FROM node WHERE slug = ?2 AND \
               ifnull(parent, 0) = CASE WHEN ?1 IS NULL THEN 0 ELSE (SELECT key FROM node WHERE id = ?1) END";
    let found: Option<Uuid> = conn
        .prepare_cached(sql)
        .and_then(|mut statement| {
            statement.query_row(params![parent.map(NodeId::uuid), slug.as_str()], |row| row.get(0)).optional()
        })
        .meant()?;
    Ok(found.map(NodeId::from))
}
