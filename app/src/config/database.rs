//! `[database]`: a database server in place of files, which this version has not.

use super::reader::Settings;

/// A database server in place of files. This version has none, so there is nothing to be set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Database {}

impl Database {
    pub(super) fn read(settings: &mut Settings<'_>) -> Self {
        let mut section = settings.section("database");
        section.secret("url", "url_file", |text| -> Result<String, String> {
            Err(match text.split_once("://") {
                Some(("postgres" | "postgresql", _)) => {
                    "PostgreSQL is not in this version, which keeps its data in files: use --data-dir".to_owned()
                }
                _ => "is no address of a database that Tonne can use: use --data-dir".to_owned(),
            })
        });
        section.finish();
        Self {}
    }
}
