//! Requests made from the `OpenAPI` document by schemathesis: no answer of 5xx, and none that the document does not have.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::ground::Ground;
use super::part::{Form, Part, Round, Task};
use super::service::Service;
use super::tally::Tally;
use super::watch;
use super::writer::verified;
use crate::bench::process::Process;
use crate::bench::store::Kind;
use crate::cargo::{output, root, succeeds};
use crate::clients::demo::Demo;
use crate::program::without_settings;
use crate::tools;

/// What is installed, of these versions and with these digests.
const REQUIREMENTS: &str = include_str!("http/requirements.txt");
const HOOKS: &str = include_str!("http/hooks.py");
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
                      response_headers_conformance,response_schema_conformance";

/// How often it is looked whether requests go on.
const PAUSE: std::time::Duration = std::time::Duration::from_millis(50);

/// How many requests are made.
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// The most of each operation and phase.
    examples: u32,
    phases: &'static str,
    /// Fewer in all, and the round has not done what it is for.
    least: u64,
}

/// In the long form some ten thousand requests each.
pub(super) fn rounds(form: Form) -> Vec<Round> {
    let phases = match form {
        Form::Short => "examples,fuzzing",
        Form::Long => "examples,coverage,fuzzing,stateful",
    };
    let round = |number| Round {
        part: Part::Http,
        name: format!("http-{number:02}"),
        task: Task::Http(Run { examples: form.pick(6, 50), phases, least: u64::from(form.pick(300, 5_000)) }),
    };
    (1..=form.pick(1, 10)).map(round).collect()
}

/// Asks the company of the demo.
pub(super) fn run(ground: &mut Ground, name: &str, run: &Run, seed: u64) -> Result<Tally> {
    let tools = install(&ground.tools())?;
    let store = ground.store(name, Kind::Sqlite)?;
    let room = store.folder.parent().context("a store without a folder")?.to_owned();
    // The demo makes a company with records of each kind; the service then counts no requests.
    drop(Demo::start(ground.program(), &room)?);
    let service = Service::start(&store, &[])?;
    fs::write(room.join("hooks.py"), HOOKS).context("cannot write a file")?;
    let hook_seed = seed.to_string();
    let (seed, examples) = ((seed >> 1).to_string(), run.examples.to_string());
    let log = fs::File::create(room.join("schemathesis.log")).context("cannot make a file")?;
    let mut command = Command::new(tools.join("schemathesis"));
    command.arg("run").arg(root().join("docs/openapi.json")).args(["--url", service.base(), "--checks", CHECKS]);
    command.args(["--seed", &seed, "--max-examples", &examples, "--phases", run.phases, "--no-color"]);
    command.args(["--continue-on-failure", "--request-timeout", "60", "--report", "json"]);
    command.args(["--report-json-path", "report.json"]).current_dir(&room).env("SCHEMATHESIS_HOOKS", "hooks.py");
    without_settings(&mut command);
    command.env("CAMPAIGN_PROGRAM", ground.program()).env("CAMPAIGN_DATA", &store.folder);
    command
        .env("CAMPAIGN_BASE", service.base())
        .env("CAMPAIGN_SEED", hook_seed)
        .stdin(Stdio::null())
        .stderr(log.try_clone()?)
        .stdout(log);
    let found_nothing = waited_for(&mut command, &room.join("counts.json"))?;
    ensure!(found_nothing, "schemathesis found something: see {}", room.join("schemathesis.log").display());
    let said = fs::read_to_string(room.join("service.log")).context("no log of the service")?;
    ensure!(!said.contains("panicked"), "the service panicked: see its log");
    let status = service.terminate()?;
    ensure!(status.success(), "the service ended with {status}");
    verified(&store)?;
    let document = serde_json::from_slice(&fs::read(root().join("docs/openapi.json"))?).context("no document")?;
    let counts = serde_json::from_slice(&fs::read(room.join("counts.json"))?).context("no counts")?;
    let tally = reached(&document, &counts, run.least)?;
    ground.clear(name)?;
    Ok(tally)
}

