//! What is missing in an inventory: months without data, scopes and categories without activities, and what of that is
//! excluded on purpose.

mod coverage;
mod gaps;

pub use coverage::{Coverage, LeftOut, coverage, left_out};
pub use gaps::{Gap, LOOK_BACK_MONTHS, MOST_MONTHS, gaps};
