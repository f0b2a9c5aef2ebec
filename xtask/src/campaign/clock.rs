//! The time of day set forward and back, by seconds or by years, with a service that starts meanwhile and sweeps what has run
//! out: what was revoked stays revoked on every node, what was written is there, and who may write goes on writing.

mod revoked;

use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::fault_library::FaultLibrary;
use super::ground::Ground;
use super::service::Service;
use super::tally::Tally;
use super::watch;
use super::writer::Activities;
use crate::bench::dice::Dice;
use crate::bench::store::{Kind, Store};
use revoked::Revoked;

/// So many writes after each jump.
const WRITES: u64 = 20;
/// How far the clock jumps, in seconds: some are smaller than what a token lives, some larger than what is kept.
const JUMPS: [u32; 6] = [2, 90, 4_000, 100_000, 3_000_000, 100_000_000];

/// The node whose clock jumps, and on PostgreSQL a second one whose clock is right.
struct Nodes<'a> {
    store: &'a Store,
    library: &'a FaultLibrary,
    room: &'a Path,
    jumping: Service,
    right: Option<Service>,
}

impl Nodes<'_> {
    /// Starts the node whose clock jumps again: it sweeps when it starts, by that clock.
    fn restart(&mut self) -> Result<()> {
        let new = || Service::start(self.store, &self.library.variables(self.room));
        if self.right.is_some() {
            let old = std::mem::replace(&mut self.jumping, new()?);
            return ended(old);
        }
        // One service has the files; the next one may start when it has ended.
        self.jumping.signal(rustix::process::Signal::TERM)?;
        self.jumping.wait()?;
        self.jumping = new()?;
        Ok(())
    }

    fn all(&self) -> impl Iterator<Item = &Service> {
        [Some(&self.jumping), self.right.as_ref()].into_iter().flatten()
    }

    /// Every node comes to refuse what was revoked just now.
    fn learn(&self, revoked: &[Revoked]) -> Result<()> {
        self.all().try_for_each(|service| revoked.iter().try_for_each(|one| one.is_refused_soon(service)))
    }

    /// Every node refuses what was revoked, at once.
    fn refuse(&self, revoked: &[Revoked], when: &str) -> Result<()> {
        watch::doing(format!("what was revoked is tried {when}"));
        for service in self.all() {
            for one in revoked {
                one.is_refused(service).with_context(|| when.to_owned())?;
            }
        }
        Ok(())
    }
}

fn ended(service: Service) -> Result<()> {
    let status = service.terminate()?;
    ensure!(status.success(), "the service ended with {status}");
    Ok(())
}

/// So many jumps.
pub(super) fn jump(ground: &mut Ground, name: &str, kind: Kind, jumps: u32, seed: u64) -> Result<Tally> {
    let store = ground.store(name, kind)?;
    let room = store.folder.parent().context("a store without a folder")?.to_owned();
    let key = store.key("activity:read,activity:write")?;
    let admin = store.key("admin")?;
    let library = FaultLibrary::compile(&room)?;
    library.set_clock(0)?;
    let jumping = Service::start(&store, &library.variables(&room))?;
    let right = (kind == Kind::Postgres).then(|| Service::start(&store, &[])).transpose()?;
    let mut nodes = Nodes { store: &store, library: &library, room: &room, jumping, right };
    let (mut dice, mut tally, activities) = (Dice::of(seed), Tally::default(), Activities::default());
    let mut revoked = Vec::new();
    for number in 0..jumps {
        let scale = JUMPS[dice.below(6) as usize];
        let far = i64::from(dice.below(scale) + 1);
        let ahead = if dice.below(2) == 0 { far } else { -far };
        // Revoked while the clock is right, so that what runs out after an hour has not when it is right again.
        let some = Revoked::some(&nodes.jumping, &admin)?;
        nodes.learn(&some)?;
        revoked.extend(some);
        nodes.refuse(&revoked, "before a jump")?;
        library.set_clock(ahead)?;
        let when = format!("{ahead} s ahead");
        nodes.refuse(&revoked, &when)?;
        nodes.restart()?;
        nodes.refuse(&revoked, &format!("{when}, after a sweep"))?;
        // And what is made and revoked by that clock.
        let one = Revoked::key(&nodes.jumping, &admin).with_context(|| when.clone())?;
        nodes.learn(std::slice::from_ref(&one)).with_context(|| when.clone())?;
        revoked.push(one);
        write(&activities, &nodes.jumping, &key, number).with_context(|| when.clone())?;
        library.set_clock(0)?;
        let when = format!("right again, after {ahead} s ahead");
        nodes.refuse(&revoked, &when)?;
        nodes.restart()?;
        nodes.refuse(&revoked, &format!("{when}, after a sweep"))?;
    }
    tally.count("jumps", u64::from(jumps));
    tally.count("revoked keys and tokens", revoked.len() as u64);
    tally.count("sweeps", u64::from(jumps) * 2);
    tally.count("acknowledged", activities.acknowledged());
    let Nodes { jumping, right, .. } = nodes;
    right.map_or(Ok(()), ended)?;
    activities.check(&store, jumping, &key)?;
    ground.clear(name)?;
    Ok(tally)
}

/// Writes go on.
fn write(activities: &Activities, service: &Service, key: &str, number: u32) -> Result<()> {
    let wanted = activities.acknowledged() + WRITES;
    activities.write_on(service, key, &format!("jump{number}"), &|| activities.acknowledged() >= wanted)?;
    ensure!(activities.unanswered() == 0, "a request was not answered");
    Ok(())
}
