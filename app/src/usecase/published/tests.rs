//! Searches by the index find what the rule of searching says, in its order.

mod torn;

use std::sync::Mutex;

use domain::{PublishedFactor, PublishedUse, SearchWords, Timestamp, Unit};
use memory::MemoryDirectory;
use ports::contract::sample;
use ports::{Permission, Permissions};
use proptest::prelude::*;

use super::index::IndexBuilder;
use super::*;

struct TestClock(Mutex<i64>);

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(*self.0.lock().unwrap()).unwrap()
    }
}

fn service() -> (PublishedFactorService, Arc<MemoryDirectory>) {
    let clock = Arc::new(TestClock(Mutex::new(1_700_000_000_000)));
    let directory = Arc::new(MemoryDirectory::new(clock.clone()));
    (PublishedFactorService::new(directory.clone(), clock), directory)
}

fn caller(permission: Permission) -> Caller {
    let permissions: Permissions = [permission].into_iter().collect();
    Caller { tenant: sample::id(1), actor: "key:1".to_owned(), permissions, partner: None }
}

fn reader() -> Caller {
    caller(Permission::CatalogRead)
}

fn new_set(number: u64, factors: u64) -> NewFactorSet {
    let factors: Vec<_> = (1..=factors).map(sample::published_factor).collect();
    NewFactorSet::new(sample::factor_set(number), &factors).unwrap()
}

fn ask(words: &str) -> FactorQuestion {
    FactorQuestion { words: Some(SearchWords::parse(words).unwrap()), ..FactorQuestion::default() }
}

async fn cells(service: &PublishedFactorService, question: FactorQuestion, page: Page) -> (u64, Vec<String>) {
    let found = service.search_factors(&reader(), question, page).await.unwrap();
    (found.count, found.data.iter().map(|found| found.factor.cell.to_string()).collect())
}

#[tokio::test]
async fn a_search_finds_sets_that_another_process_added_and_none_that_it_removed() {
    let (service, directory) = service();
    assert_eq!(cells(&service, ask("fuel 3"), Page::FIRST).await, (0, vec![]));
    directory.add_set(&sample::installation(), new_set(1, 5)).await.unwrap();
    assert_eq!(cells(&service, ask("fuel 3"), Page::FIRST).await, (1, vec!["C000003".to_owned()]));
    directory.add_set(&sample::installation(), new_set(2, 5)).await.unwrap();
    assert_eq!(cells(&service, ask("fuel 3"), Page::FIRST).await.0, 2);
    directory.remove_set(&sample::installation(), sample::factor_set(1).id).await.unwrap();
    assert_eq!(cells(&service, ask("fuel 3"), Page::FIRST).await.0, 1);
}

#[tokio::test]
async fn pages_of_a_search_follow_each_other() {
    let (service, directory) = service();
    directory.add_set(&sample::installation(), new_set(1, 25)).await.unwrap();
    let (count, all) = cells(&service, ask("fuel"), Page::FIRST).await;
    assert_eq!((count, all.len()), (25, 25));
    let mut paged = Vec::new();
    for number in 1..=4 {
        let (count, page) = cells(&service, ask("fuel"), Page { number, size: 10 }).await;
        assert_eq!(count, 25);
        paged.extend(page);
    }
    assert_eq!(paged, all);
}

#[tokio::test]
async fn a_question_for_a_set_that_is_not_there_is_refused_with_its_other_faults() {
    let (service, directory) = service();
    directory.add_set(&sample::installation(), new_set(1, 1)).await.unwrap();
    let mut question = ask("fuel");
    question.set = Some(SetPrefix::parse("00000000").unwrap());
    question.faults.add("unit", "is none");
    let refused = service.search_factors(&reader(), question, Page::FIRST).await;
    let Err(Error::Parameters(faults)) = refused else { panic!("{refused:?}") };
    assert_eq!(faults.as_slice().iter().map(|fault| fault.pointer.as_str()).collect::<Vec<_>>(), ["unit", "set"]);
}

#[tokio::test]
async fn who_may_not_read_the_catalog_sees_no_factor() {
    let (service, _) = service();
    let stranger = caller(Permission::ActivityReport);
    let denied = |result: Result<(), Error>| assert!(matches!(result, Err(Error::Denied(_))), "{result:?}");
    denied(service.list_factor_sets(&stranger).await.map(drop));
    denied(service.search_factors(&stranger, ask("fuel"), Page::FIRST).await.map(drop));
    let (set, cell) = (SetPrefix::from(sample::factor_set(1).id), sample::name("C1"));
    denied(service.get_published_factor(&stranger, &set, &cell).await.map(drop));
}

#[tokio::test]
async fn a_preview_says_what_adding_does_and_adds_nothing() {
    let (service, _) = service();
    let installation = sample::installation();
    let preview = service.preview_factor_set(&installation, &new_set(1, 2), Beside::Refused).await.unwrap();
    assert!(matches!(preview, AddedSet::New(_)), "{preview:?}");
    assert!(service.list_factor_sets(&reader()).await.unwrap().is_empty());
    let added =
        service.add_factor_set(&installation, new_set(1, 2), Beside::Refused).await.unwrap().installed().clone();
    for (factors, expected) in [(2, AddedSet::Same(added.clone())), (3, AddedSet::Different(added.clone()))] {
        assert_eq!(
            service.preview_factor_set(&installation, &new_set(1, factors), Beside::Refused).await.unwrap(),
            expected
        );
        assert_eq!(
            service.add_factor_set(&installation, new_set(1, factors), Beside::Refused).await.unwrap(),
            expected
        );
    }
    let prefix = SetPrefix::parse(&added.set.id.to_string()[..8]).unwrap();
    assert_eq!(service.remove_factor_set(&installation, &prefix).await.unwrap(), added);
    assert!(matches!(service.remove_factor_set(&installation, &prefix).await, Err(Error::NotFound)));
}

