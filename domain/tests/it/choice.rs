//! A rule chooses one published factor, by its sets, the region and the day alone.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use tonne_domain::{
    Choice, Digest, Factor, FactorData, FactorOrigin, FactorRule, FactorSet, GwpSet, Incomplete, NoChoice, Outdated,
    Product, PublishedFactor, PublishedUse, PublisherSets, SetPreference, SuppliedCo2e, Verdict, YearRule, calculate,
};

use crate::sample::{day, intensity, name, product, quantity, set, terms, unit};

/// A set of that publisher for a span of days, named by a number.
fn edition(number: u8, publisher: &str, from: &str, to: &str) -> FactorSet {
    let known = set(number, Some(GwpSet::Ar5));
    let edition = name(&format!("{from} v{number}"));
    let licence = known.licence.clone();
    FactorSet::new(known.id, known.file, name(publisher), known.title, edition, licence, day(from))
        .with_valid_to((!to.is_empty()).then(|| day(to)))
        .with_gwp(Some(GwpSet::Ar5))
}

fn year(number: u8, publisher: &str, year: i32) -> FactorSet {
    edition(number, publisher, &format!("{year}-01-01"), &format!("{}-01-01", year + 1))
}

/// Electricity in a cell and a region (empty: none is said).
fn grid(set: &FactorSet, cell: &str, region: &str) -> FactorOrigin {
    let figure = format!("0.{}{}", 1 + set.id.as_bytes()[0], region.len());
    let factor =
        PublishedFactor::new(name(cell), name("Electricity: grid"), unit("kWh"), PublishedUse::PurchasedEnergy)
            .with_co2e(Some(intensity(&figure)))
            .with_region((!region.is_empty()).then(|| name(region)));
    FactorOrigin::new(set.clone(), factor)
}

fn of(publisher: &str) -> SetPreference {
    SetPreference::Publisher(PublisherSets::new(name(publisher)))
}

fn rule(sets: Vec<SetPreference>) -> FactorRule {
    FactorRule::new(sets, name("ELECTRICITY grid"), unit("kWh")).unwrap()
}

fn chosen(rule: &FactorRule, among: &[FactorOrigin], region: &str, on: &str) -> Result<(String, Choice), NoChoice> {
    let region = (!region.is_empty()).then(|| name(region));
    let data = rule.choose(among, region.as_ref(), day(on))?;
    let origin = data.origin.unwrap();
    Ok((format!("{} {}", origin.set.edition, origin.factor.cell), Choice::clone(data.choice.as_deref().unwrap())))
}

/// What was chosen, and what became of each that was considered.
fn told(found: Result<(String, Choice), NoChoice>) -> (Option<String>, Vec<Verdict>) {
    match found {
        Ok((chosen, choice)) => (Some(chosen), choice.considered.iter().map(|one| one.verdict).collect()),
        Err(none) => (None, none.considered.iter().map(|one| one.verdict).collect()),
    }
}

#[test]
fn the_first_preference_wins_then_the_day_then_the_edition_then_the_region() {
    let (old, new) = (year(1, "A", 2024), year(2, "A", 2025));
    let other = year(3, "B", 2025);
    let corrected = edition(4, "A", "2025-01-01", "2026-01-01");
    let among =
        [grid(&old, "C1", "GB"), grid(&new, "C1", "GB"), grid(&other, "C1", "GB"), grid(&corrected, "C1", "GB")];
    let found = told(chosen(&rule(vec![of("B"), of("A")]), &among, "GB", "2025-06-01"));
    let lost = [Verdict::LessPreferred, Verdict::LessPreferred, Verdict::OtherYear];
    assert_eq!(found, (Some("2025-01-01 v3 C1".to_owned()), [&[Verdict::Chosen][..], &lost].concat()));
    let found = told(chosen(&rule(vec![of("a")]), &among, "GB", "2025-06-01"));
    assert_eq!(found.0.as_deref(), Some("2025-01-01 v4 C1"), "the newest edition");
    assert_eq!(found.1, [Verdict::Chosen, Verdict::OlderEdition, Verdict::OtherYear]);
    let regions = [grid(&new, "C1", "US"), grid(&new, "C2", "US-RFCW"), grid(&new, "C3", ""), grid(&new, "C4", "GB")];
    let found = told(chosen(&rule(vec![of("A")]), &regions, "us-rfcw", "2025-06-01"));
    assert_eq!(found.0.as_deref(), Some("2025-01-01 v2 C2"));
    assert_eq!(found.1, [Verdict::Chosen, Verdict::WiderRegion, Verdict::WiderRegion, Verdict::OtherRegion]);
}

