//! Which file of a crate imports which: read from its paths, past the names that a module only hands on.

use std::collections::{BTreeMap, BTreeSet};

use super::super::tree::Tree;
use crate::rust_text::{code_only, is_word};

/// A module: its path from the crate's root, empty for the root itself.
type Module = Vec<String>;

/// The files of a crate and what they import.
pub(super) struct Graph {
    /// By module: its file from the source folder.
    files: BTreeMap<Module, String>,
    /// By module: the modules it imports from.
    imports: BTreeMap<Module, BTreeSet<Module>>,
}

/// What a file says with its paths.
struct Paths {
    /// What it uses itself.
    used: Vec<Vec<String>>,
    /// What it only hands on, each with the name it is known under; `*` for everything.
    handed_on: Vec<(String, Vec<String>)>,
}

impl Graph {
    /// The graph of the crate whose sources are in that folder.
    pub(super) fn of(tree: &Tree, source: &str) -> Self {
        let folder = format!("{source}/");
        let (mut files, mut texts) = (BTreeMap::new(), BTreeMap::new());
        for (file, rest) in tree.below(&folder).filter(|(file, _)| super::super::tree::has_extension(&file.path, "rs"))
        {
            let module: Module = match rest.trim_end_matches(".rs") {
                "lib" | "main" => Vec::new(),
                path => path.split('/').map(str::to_owned).collect(),
            };
            files.insert(module.clone(), rest.to_owned());
            texts.entry(module).or_insert_with(String::new).push_str(&without_tests(&code_only(&file.text)));
        }
        let paths: BTreeMap<Module, Paths> =
            texts.iter().map(|(module, text)| (module.clone(), Paths::of(text, module, &files))).collect();
        let mut imports = BTreeMap::new();
        for (module, Paths { used, .. }) in &paths {
            let targets = used.iter().filter_map(|path| target(path, &files, &paths, 0));
            let targets: BTreeSet<_> = targets.filter(|target| target != module && !target.is_empty()).collect();
            imports.insert(module.clone(), targets);
        }
        Self { files, imports }
    }

    /// The files of every circle, sorted; not those of a module with nothing but its own parts.
    pub(super) fn circles(&self) -> Vec<Vec<String>> {
        let reached: BTreeMap<&Module, BTreeSet<&Module>> =
            self.imports.keys().map(|module| (module, self.reached(module))).collect();
        let (mut circles, mut seen) = (Vec::new(), BTreeSet::new());
        for (module, all) in &reached {
            if !all.contains(module) || seen.contains(module) {
                continue;
            }
            let circle: Vec<&Module> = all.iter().copied().filter(|other| reached[other].contains(module)).collect();
            seen.extend(circle.iter().copied());
            let is_one = circle.iter().any(|root| circle.iter().all(|part| part.starts_with(root)));
            if !is_one {
                circles.push(circle.into_iter().map(|part| self.files[part].clone()).collect());
            }
        }
        circles
    }

    /// Everything that a module imports, directly or through others.
    fn reached(&self, from: &Module) -> BTreeSet<&Module> {
        let (mut found, mut next) = (BTreeSet::new(), vec![from]);
        while let Some(module) = next.pop() {
            for target in self.imports.get(module).into_iter().flatten() {
                if found.insert(target) {
                    next.push(target);
                }
            }
        }
        found
    }
}

/// The module in whose file the last name of a path stands.
fn target(
    path: &[String],
    files: &BTreeMap<Module, String>,
    paths: &BTreeMap<Module, Paths>,
    depth: usize,
) -> Option<Module> {
    let length = (0..=path.len()).rev().find(|length| files.contains_key(&path[..*length]))?;
    let module = path[..length].to_vec();
    let Some(name) = path.get(length).filter(|_| depth < 8) else { return Some(module) };
    let named = paths[&module].handed_on.iter().find(|(known, _)| known == name);
    let onward = named.and_then(|(_, onward)| target(onward, files, paths, depth + 1));
    onward.or(Some(module))
}

