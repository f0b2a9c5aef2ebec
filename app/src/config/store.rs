//! `[store]`: where the files are.

use std::path::PathBuf;

use super::load::reader::Settings;

/// Where the files are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    /// The folder of the tenants' files, the directory and the installation's secret.
    pub data_dir: PathBuf,
}

impl Default for Store {
    fn default() -> Self {
        Self { data_dir: PathBuf::from("./tonne-data") }
    }
}

impl Store {
    pub(super) fn read(settings: &mut Settings<'_>) -> Self {
        let default = Self::default().data_dir.display().to_string();
        let mut section = settings.section("store");
        let data_dir = section.value("data_dir", default, |text| match text.trim() {
            "" => Err("names no folder".to_owned()),
            _ => Ok(text.to_owned()),
        });
        section.finish();
        Self { data_dir: PathBuf::from(data_dir) }
    }
}
