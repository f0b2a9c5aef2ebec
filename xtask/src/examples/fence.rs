//! What is to become of a fenced block, as its info line says.

use anyhow::{Result, bail, ensure};

/// What is to become of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fence {
    /// `sh`: commands; behind `# ` stands what they print.
    Shell,
    /// `console`: commands behind `$ `, each with everything that it prints.
    Console,
    /// `text output`: everything that the commands before it print.
    Output,
    /// `text help=COMMAND`: the help of that command, without the options that go with every command.
    Help(String),
    /// `LANGUAGE file=NAME`: a file, written where it stands.
    File(String),
    /// `toml`: settings, read by `tonne config`.
    Settings,
    /// `toml map=TABLE`: a map, checked against that table.
    Map(String),
    /// `toml catalog`: a catalog, read beside that of the standard.
    Catalog,
    /// `sql` and `sql database=NAME`: statements, run by a superuser.
    Sql(Option<String>),
    /// `nginx`: what stands in nginx's `http`, read by nginx.
    Nginx,
    /// `json`, `csv`, `ini`: parsed.
    Parsed(Syntax),
    /// `LANGUAGE no-run=REASON`: shown, and listed with its reason in each run.
    NotRun(String),
}

/// How a block is parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    /// A JSON text.
    Json,
    /// Rows of as many cells as the first has.
    Csv,
    /// Sections, and `key=value` below them.
    Ini,
}

const LANGUAGES: [&str; 12] =
    ["sh", "console", "text", "toml", "csv", "json", "sql", "nginx", "ini", "yaml", "python", "typescript"];

/// Reads what is behind the backticks.
pub(super) fn fence(info: &str) -> Result<Fence> {
    let (language, attribute) = info.split_once(' ').map_or((info, None), |(word, rest)| (word, Some(rest.trim())));
    ensure!(
        LANGUAGES.contains(&language),
        "a block of `{language}` is not known; it is one of {}",
        LANGUAGES.join(", ")
    );
    let Some(attribute) = attribute else { return plain(language) };
    let (name, value) = attribute.split_once('=').map_or((attribute, ""), |(name, value)| (name, value.trim()));
    Ok(match (language, name, value) {
        (_, "no-run" | "file" | "help" | "map" | "database", "") => bail!("`{name}=` says nothing"),
        (_, "no-run", reason) => Fence::NotRun(reason.to_owned()),
        (_, "file", name) => Fence::File(name.to_owned()),
        ("text", "output", "") => Fence::Output,
        ("text", "help", command) => Fence::Help(command.to_owned()),
        ("toml", "map", table) => Fence::Map(table.to_owned()),
        ("toml", "catalog", "") => Fence::Catalog,
        ("sql", "database", name) => Fence::Sql(Some(name.to_owned())),
        _ => bail!("`{language} {attribute}` is not known; xtask/src/examples/fence.rs has what is"),
    })
}

fn plain(language: &str) -> Result<Fence> {
    Ok(match language {
        "sh" => Fence::Shell,
        "console" => Fence::Console,
        "toml" => Fence::Settings,
        "sql" => Fence::Sql(None),
        "nginx" => Fence::Nginx,
        "json" => Fence::Parsed(Syntax::Json),
        "csv" => Fence::Parsed(Syntax::Csv),
        "ini" => Fence::Parsed(Syntax::Ini),
        "text" => bail!("a block of `text` is `text output`, `text file=NAME` or `text no-run=REASON`"),
        other => bail!("a block of `{other}` says `file=NAME` or `no-run=REASON`"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_says_what_becomes_of_it() {
        for (info, expected) in [
            ("sh", Fence::Shell),
            ("text output", Fence::Output),
            ("csv file=march.csv", Fence::File("march.csv".to_owned())),
            ("toml map=fuels.csv", Fence::Map("fuels.csv".to_owned())),
            ("sh no-run=needs systemd", Fence::NotRun("needs systemd".to_owned())),
            ("sql database=tonne", Fence::Sql(Some("tonne".to_owned()))),
        ] {
            assert_eq!(fence(info).unwrap(), expected, "{info}");
        }
    }

    #[test]
    fn a_block_that_says_nothing_known_is_refused() {
        for info in ["", "bash", "text", "sh norun=x", "sh no-run", "sh no-run=", "json output", "yaml", "sh file="] {
            assert!(fence(info).is_err(), "{info}");
        }
    }
}
