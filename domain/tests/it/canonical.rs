//! The canonical form: one text of each value, which is read back and can grow.

mod covered;
pub(crate) mod drawn;
mod golden;
mod growth;
mod law;
mod member;
mod strict;