#[test]
fn a_set_of_the_calendar_year_will_do_and_an_older_one_where_the_rule_says_so() {
    let fiscal = edition(1, "A", "2024-04-01", "2025-04-01");
    let among = [grid(&fiscal, "C1", "GB")];
    for (on, basis, span) in [
        ("2024-12-31", "day", ("2024-04-01", "2025-04-01")),
        ("2024-01-01", "year", ("2024-01-01", "2025-01-01")),
        ("2025-12-31", "year", ("2025-01-01", "2026-01-01")),
    ] {
        let data = rule(vec![of("A")]).choose(&among, Some(&name("GB")), day(on)).unwrap();
        assert_eq!(data.choice.as_ref().unwrap().basis.as_str(), basis, "{on}");
        assert_eq!((data.valid_from, data.valid_to), (day(span.0), Some(day(span.1))), "{on}");
    }
    let none = chosen(&rule(vec![of("A")]), &among, "GB", "2026-01-01").unwrap_err();
    let said = "No published factor fits the product's rule in GB on 2026-01-01: A, 2024-04-01 v1, C1, GB: holds in other \
                years.";
    assert_eq!(none.to_string(), said);
    let before = rule(vec![of("A")]).with_years(YearRule::NewestBefore);
    assert_eq!(chosen(&before, &among, "GB", "2026-01-01").unwrap().1.basis.as_str(), "before");
    assert!(chosen(&before, &among, "GB", "2023-12-31").is_err(), "a later set is none before the day");
}

#[test]
fn a_set_that_was_corrected_is_taken_no_more_unless_it_is_meant_itself() {
    let wrong = year(9, "A", 2025);
    let right = year(1, "A", 2025).with_corrects(Some(wrong.id));
    let among = [grid(&wrong, "C1", "GB"), grid(&right, "C1", "GB")];
    let found = told(chosen(&rule(vec![of("A")]), &among, "GB", "2025-06-01"));
    assert_eq!(found, (Some("2025-01-01 v1 C1".to_owned()), vec![Verdict::Chosen, Verdict::Corrected]));
    let meant = rule(vec![SetPreference::Set(wrong.id)]);
    assert_eq!(told(chosen(&meant, &among, "GB", "2025-06-01")).0.as_deref(), Some("2025-01-01 v9 C1"));
}

#[test]
fn nothing_is_guessed_where_the_region_is_not_known_or_two_fit_alike() {
    let new = year(1, "A", 2025);
    let among = [grid(&new, "C1", "GB"), grid(&new, "C2", "US")];
    let none = chosen(&rule(vec![of("A")]), &among, "", "2025-06-01").unwrap_err();
    assert!(none.to_string().contains("neither it nor the org has a region"), "{none}");
    assert!(chosen(&rule(vec![of("A")]).with_region(Some(name("UK"))), &among, "US", "2025-06-01").is_ok());
    let mut twins = [grid(&new, "C1", "GB"), grid(&new, "C9", "GB")];
    let found = told(chosen(&rule(vec![of("A")]), &twins, "GB", "2025-06-01"));
    let same = (Some("2025-01-01 v1 C1".to_owned()), vec![Verdict::Chosen, Verdict::Alike]);
    assert_eq!(found, same, "of equal figures either will do");
    twins[1].factor.co2e = Some(intensity("0.9"));
    let none = chosen(&rule(vec![of("A")]), &twins, "GB", "2025-06-01").unwrap_err();
    let set = format!("(set {:.12})", new.id.to_string());
    assert_eq!(none.to_string().matches(&set).count(), 2, "{none}");
    assert_eq!(told(Err(none)), (None, vec![Verdict::Alike, Verdict::Alike]));
}

/// Sets of one year that are called so.
fn editions(called: &[&str]) -> Vec<FactorOrigin> {
    let numbered = (1_u8..).zip(called);
    numbered
        .map(|(number, called)| {
            let mut set = year(number, "A", 2025);
            set.edition = name(called);
            grid(&set, "C1", "GB")
        })
        .collect()
}

#[test]
fn editions_are_compared_by_their_numbers_and_what_these_do_not_decide_is_no_choice() {
    for (older, newer) in [("v1.9", "v1.10"), ("2025 v1", "2025 v1.1"), ("Version 2", "version 03"), ("draft", "v1")] {
        for called in [[older, newer], [newer, older]] {
            let found = told(chosen(&rule(vec![of("A")]), &editions(&called), "GB", "2025-06-01"));
            assert_eq!(found.0, Some(format!("{newer} C1")));
            assert_eq!(found.1, [Verdict::Chosen, Verdict::OlderEdition]);
        }
    }
    for called in [["draft", "final"], ["v1.0", "v1"], ["2025a", "2025b"]] {
        let found = told(chosen(&rule(vec![of("A")]), &editions(&called), "GB", "2025-06-01"));
        assert_eq!(found, (None, vec![Verdict::Alike, Verdict::Alike]), "{called:?}");
    }
}

