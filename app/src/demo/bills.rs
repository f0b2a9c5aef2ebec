//! Bills that came late, imported as the file that they came in: one of its rows has a day that there is not, and one lowers a
//! total, so that the list of imports shows a file with its SHA-256, a rejected row and a warning.

use domain::Digest;
use files::{CsvRows, MAX_ROW_BYTES};
use ports::Caller;
use ports::inbound::{Error, ImportOptions, Imports};

use super::activities::was_imported;

const FILE: &[u8] = include_bytes!("late-bills-2023.csv");

/// What the import is called.
const NAME: &str = "late-bills-2023.csv";

/// Imports the file, unless that was done before.
pub(super) async fn fill(imports: &dyn Imports, caller: &Caller) -> Result<(), Error> {
    if was_imported(imports, caller, NAME).await? {
        return Ok(());
    }
    let rows = CsvRows::new(FILE, MAX_ROW_BYTES).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let rows = rows.map_err(|error| Error::Failed(error.into()))?;
    let (name, hash) = (NAME.to_owned(), Some(Digest::of(FILE)));
    let mut import = imports.begin(caller, ImportOptions { name, hash, ..ImportOptions::default() })?;
    import.rows(rows).await?;
    import.finish().await?;
    Ok(())
}
