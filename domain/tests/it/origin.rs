//! A factor that is a copy of a published one says what that one says, and nothing else.

use std::sync::Arc;

use proptest::prelude::*;
use tonne_domain::{
    Canonical, Factor, FactorData, FactorError, FactorFault, FactorOrigin, GwpSet, NoCo2eUnder, NotUsable,
    PublishedUse, ScopeKind, Source, check_use,
};

use crate::canonical::drawn_origin;
use crate::sample::{day, factor, gases, id, intensity, name, product, published, set, terms, unit};

fn origin(usage: PublishedUse) -> FactorOrigin {
    FactorOrigin::new(set(1, Some(GwpSet::Ar5)), published(usage))
}

fn copy(usage: PublishedUse) -> FactorData {
    FactorData::copied(origin(usage), None).unwrap()
}

fn faults(data: FactorData) -> Vec<FactorFault> {
    Factor::new(id(1), &product("kWh"), data).map_or_else(|FactorError(faults)| faults, |_| Vec::new())
}

#[test]
fn a_copy_has_the_figure_the_unit_the_days_and_the_source_of_the_published_one() {
    let data = copy(PublishedUse::PurchasedEnergy);
    assert_eq!((data.upstream, data.downstream), (None, Some(intensity("0.207074"))));
    assert_eq!((data.unit, data.gwp), (unit("kWh"), Some(GwpSet::Ar5)));
    assert_eq!((data.valid_from, data.valid_to), (day("2024-01-01"), Some(day("2025-01-01"))));
    assert_eq!(data.source.as_str(), "A ministry, Conversion factors, 2024 v1.1, Factors by Category!J13");
    assert_eq!(faults(data), []);
}

#[test]
fn what_is_emitted_before_the_use_is_the_upstream_part() {
    for (usage, is_upstream) in [
        (PublishedUse::Direct, false),
        (PublishedUse::PurchasedEnergy, false),
        (PublishedUse::ValueChain, false),
        (PublishedUse::OutsideScopes, false),
        (PublishedUse::Upstream, true),
        (PublishedUse::GridLoss, true),
    ] {
        let data = copy(usage);
        assert_eq!((data.upstream.is_some(), data.downstream.is_some()), (is_upstream, !is_upstream), "{usage}");
    }
}

#[test]
fn what_no_scope_counts_is_counted_in_nodes_beside_the_scopes_alone() {
    let place =
        |usage: PublishedUse, kind: Option<ScopeKind>| factor(1, &product("kWh"), copy(usage)).check_place(kind);
    for kind in [ScopeKind::Biogenic, ScopeKind::Outside] {
        assert_eq!(place(PublishedUse::OutsideScopes, Some(kind)), Ok(None));
    }
    let others = [ScopeKind::Scope1, ScopeKind::Scope2, ScopeKind::Scope3, ScopeKind::Credit].map(Some);
    for kind in others.into_iter().chain([None]) {
        let refused = place(PublishedUse::OutsideScopes, kind).unwrap_err();
        assert!(refused.to_string().contains("kind biogenic or outside"), "{refused}");
    }
}

#[test]
fn what_is_emitted_before_the_use_is_told_of_in_scopes_1_and_2_alone() {
    for usage in PublishedUse::ALL.into_iter().filter(|usage| *usage != PublishedUse::OutsideScopes) {
        for kind in ScopeKind::ALL.map(Some).into_iter().chain([None]) {
            let told = factor(1, &product("kWh"), copy(usage)).check_place(kind).unwrap();
            let is_expected = usage.is_before_use() && matches!(kind, Some(ScopeKind::Scope1 | ScopeKind::Scope2));
            assert_eq!(told.is_some(), is_expected, "{usage} in {kind:?}");
        }
    }
}

#[test]
fn gases_can_be_read_under_another_set_and_a_lone_figure_cannot() {
    let split = published(PublishedUse::Direct).with_co2e(None).with_gases(Some(gases(GwpSet::Ar5)));
    let split = FactorOrigin::new(set(1, None), split);
    let under = |gwp| FactorData::copied(split.clone(), gwp).unwrap();
    // 0.2 kg CO2, a gram of CH4 and one of N2O: 28 and 265 under AR5, 27.9 and 273 under AR6.
    assert_eq!((under(None).downstream, under(None).gwp), (Some(intensity("0.493")), Some(GwpSet::Ar5)));
    assert_eq!(under(Some(GwpSet::Ar6)).downstream, Some(intensity("0.5009")));
    assert_eq!(faults(under(Some(GwpSet::Ar6))), []);

    let alone = FactorData::copied(origin(PublishedUse::Direct), Some(GwpSet::Ar6)).unwrap_err();
    let published = Some(GwpSet::Ar5);
    assert_eq!(alone, NotUsable::NoCo2e(NoCo2eUnder::NotSplit { published, asked: GwpSet::Ar6 }));
    assert_eq!(alone.to_string(), "published as CO2e alone, under AR5: it cannot be read under AR6");
}

