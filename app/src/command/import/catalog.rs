//! `tonne import catalog`: scopes, orgs, taxonomies, products and factors, from files or of a standard.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::Args;
use files::{CatalogKind, Json, read_catalog_csv, read_catalog_sheet, read_catalog_toml};
use ports::inbound::{
    CatalogBundle, CatalogImports as _, CatalogOptions, CatalogOutcome, Existing, KindOutcome, Outcome,
};

use super::super::context::{Context, IfAbsent};
use super::super::factor::completable;
use super::super::json::{array, count, members, object, text};
use super::super::{Ending, Usage, output};
use super::input::{Content, Input};
use super::source::refused;
use super::standard::Standard;
use crate::counted::counted;

/// Faults that are printed.
const PRINTED: usize = 100;

/// Import scopes, orgs, taxonomies, products and factors.
///
/// A TOML file has records of any kind: [[scope]], [[org]], [[taxonomy]], [[product]], [[factor]]. A CSV file has those of the
/// kind that it is named after: scopes.csv, orgs.csv, taxonomies.csv, products.csv, factors.csv; a workbook too, such as
/// orgs.xlsx. A folder stands for all such files in it. Answers of the service and what `tonne export catalog` writes come in as
/// they are, here and in another installation. Records are found by their syncIds, those of an answer that have none by their
/// place or name, factors by product and first day: importing again changes what differs, and nothing where nothing does.
/// Everything is written at once, or nothing when anything is wrong.
#[derive(Debug, Args)]
pub(in crate::command) struct ImportCatalog {
    /// TOML or CSV files, or folders of them.
    #[arg(value_name = "FILE", required_unless_present = "standard")]
    files: Vec<PathBuf>,
    /// The scopes of a standard; what is there already stays as it is.
    #[arg(long, value_enum)]
    standard: Option<Standard>,
    /// Let factors correct those of the same product and days that have other figures. What was computed from these keeps its
    /// figures until `tonne recalculate --outdated`.
    #[arg(long)]
    correct: bool,
    /// Write nothing, only say what would be.
    #[arg(long)]
    dry_run: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl ImportCatalog {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let existing = if self.correct { Existing::Correct } else { Existing::Change };
        let mut bundle = CatalogBundle { existing, ..CatalogBundle::default() };
        for file in self.all_files()? {
            read(&file, &mut bundle)?;
        }
        let standard = self.standard.map(Standard::bundle).transpose()?;
        let if_absent = if self.dry_run { IfAbsent::Refuse } else { IfAbsent::Make };
        let (app, operator) = context.operated_app(if_absent).await?;
        let bundles: Vec<CatalogBundle> =
            standard.into_iter().chain((!self.files.is_empty()).then_some(bundle)).collect();
        let most = app.config().limits.atomic_rows;
        if bundles.iter().map(CatalogBundle::len).sum::<usize>() as u64 > most {
            let detail = format!("a catalog has at most {most} records (limits.atomic_rows); divide it");
            return Err(Usage(detail).into());
        }
        let outcome = if self.dry_run { Outcome::Nothing } else { Outcome::AllOrNothing };
        let names = self.standard.map(|_| "a standard".to_owned()).into_iter();
        let names: Vec<String> = names.chain(self.files.iter().map(|file| file.display().to_string())).collect();
        let cause = format!("import catalog {}", names.join(", ")).chars().take(250).collect();
        let options = CatalogOptions { outcome, cause };
        let sum = app.catalog_imports().import_catalog(&operator, bundles, options).await?;
        let wrote = !self.dry_run && sum.faults.is_empty();
        for line in complaints(&sum) {
            output::note(&line);
        }
        output::say(&if self.json { json(&sum, wrote).to_string() } else { summary(&sum, self.dry_run) })?;
        Ok(if sum.faults.is_empty() { Ending::Done } else { Ending::Failed })
    }

    /// The files, and those in the folders among them.
    fn all_files(&self) -> Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for path in &self.files {
            if !path.is_dir() {
                files.push(path.clone());
                continue;
            }
            let cannot = || format!("the folder {} cannot be read", path.display());
            let mut inside = Vec::new();
            for entry in path.read_dir().with_context(cannot)? {
                let path = entry.with_context(cannot)?.path();
                if kind_of(&path).is_ok() {
                    inside.push(path);
                }
            }
            if inside.is_empty() {
                let detail = format!("{} has no .toml and none of scopes.csv, orgs.csv, ...", path.display());
                return Err(Usage(detail).into());
            }
            inside.sort();
            files.extend(inside);
        }
        Ok(files)
    }
}

