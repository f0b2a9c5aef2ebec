//! What pages load: one style sheet, own scripts, an icon. They are part of the program, at addresses that name their content.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::LazyLock;

use actix_web::http::header;
use actix_web::{HttpResponse, guard, web};
use http::edge::Failure;
use rust_embed::RustEmbed;
use sha2::{Digest as _, Sha256};

use crate::headers::add;

/// How long what is at such an address may be kept: it never changes.
const IMMUTABLE: &str = "public, max-age=31536000, immutable";

#[derive(RustEmbed)]
#[folder = "assets/"]
struct Assets;

/// The script that pages name; it imports all others.
const SCRIPT: &str = "tonne.js";

/// All scripts as one file, so that a page asks for one: what is imported stands in place of the import, in a block, so that
/// its names are its own. All of them know the names of the script that imports them.
static SCRIPTS: LazyLock<String> = LazyLock::new(|| {
    let mut joined = String::new();
    for line in text(SCRIPT).lines() {
        match imported(line) {
            Some(name) => joined.extend(["{\n", &text(name), "}\n"]),
            None => joined.extend([line, "\n"]),
        }
    }
    joined
});

/// A word for the content of all of them together.
static HASH: LazyLock<String> = LazyLock::new(|| {
    let mut hash = Sha256::new();
    let mut names: Vec<_> = Assets::iter().collect();
    names.sort();
    for name in names {
        hash.update(name.as_bytes());
        hash.update([0]);
        hash.update(Assets::get(&name).map(|file| file.data).unwrap_or_default());
    }
    hash.finalize().iter().take(8).fold(String::new(), |mut digits, byte| {
        // Writing to a string does not fail.
        let _ = write!(digits, "{byte:02x}");
        digits
    })
});

/// The name of the script that a line imports.
fn imported(line: &str) -> Option<&str> {
    line.strip_prefix("import \"./")?.strip_suffix("\";")
}

/// The text of a file; nothing where there is none of that name.
fn text(name: &str) -> String {
    let data = Assets::get(name).map(|file| file.data).unwrap_or_default();
    String::from_utf8_lossy(&data).into_owned()
}

/// What is at the address of that name.
fn content(name: &str) -> Option<Cow<'static, [u8]>> {
    if name == SCRIPT { Some(Cow::Borrowed(SCRIPTS.as_bytes())) } else { Assets::get(name).map(|file| file.data) }
}

/// The address of the asset of that name, the same for all companies.
pub(crate) fn asset(name: &str) -> String {
    format!("/assets/{}/{name}", *HASH)
}

/// Registers them below `/assets`.
pub(crate) fn configure(config: &mut web::ServiceConfig) {
    let reads = guard::Any(guard::Get()).or(guard::Head());
    config.service(web::resource("/{hash}/{name}").route(web::route().guard(reads).to(get_asset)));
}

async fn get_asset(at: web::Path<(String, String)>) -> Result<HttpResponse, Failure> {
    let (hash, name) = at.into_inner();
    let content = if hash == *HASH { content(&name) } else { None };
    let content = content.ok_or_else(Failure::nowhere)?;
    let kind = match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => return Err(Failure::nowhere()),
    };
    let mut answer = HttpResponse::Ok();
    answer.insert_header((header::CACHE_CONTROL, IMMUTABLE)).content_type(kind);
    let mut answer = answer.body(content.into_owned());
    add(answer.headers_mut());
    Ok(answer)
}

/// The sizes of what is there, by name.
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn style_and_scripts_stay_small() {
        let size = |ending: &str| -> usize {
            let named = Assets::iter().filter(|name| name.ends_with(ending));
            named.map(|name| Assets::get(&name).unwrap().data.len()).sum()
        };
        assert!(size(".css") <= 24 << 10, "{}", size(".css"));
        assert!(size(".js") <= 12 << 10, "{}", size(".js"));
    }

    #[test]
    fn every_script_is_in_the_one_that_pages_load_and_that_imports_nothing() {
        for name in Assets::iter().filter(|name| name.ends_with(".js") && name != SCRIPT) {
            assert!(SCRIPTS.contains(&text(&name)), "{name}");
        }
        let line = SCRIPTS.lines().find(|line| line.starts_with("import ") || line.starts_with("export "));
        assert_eq!(line, None, "a block neither imports nor exports");
    }
}
