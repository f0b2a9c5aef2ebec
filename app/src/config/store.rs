//! `[store]`: where the files are, and how far their logs grow.

use std::path::PathBuf;

use super::load::reader::Settings;

/// Where the files are, and how far their logs grow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    /// The folder of the tenants' files, the directory and the installation's secret.
    pub data_dir: PathBuf,
    /// From how many bytes on of a file's log nothing is written into the file while somebody reads an older state.
    pub log_bytes: u64,
}

impl Default for Store {
    fn default() -> Self {
        Self { data_dir: PathBuf::from("./tonne-data"), log_bytes: 2_147_483_648 }
    }
}

impl Store {
    pub(super) fn read(settings: &mut Settings<'_>) -> Self {
        let default = Self::default();
        let mut section = settings.section("store");
        let data_dir = section.value("data_dir", default.data_dir.display().to_string(), |text| match text.trim() {
            "" => Err("names no folder".to_owned()),
            _ => Ok(text.to_owned()),
        });
        let log_bytes = section.number("log_bytes", default.log_bytes, 67_108_864..=1_099_511_627_776);
        section.finish();
        Self { data_dir: PathBuf::from(data_dir), log_bytes }
    }
}
