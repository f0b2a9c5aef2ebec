//! Files and streams: JSON, NDJSON, CSV, workbooks and mapped tables in and out, and what is wrong with them.

mod activity;
mod backup;
mod catalog;
mod delimited;
mod encoding;
mod error;
mod hashing;
mod json;
mod map;
mod rejected_rows;
mod suggest;
mod suggestion;
mod table;
mod tenant;
mod workbook;

pub use activity::{
    Cells, CsvRows, MAX_ROW_BYTES, NdjsonRows, Shares, activity_draft, activity_header, activity_rows,
    write_activity_json,
};
pub use backup::{
    BackupDirectory, BackupError, BackupManifest, BackupTenant, BackupWriter, DIRECTORY_FILE, RecordsForm, SECRET_FILE,
    check_backup, unpack_backup,
};
pub use catalog::{CatalogKind, read_catalog_csv, read_catalog_toml};
pub use error::FileError;
pub use hashing::Hashing;
pub use json::{Json, Members, Reader, Wrong, parse, pointer, references};
pub use map::{Map, MapRows};
pub use rejected_rows::{Reasons, copy_rejected, copy_rejected_lines, copy_rejected_of_sheet};
pub use suggest::{did_you_mean, suggestion};
pub use suggestion::{TableSample, suggest_map};
pub use tenant::{
    Canonized, ExportedTenant, TenantCounts, TenantEnd, TenantError, TenantHeader, TenantLine, TenantReader,
    TenantWriter,
};
pub use workbook::{FileStart, SheetName, Visibility, Workbook, WorkbookBytes};