/// What a file of a catalog is, by its name: TOML, or a table of one kind.
fn kind_of(path: &Path) -> Result<Option<CatalogKind>> {
    let lower = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let plain = Path::new(lower.strip_suffix(".gz").unwrap_or(&lower));
    let stem = plain.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    match plain.extension().and_then(|extension| extension.to_str()) {
        Some("toml") => Ok(None),
        Some("csv" | "xlsx" | "xls" | "ods") if CatalogKind::named(stem).is_some() => Ok(CatalogKind::named(stem)),
        Some(_) | None => Err(Usage(format!(
            "{} is neither a .toml nor named after its records: scopes.csv, orgs.csv, taxonomies.csv, products.csv or \
             factors.csv, or workbooks named so, such as orgs.xlsx",
            path.display()
        ))
        .into()),
    }
}

fn read(path: &Path, bundle: &mut CatalogBundle) -> Result<()> {
    let kind = kind_of(path)?;
    let input = Input::new(path.to_owned());
    let name = input.name();
    let read = match (kind, input.open()?.0) {
        (Some(kind), Content::Text(source)) => read_catalog_csv(source, kind, &name, bundle),
        (Some(kind), Content::Workbook(workbook)) => read_catalog_sheet(workbook, kind, &name, bundle),
        (None, Content::Workbook(_)) => anyhow::bail!("{name} is a workbook"),
        (None, Content::Text(mut source)) => {
            let text = std::io::read_to_string(&mut source).with_context(|| format!("{name} cannot be read"))?;
            read_catalog_toml(text.strip_prefix('\u{feff}').unwrap_or(&text), &name, bundle)
        }
    };
    read.map_err(|error| refused(&name, error))
}

/// Every fault with the place of its record, the first ones at least.
fn complaints(sum: &CatalogOutcome) -> Vec<String> {
    let all = sum.faults.iter().flat_map(|(place, faults)| {
        faults.as_slice().iter().map(move |fault| match fault.pointer.trim_start_matches('/') {
            "" => format!("{place}: {}", fault.detail),
            field => format!("{place}, {field}: {}", fault.detail),
        })
    });
    let mut lines: Vec<String> = all.collect();
    let more = lines.len().saturating_sub(PRINTED);
    lines.truncate(PRINTED);
    if more > 0 {
        lines.push(format!("... and {}", counted(more as u64, "more fault", "more faults")));
    }
    lines
}

fn summary(sum: &CatalogOutcome, dry_run: bool) -> String {
    let told = |counts: KindOutcome| {
        format!("{} created, {} updated, {} unchanged", counts.created, counts.updated, counts.unchanged)
    };
    let mut lines: Vec<String> = sum.kinds.iter().map(|(kind, counts)| format!("{kind}: {}", told(*counts))).collect();
    if !sum.faults.is_empty() {
        let wrong = counted(sum.faults.len() as u64, "record is wrong", "records are wrong");
        lines.push(format!("nothing was written, as {wrong}"));
    } else if dry_run {
        lines.push("nothing was written (--dry-run)".to_owned());
    }
    lines.extend(sum.fills.and_then(completable));
    lines.join("\n")
}

fn json(sum: &CatalogOutcome, wrote: bool) -> Json {
    let counts = |counts: KindOutcome| {
        [("created", count(counts.created)), ("updated", count(counts.updated)), ("unchanged", count(counts.unchanged))]
    };
    let kinds = sum.kinds.iter().map(|(kind, of)| (kind.as_str().to_owned(), object(counts(*of))));
    let faults = sum.faults.iter().flat_map(|(place, faults)| {
        faults.as_slice().iter().map(move |fault| {
            object([("place", text(place)), ("pointer", text(&fault.pointer)), ("detail", text(&fault.detail))])
        })
    });
    let mut all = members(counts(sum.all()));
    all.extend(members([
        ("rejected", count(sum.faults.len() as u64)),
        ("written", Json::Bool(wrote)),
        ("kinds", Json::Object(kinds.collect())),
        ("fills", sum.fills.map_or(Json::Null, count)),
        ("errors", array(faults)),
    ]));
    Json::Object(all)
}
