//! Who may import whom, and which crate alone may speak to a database or a web server.

use std::path::Path;

use super::Finding;
use super::tree::{File, Tree};
use crate::cargo::{Dependency, Kind, Package};
use crate::rust_text::{code_only, line_of, occurrences};

const ARCHITECTURE: &str = "docs/architecture.md says who may import whom";

/// Edges between adapters beside the rule that an adapter imports only the domain and the ports.
const EDGES: [(&str, &str); 5] = [
    ("tonne-http", "tonne-files"),
    ("tonne-http", "tonne-pact"),
    ("tonne-oidc", "tonne-pact-client"),
    ("tonne-web", "tonne-files"),
    ("tonne-web", "tonne-http"),
];

/// Where the pages are.
const PAGES: &str = "adapters/web/src/";

/// Packages from outside that only the named crates may import; one that ends with `-` means all that begin so.
const RESTRICTED: [(&str, &[&str]); 10] = [
    ("sea-orm", &["tonne-postgres"]),
    ("sea-orm-", &["tonne-postgres"]),
    ("sqlx", &["tonne-postgres"]),
    ("sqlx-", &["tonne-postgres"]),
    ("rusqlite", &["tonne-sqlite", "xtask"]),
    ("libsqlite3-sys", &["tonne-sqlite"]),
    ("actix", &["tonne-http", "tonne-web", "tonne"]),
    ("actix-", &["tonne-http", "tonne-web", "tonne"]),
    ("utoipa", &["tonne-http", "tonne-web", "tonne"]),
    ("anyhow", &["tonne", "xtask"]),
];

/// Compares every dependency of every package with the tables.
pub(super) fn check(root: &Path, packages: &[Package], tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in packages {
        let manifest = package.manifest_path.strip_prefix(root).unwrap_or(&package.manifest_path).to_string_lossy();
        let text = tree.files.iter().find(|file| file.path == *manifest).map_or("", |file| file.text.as_str());
        let Some(place) = Place::of(&package.name, &manifest) else {
            let wrong = format!("no place is known for the package `{}`", package.name);
            let remedy = "name it after its folder (`adapters/x` is `tonne-x`), or add it to xtask/src/tidy/imports.rs";
            findings.push(Finding::new(&manifest, 1, wrong, remedy));
            continue;
        };
        for dependency in &package.dependencies {
            let line = line_in(text, dependency);
            if dependency.path.is_some() && !place.may_import(&package.name, dependency) {
                let wrong = format!("`{}` may not import `{}`", package.name, dependency.name);
                findings.push(Finding::new(&manifest, line, wrong, format!("take it out; {ARCHITECTURE}")));
            }
            if let Some(owners) = owners(&dependency.name).filter(|owners| !owners.contains(&package.name.as_str())) {
                let wrong = format!("only {} may import `{}`", owners.join(", "), dependency.name);
                findings.push(Finding::new(&manifest, line, wrong, format!("put what needs it there; {ARCHITECTURE}")));
            }
        }
    }
    findings.extend(tree.below(PAGES).flat_map(|(file, _)| asks_the_store(file)));
    findings
}

/// Finds pages that know the store: they ask use cases alone.
fn asks_the_store(file: &File) -> Vec<Finding> {
    let code = code_only(&file.text);
    let found = ["ports::store", "ports::{store"].into_iter().flat_map(|needle| occurrences(&code, needle));
    found
        .map(|at| {
            let wrong = "pages may not import `ports::store`";
            let remedy = format!("ask a trait of `ports::inbound`; {ARCHITECTURE}");
            Finding::new(&file.path, line_of(&code, at), wrong, remedy)
        })
        .collect()
}

/// Where a package is in the house.
#[derive(Clone, Copy)]
enum Place {
    Domain,
    Ports,
    Adapter,
    App,
    Xtask,
}

impl Place {
    fn of(package: &str, manifest: &str) -> Option<Self> {
        match manifest.strip_suffix("/Cargo.toml")?.split('/').collect::<Vec<_>>()[..] {
            ["domain"] if package == "tonne-domain" => Some(Self::Domain),
            ["ports"] if package == "tonne-ports" => Some(Self::Ports),
            ["app"] if package == "tonne" => Some(Self::App),
            ["xtask"] if package == "xtask" => Some(Self::Xtask),
            ["adapters", folder] if package.strip_prefix("tonne-") == Some(folder) => Some(Self::Adapter),
            _ => None,
        }
    }

    fn may_import(self, package: &str, dependency: &Dependency) -> bool {
        let name = dependency.name.as_str();
        match self {
            Self::Domain | Self::Xtask => false,
            Self::Ports => name == "tonne-domain",
            Self::Adapter => {
                matches!(name, "tonne-domain" | "tonne-ports")
                    || EDGES.contains(&(package, name))
                    || (name == "tonne-memory" && dependency.kind == Some(Kind::Dev))
                    // Itself, with features that its tests need.
                    || (name == package && dependency.kind == Some(Kind::Dev))
            }
            Self::App => name.starts_with("tonne-"),
        }
    }
}

fn owners(name: &str) -> Option<&'static [&'static str]> {
    let is = |rule: &str| rule == name || (rule.ends_with('-') && name.starts_with(rule));
    RESTRICTED.iter().find(|(rule, _)| is(rule)).map(|(_, owners)| *owners)
}

