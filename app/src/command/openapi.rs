//! `tonne openapi`: the description of the HTTP service.

use anyhow::Result;
use clap::Args;

use super::{Ending, output};

/// Print the OpenAPI document of the HTTP service.
#[derive(Debug, Args)]
pub(super) struct Openapi {}

impl Openapi {
    pub(super) fn run() -> Result<Ending> {
        output::say(http::openapi().trim_end())?;
        Ok(Ending::Done)
    }
}
