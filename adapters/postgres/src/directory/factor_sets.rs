//! Sets of published factors, beside the directory: tables of no tenant, which the directory's role alone sees.

use std::collections::BTreeMap;

use async_trait::async_trait;
use domain::{Canonical as _, Digest, Name, PublishedFactor};
use ports::directory::DirectoryCheck;
use ports::factor_sets::{
    AddedSet, FactorKey, FactorRow, FactorSets, FactorsCheck, InstalledSet, MOST_FACTORS, NewFactorSet, read_factor,
};
use ports::store::StoreError;
use ports::{Grant, Installation, Maintenance, Read};
use sea_orm::{
    ColumnTrait as _, DbBackend, EntityTrait as _, FromQueryResult as _, QueryFilter as _, QueryOrder as _,
    QuerySelect as _, QueryTrait as _,
};

use super::PostgresDirectory;
use super::chain::DirectoryWrite;
use super::entity::{factor_set, published_factor};
use super::entry::{self, EntryTable};
use crate::conn::{Conn, sql, unreadable};
use crate::row::{self, Damage};

/// So many factors go into one statement.
const ROWS_AT_ONCE: usize = 500;

impl EntryTable for InstalledSet {
    type Table = factor_set::Entity;

    fn decode(row: &factor_set::Model) -> Result<Self, Damage> {
        let id = row::digest("id", &row.id)?;
        let installed = Self::from_canonical((), &row.text).map_err(|error| row::damage("text", error))?;
        if installed.set.id == id { Ok(installed) } else { Err(row::damage("text", "is of another set")) }
    }

    fn digest_beside(row: &factor_set::Model) -> &[u8] {
        &row.digest
    }
}

async fn list(conn: &mut Conn) -> Result<Vec<InstalledSet>, StoreError> {
    entry::all(conn, factor_set::Entity::find().order_by_asc(factor_set::Column::Id)).await
}

async fn find(conn: &mut Conn, id: Digest) -> Result<Option<InstalledSet>, StoreError> {
    entry::one(conn, factor_set::Entity::find_by_id(entry::bytes(id))).await
}

fn read(row: &published_factor::Model) -> Result<(FactorKey, PublishedFactor), StoreError> {
    let key = || -> Result<(FactorKey, Digest), Damage> {
        let cell = Name::parse(&row.cell).map_err(|error| row::damage("cell", error))?;
        let key = FactorKey { set: row::digest("factor_set", &row.factor_set)?, cell };
        Ok((key, row::digest("digest", &row.digest)?))
    };
    let subject = || format!("published_factor {:?}", row.cell);
    let (key, digest) = key().map_err(|Damage(detail)| StoreError::Corrupt { subject: subject(), detail })?;
    let factor = read_factor(&key, &row.text, digest)?;
    Ok((key, factor))
}

/// Checks the factors of every set whose entry can be read.
pub(super) async fn check_factors(conn: &mut Conn, check: &mut DirectoryCheck) -> Result<(), StoreError> {
    let sets: Vec<factor_set::Model> =
        conn.all(factor_set::Entity::find().order_by_asc(factor_set::Column::Id).build(DbBackend::Postgres)).await?;
    // One that cannot be read was found when the entries were.
    for installed in sets.iter().filter_map(|row| InstalledSet::decode(row).ok()) {
        let mut factors = FactorsCheck::of(&installed);
        let select = published_factor::Entity::find()
            .filter(published_factor::Column::FactorSet.eq(entry::bytes(installed.set.id)))
            .order_by_asc(published_factor::Column::Cell);
        conn.each(select.build(DbBackend::Postgres), |row| {
            let row = published_factor::Model::from_query_result(row, "").map_err(unreadable)?;
            match row::digest("digest", &row.digest) {
                Ok(beside) => factors.row(check, &row.cell, &row.text, beside),
                Err(Damage(detail)) => check.damaged(&format!("factor {:?}", row.cell), detail),
            }
            Ok(())
        })
        .await?;
        factors.finish(check);
    }
    Ok(())
}

async fn add_rows(conn: &mut Conn, set: Digest, rows: &[FactorRow]) -> Result<(), StoreError> {
    let text = "INSERT INTO tonne_directory.published_factor (factor_set, cell, text, digest) \
                SELECT $1, * FROM unnest($2::text[], $3::text[], $4::bytea[])";
    let cells: Vec<String> = rows.iter().map(|row| row.cell.to_string()).collect();
    let texts: Vec<String> = rows.iter().map(|row| row.text.clone()).collect();
    let digests: Vec<Vec<u8>> = rows.iter().map(|row| entry::bytes(row.digest)).collect();
    conn.execute(sql(text, [entry::bytes(set).into(), cells.into(), texts.into(), digests.into()])).await.map(drop)
}

