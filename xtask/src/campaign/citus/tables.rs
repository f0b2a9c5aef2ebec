//! What is where: companies on both workers, tables distributed, rows of old moved, statements that see them, a backup.

use anyhow::{Context, Result, ensure};

use super::page::COMPANY;
use super::site::{EARLIER, IMPORTED, Site, local_bytes};
use crate::bench::process::output;
use crate::bench::store::Store;
use crate::campaign::tally::Tally;
use crate::campaign::watch;
use crate::campaign::writer::verified;

/// With two addresses companies were made on both workers, and are answered for; the script run again leaves it so.
pub(super) fn companies(site: &mut Site) -> Result<Tally> {
    let mut tally = Tally::default();
    for company in &site.companies {
        let place = site.place_of(company)?;
        let mut caller = company.caller(&site.service)?;
        let (added, read) = (caller.add("companies-0")?, caller.read()?);
        ensure!((added.status, read.status) == (201, 200), "{}: {} {}", company.slug, added.body, read.body);
        tally.count(&format!("companies on worker {}", place + 1), 1);
    }
    ensure!(tally.counts.len() == site.workers.len(), "all companies are on one worker");
    let said = site.script_said.clone();
    site.distribute_again()?;
    ensure!(site.script_said == said, "run again, the script says {}", site.script_said);
    Ok(tally)
}

/// Tables of companies are distributed, over the workers alone and under row-level security; the directory is on the
/// coordinator. The script says the same.
pub(super) fn kinds(site: &Site) -> Result<Tally> {
    let number = |query: &str| -> Result<u64> { Ok(site.coordinator.ask("tonne", query)?.parse()?) };
    let all = |schema: &str| {
        format!("SELECT count(*) FROM pg_class WHERE relnamespace = '{schema}'::regnamespace AND relkind IN ('r', 'p')")
    };
    let (tables, directory) = (number(&all("tonne"))?, number(&all("tonne_directory"))?);
    let listed = |kind: &str| format!("SELECT count(*) FROM citus_tables WHERE {kind}");
    let distributed = number(&listed("citus_table_type = 'distributed' AND table_name::text LIKE 'tonne.%'"))?;
    ensure!(tables > 10 && distributed == tables, "{distributed} of {tables} tables are distributed");
    ensure!(number(&listed("table_name::text NOT LIKE 'tonne.%'"))? == 0, "tables of the directory are Citus's");
    let said = |what: &str| site.script_said.lines().filter(|line| line.ends_with(what)).count() as u64;
    let printed = (said("| distributed"), said("| on the coordinator"));
    ensure!(printed == (tables, directory), "the script says\n{}", site.script_said);
    let on_coordinator = format!("SELECT count(*) FROM citus_shards WHERE nodeport = {}", site.coordinator.port());
    ensure!(number(&on_coordinator)? == 0, "shards are on the coordinator");
    let shards = "SELECT count(*) FROM citus_shards";
    let forced = "SELECT count(*) FROM citus_tables, run_command_on_shards(table_name, $$SELECT relrowsecurity AND \
                  relforcerowsecurity FROM pg_class WHERE oid = '%s'::regclass$$) WHERE success AND result = 't'";
    let (shards, forced) = (number(shards)?, number(forced)?);
    ensure!(shards == forced, "{forced} of {shards} shards are under row-level security");
    let mut tally = Tally::default();
    tally.count("tables distributed", tables);
    tally.count("tables on the coordinator", directory);
    tally.count("shards under row-level security", shards);
    Ok(tally)
}

/// Rows that were there before the tables were distributed are on the workers, and no longer on the coordinator.
pub(super) fn earlier(site: &Site) -> Result<Tally> {
    let mut tally = Tally::default();
    for (slug, rows) in [("earlier", EARLIER), ("acme", IMPORTED)] {
        let company = site.companies.iter().find(|company| company.slug == slug).context("a company less")?;
        let found = company.caller(&site.service)?.sync_ids()?;
        let found = found.iter().filter(|one| one.starts_with("row-")).count() as u64;
        ensure!(found == u64::from(rows), "{slug} has {found} rows of {rows}");
        let there = if slug == "earlier" { "rows moved" } else { "rows imported after" };
        tally.count(there, found);
    }
    let left = local_bytes(&site.coordinator)?;
    ensure!(site.bytes_before > 0, "nothing was on the coordinator before");
    ensure!(left == 0, "{left} bytes of companies are on the coordinator");
    tally.count("bytes on the coordinator before", site.bytes_before);
    tally.count("bytes on the coordinator after", left);
    Ok(tally)
}

/// The page's statements see a company's rows, and none without the line of which it says so.
pub(super) fn looking(site: &Site) -> Result<Tally> {
    let mut tally = Tally::default();
    for company in &site.companies {
        let rows = company.caller(&site.service)?.sync_ids()?.len();
        let statements = site.page.block("Looking into the tables", 0, &[(COMPANY, &company.id)])?;
        let seen = site.coordinator.ask("tonne", &statements)?;
        ensure!(seen == rows.to_string(), "{seen} rows of {rows} are seen of {}", company.slug);
        let without: Vec<_> = statements.lines().filter(|line| !line.contains("propagate_set_commands")).collect();
        let seen = site.coordinator.ask("tonne", &without.join("\n"))?;
        ensure!(without.len() + 1 == statements.lines().count() && seen == "0", "{seen} rows are seen without it");
        tally.count("rows seen", rows as u64);
    }
    Ok(tally)
}

/// A backup is made and restored into a folder, where nothing is wrong.
pub(super) fn backup(site: &Site) -> Result<Tally> {
    watch::doing("`tonne verify`");
    let found = output(&mut site.command(["verify"]))?;
    ensure!(found.starts_with("OK"), "verify says: {found}");
    let file = site.room.join("cluster.backup");
    watch::doing("a backup is made");
    output(site.command(["backup"]).arg("--to").arg(&file))?;
    let restored = Store::in_folder(site.store.program(), site.room.join("restored"))?;
    watch::doing("a backup is restored");
    output(restored.command(["restore"]).arg(&file))?;
    verified(&restored)?;
    let listed = |json: &str| -> Result<usize> {
        Ok(serde_json::from_str::<serde_json::Value>(json)?.as_array().map_or(0, Vec::len))
    };
    let there = listed(&output(&mut restored.command(["tenant", "list", "--json"]))?)?;
    let all = site.listed()?.len();
    ensure!(there == all, "{there} companies of {all} are restored");
    let mut tally = Tally::default();
    tally.count("companies restored", there as u64);
    Ok(tally)
}
