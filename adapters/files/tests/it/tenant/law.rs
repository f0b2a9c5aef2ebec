//! The law of canonical text: reading it gives the record, and writing that the same text.

use domain::{Canonical as _, Digest};
use ports::load::{AnyRecord, LoadEnd};
use ports::{Entity, Stored};
use proptest::prelude::*;
use tonne_files::{Canonized, TenantLine, TenantWriter};

use super::{drawn, header, read};

fn comes_back<T: Entity>(stored: &Stored<T>, of: impl FnOnce(Stored<T>) -> AnyRecord) -> Result<(), TestCaseError> {
    let mut bytes = Vec::new();
    let mut writer = TenantWriter::new(&mut bytes, &header()).unwrap();
    writer.record(stored).unwrap();
    writer.finish(LoadEnd { number: 0, digest: Digest::ZERO, catalog: 0, footprints: 0 }).unwrap();
    let read = read(&bytes).map_err(|error| TestCaseError::fail(format!("{error}: {}", stored.canonical())))?;
    let canonized = Canonized { record: of(stored.clone()), digest: stored.digest() };
    prop_assert_eq!(&read[1], &TenantLine::Record(Box::new(canonized)));
    Ok(())
}

macro_rules! laws {
    ($($law:ident: $drawn:ident, $variant:ident;)*) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(64))]
            $(
                #[test]
                fn $law(stored in drawn::kept(drawn::$drawn())) {
                    comes_back(&stored, AnyRecord::$variant)?;
                }
            )*
        }
    };
}

laws! {
    any_activity_comes_back: activity, Activity;
    any_node_comes_back: node, Node;
    any_product_comes_back: product, Product;
    any_factor_comes_back: factor, Factor;
    any_model_comes_back: model, Model;
    any_input_comes_back: input, Input;
    any_switch_comes_back: switch, Switch;
    any_footprint_comes_back: footprint, Footprint;
}
