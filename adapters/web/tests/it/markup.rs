//! No text becomes markup but through the one macro that escapes it.

use std::fs;
use std::path::Path;

fn sources(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else {
            found.push((path.display().to_string(), fs::read_to_string(&path).unwrap()));
        }
    }
}

fn all(folder: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut found);
    found
}

#[test]
fn no_markup_is_left_unescaped() {
    for (path, text) in all("src") {
        assert!(!text.contains("PreEscaped"), "{path}");
    }
}

#[test]
fn no_figure_is_a_float() {
    for (path, text) in all("src") {
        let floats = text.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| matches!(word, "f32" | "f64"));
        assert!(!floats, "{path}");
    }
}

#[test]
fn scripts_have_one_policy_and_evaluate_nothing() {
    let scripts: Vec<_> = all("assets")
        .into_iter()
        .filter(|(path, _)| path.rsplit_once('.').is_some_and(|(_, form)| form == "js"))
        .collect();
    assert_eq!(scripts.iter().map(|(_, text)| text.matches("createPolicy(").count()).sum::<usize>(), 1);
    for (path, text) in scripts {
        for word in [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "new Function",
            "http://",
            "https://",
        ] {
            assert!(!text.contains(word), "{path}: {word}");
        }
    }
}

#[test]
fn only_the_edge_of_the_api_is_used() {
    for (path, text) in all("src") {
        for line in text.lines().filter(|line| line.contains("use http::")) {
            assert!(line.contains("use http::edge"), "{path}: {line}");
        }
    }
}