#[test]
fn a_corrected_reissue_of_the_same_edition_ranks_above_what_it_corrects() {
    let mut among = editions(&["2025 v1", "2025 v1"]);
    among[1].set.corrects = Some(among[0].set.id);
    let found = chosen(&rule(vec![of("A")]), &among, "GB", "2025-06-01").unwrap().1;
    assert_eq!((found.considered[0].set, found.considered[1].verdict), (among[1].set.id, Verdict::Corrected));
    among.swap(0, 1);
    assert_eq!(chosen(&rule(vec![of("A")]), &among, "GB", "2025-06-01").unwrap().1, found);
}

#[test]
fn a_set_that_ended_before_comes_behind_every_preference_that_holds_in_the_year() {
    let among = [grid(&year(1, "A", 2024), "C1", "GB"), grid(&year(2, "B", 2025), "C1", "GB")];
    let before = rule(vec![of("A"), of("B")]).with_years(YearRule::NewestBefore);
    let found = told(chosen(&before, &among, "GB", "2025-06-01"));
    let second = Some("2025-01-01 v2 C1".to_owned());
    assert_eq!(found, (second, vec![Verdict::Chosen, Verdict::FartherDay]));
    assert_eq!(told(chosen(&before, &among, "GB", "2026-06-01")).0.as_deref(), Some("2024-01-01 v1 C1"));
}

#[test]
fn a_rule_that_names_no_use_takes_no_emissions_before_the_use_and_says_so() {
    let of_use = |mut origin: FactorOrigin, usage| {
        origin.factor.usage = usage;
        origin
    };
    let own = grid(&year(1, "A", 2025), "C1", "GB");
    for usage in [PublishedUse::Upstream, PublishedUse::GridLoss, PublishedUse::OutsideScopes] {
        let among = [own.clone(), of_use(grid(&year(2, "A", 2026), "C1", "GB"), usage)];
        assert!(chosen(&rule(vec![of("A")]), &among, "GB", "2025-06-01").is_ok());
        let none = chosen(&rule(vec![of("A")]), &among, "GB", "2026-06-01").unwrap_err();
        assert!(none.to_string().contains("v2, C1, GB: is of another use"), "{none}");
        let asked = rule(vec![of("A")]).with_usage(Some(usage));
        assert!(chosen(&asked, &among, "GB", "2026-06-01").is_ok());
    }
}

#[test]
fn no_choice_is_a_reason_and_never_zero_and_a_factor_of_ones_own_comes_first() {
    let ruled = product("kWh").with_rule(Some(rule(vec![of("A")])));
    let own = Factor::new(crate::sample::id(7), &ruled, terms("kWh", "", "1", "2025-01-01")).unwrap();
    let copied =
        rule(vec![of("A")]).choose(&[grid(&year(1, "A", 2025), "C1", "GB")], Some(&name("GB")), day("2025-06-01"));
    let chosen = Factor::chosen(&ruled, copied.unwrap()).unwrap();
    let computed = |factors: &[Factor], chosen: Option<&Factor>| {
        let lookup = tonne_domain::FactorLookup { product: &ruled, factors, day: day("2025-06-01"), chosen };
        calculate(SuppliedCo2e::default(), Some((quantity("10"), unit("kWh"))), Some(lookup)).unwrap()
    };
    let none = computed(&[], None);
    assert_eq!((none.co2e(), none.reason()), (None, Some(Incomplete::NoChoice)));
    assert_eq!(computed(&[], Some(&chosen)).factor(), Some(chosen.id()));
    assert_eq!(computed(std::slice::from_ref(&own), Some(&chosen)).factor(), Some(own.id()));
    assert_eq!(computed(std::slice::from_ref(&chosen), None).factor(), None, "it was chosen for others");
}

#[test]
fn a_chosen_factor_has_one_identifier_wherever_it_is_chosen() {
    let ruled = product("kWh");
    let choose = |region: &str| -> FactorData {
        rule(vec![of("A")])
            .choose(&[grid(&year(1, "A", 2025), "C1", "")], Some(&name(region)), day("2025-06-01"))
            .unwrap()
    };
    let factor = |product: &Product, region: &str| Factor::chosen(product, choose(region)).unwrap().id();
    assert_eq!(factor(&ruled, "GB"), factor(&ruled, "GB"));
    assert_ne!(factor(&ruled, "GB"), factor(&ruled, "US"));
    assert_ne!(factor(&ruled, "GB"), factor(&Product::new(crate::sample::id(2), name("Other"), unit("kWh")), "GB"));
}

