//! `tonne import activities`: rows of a file or of standard input.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, ValueEnum};
use domain::Name;
use files::Map;
use ports::inbound::{Error, Import, ImportOptions, Outcome, Repeats, RowDraft, SameFile};

use super::super::context::{Context, IfAbsent};
use super::super::{Ending, Usage, output};
use super::at_once::AllOrNothing;
use super::input::{Content, Input};
use super::map_file::{is_same, read_map};
use super::outcome::Tally;
use super::rejected::RejectedFile;
use super::same_file::{reading, refuse_same};
use super::source::{Format, Rows, refused, rows, table_refused, tell_of_sheets};
use crate::counted::counted;

/// Rows that are written in one transaction.
const BATCH: usize = 20_000;

/// Import activities from CSV, NDJSON, a workbook or any table.
///
/// Without --map the columns (CSV, workbooks) or members (NDJSON) are named as an activity's fields. Each row adds an activity, or
/// changes the one that has its syncId; what is the same already is left alone. Rows that are wrong are rejected with
/// line, field and reason, the others are kept; the exit status is 1 when any was rejected. A second row about the same
/// activity is wrong too, unless --repeats last lets it count.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
#[derive(Debug, Args)]
pub(in crate::command) struct ImportActivities {
    /// The file; - is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The form of the file, where its name does not tell: .csv, .ndjson, .jsonl, .xlsx, .xls, .ods, each with .gz or without.
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// How the table becomes activities (TOML).
    #[arg(long, value_name = "MAP.toml")]
    map: Option<PathBuf>,
    /// The sheet of a workbook, where several are shown or the map names another.
    #[arg(long, value_name = "NAME")]
    sheet: Option<String>,
    /// Write nothing, only say what would be.
    #[arg(long)]
    dry_run: bool,
    /// Write all rows or none.
    #[arg(long)]
    atomic: bool,
    /// What the import is listed under; the file unless given.
    #[arg(long, value_parser = Name::parse)]
    name: Option<Name>,
    /// Import the file though it was imported before.
    #[arg(long)]
    again: bool,
    /// What becomes of a second row about the same activity.
    #[arg(long, value_enum, default_value_t = OfRepeats::Fault)]
    repeats: OfRepeats,
    /// Where to write the rejected rows, as they were and with the reason, to be mended and imported again.
    #[arg(long, value_name = "FILE")]
    errors: Option<PathBuf>,
    /// Replace a file of --errors that is there.
    #[arg(long, requires = "errors")]
    force: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// What becomes of a second row about the same activity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OfRepeats {
    /// It is rejected, with the line of the first.
    Fault,
    /// It counts: the last row is what stays.
    Last,
}

impl From<OfRepeats> for Repeats {
    fn from(repeats: OfRepeats) -> Self {
        match repeats {
            OfRepeats::Fault => Self::Fault,
            OfRepeats::Last => Self::Last,
        }
    }
}

