//! The steps of a page, run by one shell.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use regex_lite::Regex;

use super::place::Place;
use super::step::{Step, serves};
use crate::cargo::{root, succeeds};
use crate::program::without_settings;

/// What the shell knows beside the commands of the page.
const PRELUDE: &str = r#"
set -o errtrace
trap 'printf "%s\n" "$BASH_COMMAND" >> "$EXAMPLES/failed-$EXAMPLE"' ERR
trap 'trap - ERR; kill $(jobs -p) 2> /dev/null; wait' EXIT
# Waits until the process started last answers at that port.
answers() {
    local started=$!
    until curl --silent --max-time 10 --output /dev/null "http://127.0.0.1:$1/health/ready"; do
        [ "$SECONDS" -lt 600 ] || return 1
        kill -0 "$started" 2> /dev/null || return 1
        sleep 0.05
    done
}
# Has nginx read what stands in its `http`, with a certificate where the page has one.
nginx_reads() {
    mkdir -p .nginx
    { echo 'events {} http {'; cat; echo '}'; } > .nginx/nginx.conf
    nginx -q -t -p "$PWD/.nginx" -e stderr -c "$PWD/.nginx/nginx.conf"
}
"#;

/// Runs the steps in the place; what is wrong with them.
pub(super) fn run(steps: &[&Step], program: &Path, place: &Place) -> Result<Vec<String>> {
    let folder = place.working();
    let notes = folder.join("../notes");
    fs::create_dir_all(&notes)?;
    let mut script = PRELUDE.to_owned();
    for (number, step) in steps.iter().enumerate() {
        let code = with_services(&place.inward(&step.code), place.port());
        writeln!(script, "EXAMPLE={number}\n{{\n{code}}} > \"$EXAMPLES/output-{number}\" 2>&1")?;
        writeln!(script, "echo >> \"$EXAMPLES/done\"")?;
    }
    let path = notes.join("examples.sh");
    fs::write(&path, script)?;
    let mut bash = shell(program, place)?;
    bash.arg(&path).env("EXAMPLES", &notes);
    // The last command may well have failed, as the page says.
    succeeds(&mut bash)?;
    let read = |name: String| fs::read_to_string(notes.join(name)).unwrap_or_default();
    let done = read("done".to_owned()).lines().count();
    let mut wrong = Vec::new();
    for (number, step) in steps.iter().enumerate().take(done) {
        let printed = place.outward(&read(format!("output-{number}")));
        wrong.extend(step.fault(&printed, &place.outward(&read(format!("failed-{number}")))));
    }
    if let Some(step) = steps.get(done) {
        wrong.push(format!("{}:{}: the shell ends here\n{}", step.page, step.line, read(format!("output-{done}"))));
    }
    Ok(wrong)
}

fn shell(program: &Path, place: &Place) -> Result<Command> {
    let bin = program.parent().context("the program stands in no folder")?;
    let mut search = vec![bin.to_path_buf()];
    search.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    // Debian keeps servers there, which a user's search path may leave out.
    search.push("/usr/sbin".into());
    let mut bash = Command::new("bash");
    bash.current_dir(place.working()).env("PATH", std::env::join_paths(search)?).stdin(Stdio::null());
    without_settings(&mut bash);
    bash.env("TONNE_SERVER__LISTEN", format!("127.0.0.1:{}", place.port()))
        .env("REPOSITORY", root())
        .env("COLUMNS", "100");
    if let Some(socket) = place.server() {
        bash.env("PGHOST", socket).env("PGUSER", "postgres");
    }
    Ok(bash)
}

/// The commands, with those that serve in the background: what follows runs when they answer.
fn with_services(code: &str, port: u16) -> String {
    let Ok(at) = Regex::new(r"--listen \S+:([0-9]+)") else { return code.to_owned() };
    let mut written = String::new();
    for line in code.lines() {
        if serves(line) {
            let port = at.captures(line).map_or_else(|| port.to_string(), |found| found[1].to_owned());
            let command = line.trim_end().trim_end_matches('&');
            written.push_str(command);
            written.push_str(" &\nanswers ");
            written.push_str(&port);
            written.push('\n');
        } else {
            written.push_str(line);
            written.push('\n');
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::page::Page;
    use crate::folder::Folder;

    /// What is wrong with a page of that text.
    fn faults(name: &str, text: &str) -> Vec<String> {
        let folder = Folder::new(name).unwrap();
        let page = Page::read("p", text);
        assert_eq!(page.faults, Vec::<String>::new());
        let place = Place::new(folder.path(), None).unwrap();
        run(&page.steps.iter().collect::<Vec<_>>(), Path::new("/bin/tonne"), &place).unwrap()
    }

    #[test]
    fn a_page_whose_outputs_are_right_has_no_faults() {
        let text = "```csv file=a.csv\nx,y\n1,2\n```\n```sh\nwc -l < a.csv   # 2\nA=3\n```\n```console\n$ echo $A\n3\n```\n\
                    ```sh\necho one\necho two\n```\n```text output\none\ntwo\n```\n";
        assert_eq!(faults("right", text), Vec::<String>::new());
    }

    #[test]
    fn another_output_is_a_fault_in_every_kind_of_block() {
        for (name, text) in [
            ("comment", "```sh\necho 1 # 2\n```\n"),
            ("below", "```sh\nseq 2\n# 1\n# 3\n```\n"),
            ("console", "```console\n$ echo 1\n1\n2\n```\n"),
            ("silent", "```console\n$ echo 1\n```\n"),
            ("output", "```sh\necho 1\n```\n```text output\n10\n```\n"),
        ] {
            let found = faults(name, text);
            assert!(found.len() == 1 && found[0].contains(" prints\n"), "{text}: {found:?}");
        }
    }

    #[test]
    fn a_command_that_fails_is_a_fault_though_a_later_one_succeeds() {
        let found = faults("fails", "```sh\nfalse\ntrue\n```\n");
        assert!(found.len() == 1 && found[0].contains("this failed: false"), "{found:?}");
    }

    #[test]
    fn a_shell_that_ends_early_is_a_fault() {
        let found = faults("ends", "```sh\nexit 0\n```\n```sh\necho 1 # 1\n```\n");
        assert!(found.len() == 1 && found[0].starts_with("p:2: the shell ends here"), "{found:?}");
    }

    #[test]
    fn what_serves_goes_on_in_the_background() {
        let code = "tonne serve\nA=b tonne --data-dir x serve --listen 127.0.0.1:9 &\ntonne report\n";
        let expected =
            "tonne serve &\nanswers 7\nA=b tonne --data-dir x serve --listen 127.0.0.1:9  &\nanswers 9\ntonne report\n";
        assert_eq!(with_services(code, 7), expected);
    }
}
