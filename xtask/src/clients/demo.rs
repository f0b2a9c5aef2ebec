//! A running demo, for clients to call.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};

use anyhow::{Context, Result};

use crate::program::program;

/// A demo of its own. It ends when this is dropped.
pub(crate) struct Demo {
    child: Child,
    pub(crate) base: String,
    /// A key that may do everything.
    pub(crate) key: String,
}

impl Demo {
    /// Starts the program's demo with its data below that folder.
    pub(crate) fn start(path: &Path, folder: &Path) -> Result<Self> {
        let mut command = program(path);
        command.args(["demo", "--listen", "127.0.0.1:0", "--data-dir"]).arg(folder.join("data"));
        let mut child = command.stdout(Stdio::piped()).spawn().context("the demo cannot start")?;
        let mut lines = BufReader::new(child.stdout.take().context("the demo has no standard output")?).lines();
        let (mut base, mut key) = (None, None);
        while let (true, Some(line)) = (base.is_none() || key.is_none(), lines.next()) {
            let line = line.context("cannot read what the demo prints")?;
            base = base.or_else(|| Some(word(&line, "http://")?.split_once("/api")?.0.to_owned() + "/api"));
            key = key.or_else(|| word(&line, "tonne_"));
        }
        let demo = Self { child, base: base.unwrap_or_default(), key: key.unwrap_or_default() };
        // What it prints further is taken, so that it never waits for a reader.
        std::thread::spawn(move || lines.for_each(drop));
        Some(demo)
            .filter(|demo| !demo.base.is_empty() && !demo.key.is_empty())
            .context("the demo prints no address or key")
    }
}

/// The word in a line that begins so, without what shells put around it.
fn word(line: &str, start: &str) -> Option<String> {
    let rest = &line[line.find(start)?..];
    let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '?')).unwrap_or(rest.len());
    Some(rest[..end].to_owned())
}

impl Drop for Demo {
    fn drop(&mut self) {
        // Its data are thrown away with its folder.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_ends_where_the_shell_ends_it() {
        let line = "curl -H \"Authorization: Bearer tonne_abc\" 'http://127.0.0.1:1/api/v1/unit?x=1'";
        assert_eq!(word(line, "tonne_").as_deref(), Some("tonne_abc"));
        assert_eq!(word(line, "http://").as_deref(), Some("http://127.0.0.1:1/api/v1/unit"));
        assert_eq!(word(line, "https://"), None);
    }
}
