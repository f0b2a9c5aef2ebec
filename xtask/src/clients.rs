//! Two clients of strangers: the OpenAPI document passes a linter, a Python and a TypeScript client are generated from it,
//! and each calls every operation of a running demo once. The programs of the how-to run with them too.
//!
//! The tools come from package registries, of the versions named here, into a folder that is removed in the end.

pub(crate) mod demo;
mod howto;
mod steps;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::cargo::{built, output, root, succeeds};
use crate::folder::Folder;
use crate::tools;
use demo::Demo;
use howto::HowTo;
use steps::{Step, steps};

/// The packages that are installed from npm.
const NODE_PACKAGES: [&str; 5] = [
    "@redocly/cli@1.34.5",
    "openapi-typescript@7.13.0",
    "openapi-fetch@0.17.0",
    "typescript@5.9.3",
    "@types/node@22.19.1",
];
/// The generator that is installed from `PyPI`.
const PYTHON_PACKAGE: &str = "openapi-python-client==0.29.1";

/// Says so where the clients are left out.
pub(crate) const WITHOUT: &str =
    "WITHOUT CLIENTS (--skip clients): the document is not linted, and no client is generated from it and run.";

/// Says so where the tools cannot be had.
pub(crate) const UNREACHABLE: &str =
    "WITHOUT CLIENTS: no package registry answers, so the document is not linted and no client is generated and run.";

/// Whether the registries give what the clients are made with.
pub(crate) fn can_be_made() -> Result<bool> {
    let (python, npm) = (tools::python()?, tools::npm()?);
    let folder = Folder::new("registry")?;
    // Its own pip: where Python is a package of the system, pip is another one.
    output(Command::new(python).args(["-m", "venv", "probe"]).current_dir(folder.path()))?;
    let mut download = Command::new(folder.path().join("probe/bin/pip"));
    download.args(["download", "--quiet", "--disable-pip-version-check", "--no-deps", "--dest"]);
    let quietly = |command: &mut Command| succeeds(command.stdin(Stdio::null()).stdout(Stdio::null()));
    Ok(quietly(Command::new(npm).args(["ping", "--silent"]))?
        && quietly(download.arg(folder.path()).arg(PYTHON_PACKAGE))?)
}

/// Lints the document, generates both clients and runs them against a demo of their own.
pub(crate) fn check() -> Result<()> {
    let start = Instant::now();
    let (python, npm) = (tools::python()?, tools::npm()?);
    let program = built()?;
    let folder = Folder::new("clients")?;
    let at = folder.path();
    let document: Value = serde_json::from_str(&fs::read_to_string(root().join("docs/openapi.json"))?)
        .context("docs/openapi.json is no JSON; run `cargo xtask openapi`")?;
    let steps = steps(&document)?;
    let howto = HowTo::read()?;
    fs::write(at.join("openapi.json"), serde_json::to_vec(&document)?)?;

    fs::write(at.join("package.json"), "{ \"private\": true }\n")?;
    let mut install = Command::new(npm);
    install.args(["install", "--no-audit", "--no-fund", "--silent", "--no-progress"]).args(NODE_PACKAGES);
    run(install.current_dir(at), "npm cannot install the tools")?;
    run(Command::new(python).args(["-m", "venv", "venv"]).current_dir(at), "no virtual environment can be made")?;
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", PYTHON_PACKAGE];
    run(in_venv(at, "python").args(pip), "pip cannot install the tools")?;

    lint(at)?;
    let demo = Demo::start(&program, at)?;
    let called = python_client(at, &demo, &steps)?;
    howto.python(at, &demo)?;
    println!("python: a generated client called {called} operations");
    // Each client makes the same records, so each has a demo of its own.
    drop(demo);
    let demo = Demo::start(&program, &at.join("second"))?;
    typescript_client(at, &demo, &steps)?;
    howto.typescript(at, &demo)?;
    println!("typescript: a generated client called {} operations", steps.len());
    println!("clients: {} s", start.elapsed().as_secs());
    Ok(())
}