/// How requests were answered: enough of them in all, and those of every operation with a success at least once.
fn reached(document: &Value, counts: &Value, least: u64) -> Result<Tally> {
    let mut tally = Tally::default();
    let mut never = Vec::new();
    for (path, item) in document["paths"].as_object().context("a document without paths")? {
        for method in item.as_object().into_iter().flatten().map(|(method, _)| method.to_uppercase()) {
            let name = format!("{method} {path}");
            let answered = counts[&name].as_object().into_iter().flatten();
            let mut successes = 0;
            for (status, count) in answered {
                let count = count.as_u64().context("a count that is none")?;
                tally.count("requests", count);
                successes += if status.starts_with('2') { count } else { 0 };
            }
            tally.count("answered with success", successes);
            if successes == 0 {
                never.push(name);
            }
        }
    }
    ensure!(never.is_empty(), "never answered with success: {}", never.join(", "));
    let requests = tally.counts.get("requests").copied().unwrap_or_default();
    ensure!(requests >= least, "only {requests} requests were made, of at least {least}");
    Ok(tally)
}

/// Runs it to its end; whether it succeeded. It makes progress when the counts change, and while it computes: between its phases
/// it makes up requests and sends none.
fn waited_for(command: &mut Command, counts: &Path) -> Result<bool> {
    watch::doing("schemathesis makes requests");
    let mut child = command.spawn().context("cannot run schemathesis")?;
    let (process, mut seen) = (Process::of(&child), None);
    loop {
        if let Some(status) = child.try_wait().context("cannot wait for schemathesis")? {
            return Ok(status.success());
        }
        let state = (fs::metadata(counts).and_then(|file| file.modified()).ok(), process.processor().ok());
        if seen != Some(state) {
            seen = Some(state);
            watch::goes_on();
        }
        std::thread::sleep(PAUSE);
    }
}

/// Whether `PyPI` gives what is installed.
pub(super) fn can_be_installed(folder: &Path) -> Result<bool> {
    if is_installed(folder) {
        return Ok(true);
    }
    let programs = environment(folder)?;
    let pinned = REQUIREMENTS.lines().find_map(|line| line.strip_prefix("schemathesis==")).unwrap_or_default();
    let version = pinned.split(' ').next().unwrap_or_default();
    let mut download = Command::new(programs.join("pip"));
    download.args(["download", "--quiet", "--disable-pip-version-check", "--no-deps", "--dest"]);
    download.arg(folder).arg(format!("schemathesis=={version}"));
    succeeds(download.stdin(Stdio::null()).stdout(Stdio::null()))
}

fn is_installed(folder: &Path) -> bool {
    fs::read_to_string(folder.join("installed")).is_ok_and(|text| text == REQUIREMENTS)
}

/// A new virtual environment in the folder, which has a pip of its own where the system has none; gives where its programs are.
fn environment(folder: &Path) -> Result<PathBuf> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    output(Command::new(tools::python()?).args(["-m", "venv", "--clear", "venv"]).current_dir(folder))?;
    Ok(folder.join("venv").join("bin"))
}

/// Installs the tools below the folder, unless they are there; gives where its programs are.
fn install(folder: &Path) -> Result<PathBuf> {
    if is_installed(folder) {
        return Ok(folder.join("venv").join("bin"));
    }
    let programs = environment(folder)?;
    fs::write(folder.join("requirements.txt"), REQUIREMENTS).context("cannot write a file")?;
    let mut pip = Command::new(programs.join("pip"));
    pip.args(["install", "--quiet", "--disable-pip-version-check", "--require-hashes", "-r", "requirements.txt"]);
    output(pip.current_dir(folder)).context("pip cannot install schemathesis")?;
    fs::write(folder.join("installed"), REQUIREMENTS).context("cannot write a file")?;
    Ok(programs)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_operation_that_is_never_answered_with_success_is_named_and_too_few_requests_are_told() {
        let document = json!({ "paths": { "/a": { "get": {}, "post": {} }, "/b": { "get": {} } } });
        let refused = json!({ "GET /a": { "200": 3, "401": 1 }, "POST /a": { "401": 9 } });
        let error = reached(&document, &refused, 1).unwrap_err().to_string();
        assert_eq!(error, "never answered with success: POST /a, GET /b");
        let answered = json!({ "GET /a": { "200": 3 }, "POST /a": { "201": 1, "422": 5 }, "GET /b": { "200": 1 } });
        assert_eq!(reached(&document, &answered, 10).unwrap().counts["requests"], 10);
        assert!(reached(&document, &answered, 11).unwrap_err().to_string().contains("only 10 requests"));
    }
}
