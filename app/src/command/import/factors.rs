//! `tonne import factors`: a file of published factors becomes a set of the installation.

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use anyhow::{Context as _, Result, anyhow};
use clap::Args;
use domain::Digest;
use files::{Json, PublishedAccount, PublishedFile, Skipped, read_published};
use ports::factor_sets::{AddedSet, NewFactorSet};
use ports::inbound::{Beside, SetPrefix};

use super::super::context::{Context, IfAbsent};
use super::super::factor::{set_json, short};
use super::super::json::{array, count, members, optional, text};
use super::super::{Ending, output};
use super::source::{is_stdin, name_of, refused};
use crate::App;
use crate::app::{factor_reader, installation};
use crate::counted::counted;

/// Findings that are printed.
const PRINTED: usize = 100;

/// Import published factors from the file of their publisher, as a set of the installation.
///
/// What the file is, is seen from its headers. A set is named by the SHA-256 of its file and never overwritten: the same
/// file again changes nothing, a corrected file is another set (--corrects). Blank values are no zeros, and rows that are no factors
/// are counted by reason. Every company can look the factors up (`tonne factor search`); --tenant does not count here.
/// The exit status is 1 where a row could not be read, or the same file was read into other factors before; rows whose figures
/// contradict each other in the source are reported and left out, and no failure.
#[derive(Debug, Args)]
pub(in crate::command) struct ImportFactors {
    /// The file as it was published, or - for standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The set that this file corrects: its id, or at least the first eight digits of it. Rules choose the correction from then on.
    #[arg(long, value_name = "SET", value_parser = SetPrefix::parse)]
    corrects: Option<SetPrefix>,
    /// Let it stand beside another set of the same edition, which it does not correct.
    #[arg(long, conflicts_with = "corrects")]
    beside: bool,
    /// Write nothing, only say what would be.
    #[arg(long)]
    dry_run: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl ImportFactors {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let Self { file, corrects, beside, dry_run, json } = self;
        let name = name_of(&file);
        let source: Box<dyn Read> = if is_stdin(&file) {
            Box::new(std::io::stdin().lock())
        } else {
            Box::new(File::open(&file).with_context(|| format!("{name} cannot be read"))?)
        };
        let PublishedFile { layout, set, factors, account } =
            read_published(source, &name).map_err(|error| refused(&name, error))?;
        for line in complaints(&name, &account) {
            output::note(&line);
        }
        let app =
            if dry_run { context.app_to_read().await? } else { context.app_without_tenant(IfAbsent::Make).await? };
        let corrects = match corrects {
            Some(prefix) => Some(named(&app, &prefix).await?),
            None => None,
        };
        let set = NewFactorSet::new(set.with_corrects(corrects), &factors).map_err(|error| {
            anyhow!("{name} cannot be imported: {error}; it was read as {layout}\n{}", counts(&account).join("\n"))
        })?;
        let grant = installation();
        let beside = if beside { Beside::Allowed } else { Beside::Refused };
        let imports = app.factor_set_imports();
        let added = if dry_run {
            imports.preview_factor_set(&grant, &set, beside).await?
        } else {
            imports.add_factor_set(&grant, set, beside).await?
        };
        let made = Made { added: &added, account: &account, dry_run };
        output::say(&if json { made.json(&layout.to_string()).to_string() } else { made.summary() })?;
        let is_whole = !account.skipped.contains_key(&Skipped::Faulty) && !matches!(added, AddedSet::Different(_));
        Ok(if is_whole { Ending::Done } else { Ending::Failed })
    }
}

/// The only set whose id begins so.
async fn named(app: &App, prefix: &SetPrefix) -> Result<Digest> {
    let sets = app.published_factors().list_factor_sets(&factor_reader()).await?;
    let mut named = sets.iter().map(|installed| installed.set.id).filter(|id| prefix.begins(*id));
    match (named.next(), named.count()) {
        (Some(only), 0) => Ok(only),
        (Some(_), more) => Err(anyhow!("the ids of {} sets begin with {prefix}: give more of it", more + 1)),
        (None, _) => Err(anyhow!("there is no set {prefix} to correct: `tonne factor sets` lists them")),
    }
}

