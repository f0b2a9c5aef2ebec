//! The canonical form: one text of each value, which is read back and can grow.

mod covered;
pub(crate) mod drawn;
pub(crate) mod drawn_origin;
pub(crate) mod drawn_rule;
mod golden;
mod growth;
mod law;
mod member;
mod strict;
