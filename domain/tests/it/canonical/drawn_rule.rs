//! Rules and choices, drawn at random.

use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;
use tonne_domain::{
    Choice, Digest, FactorData, FactorOrigin, FactorRule, GwpSet, PublishedUse, PublisherSets, SetPreference, YearRule,
};

use super::drawn::{day, name, unit};
use super::drawn_origin::origin;

fn preference() -> impl Strategy<Value = SetPreference> {
    let publisher = (name(), of(name()), of(name()), of(1_i32..=9_999));
    prop_oneof![
        any::<[u8; 32]>().prop_map(|set| SetPreference::Set(Digest::from_stored(set))),
        publisher.prop_map(|(publisher, title, edition, year)| {
            let sets = PublisherSets::new(publisher).with_title(title).with_edition(edition).with_year(year);
            SetPreference::Publisher(sets)
        }),
    ]
}

pub(crate) fn rule() -> impl Strategy<Value = FactorRule> {
    let usage = of(select(PublishedUse::ALL.to_vec()));
    let (years, gwp) = (select(YearRule::ALL.to_vec()), of(select(GwpSet::ALL.to_vec())));
    (vec(preference(), 1..4), name(), unit(), vec(name(), 0..3), usage, of(name()), years, gwp).prop_map(
        |(sets, name, unit, path, usage, region, years, gwp)| {
            FactorRule::new(sets, name, unit)
                .unwrap()
                .with_path(path)
                .with_usage(usage)
                .with_region(region)
                .with_years(years)
                .with_gwp(gwp)
        },
    )
}

/// What a rule that looks for one of a few factors chose.
pub(crate) fn choice() -> impl Strategy<Value = Choice> {
    (vec(origin(), 1..4), day(), of(name())).prop_filter_map("no choice", |(among, day, region)| {
        let choose = |origin: &FactorOrigin| -> Option<FactorData> {
            let sets = vec![SetPreference::Set(origin.set.id)];
            let rule = FactorRule::new(sets, origin.factor.name.clone(), origin.factor.unit).ok()?;
            rule.with_usage(Some(origin.factor.usage))
                .with_years(YearRule::NewestBefore)
                .choose(&among, region.as_ref(), day)
                .ok()
        };
        among.iter().find_map(choose).and_then(|data| data.choice).map(|choice| Choice::clone(&choice))
    })
}