impl ImportActivities {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let format = match (self.format, &self.map) {
            (Some(Format::Ndjson), Some(_)) => {
                return Err(Usage("a map is for tables: leave out --map, or --format ndjson".to_owned()).into());
            }
            (Some(format), _) => format,
            (None, Some(_)) => Format::Csv,
            (None, None) => Format::of(&self.file)?,
        };
        for read in [Some(&self.file), self.map.as_ref()].into_iter().flatten() {
            if self.errors.as_ref().is_some_and(|errors| is_same(errors, read)) {
                let detail = format!("--errors would write over {}, which is read; name another file", read.display());
                return Err(Usage(detail).into());
            }
        }
        let mut input = Input::new(self.file.clone());
        // What is to be read twice, or known to be another than what was imported before, before a row of it is written.
        if self.errors.is_some() || self.outcome() != Outcome::Nothing {
            input.keep()?;
        }
        let (map, map_text) = self.map.as_ref().map(|path| read_map(path, &input)).transpose()?.unzip();
        let map = map.map(|map| map.with_sheet(self.sheet.as_deref()));
        // Before it is opened: what is kept of standard input is one file with one place.
        let hash = input.hash()?;
        let (content, bar) = input.open()?;
        let sheet = map.as_ref().map_or(self.sheet.as_deref(), Map::sheet_name);
        let mut chosen = None;
        if let Content::Workbook(workbook) = &content {
            tell_of_sheets(&input.name(), workbook, sheet);
            chosen = workbook.choose(sheet).ok().map(|sheet| sheet.name.clone());
        }
        let reading = reading(chosen.as_deref(), map_text.as_deref());
        let rows = rows(content, format, map.as_ref(), sheet).map_err(|error| table_refused(&input.name(), error))?;
        let if_absent = if self.dry_run { IfAbsent::Refuse } else { IfAbsent::Make };
        let (app, operator) = context.operated_app(if_absent).await?;
        let outcome = self.outcome();
        if outcome != Outcome::Nothing
            && !self.again
            && let Some(hash) = hash
        {
            refuse_same(app.imports(), &operator, (hash, reading), &input.name()).await?;
        }
        let rejected = self.errors.as_deref().map(|path| RejectedFile::make(path, self.force)).transpose()?;
        let mut tally = Tally::new(rejected.is_some())?;
        let same_file = if self.again { SameFile::Taken } else { SameFile::Refused };
        let repeats = self.repeats.into();
        let name = self.name.as_ref().map_or_else(|| input.name(), ToString::to_string);
        let options = ImportOptions { outcome, repeats, name, hash, reading, same_file, ..ImportOptions::default() };
        let mut import = app.imports().begin(&operator, options.clone())?;
        let done = if self.atomic {
            drop(rows);
            let (name, most) = (&input.name(), app.config().limits.atomic_rows);
            let all = AllOrNothing { imports: app.imports(), caller: &operator, options, name, most };
            let open =
                || self::rows(input.open()?.0, format, map.as_ref(), sheet).map_err(|error| refused(name, error));
            all.run(import.as_mut(), open, &mut tally).await
        } else {
            in_batches(import.as_mut(), rows, &mut tally, &input.name(), &bar).await
        };
        bar.finish_and_clear();
        // Of an import that broke off too; what it kept is told first.
        let copied = tally.take_reasons().and_then(|reasons| match rejected.zip(reasons) {
            Some((file, reasons)) => file.fill(&input, format, map.as_ref(), sheet, reasons),
            None => Ok(()),
        });
        done.map_err(|error| {
            let sentence = ended_early(&input.name(), &tally, outcome, is_unknown(&error));
            let besides = copied.as_ref().err().map_or_else(String::new, |other| format!("; {other:#}"));
            error.context(sentence + &besides)
        })?;
        tally.complaints(self.errors.is_some()).iter().for_each(|line| output::note(line));
        tally.warnings().iter().for_each(|line| output::note(line));
        let wrote = match outcome {
            Outcome::KeepGood => true,
            Outcome::AllOrNothing => tally.rejected() == 0,
            Outcome::Nothing => false,
        };
        let id = import.id().filter(|_| wrote && tally.rows() > 0);
        let summary =
            if self.json { tally.json(wrote, id).to_string() } else { tally.summary(&input.name(), outcome, id) };
        output::say(&summary)?;
        // What it remembers of its rows is not needed while the checkpoint takes its room.
        drop(import);
        if wrote {
            app.checkpoints().after_import(operator.tenant).await;
        }
        copied?;
        Ok(if tally.rejected() == 0 { Ending::Done } else { Ending::Failed })
    }

    const fn outcome(&self) -> Outcome {
        match (self.dry_run, self.atomic) {
            (true, _) => Outcome::Nothing,
            (false, true) => Outcome::AllOrNothing,
            (false, false) => Outcome::KeepGood,
        }
    }
}

/// Writes a transaction for each batch, while the next one is read.
async fn in_batches(
    import: &mut dyn Import,
    mut rows: Rows<'_>,
    tally: &mut Tally,
    name: &str,
    bar: &indicatif::ProgressBar,
) -> Result<()> {
    let read = read_batches(import, &mut rows, tally, name, bar).await;
    tally.skip(rows.skipped());
    tally.doubt(rows.doubts());
    // What is being written is waited for and counted, also behind a row that cannot be read.
    let ended = if read.is_ok() { import.finish().await } else { import.break_off().await };
    match (read, ended) {
        (Ok(()), ended) => tally.add(ended?),
        (Err(error), Ok(last)) => tally.add(last).and(Err(error)),
        (Err(error), Err(last)) => Err(anyhow::Error::new(last).context(format!("{error:#}"))),
    }
}

async fn read_batches(
    import: &mut dyn Import,
    rows: &mut Rows<'_>,
    tally: &mut Tally,
    name: &str,
    bar: &indicatif::ProgressBar,
) -> Result<()> {
    loop {
        let mut batch: Vec<RowDraft> = Vec::with_capacity(BATCH);
        let mut broken = None;
        for row in rows.by_ref().take(BATCH) {
            match row {
                Ok(row) => batch.push(row),
                Err(error) => broken = Some(error),
            }
        }
        let last = batch.len() < BATCH;
        if !batch.is_empty() {
            tally.read(&batch);
            tally.add(import.rows(batch).await?)?;
            bar.set_message(format!(", {}", counted(tally.rows(), "row", "rows")));
        }
        if let Some(error) = broken {
            return Err(refused(name, error));
        }
        if last {
            return Ok(());
        }
    }
}

/// Whether it is not known what became of the rows that were being written.
fn is_unknown(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref::<Error>(), Some(Error::Unknown(_)))
}

fn ended_early(name: &str, tally: &Tally, outcome: Outcome, is_unknown: bool) -> String {
    let again = "importing the whole file again is safe where rows have a syncId";
    match outcome {
        Outcome::KeepGood if is_unknown => format!(
            "{name}: the import ended; {}, and whether those behind them are is not known: look before importing again; \
             {again}",
            counted(tally.rows(), "row is kept", "rows are kept")
        ),
        Outcome::KeepGood => {
            let rows = counted(tally.rows(), "row, which is kept", "rows, which are kept");
            format!("{name}: the import ended after {rows}; {again}")
        }
        Outcome::AllOrNothing if is_unknown => {
            format!("{name}: whether the rows were written is not known: look before importing again; {again}")
        }
        Outcome::AllOrNothing | Outcome::Nothing => format!("{name}: the import ended early; nothing was written"),
    }
}