/// The line of the manifest on which the dependency stands; 1 if it is not found.
fn line_in(text: &str, dependency: &Dependency) -> usize {
    let key = dependency.rename.as_ref().unwrap_or(&dependency.name);
    let is_key = |line: &str| line.strip_prefix(key.as_str()).is_some_and(|rest| rest.starts_with(['.', ' ', '=']));
    text.lines().position(is_key).map_or(1, |index| index + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(folder: &str, package: &str, dependencies: &[(&str, Option<Kind>)]) -> Vec<String> {
        let dependency = |(name, kind): &(&str, Option<Kind>)| Dependency {
            name: (*name).to_owned(),
            rename: name.strip_prefix("tonne-").map(str::to_owned),
            kind: *kind,
            path: name.starts_with("tonne").then(|| "somewhere".into()),
        };
        let package = Package {
            name: package.to_owned(),
            version: "0.0.0".to_owned(),
            manifest_path: format!("/root-of-it/{folder}/Cargo.toml").into(),
            dependencies: dependencies.iter().map(dependency).collect(),
        };
        let manifest = format!("{folder}/Cargo.toml");
        let tree = Tree::of(&[(&manifest, "[package]\n\nmemory.workspace = true\nrusqlite = \"1\"\n")]);
        check(Path::new("/root-of-it"), &[package], &tree).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn edges_of_the_plan_are_allowed() {
        for (folder, package, dependency, kind) in [
            ("ports", "tonne-ports", "tonne-domain", None),
            ("adapters/http", "tonne-http", "tonne-ports", None),
            ("adapters/http", "tonne-http", "tonne-files", None),
            ("adapters/http", "tonne-http", "tonne-pact", None),
            ("adapters/http", "tonne-http", "actix-web", None),
            ("adapters/sqlite", "tonne-sqlite", "rusqlite", None),
            ("adapters/sqlite", "tonne-sqlite", "tonne-memory", Some(Kind::Dev)),
            ("adapters/postgres", "tonne-postgres", "tonne-domain", None),
            ("adapters/postgres", "tonne-postgres", "tonne-ports", None),
            ("adapters/postgres", "tonne-postgres", "tonne-memory", Some(Kind::Dev)),
            ("adapters/postgres", "tonne-postgres", "tonne-postgres", Some(Kind::Dev)),
            ("adapters/postgres", "tonne-postgres", "sea-orm", None),
            ("adapters/postgres", "tonne-postgres", "sqlx", None),
            ("app", "tonne", "tonne-memory", None),
            ("app", "tonne", "tonne-postgres", None),
            ("app", "tonne", "anyhow", None),
        ] {
            assert_eq!(
                findings(folder, package, &[(dependency, kind)]),
                Vec::<String>::new(),
                "{package} {dependency}"
            );
        }
    }

    #[test]
    fn edges_beside_the_plan_are_found() {
        for (folder, package, dependency, kind) in [
            ("domain", "tonne-domain", "tonne-ports", None),
            ("domain", "tonne-domain", "tonne-memory", Some(Kind::Dev)),
            ("ports", "tonne-ports", "tonne-memory", Some(Kind::Dev)),
            ("adapters/http", "tonne-http", "tonne-memory", None),
            ("adapters/http", "tonne-http", "tonne-sqlite", Some(Kind::Dev)),
            ("adapters/files", "tonne-files", "tonne-http", None),
            ("adapters/web", "tonne-web", "tonne", None),
            ("xtask", "xtask", "tonne-domain", None),
            ("app", "tonne", "rusqlite", Some(Kind::Dev)),
            ("adapters/sqlite", "tonne-sqlite", "sea-orm-migration", None),
            ("adapters/postgres", "tonne-postgres", "tonne-sqlite", Some(Kind::Dev)),
            ("adapters/http", "tonne-http", "tonne-postgres", None),
            ("app", "tonne", "sqlx", Some(Kind::Dev)),
            ("ports", "tonne-ports", "actix-rt", None),
            ("domain", "tonne-domain", "anyhow", None),
        ] {
            assert_eq!(findings(folder, package, &[(dependency, kind)]).len(), 1, "{package} {dependency}");
        }
    }

    #[test]
    fn pages_that_know_the_store_are_found() {
        let found = |path: &str, code: &str| {
            let tree = Tree::of(&[(path, code)]);
            check(Path::new("/root-of-it"), &[], &tree).iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        for code in ["//! A.\nuse ports::store::Store;\n", "//! A.\nuse ports::{store, Caller};\n"] {
            let found = found("adapters/web/src/page/a.rs", code);
            assert!(found[0].starts_with("adapters/web/src/page/a.rs:2: pages may not import"), "{found:?}");
        }
        assert_eq!(found("adapters/web/src/a.rs", "//! Never `ports::store`.\nuse ports::inbound::Nodes;\n").len(), 0);
        assert_eq!(found("app/src/a.rs", "use ports::store::Store;\n").len(), 0);
    }

    #[test]
    fn a_finding_names_the_line_of_the_dependency() {
        let found = findings("adapters/http", "tonne-http", &[("tonne-memory", None), ("rusqlite", None)]);
        assert!(
            found[0].starts_with("adapters/http/Cargo.toml:3: `tonne-http` may not import `tonne-memory`"),
            "{found:?}"
        );
        assert!(
            found[1].starts_with("adapters/http/Cargo.toml:4: only tonne-sqlite, xtask may import `rusqlite`"),
            "{found:?}"
        );
    }

    #[test]
    fn a_package_without_a_place_is_found() {
        assert_eq!(findings("helpers", "tonne-helpers", &[]).len(), 1);
        assert_eq!(findings("adapters/http", "tonne-web", &[]).len(), 1);
    }
}
