//! Loading settings: from where they come (`source`), and reading them by name (`reader`). The sections are beside it.

pub(super) mod reader;
pub(super) mod source;
