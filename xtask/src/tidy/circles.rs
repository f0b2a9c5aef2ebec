//! Files of a crate that import each other in a circle. What both sides need belongs below them.
//!
//! A module and its own parts may import each other: they are one thing in several files.

mod graph;

use super::Finding;
use super::tree::Tree;
use graph::Graph;

/// Finds the circles of every crate.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in sources(tree) {
        for circle in Graph::of(tree, &source).circles() {
            let wrong = format!("{} files import each other in a circle: {}", circle.len(), circle.join(", "));
            let remedy = "put what both sides need below them (docs/architecture.md)";
            findings.push(Finding::new(&format!("{source}/{}", circle[0]), 1, wrong, remedy));
        }
    }
    findings
}

/// The source folder of every crate.
fn sources(tree: &Tree) -> Vec<String> {
    let roots = tree.rust().filter_map(|file| file.path.strip_suffix("/lib.rs").or(file.path.strip_suffix("/main.rs")));
    let mut sources: Vec<_> = roots.filter(|path| path.ends_with("src")).map(str::to_owned).collect();
    sources.sort();
    sources.dedup();
    sources
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circles(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<_> = files.iter().map(|(path, text)| (format!("x/src/{path}"), *text)).collect();
        let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        check(&Tree::of(&files)).into_iter().map(|finding| finding.wrong).collect()
    }

    #[test]
    fn files_that_import_each_other_are_found_however_they_write_it() {
        for (a, b) in [
            ("use crate::b::B;", "use crate::a::A;"),
            ("use crate::{x, b::{self, B}};", "fn f() { crate::a::f() }"),
            ("use super::b::B;", "use crate::a;"),
            ("use crate::c::B;", "use crate::a::A;"),
        ] {
            let files =
                [("lib.rs", "mod a; mod b; mod c;"), ("a.rs", a), ("b.rs", b), ("c.rs", "pub use crate::b::B;")];
            assert_eq!(circles(&files), ["2 files import each other in a circle: a.rs, b.rs"], "{a} {b}");
        }
    }

    #[test]
    fn one_way_is_no_circle() {
        let lib = "mod a; mod b;\npub use a::A;\npub use b::B;";
        assert!(circles(&[("lib.rs", lib), ("a.rs", "use crate::B;"), ("b.rs", "pub struct B;")]).is_empty());
        let test = "#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}\n";
        assert!(circles(&[("lib.rs", lib), ("a.rs", "use crate::b::B;"), ("b.rs", test)]).is_empty());
    }

    #[test]
    fn a_module_and_its_parts_are_one() {
        let (a, part) = ("mod part;\nuse part::P;\npub struct A;", "use super::A;");
        assert!(circles(&[("lib.rs", "mod a;"), ("a.rs", a), ("a/part.rs", part)]).is_empty());
    }

    #[test]
    fn a_circle_through_a_part_of_another_module_is_found() {
        let files = [
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "mod part;\nuse crate::b::B;\npub struct A;"),
            ("a/part.rs", "use super::A;\npub struct P;"),
            ("b.rs", "use crate::a::part::P;\npub struct B;"),
        ];
        assert_eq!(circles(&files), ["3 files import each other in a circle: a.rs, a/part.rs, b.rs"]);
    }

    #[test]
    fn a_name_that_is_handed_on_leads_to_the_file_it_stands_in() {
        let files = [
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "mod part;\npub(crate) use part::P;\nuse crate::b::B;"),
            ("a/part.rs", "pub struct P;"),
            ("b.rs", "use crate::a::P;\npub struct B;"),
        ];
        assert!(circles(&files).is_empty());
    }
}
