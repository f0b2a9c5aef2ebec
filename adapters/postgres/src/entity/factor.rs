//! `tonne.factor`.

use bigdecimal::BigDecimal;
use sea_orm::entity::prelude::*;
use time::{Date, OffsetDateTime};

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(schema_name = "tonne", table_name = "factor")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) tenant_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) product: Uuid,
    pub(crate) unit: String,
    pub(crate) upstream: Option<BigDecimal>,
    pub(crate) downstream: Option<BigDecimal>,
    pub(crate) valid_from: Date,
    pub(crate) valid_to: Option<Date>,
    pub(crate) source: String,
    pub(crate) gwp: Option<String>,
    pub(crate) basis: String,
    pub(crate) origin: Option<String>,
    pub(crate) choice: Option<String>,
    pub(crate) supplier: Option<String>,
    pub(crate) corrects: Option<Uuid>,
    pub(crate) created: OffsetDateTime,
    pub(crate) updated: OffsetDateTime,
    pub(crate) version: i64,
    pub(crate) digest: Vec<u8>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

super::record_row!();
