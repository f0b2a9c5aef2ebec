//! `[tenancy]`: how addresses and tenants belong together.

use std::fmt;

use super::reader::Settings;

/// How addresses and tenants belong together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tenancy {
    /// The form of a tenant's base address.
    pub mode: Mode,
}

/// The form of a tenant's base address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// One tenant, `main`, at `{origin}/api`.
    #[default]
    Single,
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Single => f.write_str("single"),
        }
    }
}

impl Tenancy {
    pub(super) fn read(settings: &mut Settings<'_>) -> Self {
        let mut section = settings.section("tenancy");
        let mode = section.value("mode", Mode::default(), |text| match text {
            "single" => Ok(Mode::Single),
            "path" | "host" => Err(format!("{text} is not in this version, which serves one company: use single")),
            _ => Err(format!("{text:?} is no mode: use single")),
        });
        section.finish();
        Self { mode }
    }
}
