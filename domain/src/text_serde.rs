//! The feature `serde`: values as their text, amounts too, so that no digit passes through a binary float.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

/// Reads a text alone: a JSON number would have lost its digits before it came here.
struct Text<T>(PhantomData<T>, &'static str);

impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in a string", self.1)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(|error| E::custom(format_args!("{text:?}: {error}")))
    }
}

macro_rules! as_text {
    ($($name:ident, $what:literal;)*) => {$(
        impl Serialize for crate::$name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for crate::$name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(Text(PhantomData, $what))
            }
        }
    )*};
}

as_text! {
    Decimal, "a decimal number";
    Co2e, "a decimal number";
    Intensity, "a decimal number";
    Quantity, "a decimal number";
    DeclaredAmount, "a decimal number above zero";
    Total, "a decimal number";
    Unit, "a unit's code";
    Day, "a day, YYYY-MM-DD,";
    Moment, "a date-time (RFC 3339)";
    Timestamp, "a date-time (RFC 3339)";
    Stage, "a life-cycle stage's code";
    Name, "a name";
    SyncId, "a syncId";
    Description, "a description";
    Slug, "a slug";
    Source, "a source";
    ImageAddress, "an address";
    ScopeId, "a UUID";
    OrgId, "a UUID";
    TaxonomyId, "a UUID";
    ActivityId, "a UUID";
    ProductId, "a UUID";
    FactorId, "a UUID";
    ModelId, "a UUID";
    InputId, "a UUID";
    BlockId, "a UUID";
    SwitchId, "a UUID";
    FootprintId, "a UUID";
}
