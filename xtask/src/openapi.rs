//! `docs/openapi.json` and the code it describes.

use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};

use crate::cargo::{cargo, output, root};

const WRITTEN: &str = "docs/openapi.json";

/// Writes the document that the code gives.
pub(crate) fn write() -> Result<bool> {
    let document = from_code()?;
    std::fs::write(path(), document).with_context(|| format!("cannot write {WRITTEN}"))?;
    println!("{WRITTEN} written");
    Ok(true)
}

/// Fails unless the written document is the one that the code gives.
pub(crate) fn check() -> Result<()> {
    let code = from_code()?;
    let written = std::fs::read_to_string(path())
        .with_context(|| format!("cannot read {WRITTEN}; run `cargo xtask openapi` and commit it"))?;
    compare(&code, &written)
}

fn path() -> PathBuf {
    root().join(WRITTEN)
}

fn from_code() -> Result<String> {
    let printed = output(&mut cargo(&["run", "--quiet", "--locked", "--package", "tonne", "--", "openapi"])).context(
        "`tonne openapi` gave no document; it must print the OpenAPI document to standard output and end with 0",
    )?;
    document(&printed)
}

/// What was printed, as the file holds it: the text and one line break.
fn document(printed: &str) -> Result<String> {
    let text = printed.trim_end();
    ensure!(
        !text.is_empty(),
        "`tonne openapi` printed nothing: the subcommand does not exist; add it to `app`, where it prints the OpenAPI \
         document to standard output, then run `cargo xtask openapi`"
    );
    let value: serde_json::Value = serde_json::from_str(text).context(
        "`tonne openapi` printed something that is not JSON; it must print the OpenAPI document and nothing else",
    )?;
    ensure!(
        value.get("openapi").is_some(),
        "`tonne openapi` printed JSON without a member `openapi`; it must print the OpenAPI document"
    );
    Ok(format!("{text}\n"))
}

fn compare(code: &str, written: &str) -> Result<()> {
    if code == written {
        return Ok(());
    }
    let same = code.lines().zip(written.lines()).take_while(|(a, b)| a == b).count();
    bail!("{WRITTEN}:{}: differs from the code; run `cargo xtask openapi` and commit it", same + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_openapi_document_is_taken() {
        for (printed, said) in [
            ("", "printed nothing"),
            (" \n", "printed nothing"),
            ("usage: tonne", "not JSON"),
            ("{}", "member `openapi`"),
        ] {
            let error = document(printed).unwrap_err().to_string();
            assert!(error.contains(said), "{printed:?}: {error}");
        }
        assert_eq!(document("{\"openapi\":\"3.1.0\"}\n\n").unwrap(), "{\"openapi\":\"3.1.0\"}\n");
    }

    #[test]
    fn a_difference_is_named_by_its_line() {
        assert!(compare("a\nb\n", "a\nb\n").is_ok());
        for (written, line) in [("a\nc\n", 2), ("a\n", 2), ("a\nb\nc\n", 3), ("a\nb", 3)] {
            let error = compare("a\nb\n", written).unwrap_err().to_string();
            assert!(error.starts_with(&format!("docs/openapi.json:{line}:")), "{written:?}: {error}");
            assert!(error.contains("run `cargo xtask openapi`"), "{error}");
        }
    }
}