#[test]
fn what_a_rule_chose_departs_from_another_rule_another_region_and_another_set_of_potentials() {
    let among = [grid(&year(1, "A", 2025), "C1", "GB"), grid(&year(2, "B", 2025), "C1", "GB")];
    let (on, gb) = (day("2025-06-01"), name("GB"));
    let own = rule(vec![of("A")]);
    let chosen = own.choose(&among, Some(&gb), on).unwrap();
    let departure = |rule: &FactorRule, region: Option<&str>| {
        let region = region.map(name);
        rule.departure(&chosen, region.as_ref(), on)
    };
    assert_eq!(departure(&own, Some("GB")), None);
    assert_eq!(departure(&rule(vec![of("A"), of("B")]), Some("GB")), None, "what is preferred less changes nothing");
    for other in [
        rule(vec![of("B"), of("A")]),
        rule(vec![of("B")]),
        FactorRule::new(vec![of("A")], name("Gas"), unit("kWh")).unwrap(),
        own.clone().with_region(Some(name("US"))),
        own.clone().with_usage(Some(PublishedUse::Upstream)),
    ] {
        assert_eq!(departure(&other, Some("GB")), Some(Outdated::Rule), "{other:?}");
    }
    assert_eq!(departure(&own, Some("US")), Some(Outdated::Structure));
    assert_eq!(departure(&own, None), Some(Outdated::Structure));
    assert_eq!(departure(&rule(vec![of("B")]), Some("US")), Some(Outdated::Rule), "the rule is another anyhow");
    assert_eq!(departure(&own.clone().with_region(Some(gb)), Some("US")), None, "the rule goes by its own region");
    let own_terms = terms("kWh", "", "1", "2025-01-01");
    assert_eq!(own.departure(&own_terms, None, on), None, "no rule chose it");
}

fn origin() -> impl Strategy<Value = FactorOrigin> {
    let span = select(vec![("2023-01-01", "2024-01-01"), ("2024-01-01", ""), ("2024-07-01", "2025-07-01")]);
    let region = select(vec!["", "GB", "US", "US-RFCW"]);
    (0_u8..4, select(vec!["A", "B", "C"]), span, 0_u8..3, region, any::<bool>()).prop_map(
        |(number, publisher, (from, to), cell, region, has_figure)| {
            // One file says one thing.
            let text = format!("{number} {publisher} {from} {cell} {region} {has_figure}");
            let mut found = grid(&edition(number, publisher, from, to), &format!("C{cell}"), region);
            found.set.id = Digest::of(text.as_bytes());
            if !has_figure {
                found.factor.co2e = None;
            }
            found
        },
    )
}

proptest! {
    #[test]
    fn the_order_in_which_sets_came_and_what_a_rule_does_not_look_for_change_no_choice(
        among in prop::collection::vec(origin(), 0..12),
        swaps in prop::collection::vec((any::<Index>(), any::<Index>()), 0..12),
        region in select(vec!["", "GB", "US", "US-RFCW", "FR"]),
        on in select(vec!["2023-05-05", "2024-01-01", "2024-12-31", "2025-08-01", "2030-01-01"]),
        years in select(YearRule::ALL.to_vec()),
    ) {
        let rule = rule(vec![of("B"), of("A")]).with_years(years);
        let found = chosen(&rule, &among, region, on);
        let mut shuffled = among.clone();
        for (one, other) in swaps.iter().filter(|_| !among.is_empty()) {
            let (one, other) = (one.index(among.len()), other.index(among.len()));
            shuffled.swap(one, other);
        }
        shuffled.retain(|origin| rule.preference(&origin.set).is_some());
        shuffled.extend(shuffled.clone());
        prop_assert_eq!(&chosen(&rule, &shuffled, region, on), &found);
        if let Ok((_, choice)) = &found {
            let of_chosen = choice.considered.iter().filter(|one| one.verdict == Verdict::Chosen).count();
            prop_assert_eq!((of_chosen, choice.considered[0].verdict), (1, Verdict::Chosen));
            let region = (!region.is_empty()).then(|| name(region));
            let data = rule.choose(&among, region.as_ref(), day(on)).unwrap();
            prop_assert_eq!(rule.departure(&data, region.as_ref(), day(on)), None);
        }
    }
}
