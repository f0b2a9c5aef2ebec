//! Every member of a record shows in its canonical text.

use std::fmt::Debug;

use proptest::prelude::*;
use tonne_domain::footprint::{FOOTPRINT, FieldValue, Fields, JsonType};
use tonne_domain::{Activity, Canonical, Factor, Footprint, Input, Model, Org, Product, Scope, Switch, Taxonomy};

use super::drawn;

/// The record with one member of the other, for each member in turn; the identifier is no part of the content.
trait Members: Canonical + Clone + Debug + PartialEq {
    fn one_changed(&self, other: &Self) -> Vec<Self>;
}

macro_rules! members {
    ($($record:ident: $($member:ident)*;)*) => {$(
        impl Members for $record {
            fn one_changed(&self, other: &Self) -> Vec<Self> {
                vec![$({
                    let mut one = self.clone();
                    one.$member = other.$member.clone();
                    one
                }),*]
            }
        }
    )*};
}

members! {
    Activity: sync_id name description measured product scope taxonomy org span calculation;
    Scope: sync_id name parent class;
    Org: sync_id name parent;
    Taxonomy: sync_id name parent slug;
    Product: sync_id name unit;
    Model: sync_id name unit amount reference_date blocks;
    Input: model sync_id name material block stage quantity unit order calculation;
    Switch: sync_id name unit image sources;
}

impl Members for Factor {
    fn one_changed(&self, other: &Self) -> Vec<Self> {
        let (own, their) = (self.data(), other.data().clone());
        let data = [
            own.clone().with_unit(their.unit),
            own.clone().with_upstream(their.upstream),
            own.clone().with_downstream(their.downstream),
            own.clone().with_valid_from(their.valid_from),
            own.clone().with_valid_to(their.valid_to),
            own.clone().with_source(their.source),
            own.clone().with_gwp(their.gwp),
            own.clone().with_origin(their.origin),
        ];
        let product = Self::from_stored(self.id(), other.product(), own.clone(), self.corrects());
        let changed = data.into_iter().map(|data| Self::from_stored(self.id(), self.product(), data, self.corrects()));
        let corrects = Self::from_stored(self.id(), self.product(), own.clone(), other.corrects());
        changed.chain([product, corrects]).filter_map(Result::ok).collect()
    }
}

impl Members for Footprint {
    fn one_changed(&self, other: &Self) -> Vec<Self> {
        let mut stamps = [self.stamps; 3];
        stamps[0].created = other.stamps.created;
        stamps[1].updated = other.stamps.updated;
        stamps[2].amendments = other.stamps.amendments;
        let stamped = stamps.into_iter().map(|stamps| self.clone().with_stamps(stamps));
        let numbered = self.clone().with_number(other.number);
        let fields = fields_changed(&self.fields, &other.fields);
        let written = fields.into_iter().map(|fields| self.clone().with_fields(fields));
        stamped.chain([numbered]).chain(written).collect()
    }
}

/// The fields with one of the others' in turn, at every depth.
fn fields_changed(own: &Fields, other: &Fields) -> Vec<Fields> {
    let mut all = Vec::new();
    for spec in own.schema().fields {
        let with = |value: Option<FieldValue>| {
            let mut fields = own.clone();
            fields.remove(spec.name);
            if let Some(value) = value {
                fields.set(spec.name, value).unwrap();
            }
            fields
        };
        all.push(with(other.find(spec.name).cloned()));
        if let (Some(own), Some(other)) = (own.object(spec.name), other.object(spec.name)) {
            all.extend(fields_changed(own, other).into_iter().map(|below| with(Some(FieldValue::Object(below)))));
        }
    }
    all
}

fn shows_each_member<T: Members>(record: &T, other: &T) -> Result<(), TestCaseError> {
    let text = record.canonical();
    for changed in record.one_changed(other) {
        prop_assert_eq!(changed.canonical() == text, changed == *record, "{:?}\n{:?}", changed, record);
    }
    Ok(())
}

macro_rules! shown {
    ($($claim:ident: $drawn:ident;)*) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(64))]
            $(
                #[test]
                fn $claim(record in drawn::$drawn(), other in drawn::$drawn()) {
                    shows_each_member(&record, &other)?;
                }
            )*
        }
    };
}

shown! {
    each_member_of_an_activity_shows: activity;
    each_member_of_a_scope_shows: scope;
    each_member_of_an_org_shows: org;
    each_member_of_a_taxonomy_shows: taxonomy;
    each_member_of_a_product_shows: product;
    each_member_of_a_factor_shows: factor;
    each_member_of_a_model_shows: model;
    each_member_of_an_input_shows: input;
    each_member_of_a_switch_shows: switch;
    each_member_of_a_footprint_shows: footprint;
}

#[test]
fn no_text_of_a_footprint_has_a_member_twice() {
    fn names(fields: &'static tonne_domain::footprint::ObjectSchema) -> Vec<&'static str> {
        let mut names: Vec<_> = fields.fields.iter().map(|spec| spec.name).collect();
        names.sort_unstable();
        names
    }
    for spec in FOOTPRINT.fields {
        let (JsonType::Object(shape) | JsonType::Objects(shape)) = spec.kind else { continue };
        let mut once = names(shape);
        once.dedup();
        assert_eq!(once, names(shape), "{shape:?}");
    }
    let mut once = names(&FOOTPRINT);
    once.dedup();
    assert_eq!(once, names(&FOOTPRINT));
}
