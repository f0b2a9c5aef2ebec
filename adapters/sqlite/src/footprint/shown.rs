//! The lists that partners read: the company's own goes by the places of footprints, a partner's by those of what is shared
//! with it.

use domain::footprint::{Edition, FootprintPlace, RULE_SET, Verdict};
use domain::{Footprint, PartnerId};
use ports::Stored;
use ports::repo::{Shown, ShownBatch};
use ports::store::StoreError;
use rusqlite::{Connection, params};
use uuid::Uuid;

use super::{integer, outdated};
use crate::{json, sharing, table};

/// A part of the list that an edition shows.
pub(crate) fn shown(conn: &Connection, asked: &Shown) -> Result<ShownBatch, StoreError> {
    let (mut records, end) = match asked {
        Shown { partner: Some(partner), products: None, .. } => opened(conn, asked, *partner)?,
        Shown { .. } => placed(conn, asked)?,
    };
    let outdated = outdated(conn, &records)?;
    let is_shown = |record: &Stored<Footprint>| {
        !outdated.contains(&record.value.number) || Verdict::of(&record.value).is_shown(asked.edition)
    };
    records.retain(is_shown);
    Ok(ShownBatch { records, end })
}

type Part = (Vec<Stored<Footprint>>, Option<FootprintPlace>);

const fn flag(edition: Edition) -> &'static str {
    match edition {
        Edition::V2 => "shown_v2",
        Edition::V3 => "shown_v3",
    }
}

/// Footprints by their places, those of the products where there are any.
fn placed(conn: &Connection, asked: &Shown) -> Result<Part, StoreError> {
    let limit = asked.limit.max(1);
    let products = if asked.products.is_some() {
        "AND footprint.key IN (SELECT footprint FROM footprint_product WHERE product IN (SELECT value FROM json_each(?6)))"
    } else {
        "AND ?6 IS NULL"
    };
    let partner = if asked.partner.is_some() {
        "AND EXISTS (SELECT 1 FROM sharing_partner WHERE sharing_partner.footprint = footprint.id AND partner IN (?7, ?8))"
    } else {
        "AND ?7 IS NULL AND ?8 IS NOT NULL"
    };
    let place = format!(
        "WHERE (footprint.{} = 1 OR footprint.rules <> ?1) AND footprint.number <= ?2 \
         AND (footprint.place_us, footprint.number) > (?3, ?4) {products} {partner} \
         ORDER BY footprint.place_us, footprint.number LIMIT ?5",
        flag(asked.edition)
    );
    let FootprintPlace { created_us, number } = asked.after.unwrap_or(FootprintPlace::START);
    let (number, until) = (integer(number), integer(asked.until));
    let products = asked.products.as_ref().map(|keys| json::texts(keys.iter().map(String::as_str)));
    let partner = asked.partner.map(PartnerId::uuid);
    // One more than is asked for tells whether there are more.
    let most = u64::from(limit) + 1;
    let bounds = params![RULE_SET, until, created_us, number, most, products, partner, Uuid::nil()];
    let mut records: Vec<Stored<Footprint>> = table::query(conn, &place, bounds)?;
    let more = records.len() > limit as usize;
    records.truncate(limit as usize);
    let end = records.last().filter(|_| more).map(|last| FootprintPlace::of(&last.value));
    Ok((records, end))
}

/// Footprints by the places of what is shared with the partner.
fn opened(conn: &Connection, asked: &Shown, partner: PartnerId) -> Result<Part, StoreError> {
    let limit = asked.limit.max(1);
    let after = asked.after.unwrap_or(FootprintPlace::START);
    let mut opened = sharing::opened(conn, partner, after, u64::from(limit) + 1)?;
    let more = opened.len() > limit as usize;
    opened.truncate(limit as usize);
    let end = opened.last().filter(|_| more).map(|(place, _)| *place);
    let ids = json::ids(opened.into_iter().map(|(_, id)| id.uuid()));
    let those = format!(
        "WHERE footprint.id IN (SELECT unhex(value) FROM json_each(?1)) AND footprint.number <= ?2 \
         AND (footprint.{} = 1 OR footprint.rules <> ?3) ORDER BY footprint.place_us, footprint.number",
        flag(asked.edition)
    );
    Ok((table::query(conn, &those, params![ids, integer(asked.until), RULE_SET])?, end))
}