#[tokio::test]
async fn a_second_set_of_an_edition_says_what_it_corrects_or_that_it_stands_beside() {
    let (service, _) = service();
    let installation = sample::installation();
    let of_edition = |number: u64, corrects: Option<domain::Digest>| {
        let mut set = sample::factor_set(number).with_corrects(corrects);
        set.edition = sample::factor_set(1).edition;
        NewFactorSet::new(set, &[sample::published_factor(1)]).unwrap()
    };
    let add = |set, beside| service.add_factor_set(&installation, set, beside);
    let first = sample::factor_set(1).id;
    add(of_edition(1, None), Beside::Refused).await.unwrap();
    let refused = add(of_edition(2, None), Beside::Refused).await.unwrap_err();
    let Error::Conflict { detail, .. } = refused else { panic!("{refused:?}") };
    assert!(detail.contains("--corrects") && detail.contains(&first.to_string()), "{detail}");
    for unknown in [sample::factor_set(9).id, sample::factor_set(2).id] {
        assert!(matches!(add(of_edition(2, Some(unknown)), Beside::Refused).await, Err(Error::Invalid(_))));
    }
    let corrected = add(of_edition(2, Some(first)), Beside::Refused).await.unwrap();
    assert_eq!(corrected.installed().set.corrects, Some(first));
    // The same file again is the same, whatever is said of it.
    assert!(matches!(add(of_edition(2, None), Beside::Refused).await, Ok(AddedSet::Same(_))));
    assert!(matches!(add(of_edition(3, None), Beside::Allowed).await, Ok(AddedSet::New(_))));
}

/// Some words that begin alike, and some marks.
const WORDS: [&str; 9] = ["gas", "gasoline", "Gás", "natural", "nat", "GB", "US-RFCW", "kWh", "100"];

fn phrase() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&WORDS[..]), 1..4).prop_map(|words| words.join(" "))
}

fn factors() -> impl Strategy<Value = Vec<(usize, PublishedFactor)>> {
    let unit = prop::sample::select(vec!["kWh", "kg"]).prop_map(|code| Unit::parse(code).unwrap());
    let usage = prop::sample::select(&PublishedUse::ALL[..2]);
    let region = prop::option::of(prop::sample::select(vec!["US", "US-RFCW", "GB"]));
    let one = (0..3_usize, phrase(), prop::collection::vec(phrase(), 0..3), unit, usage, region);
    prop::collection::vec(one, 0..40).prop_map(|all| {
        let factor = |(number, (set, name, path, unit, usage, region)): (usize, (_, String, Vec<String>, _, _, _))| {
            let region: Option<&str> = region;
            let factor = PublishedFactor::new(sample::name(&format!("A{number}")), sample::name(&name), unit, usage);
            let path = path.iter().map(|step| sample::name(step)).collect();
            (set, factor.with_path(path).with_region(region.map(sample::name)))
        };
        all.into_iter().enumerate().map(factor).collect()
    })
}

fn queries() -> impl Strategy<Value = FactorQuery> {
    let words =
        prop::option::of(prop::sample::select(vec!["ga", "gas", "nat gas", "g n", "us", "1", "kwh gas", "zebra"]));
    let set = prop::option::of(0..4_u64);
    let region = prop::option::of(prop::sample::select(vec!["us", "US-rfcw", "gb", "fr"]));
    let rest = (prop::option::of(0..2_usize), prop::option::of(2023..2026_i32), prop::bool::ANY);
    (words, set, region, rest).prop_map(|(words, set, region, (usage, year, is_kwh))| {
        FactorQuery::default()
            .with_words(words.map(|words| SearchWords::parse(words).unwrap()).unwrap_or_default())
            .with_set(set.map(|number| sample::factor_set(number).id))
            .with_region(region.map(sample::name))
            .with_usage(usage.map(|place| PublishedUse::ALL[place]))
            .with_year(year)
            .with_unit(is_kwh.then(|| Unit::parse("kWh").unwrap()))
    })
}

proptest! {
    #[test]
    fn the_index_gives_what_ranking_every_factor_gives(factors in factors(), query in queries(), offset in 0..5_u64) {
        let sets: Vec<_> = (0..3).map(sample::factor_set).collect();
        let mut builder = IndexBuilder::default();
        for set in &sets {
            let installed = new_set(1, 1).installed(sample::at(0), "cli:me");
            builder.set(&InstalledSet { set: set.clone(), ..installed });
        }
        for (set, factor) in &factors {
            builder.factor(*set, factor);
        }
        let found = builder.build().search(&query, offset, 10);
        let mut naive: Vec<_> = factors
            .iter()
            .filter_map(|(set, factor)| {
                let key = FactorKey { set: sets[*set].id, cell: factor.cell.clone() };
                Some((query.rank(&sets[*set], factor)?, key))
            })
            .collect();
        naive.sort();
        prop_assert_eq!(found.count, naive.len() as u64);
        let page: Vec<_> = naive.into_iter().skip(usize::try_from(offset).unwrap()).take(10).map(|(_, key)| key).collect();
        prop_assert_eq!(found.keys, page);
    }
}
