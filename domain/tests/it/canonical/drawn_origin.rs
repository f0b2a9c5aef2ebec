//! Factors that are copies of published ones, drawn at random.

use std::sync::Arc;

use proptest::collection::{btree_map, vec};
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;
use tonne_domain::{
    Digest, Factor, FactorData, FactorOrigin, FactorSet, Gas, GasAmount, GasSplit, GwpSet, Intensity, PublishedFactor,
    PublishedUse, Source, SourceRow,
};

use super::drawn::{day, id, name, small, unit};
use super::drawn_rule::choice;

fn gwp() -> impl Strategy<Value = GwpSet> {
    select(GwpSet::ALL.to_vec())
}

fn set() -> impl Strategy<Value = FactorSet> {
    let licence = "[ -~]{1,40}".prop_filter_map("no licence", |text| Source::parse(&text).ok());
    let names = (name(), name(), name(), name());
    (any::<[u8; 32]>(), names, licence, day(), of(day()), of(gwp())).prop_map(
        |(digest, (file, publisher, title, edition), licence, from, to, gwp)| {
            FactorSet::new(Digest::from_stored(digest), file, publisher, title, edition, licence, from)
                .with_valid_to(to)
                .with_gwp(gwp)
        },
    )
}

fn gases() -> impl Strategy<Value = GasSplit> {
    let gas = select(Gas::all().take(12).collect::<Vec<_>>());
    let amount = (any::<bool>(), small())
        .prop_map(|(is_mass, amount)| if is_mass { GasAmount::Mass(amount) } else { GasAmount::Co2e(amount) });
    (gwp(), btree_map(gas, amount, 1..5)).prop_filter_map("no gases", |(gwp, gases)| GasSplit::new(gwp, gases).ok())
}

pub(crate) fn origin() -> impl Strategy<Value = FactorOrigin> {
    let cells = vec(("\\PC{0,9}", "\\PC{1,9}"), 0..4);
    let rows = vec((1_u32.., cells).prop_map(|(row, cells)| SourceRow { row, cells }), 0..3);
    let called = (name(), name(), vec(name(), 0..4), of(name()));
    let figures = (of(small().prop_map(Intensity::new)), of(gases()));
    (set(), called, unit(), select(PublishedUse::ALL.to_vec()), figures, rows).prop_map(
        |(set, (cell, name, path, region), unit, usage, (co2e, gases), rows)| {
            let factor = PublishedFactor::new(cell, name, unit, usage)
                .with_path(path)
                .with_co2e(co2e)
                .with_gases(gases)
                .with_region(region)
                .with_rows(rows);
            FactorOrigin::new(set, factor)
        },
    )
}

/// Copies of those that can be copied, under any set under which they can be read.
pub(crate) fn copied_factor() -> impl Strategy<Value = Factor> {
    (id(), id(), of(id()), origin(), of(gwp()), of(choice())).prop_filter_map(
        "cannot be copied",
        |(id, product, corrects, origin, gwp, choice)| {
            let data = FactorData::copied(origin, gwp).ok()?.with_choice(choice.map(Arc::new));
            Factor::from_stored(id, product, data, corrects).ok()
        },
    )
}
