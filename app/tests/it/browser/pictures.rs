//! Pictures of the pages, for people to look at: `cargo xtask screenshots` keeps them.

use std::path::PathBuf;

use base64::Engine as _;
use serde_json::json;

use super::accessibility::PAGES;
use super::demo::Demo;
use super::session::{Scripts, Session, Theme};

/// The variable that names where the pictures are kept.
const FOLDER: &str = "TONNE_TEST_PICTURES";
/// What every PNG begins with.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The whole page that is open, as a PNG.
fn picture(session: &Session) -> Vec<u8> {
    let asked = json!({ "format": "png", "captureBeyondViewport": true });
    let taken = session.command("Page.captureScreenshot", &asked);
    base64::engine::general_purpose::STANDARD.decode(taken["data"].as_str().unwrap()).unwrap()
}

/// The name of a page as a file has it.
fn name(page: &str) -> String {
    let plain: String = page.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    if plain.is_empty() { "dashboard".to_owned() } else { plain }
}

#[test]
fn a_page_is_taken_a_picture_of_in_both_sets_of_colors() {
    let kept = std::env::var_os(FOLDER).map(PathBuf::from);
    let demo = Demo::start();
    let session = Session::start(Scripts::On);
    demo.sign_in(&session);
    // All of them are for those who look at them; that it can be done, one shows.
    let pages = if kept.is_some() { &PAGES[..] } else { &PAGES[..1] };
    for page in pages {
        session.open(&format!("{}{page}", demo.pages()));
        let pictures = [(Theme::Light, "light"), (Theme::Dark, "dark")].map(|(theme, word)| {
            session.show(theme);
            let picture = picture(&session);
            assert!(picture.starts_with(PNG) && picture.len() > 10_000, "/{page}: {} bytes", picture.len());
            if let Some(folder) = &kept {
                std::fs::write(folder.join(format!("{}-{word}.png", name(page))), &picture).unwrap();
            }
            picture
        });
        assert_ne!(pictures[0], pictures[1], "/{page} looks the same in both");
    }
}
