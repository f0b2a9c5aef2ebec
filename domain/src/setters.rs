//! What the structs with open members have for each of them beside their constructor: they grow, so nobody outside this
//! crate can write one out in full.

/// Makes a method for each member that gives the struct with another value there.
macro_rules! setters {
    ($type:ident { $($set:ident = $member:ident: $value:ty,)* }) => {
        impl $type {
            $(
                #[doc = concat!("The same, with that [`", stringify!($member), "`](Self::", stringify!($member), ").")]
                #[must_use]
                pub fn $set(self, $member: $value) -> Self {
                    Self { $member, ..self }
                }
            )*
        }
    };
}

pub(crate) use setters;
