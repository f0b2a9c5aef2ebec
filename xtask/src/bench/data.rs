//! A made-up company: always the same, however often it is made.

use std::io::{self, Write};

use anyhow::{Context, Result};

use super::client::Client;

const ORGS: u64 = 100;
const TAXONOMIES: u64 = 20;
const PRODUCTS: u64 = 30;
const SCOPES: [&str; 4] = ["scope1", "scope2", "scope3.1", "scope3.4"];
/// Activities whose ids are read one by one.
const SAMPLE: &str = "/v1/activity?page=7&pageSize=1000";

pub(super) struct Company {
    /// How many activities it has.
    pub(super) activities: u32,
}

/// A small generator of numbers that look random (`SplitMix64`).
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % bound
    }
}

impl Company {
    /// The company with so many activities.
    pub(super) const fn of(activities: u32) -> Self {
        Self { activities }
    }

    /// Adds its orgs, taxonomies and products with factors; scopes are there.
    pub(super) fn found(client: &mut Client) -> Result<()> {
        for at in 0..ORGS {
            client.post("/v1/org", &format!(r#"{{"name":"Site {at}","syncId":"site{at}"}}"#))?;
        }
        for at in 0..TAXONOMIES {
            client.post("/v1/taxonomy", &format!(r#"{{"name":"Kind {at}","syncId":"kind{at}"}}"#))?;
        }
        for at in 0..PRODUCTS {
            let made =
                client.post("/v1/product", &format!(r#"{{"name":"Fuel {at}","syncId":"fuel{at}","unit":"kWh"}}"#))?;
            let id = made["uuid"].as_str().context("a product has no uuid")?;
            let factor = format!(
                r#"{{"unit":"kWh","upstream":"0.0{}","downstream":"0.2{}","validFrom":"2020-01-01","source":"made up"}}"#,
                at + 1,
                at + 1
            );
            client.post(&format!("/v1/product/{id}/factor"), &factor)?;
        }
        Ok(())
    }

    /// Writes its activities as a table: on random days of three years, computed from factors.
    pub(super) fn write(&self, to: &mut impl Write) -> io::Result<()> {
        let mut dice = Dice(1);
        writeln!(to, "syncId,name,quantity,unit,product,scope,org,taxonomy,startDate")?;
        for at in 0..self.activities {
            let (whole, part) = (dice.below(100_000), dice.below(1_000));
            let (product, scope) = (dice.below(PRODUCTS), dice.below(SCOPES.len() as u64));
            let (org, taxonomy) = (dice.below(ORGS), dice.below(TAXONOMIES));
            let (year, month, day) = (2022 + dice.below(3), 1 + dice.below(12), 1 + dice.below(28));
            let scope = SCOPES[usize::try_from(scope).unwrap_or_default()];
            writeln!(
                to,
                "a{at},Meter reading {at},{whole}.{part:03},kWh,fuel{product},{scope},site{org},kind{taxonomy},\
                 {year}-{month:02}-{day:02}"
            )?;
        }
        Ok(())
    }

    /// The ids of some of its activities.
    pub(super) fn some_ids(client: &mut Client) -> Result<Vec<String>> {
        let report = client.get(SAMPLE)?;
        let data = report["data"].as_array().context("a report has no data")?;
        let ids: Vec<_> = data.iter().filter_map(|one| one["uuid"].as_str().map(str::to_owned)).collect();
        anyhow::ensure!(!ids.is_empty(), "too few activities: at least 7000 are needed");
        Ok(ids)
    }
}