/// The code before the file's own tests.
fn without_tests(code: &str) -> String {
    code.find("#[cfg(test)]\nmod tests {").map_or(code, |at| &code[..at]).to_owned()
}

impl Paths {
    fn of(code: &str, module: &Module, files: &BTreeMap<Module, String>) -> Self {
        let mut paths = Self { used: Vec::new(), handed_on: Vec::new() };
        let mut rest = code;
        let mut others = String::new();
        while let Some(at) = next_use(rest) {
            others.push_str(&rest[..at]);
            let statement = &rest[at..];
            let end = statement.find(';').unwrap_or(statement.len());
            let is_public = rest[..at].trim_end().ends_with(['b', ')']) && hands_on(&rest[..at]);
            let tree = statement[..end].trim_start_matches("use").trim().trim_start_matches("::");
            for path in expanded(tree) {
                let (path, name) = renamed(&path);
                let Some(absolute) = absolute(&path, module, files) else { continue };
                if is_public { paths.handed_on.push((name, absolute)) } else { paths.used.push(absolute) }
            }
            rest = &statement[end..];
        }
        others.push_str(rest);
        let words: Vec<_> =
            others.split(|c: char| !(is_word(c) || c == ':')).filter(|word| word.contains("::")).collect();
        for word in words {
            let path: Vec<_> = word.split("::").map(str::to_owned).collect();
            paths.used.extend(absolute(&path, module, files));
        }
        paths
    }
}

/// Where the next `use` begins.
fn next_use(code: &str) -> Option<usize> {
    let starts = |at: &usize| !code[..*at].ends_with(is_word) && code[at + 3..].starts_with([' ', '\n']);
    code.match_indices("use").map(|(at, _)| at).find(starts)
}

/// Whether what is before a `use` makes it hand its names on.
fn hands_on(before: &str) -> bool {
    let before = before.trim_end();
    before.ends_with("pub")
        || before.rfind("pub(").is_some_and(|at| before[at..].ends_with(')') && !before[at..].contains('\n'))
}

/// Every path of a tree of imports.
fn expanded(tree: &str) -> Vec<Vec<String>> {
    let tree = tree.trim();
    let Some(open) = tree.find('{') else {
        return vec![tree.split("::").map(|part| part.trim().to_owned()).collect()];
    };
    let prefix: Vec<_> = tree[..open]
        .trim()
        .trim_end_matches("::")
        .split("::")
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect();
    let inner = &tree[open + 1..tree.rfind('}').unwrap_or(tree.len())];
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (at, c) in inner.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&inner[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&inner[start..]);
    let below = parts.into_iter().filter(|part| !part.trim().is_empty()).flat_map(expanded);
    below.map(|path| prefix.iter().cloned().chain(path.into_iter().filter(|part| part != "self")).collect()).collect()
}

/// A path and the name it is known under: `a::B as C` is `C`.
fn renamed(path: &[String]) -> (Vec<String>, String) {
    let mut path = path.to_vec();
    let last = path.pop().unwrap_or_default();
    let (last, name) =
        last.split_once(" as ").map_or((last.clone(), last.clone()), |(a, b)| (a.into(), b.trim().into()));
    path.push(last);
    (path, name)
}

/// The path from the crate's root; `None` for what is in another crate.
fn absolute(path: &[String], module: &Module, files: &BTreeMap<Module, String>) -> Option<Module> {
    let (first, rest) = path.split_first()?;
    match first.as_str() {
        "crate" => Some(rest.to_vec()),
        "self" => Some(module.iter().chain(rest).cloned().collect()),
        "super" => {
            let parent = &module[..module.len().checked_sub(1)?];
            if rest.first().is_some_and(|next| next == "super") {
                absolute(rest, &parent.to_vec(), files)
            } else {
                Some(parent.iter().chain(rest).cloned().collect())
            }
        }
        child => {
            let below: Module = module.iter().cloned().chain([child.to_owned()]).collect();
            files.contains_key(&below).then(|| module.iter().chain(path).cloned().collect())
        }
    }
}
