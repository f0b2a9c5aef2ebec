//! The time of day set forward and back, by seconds or by years, under a running service: what was revoked stays revoked,
//! what was written is there, and who may write goes on writing.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::fault_library::FaultLibrary;
use super::ground::Ground;
use super::service::Service;
use super::tally::Tally;
use super::writer::Activities;
use crate::bench::dice::Dice;
use crate::bench::store::Kind;

/// So many writes after each jump.
const WRITES: u64 = 20;
/// How far the clock jumps, in seconds: some are smaller than what a token lives, some larger than what is kept.
const JUMPS: [u32; 6] = [2, 90, 4_000, 100_000, 3_000_000, 100_000_000];
/// How long the service may take to see what another process revoked or added.
const SEEN: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(20);

/// So many jumps.
pub(super) fn jump(ground: &mut Ground, name: &str, kind: Kind, jumps: u32, seed: u64) -> Result<Tally> {
    let store = ground.store(name, kind)?;
    let room = store.folder.parent().context("a store without a folder")?.to_owned();
    let key = store.key("activity:read,activity:write")?;
    let admin = store.key("admin")?;
    let library = FaultLibrary::compile(&room)?;
    library.set_clock(0)?;
    let service = Service::start(&store, &variables(&library, &room))?;
    let (mut dice, mut tally, activities) = (Dice::of(seed), Tally::default(), Activities::default());
    let mut revoked = Vec::new();
    for number in 0..jumps {
        let scale = JUMPS[dice.below(6) as usize];
        let far = i64::from(dice.below(scale) + 1);
        let ahead = if dice.below(2) == 0 { far } else { -far };
        library.set_clock(ahead)?;
        revoked.push(revoke_one(&service, &admin).with_context(|| format!("{ahead} s ahead"))?);
        let wanted = activities.acknowledged() + WRITES;
        let written =
            activities.write_on(&service, &key, &format!("jump{number}"), &|| activities.acknowledged() >= wanted);
        written.with_context(|| format!("{ahead} s ahead"))?;
        ensure!(activities.unanswered() == 0, "{ahead} s ahead: a request was not answered");
        for key in &revoked {
            let since = Instant::now();
            while status(&service, key)? != 401 {
                ensure!(since.elapsed() < SEEN, "{ahead} s ahead: a revoked key is good");
                std::thread::sleep(PAUSE);
            }
        }
    }
    library.set_clock(0)?;
    for key in &revoked {
        ensure!(status(&service, key)? == 401, "a revoked key is good again");
    }
    tally.count("jumps", u64::from(jumps));
    tally.count("acknowledged", activities.acknowledged());
    activities.check(&store, service, &key)?;
    ground.clear(name)?;
    Ok(tally)
}

/// The variables of a service whose clock can be set; of its disk nothing fails.
fn variables<'a>(library: &'a FaultLibrary, room: &'a Path) -> Vec<(&'static str, &'a Path)> {
    library.variables(room).to_vec()
}

/// Makes a key, uses it and revokes it.
fn revoke_one(service: &Service, admin: &str) -> Result<String> {
    let (mut client, mut request) = (service.connect()?, Vec::new());
    let body = r#"{"name":"a","permissions":["activity:read"]}"#;
    service.credentials(admin).send("POST", "/v1/key", body, &mut request);
    let made: Value = serde_json::from_slice(&client.body_of(&request)?)?;
    let secret = made["key"].as_str().context("a new key without its secret")?.to_owned();
    let since = Instant::now();
    while status(service, &secret)? != 200 {
        ensure!(since.elapsed() < SEEN, "a new key is not good");
        std::thread::sleep(PAUSE);
    }
    let uuid = made["uuid"].as_str().context("a new key without its uuid")?;
    service.credentials(admin).send("DELETE", &format!("/v1/key/{uuid}"), "", &mut request);
    client.body_of(&request)?;
    Ok(secret)
}

/// What a key that reads is answered.
fn status(service: &Service, key: &str) -> Result<u16> {
    let mut request = Vec::new();
    service.credentials(key).get("/v1/activity?page=1&pageSize=1", "", &mut request);
    service.connect()?.exchange(&request, |_| {})
}