async fn add(write: &mut DirectoryWrite, set: &NewFactorSet, by: &str) -> Result<AddedSet, StoreError> {
    let (installed, id) = (set.installed(write.draft.at(), by), set.set().id);
    if let Some(there) = find(&mut write.conn, id).await? {
        return Ok(AddedSet::found(there, &installed));
    }
    let digest = write.draft.added(&installed);
    let row = factor_set::Model { id: entry::bytes(id), text: installed.canonical(), digest: entry::bytes(digest) };
    entry::add::<InstalledSet>(&mut write.conn, row).await?;
    for some in set.rows().chunks(ROWS_AT_ONCE) {
        add_rows(&mut write.conn, id, some).await?;
    }
    Ok(AddedSet::New(installed))
}

async fn remove(write: &mut DirectoryWrite, id: Digest) -> Result<Option<InstalledSet>, StoreError> {
    let Some(installed) = find(&mut write.conn, id).await? else { return Ok(None) };
    write.draft.removed(&installed);
    let factors =
        published_factor::Entity::delete_many().filter(published_factor::Column::FactorSet.eq(entry::bytes(id)));
    write.conn.execute(factors.build(DbBackend::Postgres)).await?;
    let set = factor_set::Entity::delete_many().filter(factor_set::Column::Id.eq(entry::bytes(id)));
    write.conn.execute(set.build(DbBackend::Postgres)).await?;
    Ok(Some(installed))
}

#[async_trait]
impl FactorSets for PostgresDirectory {
    async fn list_sets(&self, _: &Grant<Read>) -> Result<Vec<InstalledSet>, StoreError> {
        list(&mut self.database.read_directory().await?).await
    }

    async fn find_set(&self, _: &Grant<Read>, id: Digest) -> Result<Option<InstalledSet>, StoreError> {
        find(&mut self.database.read_directory().await?, id).await
    }

    async fn find_factors(
        &self,
        _: &Grant<Read>,
        keys: &[FactorKey],
    ) -> Result<Vec<(FactorKey, PublishedFactor)>, StoreError> {
        let text = "SELECT factor_set, cell, text, digest FROM tonne_directory.published_factor \
                    JOIN unnest($1::bytea[], $2::text[]) AS asked (of_set, at_cell) \
                    ON factor_set = of_set AND cell = at_cell";
        let sets: Vec<Vec<u8>> = keys.iter().map(|key| entry::bytes(key.set)).collect();
        let cells: Vec<String> = keys.iter().map(|key| key.cell.to_string()).collect();
        let statement = sql(text, [sets.into(), cells.into()]);
        let rows: Vec<published_factor::Model> = self.database.read_directory().await?.all(statement).await?;
        let found: BTreeMap<_, _> = rows.iter().map(read).collect::<Result<_, _>>()?;
        Ok(found.into_iter().collect())
    }

    async fn factors_behind(
        &self,
        _: &Grant<Read>,
        set: Digest,
        behind: Option<&Name>,
        limit: usize,
    ) -> Result<Vec<PublishedFactor>, StoreError> {
        let select = published_factor::Entity::find()
            .filter(published_factor::Column::FactorSet.eq(entry::bytes(set)))
            // No cell is empty, so all are behind the empty text.
            .filter(published_factor::Column::Cell.gt(behind.map_or("", Name::as_str)))
            .order_by_asc(published_factor::Column::Cell)
            .limit(limit.min(MOST_FACTORS) as u64);
        let mut conn = self.database.read_directory().await?;
        let rows: Vec<published_factor::Model> = conn.all(select.build(DbBackend::Postgres)).await?;
        rows.iter().map(|row| read(row).map(|(_, factor)| factor)).collect()
    }

    async fn add_set(
        &self,
        grant: &Grant<Maintenance, Installation>,
        set: NewFactorSet,
    ) -> Result<AddedSet, StoreError> {
        let mut write = self.write(grant.actor(), "add factor set").await?;
        let added = add(&mut write, &set, grant.actor()).await?;
        write.close().await?;
        Ok(added)
    }

    async fn remove_set(
        &self,
        grant: &Grant<Maintenance, Installation>,
        id: Digest,
    ) -> Result<Option<InstalledSet>, StoreError> {
        let mut write = self.write(grant.actor(), "remove factor set").await?;
        let removed = remove(&mut write, id).await?;
        write.close().await?;
        Ok(removed)
    }
}
