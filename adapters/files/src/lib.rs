//! Files and streams: JSON, NDJSON, CSV, workbooks and mapped tables in and out, and what is wrong with them.

mod activity;
mod backup;
mod breakdown;
mod catalog;
mod column_map;
mod completeness;
mod counted;
mod delimited;
mod encoding;
mod error;
mod explanation;
mod factor_rule;
mod hashing;
mod json;
mod map;
mod month_names;
mod published;
mod rejected_rows;
mod statement;
mod suggest;
mod suggestion;
mod table;
mod table_records;
mod tenant;
mod workbook;
mod xlsx;

pub use activity::{
    ActivitySheet, Cells, CsvRows, MAX_ROW_BYTES, NdjsonRows, Shares, activity_draft, activity_header, activity_rows,
    write_activity_json, write_activity_row,
};
pub use backup::{
    BackupDirectory, BackupError, BackupManifest, BackupTenant, BackupWriter, DIRECTORY_FILE, RecordsForm, SECRET_FILE,
    check_backup, unpack_backup,
};
pub use breakdown::{
    Look, Readable, ReportUnit, breakdown_json, breakdown_line_json, breakdown_line_text, breakdown_lines,
    breakdown_page, breakdown_sheet, breakdown_table, readable,
};
pub use catalog::{
    CatalogKind, CatalogRecord, catalog_csv, catalog_toml, read_catalog_csv, read_catalog_sheet, read_catalog_toml,
};
pub use column_map::{ColumnMap, MAP_FIELDS, PERIOD};
pub use completeness::completeness_table;
pub use counted::counted;
pub use error::FileError;
pub use explanation::{
    UnreadExplanation, composition_json, composition_text, explanation_json, explanation_text, read_explanation,
};
pub use factor_rule::{factor_rule, factor_rule_json};
pub use hashing::Hashing;
pub use json::{Json, Members, Reader, Wrong, parse, pointer, references};
pub use map::{Map, MapRows};
pub use month_names::english_month;
pub use published::{
    Finding, MAX_PUBLISHED_BYTES, PublishedAccount, PublishedFile, PublishedLayout, Skipped, published_csv,
    read_published,
};
pub use rejected_rows::{Reasons, copy_rejected, copy_rejected_lines, copy_rejected_of_sheet};
pub use statement::{
    Note as StatementNote, Row as StatementRow, Section as StatementSection, Shown as StatementCell, ShownStatement,
    Weight as StatementWeight, statement_json, statement_page, statement_sections, statement_text, statement_title,
    statement_xlsx,
};
pub use suggest::{did_you_mean, suggestion};
pub use suggestion::{AskingMap, TableSample, asking_map, check_doubts, is_asked, is_open, is_said, suggest_map};
pub use table::{ByteOrderMark, Cell, Table, table_csv};
pub use tenant::{
    Canonized, ExportedTenant, TenantCounts, TenantEnd, TenantError, TenantHeader, TenantLine, TenantReader,
    TenantWriter,
};
pub use workbook::{FileStart, SheetName, Visibility, Workbook, WorkbookBytes};
pub use xlsx::{MOST_ROWS, SheetRows, WorkbookError, XLSX_MEDIA, table_xlsx};
