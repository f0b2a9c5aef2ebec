//! Walks over long lists of PACT while records come, are shared and are deprecated: each record of the first moment is met
//! once, those deprecated meanwhile as they are by then.

use std::sync::Arc;

use domain::footprint::{Condition, DEPRECATED, Edition, FieldValue, FootprintFilter};
use domain::{Faults, Footprint, FootprintId, Moment, SharedWith, Sharing};
use ports::Caller;
use ports::contract::sample;
use ports::inbound::{Field, Footprints as _, ShownList, ShownPage};
use tempfile::TempDir;

use super::footprint::valid;
use super::{Counting, Noon, World, caller, given, world, world_of};

const COUNT: u64 = 5_000;
const LIMIT: u32 = 7;
/// One of the products, and the other.
const PRODUCTS: [&str; 2] = ["urn:gtin:4712345060507", "urn:gtin:1"];

/// Whose list is read.
#[derive(Clone, Copy)]
enum Reader {
    Company,
    Partner,
}

/// The world on disk.
async fn on_disk() -> (TempDir, World) {
    let folder = TempDir::new().unwrap();
    let options = sqlite::Options::new(Arc::new(Noon), Arc::new(Counting::default()));
    let world = world_of(Arc::new(sqlite::SqliteStore::open(folder.path(), options))).await;
    (folder, world)
}

fn footprint(number: u64, created: Option<&str>) -> Footprint {
    let mut fields = valid();
    let product = PRODUCTS[usize::from(number.is_multiple_of(2))].to_owned();
    fields.set("productIds", FieldValue::Texts(vec![product])).unwrap();
    if let Some(created) = created {
        fields.set("created", FieldValue::Moment(Moment::parse(created).unwrap())).unwrap();
    }
    Footprint::new(sample::id(number), 0, sample::at(0), fields)
}

impl World {
    /// Adds footprints in one change; all of them are shared with the partner, but for every eleventh.
    async fn add_shared(&self, footprints: Vec<Footprint>) {
        let grant = ports::permit(&self.admin, ports::demand::FOOTPRINT_WRITE).unwrap();
        let mut tx = self.store.write(&grant, sample::intent()).await.unwrap();
        for footprint in footprints {
            let added = tx.footprints_mut().add(footprint).await.unwrap().value;
            if !added.number.is_multiple_of(11) {
                let sharing = Sharing::new(added.id, SharedWith::Partners([sample::partner(1).id].into()));
                tx.sharings_mut().add(sharing).await.unwrap();
            }
        }
        tx.commit().await.unwrap();
    }

    async fn deprecate(&self, id: FootprintId) {
        let deprecated = given(DEPRECATED.to_owned());
        self.footprints.amend(&self.admin, id, None, deprecated, Field::Absent, Faults::new()).await.unwrap();
    }

    fn reader(&self, reader: Reader) -> Caller {
        let partner = sample::partner(1);
        match reader {
            Reader::Company => self.admin.clone(),
            Reader::Partner => Caller {
                actor: format!("client:{}", sample::uuid(1)),
                partner: Some(partner.id),
                ..caller("footprint:read")
            },
        }
    }

    /// A part of the list, twice: a link may be used again.
    async fn part(&self, reader: &Caller, filter: &FootprintFilter, next: Option<String>) -> ShownPage {
        let asked = || ShownList {
            edition: Edition::V2,
            filter: filter.clone(),
            limit: LIMIT,
            asked: format!("limit={LIMIT}"),
            next: next.clone(),
        };
        let page = self.footprints.list_shown(reader, asked()).await.unwrap();
        let again = self.footprints.list_shown(reader, asked()).await.unwrap();
        assert_eq!(page, again);
        page
    }
}

/// Walks over the reader's list of those.
async fn walk(world: World, reader: Reader, filter: FootprintFilter) {
    let grant = ports::permit(&world.admin, ports::demand::FOOTPRINT_WRITE).unwrap();
    let mut tx = world.store.write(&grant, sample::intent()).await.unwrap();
    tx.partners_mut().add(sample::partner(1)).await.unwrap();
    tx.commit().await.unwrap();
    world.add_shared((1..=COUNT).map(|number| footprint(number, None)).collect()).await;
    let is_of_product = |number: u64| filter.conditions.is_empty() || number % 2 == 1;
    let is_shared = |number: u64| matches!(reader, Reader::Company) || !number.is_multiple_of(11);
    let expected: Vec<FootprintId> =
        (1..=COUNT).filter(|number| is_of_product(*number) && is_shared(*number)).map(sample::id).collect();
    let caller = world.reader(reader);
    let (mut met, mut next, mut deprecated) = (Vec::new(), None, Vec::new());
    for turn in 0_u64.. {
        let page = world.part(&caller, &filter, next).await;
        assert!(page.footprints.len() <= LIMIT as usize);
        for one in &page.footprints {
            let is_deprecated = deprecated.contains(&one.footprint.id);
            assert_eq!(one.footprint.status() == DEPRECATED, is_deprecated, "{}", one.footprint.id);
            met.push(one.footprint.id);
        }
        if turn.is_multiple_of(50) {
            // Before all others, and behind them.
            let number = COUNT + 1 + turn * 2;
            world.add_shared(vec![footprint(number, Some("2001-01-01T00:00:00Z")), footprint(number + 1, None)]).await;
            // One that was met, and one to come.
            world.deprecate(met[0]).await;
            let to_come = expected[expected.len() - 1 - usize::try_from(turn / 5).unwrap()];
            if !met.contains(&to_come) {
                world.deprecate(to_come).await;
                deprecated.push(to_come);
            }
        }
        next = page.next;
        if next.is_none() {
            break;
        }
    }
    assert_eq!(met.len(), expected.len());
    assert_eq!(met, expected);
    assert!(deprecated.len() > 5, "{} were deprecated before they were met", deprecated.len());
}

fn everything() -> FootprintFilter {
    FootprintFilter::default()
}

/// Every second footprint; the case of the id differs.
fn of_product() -> FootprintFilter {
    FootprintFilter { conditions: vec![Condition::ProductId(vec![PRODUCTS[0].to_uppercase()])] }
}

#[tokio::test]
async fn a_walk_over_the_companys_list_meets_each_once_while_others_come_and_are_deprecated() {
    walk(world().await, Reader::Company, everything()).await;
}

#[tokio::test]
async fn a_walk_over_a_partners_list_meets_each_once() {
    walk(world().await, Reader::Partner, everything()).await;
}

#[tokio::test]
async fn a_walk_over_the_companys_list_on_disk_meets_each_once() {
    let (_folder, world) = on_disk().await;
    walk(world, Reader::Company, everything()).await;
}

#[tokio::test]
async fn a_walk_over_a_partners_list_on_disk_meets_each_once() {
    let (_folder, world) = on_disk().await;
    walk(world, Reader::Partner, everything()).await;
}

#[tokio::test]
async fn a_walk_over_a_partners_list_of_a_product_on_disk_meets_each_once() {
    let (_folder, world) = on_disk().await;
    walk(world, Reader::Partner, of_product()).await;
}
