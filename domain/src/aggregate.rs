//! How activities add up: postings make cells, cells make a cube, and the cube answers reports.

pub(crate) mod cell;
pub(crate) mod count;
pub(crate) mod cube;
pub(crate) mod measure;
pub(crate) mod packed;
pub(crate) mod postings;
pub(crate) mod report;