#[test]
fn a_copy_that_says_something_else_is_no_copy() {
    let data = copy(PublishedUse::Direct);
    let other_figure = data.clone().with_downstream(Some(intensity("0.207075")));
    assert_eq!(faults(other_figure), [FactorFault::NotAsPublished("downstream part")]);
    let both = data.clone().with_upstream(Some(intensity("0")));
    assert_eq!(faults(both), [FactorFault::NotAsPublished("upstream part")]);
    assert_eq!(faults(data.clone().with_unit(unit("MWh"))), [FactorFault::NotAsPublished("unit")]);
    let source = Source::parse("Hearsay").unwrap();
    assert_eq!(faults(data.clone().with_source(source)), [FactorFault::NotAsPublished("source")]);
    let no_set = FactorFault::NotAsPublished("set of global warming potentials");
    assert_eq!(faults(data.clone().with_gwp(None)), [no_set]);
    assert!(matches!(faults(data.with_gwp(Some(GwpSet::Ar6)))[..], [FactorFault::NotUsable(_)]));
}

#[test]
fn a_copy_may_hold_on_other_days_than_its_set_was_published_for() {
    // A year that does not begin in January uses the edition of the calendar year that most of it lies in.
    let data = copy(PublishedUse::Direct).with_valid_from(day("2024-04-01")).with_valid_to(Some(day("2025-04-01")));
    assert_eq!(faults(data), []);
}

#[test]
fn the_longest_names_still_make_a_source() {
    let long = |letter: &str| name(&letter.repeat(255));
    let mut origin = origin(PublishedUse::Direct);
    (origin.set.publisher, origin.set.title, origin.set.edition) = (long("p"), long("t"), long("e"));
    origin.factor.cell = long("c");
    assert_eq!(origin.source().as_str(), format!("{}, {}, {}", "t".repeat(255), "e".repeat(255), "c".repeat(255)));
    assert_eq!(Source::parse(origin.source().as_str()), Ok(origin.source()));
}

#[test]
fn what_comes_before_the_use_and_the_use_are_factors_of_different_products() {
    let of = |number, data| factor(number, &product("kWh"), data);
    let direct = of(1, copy(PublishedUse::PurchasedEnergy));
    let losses = of(2, copy(PublishedUse::GridLoss));
    let written = of(3, terms("kWh", "1", "2", "2020-01-01"));
    let upstream_alone = of(4, terms("kWh", "1", "", "2020-01-01"));
    let refused = check_use(std::slice::from_ref(&direct), &losses).unwrap_err();
    assert_eq!((refused.factor, refused.usage), (id(1), PublishedUse::GridLoss));
    assert!(refused.to_string().contains("scope 3, category 3"), "{refused}");
    assert!(check_use(std::slice::from_ref(&losses), &direct).is_err());
    assert!(check_use(std::slice::from_ref(&written), &losses).is_err());
    assert_eq!(check_use(&[written, direct.clone()], &direct), Ok(()));
    assert_eq!(check_use(&[upstream_alone, losses.clone()], &losses), Ok(()));
    // What was corrected counts no more.
    let right = Factor::correction(id(5), &product("kWh"), &direct, copy(PublishedUse::Upstream)).unwrap();
    assert_eq!(check_use(&[direct, right], &losses), Ok(()));
}

proptest! {
    #[test]
    fn every_copy_is_a_factor_whose_parts_its_origin_tells(origin in drawn_origin::origin()) {
        for gwp in GwpSet::ALL.into_iter().map(Some).chain([None]) {
            let Ok(data) = FactorData::copied(origin.clone(), gwp) else { continue };
            prop_assert_eq!((data.upstream, data.downstream), origin.parts(data.gwp).unwrap());
            prop_assert_eq!(data.origin.as_deref(), Some(&origin));
            let data = data.with_valid_to(None);
            prop_assert!(Factor::from_stored(id(1), id(2), data, None).is_ok());
        }
    }

    #[test]
    fn a_factor_without_an_origin_has_the_text_it_would_have_if_there_were_none(copied in drawn_origin::copied_factor()) {
        let data = copied.data().clone();
        let bare = Factor::from_stored(id(1), id(2), data.clone().with_origin(None).with_choice(None), None).unwrap();
        prop_assert!(!bare.canonical().contains("origin"));
        let again = Factor::from_stored(id(1), id(2), data.with_origin(copied.data().origin.as_deref().cloned().map(Arc::new)).with_choice(None), None);
        let (text, again) = (bare.canonical(), again.unwrap().canonical());
        prop_assert!(again.starts_with(text.trim_end_matches('}')), "{} {}", again, text);
    }
}
