//! What is printed once the demo answers: an address to open, lines for `curl`, and lines for the command line.

use std::fmt::{Error, Write as _};
use std::path::Path;

use super::access::Access;
use crate::demo::{COMPANY, Demo};

/// The text: every line of it works when it is pasted.
pub(super) fn text(address: &str, folder: &Path, demo: &Demo, access: &Access) -> Result<String, Error> {
    let Demo { activities, footprints, .. } = demo;
    let Access { key, client_id, client_secret, link } = access;
    let pages = address.strip_suffix("/api").unwrap_or(address);
    let mut text = format!("\n{COMPANY}: {activities} activities of 2023 to 2025, {footprints} footprints.\n");
    write!(text, "\n# The pages: open in a browser; the link signs in once, within 15 minutes\n")?;
    writeln!(text, "{pages}/login/once/{link}")?;
    write!(text, "\n# The API, with examples and forms to try it: open in a browser; the key is in the lines below\n")?;
    writeln!(text, "{address}/docs")?;
    let tonne = format!("{} --data-dir {}", program(), word(&folder.display().to_string()));
    for (title, arguments) in commands() {
        write!(text, "\n# {title}\n{tonne} {arguments}\n")?;
    }
    for (title, path) in questions(demo) {
        write!(text, "\n# {title}\ncurl -H 'Authorization: Bearer {key}' '{address}{path}'\n")?;
    }
    write!(
        text,
        "\n# A token, for clients without a key\n\
         curl -u '{client_id}:{client_secret}' -d grant_type=client_credentials '{address}/auth/token'\n\n\
         Data: {}, used again next time, with a new key in the place of this one. Ctrl-C ends it.\n\
         Tonne serves {address}",
        folder.display()
    )?;
    Ok(text)
}

/// What is asked on the command line, beside the running demo.
const fn commands() -> [(&'static str, &'static str); 15] {
    [
        (
            "The report in the terminal, compared with the year before",
            "report --date 2025 --by scope --compare 2024 --unit t --round 1",
        ),
        ("Sites by quarter, in tonnes", "report --date 2025 --by org,quarter --depth 2 --unit t --round 1"),
        (
            "Scope 2 by the grid's factors and by contract, side by side",
            "report --date 2025 --by scope --scope2 both --unit t --round 1",
        ),
        ("Where factors tell gases apart: each of them", "report --date 2025 --by gas --unit t --round 3"),
        ("How well the figures are known", "report --date 2025 --by quality --unit t --round 1"),
        ("What is missing, what is left out, and why", "completeness --year 2025"),
        ("The inventory statement of a year, to be printed with --html FILE", "report --statement 2025"),
        ("Published factors, found by words", "factor search natural gas"),
        ("What was imported", "import list"),
        ("Periods that are closed or were", "period list"),
        ("The base year against what it is today", "period base-year"),
        ("What changed last", "history --limit 3"),
        ("That everything stored is what was written", "verify"),
        ("What a factor that came later completes", "recalculate --incomplete --dry-run"),
        ("What the correction of a factor changes", "recalculate --outdated --dry-run"),
    ]
}

/// What is asked over HTTP.
fn questions(demo: &Demo) -> Vec<(&'static str, String)> {
    let Demo { scope, org, taxonomy, activity, model, switch, .. } = demo;
    let activity = activity.iter().flat_map(|activity| {
        [
            ("One activity", format!("/v1/activity/{activity}")),
            (
                "Why it has its figure: each step, to check with a calculator",
                format!("/v1/activity/{activity}/explanation"),
            ),
        ]
    });
    let before = [
        ("The report of 2025, with one of its activities", "/v1/activity?date=2025&pageSize=1".to_owned()),
        ("Scope 3 in March 2025", format!("/v1/activity?date=2025-03&scope={scope}&list=scope&pageSize=1")),
        ("Energy of the shops, in tonnes", format!("/v1/activity?org={org}&taxonomy={taxonomy}&co2eUnit=t&pageSize=1")),
        ("Scopes by quarter, beside 2024", "/v1/report?date=2025&compare=2024&by=scope,quarter&co2eUnit=t".to_owned()),
        ("What has no CO2e yet, by product", "/v1/report?incomplete=true&by=product".to_owned()),
    ];
    let behind = [
        ("A switch and its footprint", format!("/v1/switch/{switch}")),
        ("What an e-bike is made of", format!("/v1/model/{model}/input?pageSize=3")),
        ("Footprints for partners: the valid ones", "/pact/2/footprints".to_owned()),
        ("All footprints, with the rules that two of them break", "/v1/footprint".to_owned()),
        ("The imports, each with its name", "/v1/import".to_owned()),
        ("The first changes, as integrations read them one page after the other", "/v1/change?limit=3".to_owned()),
    ];
    before.into_iter().chain(activity).chain(behind).collect()
}

/// The program as it was called, so that a shell finds it again.
fn program() -> String {
    let called = std::env::args_os().next().and_then(|name| name.into_string().ok());
    word(&called.filter(|name| !name.is_empty()).unwrap_or_else(|| "tonne".to_owned()))
}

/// The text as one word of a shell.
fn word(text: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./".contains(letter);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_blanks_or_quotes_stays_one_word() {
        assert_eq!(word("./tonne-demo-data"), "./tonne-demo-data");
        assert_eq!(word("my data"), "'my data'");
        assert_eq!(word("it's; rm -r ~"), r"'it'\''s; rm -r ~'");
    }
}
