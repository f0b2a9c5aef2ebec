//! `tonne.activity`.

use bigdecimal::BigDecimal;
use sea_orm::entity::prelude::*;
use time::{Date, OffsetDateTime};

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(schema_name = "tonne", table_name = "activity")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) tenant_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) day: Date,
    pub(crate) last: Date,
    pub(crate) series: i32,
    pub(crate) sync_id: Option<String>,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) quantity: Option<BigDecimal>,
    pub(crate) unit: Option<String>,
    pub(crate) supplied_upstream: Option<BigDecimal>,
    pub(crate) supplied_downstream: Option<BigDecimal>,
    pub(crate) product: Option<Uuid>,
    pub(crate) start_at: String,
    pub(crate) end_at: Option<String>,
    pub(crate) upstream: Option<BigDecimal>,
    pub(crate) downstream: Option<BigDecimal>,
    pub(crate) stated: Option<String>,
    pub(crate) measures: Option<String>,
    pub(crate) factor: Option<Uuid>,
    pub(crate) incomplete: Option<String>,
    pub(crate) created: OffsetDateTime,
    pub(crate) updated: OffsetDateTime,
    pub(crate) version: i64,
    pub(crate) digest: Vec<u8>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

super::record_row!();
