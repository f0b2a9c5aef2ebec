//! `tonne.footprint`.

use sea_orm::entity::prelude::*;
use time::OffsetDateTime;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(schema_name = "tonne", table_name = "footprint")]
#[expect(clippy::struct_field_names, reason = "they are called like the columns, and one of those is a model")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) tenant_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) number: i64,
    pub(crate) recorded: OffsetDateTime,
    pub(crate) amended: Option<OffsetDateTime>,
    pub(crate) amendments: i64,
    pub(crate) fields: String,
    pub(crate) place_us: i64,
    pub(crate) rules: i64,
    pub(crate) shown_v2: bool,
    pub(crate) shown_v3: bool,
    pub(crate) valid: bool,
    pub(crate) verdict: String,
    pub(crate) model: Option<Uuid>,
    pub(crate) from_model: Option<String>,
    pub(crate) created: OffsetDateTime,
    pub(crate) updated: OffsetDateTime,
    pub(crate) version: i64,
    pub(crate) digest: Vec<u8>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

super::record_row!();
