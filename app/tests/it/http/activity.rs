//! `/v1/activity` as records: recording, reading, changing and removing activities.

mod change;
mod co2e;
mod condition;
mod create;
mod day;
mod race;
mod read;
mod remove;
mod value;
mod write_back;
