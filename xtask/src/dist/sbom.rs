//! The crates and C libraries that are in the program, as a `CycloneDX` list: from `Cargo.lock` and what cargo knows of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use serde::Deserialize;
use serde_json::{Value, json};

use super::bundled;
use crate::cargo::{cargo, output, root};

#[derive(Deserialize)]
struct Graph {
    packages: Vec<Package>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    description: Option<String>,
    source: Option<String>,
    #[serde(default)]
    manifest_path: PathBuf,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Edge>,
}

#[derive(Deserialize)]
struct Edge {
    pkg: String,
    dep_kinds: Vec<Kind>,
}

#[derive(Deserialize)]
struct Kind {
    kind: Option<String>,
}

/// The list for the program of that version on that target. What is needed to build and to test alone is not in it.
pub(super) fn of(version: &str, target: &str) -> Result<String> {
    let arguments = ["metadata", "--locked", "--format-version", "1", "--filter-platform", target];
    let graph = serde_json::from_str(&output(&mut cargo(&arguments))?).context("cannot read what cargo printed")?;
    let lock = fs::read_to_string(root().join("Cargo.lock")).context("cannot read Cargo.lock")?;
    let tree = ["tree", "--locked", "--package", "tonne", "--target", target];
    let tree = output(cargo(&tree).args(["--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}"]))?;
    let mut list = list(&graph, &linked_crates(&tree), &checksums(&lock), version)?;
    for library in bundled::LIBRARIES {
        let holder = graph.packages.iter().find(|package| package.name == library.holder);
        let holder = holder.with_context(|| format!("there is no crate {}", library.holder))?;
        let folder = holder.manifest_path.parent().context("a crate without a folder")?;
        let component = library.component(folder)?;
        list["components"].as_array_mut().context("no components")?.push(component);
    }
    Ok(format!("{}\n", serde_json::to_string_pretty(&list)?))
}

/// Names and versions in what `cargo tree` prints: `name v1.2.3 (where)`.
fn linked_crates(tree: &str) -> BTreeSet<(String, String)> {
    let of_line = |line: &str| {
        let mut words = line.split_whitespace();
        Some((words.next()?.to_owned(), words.next()?.strip_prefix('v')?.to_owned()))
    };
    tree.lines().filter_map(of_line).collect()
}

fn list(
    graph: &Graph,
    inside: &BTreeSet<(String, String)>,
    checksums: &BTreeMap<(String, String), String>,
    version: &str,
) -> Result<Value> {
    let packages: BTreeMap<&str, &Package> = graph.packages.iter().map(|each| (each.id.as_str(), each)).collect();
    let edges: BTreeMap<&str, Vec<&str>> =
        graph.resolve.nodes.iter().map(|node| (node.id.as_str(), linked(node))).collect();
    let root = graph.packages.iter().find(|package| package.name == "tonne").context("there is no package tonne")?;
    let (mut reached, mut next) = (BTreeSet::new(), vec![root.id.as_str()]);
    while let Some(id) = next.pop() {
        let is_inside =
            packages.get(id).is_some_and(|each| inside.contains(&(each.name.clone(), each.version.clone())));
        if is_inside && reached.insert(id) {
            next.extend(edges.get(id).into_iter().flatten());
        }
    }
    let mut of_ids: Vec<_> = reached.iter().filter_map(|id| packages.get(id).copied()).collect();
    of_ids.sort_by_key(|package| (&package.name, &package.version));
    let components = of_ids.iter().filter(|package| package.id != root.id);
    let components: Vec<_> = components.map(|package| component(package, checksums)).collect();
    let dependencies = of_ids.iter().map(|package| {
        let mut on: Vec<_> = edges
            .get(package.id.as_str())
            .into_iter()
            .flatten()
            .filter(|id| reached.contains(*id))
            .filter_map(|id| Some(reference(packages.get(id)?)))
            .collect();
        on.sort();
        on.dedup();
        json!({ "ref": reference(package), "dependsOn": on })
    });
    let dependencies: Vec<_> = dependencies.collect();
    let mut program = component(root, checksums);
    program["type"] = json!("application");
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": program, "tools": { "components": [{ "type": "application", "name": "xtask", "version": version }] } },
        "components": components,
        "dependencies": dependencies,
    }))
}

/// What is linked into a package, not what only builds or tests it.
fn linked(node: &Node) -> Vec<&str> {
    let normal = |edge: &&Edge| edge.dep_kinds.iter().any(|kind| kind.kind.is_none());
    node.deps.iter().filter(normal).map(|edge| edge.pkg.as_str()).collect()
}

fn reference(package: &Package) -> String {
    format!("pkg:cargo/{}@{}", package.name, package.version)
}

fn component(package: &Package, checksums: &BTreeMap<(String, String), String>) -> Value {
    let mut component = json!({
        "type": "library",
        "bom-ref": reference(package),
        "name": package.name,
        "version": package.version,
    });
    if package.source.is_some() {
        component["purl"] = json!(reference(package));
    }
    if let Some(license) = &package.license {
        // Older manifests write a slash for a choice.
        component["licenses"] = json!([{ "expression": license.replace('/', " OR ") }]);
    }
    if let Some(description) = &package.description {
        component["description"] = json!(description.trim());
    }
    if let Some(checksum) = checksums.get(&(package.name.clone(), package.version.clone())) {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
    }
    component
}

/// The checksums of a lock file by name and version.
fn checksums(lock: &str) -> BTreeMap<(String, String), String> {
    let entry = |block: &str| {
        let value = |key: &str| {
            let line = block.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \""))?;
            line.strip_suffix('"').map(str::to_owned)
        };
        Some(((value("name")?, value("version")?), value("checksum")?))
    };
    lock.split("[[package]]").filter_map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_has_what_is_linked_with_its_checksum_and_nothing_else() {
        let package = |name: &str, source: Option<&str>| json!({ "id": name, "name": name, "version": "1.0.0", "license": "MIT/Apache-2.0", "source": source });
        let edge = |name: &str, kind: Value| json!({ "pkg": name, "dep_kinds": [{ "kind": kind }] });
        let graph = json!({
            "packages": [package("tonne", None), package("used", Some("registry")), package("builds", Some("registry")), package("derives", Some("registry"))],
            "resolve": { "nodes": [
                { "id": "tonne", "deps": [edge("used", Value::Null), edge("builds", json!("build")), edge("derives", Value::Null)] },
                { "id": "used", "deps": [] },
                { "id": "builds", "deps": [] },
                { "id": "derives", "deps": [] },
            ] },
        });
        let lock = "[[package]]\nname = \"used\"\nversion = \"1.0.0\"\nchecksum = \"abc\"\n";
        let inside = linked_crates("tonne v1.0.0 (/source)\nused v1.0.0\nused v1.0.0 (*)\n");
        let list = list(&serde_json::from_value(graph).unwrap(), &inside, &checksums(lock), "1.0.0").unwrap();
        let components = list["components"].as_array().unwrap();
        assert_eq!(components.len(), 1);
        assert_eq!(components[0]["purl"], "pkg:cargo/used@1.0.0");
        assert_eq!(components[0]["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(components[0]["hashes"][0]["content"], "abc");
        assert_eq!(list["dependencies"][0]["dependsOn"], json!(["pkg:cargo/used@1.0.0"]));
    }
}
