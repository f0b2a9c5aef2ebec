//! Rows of the exchange with partners, in transactions.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use domain::{PartnerId, Timestamp};
use ports::exchange::{ExchangeKind, ExchangeRow};
use ports::repo::{ExchangeReader, ExchangeWriter, Listing, Page};
use ports::store::StoreError;

use crate::tx::{Tx, Writing};

#[async_trait]
impl<W: Send> ExchangeReader for Tx<W> {
    async fn find(&mut self, kind: ExchangeKind, id: String) -> Result<Option<ExchangeRow>, StoreError> {
        Ok(self.state.exchange.get(&(kind, id)).cloned())
    }

    async fn list(
        &mut self,
        kind: ExchangeKind,
        partner: PartnerId,
        page: Page,
    ) -> Result<Listing<ExchangeRow>, StoreError> {
        let is_asked = |row: &&ExchangeRow| row.kind == kind && row.partner == partner;
        let mut found: Vec<_> = self.state.exchange.values().filter(is_asked).collect();
        found.sort_by_key(|row| Reverse((row.at, &row.id)));
        let before = usize::try_from(page.offset()).unwrap_or(usize::MAX);
        let count = found.len() as u64;
        Ok(Listing { count, page, data: found.into_iter().skip(before).take(page.size as usize).cloned().collect() })
    }

    async fn due_partners(&mut self, now: Timestamp, limit: u32) -> Result<Vec<(PartnerId, Timestamp)>, StoreError> {
        let mut first = BTreeMap::new();
        for row in self.state.exchange.values() {
            let Some(due) = row.due.filter(|due| *due <= now) else { continue };
            let known = first.entry(row.partner).or_insert(due);
            *known = due.min(*known);
        }
        let mut found: Vec<_> = first.into_iter().collect();
        found.sort_by_key(|(partner, due)| (*due, *partner));
        found.truncate(limit as usize);
        Ok(found)
    }

    async fn due(&mut self, partner: PartnerId, now: Timestamp, limit: u32) -> Result<Vec<ExchangeRow>, StoreError> {
        let is_due = |row: &&ExchangeRow| row.partner == partner && row.due.is_some_and(|due| due <= now);
        let mut found: Vec<_> = self.state.exchange.values().filter(is_due).collect();
        found.sort_by_key(|row| (row.due, &row.id));
        Ok(found.into_iter().take(limit as usize).cloned().collect())
    }

    async fn waiting(&mut self, partner: PartnerId) -> Result<u64, StoreError> {
        let is_waiting = |row: &&ExchangeRow| row.partner == partner && row.due.is_some();
        Ok(self.state.exchange.values().filter(is_waiting).count() as u64)
    }
}

#[async_trait]
impl ExchangeWriter for Writing {
    async fn put(&mut self, row: ExchangeRow) -> Result<(), StoreError> {
        Arc::make_mut(&mut self.state.exchange).insert((row.kind, row.id.clone()), row);
        self.write.writes_beside = true;
        Ok(())
    }

    async fn remove(&mut self, kind: ExchangeKind, id: String) -> Result<(), StoreError> {
        Arc::make_mut(&mut self.state.exchange).remove(&(kind, id));
        self.write.writes_beside = true;
        Ok(())
    }

    async fn remove_before(&mut self, kind: ExchangeKind, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let is_old = |row: &&ExchangeRow| row.kind == kind && row.due.is_none() && row.at < before;
        let mut old: Vec<_> = self.state.exchange.values().filter(is_old).map(|row| (row.at, row.id.clone())).collect();
        old.sort();
        old.truncate(limit as usize);
        let removed = old.len() as u64;
        for (_, id) in old {
            Arc::make_mut(&mut self.state.exchange).remove(&(kind, id));
        }
        self.write.writes_beside = true;
        Ok(removed)
    }

    async fn remove_partner(&mut self, partner: PartnerId) -> Result<(), StoreError> {
        Arc::make_mut(&mut self.state.exchange).retain(|_, row| row.partner != partner);
        self.write.writes_beside = true;
        Ok(())
    }
}
