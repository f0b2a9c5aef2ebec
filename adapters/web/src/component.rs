//! Parts that pages are made of: functions from values to markup.

mod controls;
mod explain;
mod field;
mod history;
mod moment;
mod notice;

pub use controls::{Control, controls};
pub use explain::{explain, published};
pub use field::{Field, Input, field};
pub use history::history;
pub use moment::moment;
pub use notice::{empty, faults, notice};