fn lint(at: &Path) -> Result<()> {
    let config = "extends: [recommended-strict]\nrules:\n  no-server-example.com: off\n";
    fs::write(at.join("redocly.yaml"), config)?;
    let mut lint = of_node(at, "redocly");
    lint.args(["lint", "openapi.json", "--config", "redocly.yaml", "--format", "stylish"]);
    lint.env("REDOCLY_TELEMETRY", "off").env("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true");
    run(&mut lint, "the linter finds fault with docs/openapi.json")
}

fn python_client(at: &Path, demo: &Demo, steps: &[Step]) -> Result<usize> {
    fs::write(
        at.join("python.yaml"),
        "post_hooks: []\npackage_name_override: tonne_client\n\
                  content_type_overrides:\n  application/x-ndjson: application/octet-stream\n",
    )?;
    let mut generate = in_venv(at, "openapi-python-client");
    generate.args(["generate", "--path", "openapi.json", "--config", "python.yaml", "--meta", "none"]);
    run(generate.args(["--output-path", "tonne_client", "--fail-on-warning"]), "no Python client can be generated")?;
    free_the_name_d(&at.join("tonne_client").join("models"))?;
    fs::write(at.join("steps.json"), serde_json::to_vec(steps)?)?;
    fs::write(at.join("run.py"), include_str!("clients/run.py"))?;
    let mut run = in_venv(at, "python");
    run.args(["run.py", "steps.json", &demo.base, &demo.key]).env("PYTHONPATH", at);
    output(&mut run).context("the Python client failed, see above")?.trim().parse().context("no number of steps")
}

/// The generator calls its own variable `d`, which a member `D` of a schema would overwrite half-way: gives that variable
/// another name where there is such a member.
fn free_the_name_d(models: &Path) -> Result<()> {
    for entry in fs::read_dir(models)? {
        let path = entry?.path();
        if path.extension().is_none_or(|extension| extension != "py") {
            continue;
        }
        let text = fs::read_to_string(&path)?;
        if text.contains("d.pop(\"D\")") {
            let text = text.replace(" d = dict(src_dict)", " members = dict(src_dict)");
            let text = text.replace(" d.pop(", " members.pop(").replace("(d.pop(", "(members.pop(");
            fs::write(&path, text.replace("additional_properties = d\n", "additional_properties = members\n"))?;
        }
    }
    Ok(())
}

fn typescript_client(at: &Path, demo: &Demo, steps: &[Step]) -> Result<()> {
    let mut generate = of_node(at, "openapi-typescript");
    run(generate.args(["openapi.json", "--output", "api.ts"]), "no TypeScript client can be generated")?;
    let body: String = steps.iter().map(steps::in_typescript).collect();
    let text = format!("{}async function main() {{\n{body}}}\n\nmain();\n", include_str!("clients/before.ts"));
    fs::write(at.join("run.ts"), text)?;
    let mut compile = of_node(at, "tsc");
    compile.args(["--strict", "--target", "es2022", "--module", "nodenext", "--moduleResolution", "nodenext"]);
    run(compile.args(["--skipLibCheck", "run.ts"]), "the steps do not fit the generated types")?;
    let mut node = Command::new("node");
    run(node.args(["run.js", &demo.base, &demo.key]).current_dir(at), "the TypeScript client failed")
}

fn in_venv(at: &Path, name: &str) -> Command {
    let mut command = Command::new(at.join("venv").join("bin").join(name));
    command.current_dir(at);
    command
}

fn of_node(at: &Path, name: &str) -> Command {
    let mut command = Command::new(at.join("node_modules").join(".bin").join(name));
    command.current_dir(at);
    command
}

fn run(command: &mut Command, failure: &str) -> Result<()> {
    if succeeds(command.stdin(std::process::Stdio::null()))? { Ok(()) } else { bail!("{failure}, see above") }
}
