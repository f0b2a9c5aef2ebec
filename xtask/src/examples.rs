//! The blocks that the README and the book print: run as their readers run them, in a fresh folder for each page, and compared
//! with the output that is beside them. `docs/writing.md` says what becomes of which block.

mod fence;
mod likeness;
mod page;
mod place;
mod session;
mod step;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use crate::cargo::{built, output, root};
use crate::folder::Folder;
use crate::tools;
use page::Page;
use place::Place;
use step::{Expected, Step};

/// Runs the blocks of the README and of all pages, or of those whose path ends so.
pub(crate) fn check(asked: Option<&str>) -> Result<()> {
    let program = built()?;
    let mut pages = BTreeMap::new();
    for path in paths()? {
        let text = fs::read_to_string(root().join(&path)).with_context(|| format!("cannot read {path}"))?;
        pages.insert(path.clone(), Page::read(&path, &text));
    }
    if let Some(asked) = asked {
        ensure!(pages.keys().any(|path| path.ends_with(asked)), "no page's path ends with {asked}");
    }
    let mut wrong = Vec::new();
    for (path, page) in &pages {
        let is_asked = |path: &str| asked.is_none_or(|asked| path.ends_with(asked));
        let following: Vec<_> = pages.iter().filter(|(_, other)| other.after.as_ref() == Some(path)).collect();
        if !is_asked(path) && !following.iter().any(|(path, _)| is_asked(path)) {
            continue;
        }
        wrong.extend(page.faults.iter().cloned());
        match &page.after {
            Some(before) if pages.contains_key(before) => continue,
            Some(before) => wrong.push(format!("{path} goes on after {before}, which is no page")),
            None => {}
        }
        let parts: Vec<&Page> = std::iter::once(page).chain(following.iter().map(|(_, page)| *page)).collect();
        wrong.extend(run(path, &parts, &program)?);
    }
    summary(&pages);
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

/// The README and the pages that git knows or would take.
fn paths() -> Result<Vec<String>> {
    let mut git = std::process::Command::new("git");
    git.args(["ls-files", "--cached", "--others", "--exclude-standard", "README.md", "docs/*.md"]).current_dir(root());
    let listed = output(&mut git)?;
    Ok(listed.lines().filter(|path| root().join(path).is_file()).map(str::to_owned).collect())
}

/// What is wrong with the steps of a page and of those that go on after it.
fn run(path: &str, parts: &[&Page], program: &Path) -> Result<Vec<String>> {
    let steps: Vec<&Step> = parts.iter().flat_map(|page| &page.steps).collect();
    if steps.is_empty() {
        return Ok(Vec::new());
    }
    let began = Instant::now();
    tools::shell()?;
    let needs = |what: &str| parts.iter().any(|page| page.needs.iter().any(|needed| needed == what));
    if needs("nginx") {
        tools::nginx()?;
    }
    let server = if needs("postgres") { Some(Server::new()?) } else { None };
    let folder = Folder::new("examples")?;
    let place = Place::new(folder.path(), server.as_ref().map(Server::url))?;
    let wrong = session::run(&steps, program, &place)?;
    println!("{path}: {} steps, {:.1} s", steps.len(), began.elapsed().as_secs_f32());
    Ok(wrong)
}

/// Prints what was run and, with the reasons, what was not.
fn summary(pages: &BTreeMap<String, Page>) {
    for (path, page) in pages {
        for (line, reason) in &page.not_run {
            println!("{path}:{line}: not run: {reason}");
        }
    }
    let steps: Vec<&Step> = pages.values().flat_map(|page| &page.steps).collect();
    let compared = steps.iter().filter(|step| step.expected != Expected::Success).count();
    let parsed: usize = pages.values().map(|page| page.parsed).sum();
    let not_run: usize = pages.values().map(|page| page.not_run.len()).sum();
    println!(
        "{} pages: {} steps, {compared} of them compared with what the pages print; {parsed} blocks parsed, {not_run} not run",
        pages.len(),
        steps.len()
    );
}

/// A PostgreSQL server for the time of a page.
#[cfg(unix)]
struct Server(crate::postgres::TemporaryServer);

#[cfg(unix)]
impl Server {
    fn new() -> Result<Self> {
        crate::postgres::prepare()?;
        let program = std::env::current_exe().context("cannot tell where this program is")?;
        crate::postgres::TemporaryServer::borrow(&program).map(Self)
    }

    fn url(&self) -> &str {
        self.0.url()
    }
}

#[cfg(not(unix))]
struct Server;

#[cfg(not(unix))]
impl Server {
    fn new() -> Result<Self> {
        anyhow::bail!("servers of one's own run on Unix")
    }

    fn url(&self) -> &str {
        ""
    }
}
