//! `tonne.input`.

use bigdecimal::BigDecimal;
use sea_orm::entity::prelude::*;
use time::OffsetDateTime;

#[expect(clippy::struct_field_names, reason = "fields are named after their columns")]
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(schema_name = "tonne", table_name = "input")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) tenant_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) model: Uuid,
    pub(crate) sync_id: Option<String>,
    pub(crate) name: String,
    pub(crate) material: Uuid,
    pub(crate) block: Option<Uuid>,
    pub(crate) stage: Option<String>,
    pub(crate) quantity: BigDecimal,
    pub(crate) unit: String,
    pub(crate) position: i64,
    pub(crate) co2e: Option<BigDecimal>,
    pub(crate) factor: Option<Uuid>,
    pub(crate) reason: Option<String>,
    pub(crate) created: OffsetDateTime,
    pub(crate) updated: OffsetDateTime,
    pub(crate) version: i64,
    pub(crate) digest: Vec<u8>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

super::record_row!();