/// What is wrong in the file, the first of it at least.
fn complaints(name: &str, account: &PublishedAccount) -> Vec<String> {
    let mut lines: Vec<_> = account.findings.iter().take(PRINTED).map(|finding| format!("{name}, {finding}")).collect();
    let more = (account.findings.len() - lines.len()) as u64 + account.more_findings;
    if more > 0 {
        lines.push(format!("... and {}", counted(more, "more finding", "more findings")));
    }
    lines
}

/// What became of the rows.
fn counts(account: &PublishedAccount) -> Vec<String> {
    let read = counted(account.rows, "row read", "rows read");
    let mut lines = vec![format!("{read}, factors made of {}", account.used)];
    let skipped = |one: &'static str, several: &'static str| {
        move |(reason, count): (&Skipped, &u64)| format!("{} skipped: {reason}", counted(*count, one, several))
    };
    lines.extend(account.skipped.iter().map(skipped("row", "rows")));
    lines.extend(account.values_skipped.iter().map(skipped("value", "values")));
    lines
}

/// What an import made.
struct Made<'a> {
    added: &'a AddedSet,
    account: &'a PublishedAccount,
    dry_run: bool,
}

impl Made<'_> {
    fn summary(&self) -> String {
        let installed = self.added.installed();
        let (id, set) = (short(installed.set.id), &installed.set);
        let factors = counted(installed.factors, "factor", "factors");
        let of = format!("{}, {}, {}", set.publisher, set.title, set.edition);
        let mut lines = counts(self.account);
        lines.push(match (self.added, self.dry_run) {
            (AddedSet::New(_), true) => format!("set {id} would be added: {factors} of {of}"),
            (AddedSet::New(_), false) => format!("added set {id}: {factors} of {of}"),
            (AddedSet::Same(_), _) => format!(
                "nothing changed: set {id} was added on {} by {}, {factors} of {of}",
                installed.added, installed.by
            ),
            (AddedSet::Different(_), _) => format!(
                "nothing changed: set {id} was added on {} by {}, when this file was read into other factors ({factors}); \
                 `tonne factor remove-set {id}` and another import read it anew",
                installed.added, installed.by
            ),
        });
        if self.dry_run {
            lines.push("nothing was written (--dry-run)".to_owned());
        }
        lines.join("\n")
    }

    fn json(&self, layout: &str) -> Json {
        let reasons = |of: &std::collections::BTreeMap<Skipped, u64>| {
            array(
                of.iter()
                    .map(|(reason, rows)| Json::Object(members([("reason", text(reason)), ("count", count(*rows))]))),
            )
        };
        let findings = self.account.findings.iter().map(|finding| {
            let row = count(finding.row.into());
            let sheet = optional(finding.sheet.as_ref());
            Json::Object(members([("sheet", sheet), ("row", row), ("detail", text(&finding.detail))]))
        });
        let outcome = match self.added {
            AddedSet::New(_) => "added",
            AddedSet::Same(_) => "unchanged",
            AddedSet::Different(_) => "different",
        };
        let written = matches!(self.added, AddedSet::New(_)) && !self.dry_run;
        Json::Object(members([
            ("layout", text(layout)),
            ("rows", count(self.account.rows)),
            ("used", count(self.account.used)),
            ("skipped", reasons(&self.account.skipped)),
            ("valuesSkipped", reasons(&self.account.values_skipped)),
            ("findings", array(findings)),
            ("moreFindings", count(self.account.more_findings)),
            ("outcome", text(outcome)),
            ("written", Json::Bool(written)),
            ("set", set_json(self.added.installed())),
        ]))
    }
}
