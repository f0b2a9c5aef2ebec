//! Every check but the tests, all run whatever happens, with a table at the end.

mod deny;

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::ValueEnum;

use crate::cargo::{cargo, succeeds};
use crate::deploy::{self, Checked};
use crate::{book, clients, examples, exported, metrics, openapi, package, purity, tidy};

/// How a check ended.
enum Outcome {
    Passed,
    Failed(anyhow::Error),
    /// Not run, and why.
    Skipped(&'static str),
}

struct Row {
    name: &'static str,
    outcome: Outcome,
    took: Duration,
}

/// What a run can leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Skip {
    /// The linter of the OpenAPI document and the clients that are generated from it.
    Clients,
    /// The short form of the campaign.
    Campaign,
}

/// Runs the checks that are not left out; whether none failed.
pub(crate) fn run(advisories: bool, skip: Option<Skip>) -> bool {
    let mut rows = vec![
        step("fmt", || cargo_check(&["fmt", "--all", "--check"], "run `cargo fmt --all`")),
        step(
            "tidy",
            || if tidy::run()? { Ok(()) } else { bail!("rules of the house are broken; see its lines above") },
        ),
        step("clippy", clippy),
        step("plain", plain),
        step("rustdoc", rustdoc),
        step("deny", || deny::check(&["bans", "licenses", "sources"])),
        step("purity", purity::check),
        step("package", package::check),
        step("openapi", openapi::check),
        step("examples", || examples::check(None)),
        step("book", book::check),
        step_or_skip("mdbook", book::check_html),
        step("exported", exported::check),
        step("metrics", metrics::check),
    ];
    rows.extend(deploy::CHECKS.map(|(name, check)| step_or_skip(name, check)));
    let left_out = |why| Row { name: "clients", outcome: Outcome::Skipped(why), took: Duration::ZERO };
    rows.push(match (skip, if skip == Some(Skip::Clients) { Ok(false) } else { clients::can_be_made() }) {
        (Some(Skip::Clients), _) => left_out(clients::WITHOUT),
        (_, Ok(false)) => left_out(clients::UNREACHABLE),
        (_, Ok(true)) => step("clients", clients::check),
        (_, Err(error)) => step("clients", || Err(error)),
    });
    rows.extend(campaign_rows(skip));
    rows.push(if advisories {
        step("advisories", || deny::check(&["advisories"]))
    } else {
        let why = "needs the advisory database from the network: `cargo xtask ci --advisories`";
        Row { name: "advisories", outcome: Outcome::Skipped(why), took: Duration::ZERO }
    });
    print!("{}", table(&rows));
    for row in &rows {
        if let Row { name: "clients" | "requests", outcome: Outcome::Skipped(why), .. } = row {
            println!("{why}");
        }
    }
    !rows.iter().any(|row| matches!(row.outcome, Outcome::Failed(_)))
}

/// The attacks that are short enough for every change.
#[cfg(target_os = "linux")]
fn campaign_rows(skip: Option<Skip>) -> Vec<Row> {
    let left_out = |name, why| Row { name, outcome: Outcome::Skipped(why), took: Duration::ZERO };
    if skip == Some(Skip::Campaign) {
        return vec![left_out("campaign", "`--skip campaign`: nothing was killed, and no disk failed")];
    }
    let has_http = crate::campaign::has_http();
    let mut rows = vec![step("campaign", || crate::campaign::check(has_http))];
    if !has_http {
        rows.push(left_out("requests", crate::campaign::WITHOUT_HTTP));
    }
    rows
}

#[cfg(not(target_os = "linux"))]
fn campaign_rows(_skip: Option<Skip>) -> Vec<Row> {
    vec![Row { name: "campaign", outcome: Outcome::Skipped("it runs on Linux"), took: Duration::ZERO }]
}

fn step(name: &'static str, check: impl FnOnce() -> Result<()>) -> Row {
    step_or_skip(name, || check().map(|()| Checked::Whole))
}

/// The same for a check that may lack what it needs.
fn step_or_skip(name: &'static str, check: impl FnOnce() -> Result<Checked>) -> Row {
    println!("== {name}");
    let start = Instant::now();
    let outcome = match check() {
        Ok(Checked::Whole) => Outcome::Passed,
        Ok(Checked::Not(why)) => Outcome::Skipped(why),
        Err(error) => {
            println!("{name}: {error:#}");
            Outcome::Failed(error)
        }
    };
    Row { name, outcome, took: start.elapsed() }
}

fn cargo_check(arguments: &[&str], remedy: &'static str) -> Result<()> {
    if succeeds(&mut cargo(arguments))? { Ok(()) } else { bail!("{remedy}") }
}

fn clippy() -> Result<()> {
    let arguments = "clippy --workspace --all-targets --all-features --locked --keep-going -- --deny warnings";
    cargo_check(&arguments.split(' ').collect::<Vec<_>>(), "mend what clippy says above")
}

/// The program without what features add, such as traces: whoever builds it so gets a program.
fn plain() -> Result<()> {
    cargo_check(
        &["check", "--package", "tonne", "--no-default-features", "--locked"],
        "mend what stands under a feature and is used without it",
    )
}

fn rustdoc() -> Result<()> {
    let mut command = cargo(&["doc", "--workspace", "--no-deps", "--all-features", "--locked", "--keep-going"]);
    if succeeds(command.env("RUSTDOCFLAGS", "--deny warnings"))? {
        Ok(())
    } else {
        bail!("mend what rustdoc says above")
    }
}

fn table(rows: &[Row]) -> String {
    let mut text = format!("\n{:<12}{:<10}{:>8}\n", "check", "result", "seconds");
    for Row { name, outcome, took } in rows {
        let (result, note) = match outcome {
            Outcome::Passed => ("ok", String::new()),
            Outcome::Failed(error) => ("FAILED", format!("{error:#}")),
            Outcome::Skipped(why) => ("skipped", (*why).to_owned()),
        };
        let line = format!("{name:<12}{result:<10}{:>8.1}  {note}", took.as_secs_f32());
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_names_every_check_with_its_reason() {
        let took = Duration::from_millis(1250);
        let text = table(&[
            Row { name: "fmt", outcome: Outcome::Passed, took },
            Row { name: "tidy", outcome: Outcome::Failed(anyhow::anyhow!("two rules")), took },
            Row { name: "advisories", outcome: Outcome::Skipped("no network"), took: Duration::ZERO },
        ]);
        let lines: Vec<_> = text.lines().skip(2).collect();
        assert_eq!(
            lines,
            [
                "fmt         ok             1.2",
                "tidy        FAILED         1.2  two rules",
                "advisories  skipped        0.0  no network"
            ]
        );
    }

    #[test]
    fn a_failing_step_is_a_failed_row() {
        assert!(matches!(step("x", || bail!("no")).outcome, Outcome::Failed(_)));
        assert!(matches!(step("x", || Ok(())).outcome, Outcome::Passed));
    }
}
