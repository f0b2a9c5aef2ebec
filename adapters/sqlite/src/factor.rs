//! Factors of products.

use std::sync::Arc;

use domain::{
    Canonical as _, Choice, Factor, FactorBasis, FactorData, FactorOrigin, GwpSet, Intensity, ProductId, Source,
    SupplierFootprint, Unit,
};
use ports::repo::Use;
use ports::store::StoreError;
use ports::{RecordKind, Stored};
use rusqlite::Connection;
use rusqlite::types::Value;
use uuid::Uuid;

use crate::json;
use crate::reference::{count_uses, key_of};
use crate::row::{self, Columns, Damage};
use crate::table::{Table, query};

impl Table for Factor {
    const NAME: &'static str = "factor";
    const FROM: &'static str = "factor LEFT JOIN product ON product.key = factor.product \
         LEFT JOIN factor AS corrected ON corrected.key = factor.corrects";
    const COLUMNS: &'static str = "product.id, factor.unit, factor.upstream, factor.downstream, factor.valid_from, \
         factor.valid_to, factor.source, factor.gwp, factor.basis, factor.origin, factor.choice, factor.supplier, corrected.id";
    const WRITTEN: &'static [&'static str] = &[
        "product",
        "unit",
        "upstream",
        "downstream",
        "valid_from",
        "valid_to",
        "source",
        "gwp",
        "basis",
        "origin",
        "choice",
        "supplier",
        "corrects",
    ];
    const ORDER: &'static str = "factor.valid_from, factor.id";
    const SYNC_ID: bool = false;
    const PARENT: Option<&'static str> = Some("factor.product = (SELECT key FROM product WHERE id = ?)");

    fn decode(_: &Connection, columns: &mut Columns<'_>) -> Result<Self, Damage> {
        let (id, product) = (columns.record_id()?, columns.id()?);
        let unit = columns.parse(Unit::parse)?;
        let (upstream, downstream) =
            (columns.parse_optional(Intensity::parse)?, columns.parse_optional(Intensity::parse)?);
        let (valid_from, valid_to) = (columns.day()?, columns.day_optional()?);
        let source = columns.parse(Source::parse)?;
        let terms = FactorData::new(unit, valid_from, source)
            .with_upstream(upstream)
            .with_downstream(downstream)
            .with_valid_to(valid_to)
            .with_gwp(columns.parse_optional(GwpSet::parse)?)
            .with_basis(columns.parse(FactorBasis::parse)?)
            .with_origin(columns.parse_optional(|text| FactorOrigin::from_canonical((), text))?.map(Arc::new))
            .with_choice(columns.parse_optional(|text| Choice::from_canonical((), text))?.map(Arc::new))
            .with_supplier(columns.parse_optional(|text| SupplierFootprint::from_canonical((), text))?.map(Arc::new));
        Self::from_stored(id, product, terms, columns.id_optional()?).map_err(|faults| Damage(faults.to_string()))
    }

    fn values(&self, conn: &Connection) -> Result<Vec<Value>, StoreError> {
        let terms = self.data();
        let corrected = self.corrects().map(|id| key_of(conn, "factor", RecordKind::Factor, id)).transpose()?;
        Ok(vec![
            Value::Integer(key_of(conn, "product", RecordKind::Product, self.product())?),
            row::text(terms.unit.code()),
            row::text_or_null(terms.upstream),
            row::text_or_null(terms.downstream),
            row::day_or_null(Some(terms.valid_from)),
            row::day_or_null(terms.valid_to),
            row::text(&terms.source),
            row::text_or_null(terms.gwp),
            row::text(terms.basis.word()),
            row::text_or_null(terms.origin.as_deref().map(FactorOrigin::canonical)),
            row::text_or_null(terms.choice.as_deref().map(Choice::canonical)),
            row::text_or_null(terms.supplier.as_deref().map(SupplierFootprint::canonical)),
            row::integer_or_null(corrected),
        ])
    }

    fn uses(conn: &Connection, id: Uuid) -> Result<Vec<Use>, StoreError> {
        let counts = [
            (RecordKind::Activity, "SELECT activities FROM activity_use WHERE kind = 5 AND id = ?"),
            (RecordKind::Factor, "SELECT count(*) FROM factor WHERE corrects = (SELECT key FROM factor WHERE id = ?)"),
            (RecordKind::Input, "SELECT count(*) FROM input WHERE factor = (SELECT key FROM factor WHERE id = ?)"),
        ];
        count_uses(conn, id, &counts)
    }
}

/// All factors of those products.
pub(crate) fn of_products(conn: &Connection, products: &[ProductId]) -> Result<Vec<Stored<Factor>>, StoreError> {
    let list = json::ids(products.iter().map(|id| id.uuid()));
    query(conn, "WHERE product.id IN (SELECT unhex(value) FROM json_each(?))", [list])
}
