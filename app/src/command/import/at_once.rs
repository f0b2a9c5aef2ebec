//! All rows of a file or none: they are read twice, once to be tried and once to be written in one transaction.

use anyhow::Result;
use ports::Caller;
use ports::inbound::{Import, ImportOptions, Imports, Outcome, RowDraft};

use super::super::Usage;
use super::outcome::Tally;
use super::source::{Rows, refused};

/// Rows that are handed over at once.
const STEP: usize = 5_000;

/// What is imported all or nothing.
pub(super) struct AllOrNothing<'a> {
    pub(super) imports: &'a dyn Imports,
    pub(super) caller: &'a Caller,
    pub(super) options: ImportOptions,
    /// What the file is called.
    pub(super) name: &'a str,
    /// The most rows.
    pub(super) most: u64,
}

impl AllOrNothing<'_> {
    /// Tries the rows without a transaction, so that nobody waits for a file with a fault, and writes them with `import`. `open`
    /// reads them from the first on.
    pub(super) async fn run<'r>(
        self,
        import: &mut dyn Import,
        open: impl Fn() -> Result<Rows<'r>>,
        tally: &mut Tally,
    ) -> Result<()> {
        let options = ImportOptions { outcome: Outcome::Nothing, ..self.options.clone() };
        let mut trial = self.imports.begin(self.caller, options)?;
        let mut rows = open()?;
        self.all(trial.as_mut(), &mut rows, tally).await?;
        tally.skip(rows.skipped());
        tally.doubt(rows.doubts());
        drop((trial, rows));
        if tally.rejected() > 0 || self.options.outcome == Outcome::Nothing {
            return Ok(());
        }
        import.check_room(tally.written()).await?;
        tally.begin_again();
        match self.all(import, &mut open()?, tally).await {
            Ok(()) => tally.add(import.finish().await?),
            Err(error) => {
                drop(import.break_off().await);
                Err(error)
            }
        }
    }

    /// Hands all rows over, and counts what becomes of them at once: of many rows with warnings only the first stay in memory.
    async fn all(&self, import: &mut dyn Import, rows: &mut Rows<'_>, tally: &mut Tally) -> Result<()> {
        let mut count = 0_u64;
        loop {
            let mut step: Vec<RowDraft> = Vec::with_capacity(STEP);
            for row in rows.by_ref().take(STEP) {
                step.push(row.map_err(|error| refused(self.name, error))?);
            }
            count += step.len() as u64;
            if count > self.most {
                let most = self.most;
                return Err(Usage(format!(
                    "--atomic takes at most {most} rows (limits.atomic_rows); leave it out, or divide the file"
                ))
                .into());
            }
            if step.is_empty() {
                return Ok(());
            }
            tally.add(import.rows(step).await?)?;
        }
    }
}
