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
use super::writer::verified;
use crate::bench::store::Kind;
use crate::cargo::{output, root, succeeds};
use crate::clients::demo::Demo;
use crate::tools;

/// What is installed, of these versions and with these digests.
const REQUIREMENTS: &str = include_str!("http/requirements.txt");
const HOOKS: &str = include_str!("http/hooks.py");
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
                      response_headers_conformance,response_schema_conformance";

/// How many requests are made.
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// The most of each operation and phase.
    examples: u32,
    phases: &'static str,
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
        task: Task::Http(Run { examples: form.pick(6, 50), phases }),
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
    let (seed, examples) = ((seed >> 1).to_string(), run.examples.to_string());
    let log = fs::File::create(room.join("schemathesis.log")).context("cannot make a file")?;
    let mut command = Command::new(tools.join("schemathesis"));
    command.arg("run").arg(root().join("docs/openapi.json")).args(["--url", service.base(), "--checks", CHECKS]);
    command.args(["--seed", &seed, "--max-examples", &examples, "--phases", run.phases, "--no-color"]);
    command.args(["--continue-on-failure", "--request-timeout", "60", "--report", "json"]);
    command.args(["--report-json-path", "report.json"]).current_dir(&room).env("SCHEMATHESIS_HOOKS", "hooks.py");
    command.env("CAMPAIGN_PROGRAM", ground.program()).env("CAMPAIGN_DATA", &store.folder);
    command.env("CAMPAIGN_BASE", service.base()).stdin(Stdio::null()).stderr(log.try_clone()?).stdout(log);
    let found_nothing = succeeds(&mut command)?;
    ensure!(found_nothing, "schemathesis found something: see {}", room.join("schemathesis.log").display());
    let said = fs::read_to_string(room.join("service.log")).context("no log of the service")?;
    ensure!(!said.contains("panicked"), "the service panicked: see its log");
    let status = service.terminate()?;
    ensure!(status.success(), "the service ended with {status}");
    verified(&store)?;
    let report: Value = serde_json::from_slice(&fs::read(room.join("report.json"))?).context("no report")?;
    let mut tally = Tally::default();
    tally.count("requests", report["test_cases"]["generated"].as_u64().context("a report without its requests")?);
    ground.clear(name)?;
    Ok(tally)
}

/// Whether `PyPI` gives what is installed.
pub(super) fn can_be_installed(folder: &Path) -> Result<bool> {
    if is_installed(folder) {
        return Ok(true);
    }
    let pinned = REQUIREMENTS.lines().find_map(|line| line.strip_prefix("schemathesis==")).unwrap_or_default();
    let version = pinned.split(' ').next().unwrap_or_default();
    let mut download = Command::new(tools::python()?);
    download.args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--dest"]);
    download.arg(folder).arg(format!("schemathesis=={version}"));
    succeeds(download.stdin(Stdio::null()).stdout(Stdio::null()))
}

fn is_installed(folder: &Path) -> bool {
    fs::read_to_string(folder.join("installed")).is_ok_and(|text| text == REQUIREMENTS)
}

/// Installs the tools below the folder, unless they are there; gives where its programs are.
fn install(folder: &Path) -> Result<PathBuf> {
    let programs = folder.join("venv").join("bin");
    if is_installed(folder) {
        return Ok(programs);
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    fs::write(folder.join("requirements.txt"), REQUIREMENTS).context("cannot write a file")?;
    output(Command::new(tools::python()?).args(["-m", "venv", "--clear", "venv"]).current_dir(folder))?;
    let mut pip = Command::new(programs.join("pip"));
    pip.args(["install", "--quiet", "--disable-pip-version-check", "--require-hashes", "-r", "requirements.txt"]);
    output(pip.current_dir(folder)).context("pip cannot install schemathesis")?;
    fs::write(folder.join("installed"), REQUIREMENTS).context("cannot write a file")?;
    Ok(programs)
}
