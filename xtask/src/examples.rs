//! The examples that the documentation prints: run one after the other as its readers run them, each compared with the
//! output that is beside it.

mod page;

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::cargo::{built, root, succeeds};
use crate::folder::Folder;
use crate::tools;
use page::{Example, examples};

/// Pages whose examples follow each other, against one service that begins empty.
const PAGES: [&str; 2] = ["docs/api.md", "docs/footprints.md"];
/// The address that the pages write.
const PRINTED: &str = "http://127.0.0.1:8080";

/// Runs the examples of the pages and of the README.
pub(crate) fn check() -> Result<()> {
    tools::shell()?;
    let program = built()?;
    let folder = Folder::new("examples")?;
    let mut wrong = Vec::new();

    let served = folder.path().join("served");
    let service = Service::start(&program, &served)?;
    let mut all = Vec::new();
    for page in PAGES {
        all.extend(read(page)?.into_iter().map(|example| example.at_address(PRINTED, &service.address)));
    }
    ensure!(all.iter().any(|example| example.expected.is_some()), "the pages print no output to compare with");
    wrong.extend(run(&all, &program, &served)?);
    drop(service);

    let alone = folder.path().join("alone");
    fs::create_dir_all(&alone)?;
    let readme: Vec<Example> = read("README.md")?.into_iter().map(|example| example.without("cargo ")).collect();
    wrong.extend(run(&readme, &program, &alone)?);

    let compared = all.iter().filter(|example| example.expected.is_some()).count();
    println!("{} examples run, {compared} of them compared with what the pages print", all.len() + readme.len());
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

fn read(page: &'static str) -> Result<Vec<Example>> {
    let text = fs::read_to_string(root().join(page)).with_context(|| format!("cannot read {page}"))?;
    Ok(examples(page, &text))
}

/// What is wrong with the examples, which one shell runs in their order.
fn run(examples: &[Example], program: &Path, folder: &Path) -> Result<Vec<String>> {
    let output = |number: usize| folder.join(format!("output-{number}"));
    let mut script = String::new();
    for (number, example) in examples.iter().enumerate() {
        writeln!(script, "{{\n{}\n}} > {} 2>&1", example.code, output(number).display())?;
        writeln!(script, "echo $? >> {}", folder.join("statuses").display())?;
    }
    let path = folder.join("examples.sh");
    fs::write(&path, script)?;
    let bin = program.parent().context("the program stands in no folder")?;
    let search = std::env::join_paths(
        std::iter::once(bin.to_path_buf()).chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
    )?;
    let mut bash = Command::new("bash");
    bash.arg(&path).current_dir(folder).env("PATH", search).stdin(Stdio::null());
    ensure!(succeeds(&mut bash)?, "the shell ends before the last example");
    let statuses = fs::read_to_string(folder.join("statuses"))?;
    let mut wrong = Vec::new();
    for ((number, example), status) in examples.iter().enumerate().zip(statuses.lines()) {
        let printed = fs::read_to_string(output(number))?;
        wrong.extend(example.fault(&printed, status));
    }
    Ok(wrong)
}

/// A service with data of its own; it ends when this is dropped.
struct Service {
    child: Child,
    address: String,
}

impl Service {
    fn start(program: &Path, folder: &Path) -> Result<Self> {
        fs::create_dir_all(folder)?;
        let mut command = Command::new(program);
        command.args(["serve", "--listen", "127.0.0.1:0"]).current_dir(folder);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().context("the service cannot start")?;
        let (sender, lines) = std::sync::mpsc::channel();
        // Both are read to their end, so that the service never waits for a reader.
        let outputs: [Option<Box<dyn std::io::Read + Send>>; 2] = [
            child.stdout.take().map(|output| Box::new(output) as Box<_>),
            child.stderr.take().map(|output| Box::new(output) as Box<_>),
        ];
        for output in outputs.into_iter().flatten() {
            let sender = sender.clone();
            std::thread::spawn(move || {
                BufReader::new(output).lines().map_while(Result::ok).for_each(|line| drop(sender.send(line)));
            });
        }
        drop(sender);
        let mut service = Self { child, address: String::new() };
        service.address = lines.iter().find_map(|line| page::address(&line)).context("the service says no address")?;
        Ok(service)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // Its data are thrown away with its folder.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
