//! Files and streams: JSON, NDJSON, CSV and mapped tables in and out, and what is wrong with them.

mod activity;
mod backup;
mod bom;
mod breakdown;
mod delimited;
mod error;
mod hashing;
mod json;
mod map;
mod rejected_rows;
mod suggest;
mod table;
mod tenant;
mod xlsx;

pub use activity::{
    ActivitySheet, Cells, CsvRows, MAX_ROW_BYTES, NdjsonRows, Shares, activity_draft, activity_header, activity_rows,
    write_activity_json,
};
pub use backup::{
    BackupDirectory, BackupError, BackupManifest, BackupTenant, BackupWriter, DIRECTORY_FILE, RecordsForm, SECRET_FILE,
    check_backup, unpack_backup,
};
pub use breakdown::{
    Look, Readable, ReportUnit, breakdown_json, breakdown_lines, breakdown_page, breakdown_table, readable,
};
pub use error::FileError;
pub use json::{Json, Members, Reader, Wrong, parse, pointer, references};
pub use map::{Map, MapRows};
pub use rejected_rows::Rejects;
pub use suggest::{did_you_mean, suggestion};
pub use table::{ByteOrderMark, Cell, Table, table_csv};
pub use tenant::{
    Canonized, ExportedTenant, TenantCounts, TenantEnd, TenantError, TenantHeader, TenantLine, TenantReader,
    TenantWriter,
};
pub use xlsx::{MOST_ROWS, SheetRows, WorkbookError, XLSX_MEDIA, table_xlsx};
