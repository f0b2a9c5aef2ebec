//! The machine that figures were measured on, and the time and commit.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result};

use super::process::output;

/// What a program prints, without blanks around it.
pub(crate) fn said(program: &str, words: &[&str]) -> Result<String> {
    output(Command::new(program).args(words))
}

/// Lines that name the machine, its state, the date, the commit and the command.
pub(crate) fn lines(program: &str) -> Vec<(&'static str, String)> {
    let unknown = |value: Result<String>| value.unwrap_or_else(|_| "unknown".to_owned());
    let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    let root = crate::cargo::root();
    let git = |words: &[&str]| output(Command::new("git").args(words).current_dir(&root));
    let commit = git(&["rev-parse", "--short=12", "HEAD"]).map(|commit| {
        let changed = git(&["status", "--porcelain", "--untracked-files=no"]).is_ok_and(|files| !files.is_empty());
        commit + if changed { ", with changes" } else { "" }
    });
    let words: Vec<_> = std::env::args().skip(1).collect();
    vec![
        ("date", unknown(said("date", &["-u", "+%Y-%m-%d %H:%M UTC"]))),
        ("commit", unknown(commit)),
        ("command", format!("cargo xtask {}", words.join(" "))),
        ("program", program.to_owned()),
        ("processor", format!("{}, {cores} cores", unknown(field("/proc/cpuinfo", "model name")))),
        ("memory", unknown(field("/proc/meminfo", "MemTotal"))),
        ("system", unknown(said("uname", &["-sr"]))),
        ("load when it began", unknown(load())),
    ]
}

/// The value of the first line of that name.
fn field(file: &str, name: &str) -> Result<String> {
    let text = fs::read_to_string(file)?;
    let lines = text.lines().filter_map(|line| line.split_once(':'));
    let mut values = lines.filter(|(found, _)| found.trim() == name);
    values.next().map(|(_, value)| value.trim().to_owned()).with_context(|| format!("{file} has no {name}"))
}

/// How many processes ran in the last minute, on the average.
fn load() -> Result<String> {
    let text = fs::read_to_string("/proc/loadavg")?;
    Ok(text.split(' ').next().unwrap_or_default().to_owned())
}
