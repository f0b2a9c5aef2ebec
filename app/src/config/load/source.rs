//! The sources of settings, the later ones overriding the earlier: file, environment, flags.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt;
use std::path::Path;

use config::{Config, File, FileFormat, Value};
use files::did_you_mean;

use crate::config::ConfigError;

const PREFIX: &str = "TONNE_";

/// Names that flags read for themselves and that are no setting.
const OF_FLAGS: [&str; 2] = ["TONNE_CONFIG", "TONNE_TENANT"];

/// A setting that was given as a flag. Its value may be a secret and is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Flag {
    /// The setting, such as `server.listen`.
    pub key: &'static str,
    /// The flag, such as `--listen`.
    pub name: &'static str,
    /// The value as the command line has it.
    pub value: String,
}

impl fmt::Debug for Flag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Flag").field("key", &self.key).field("name", &self.name).finish_non_exhaustive()
    }
}

/// The variables of the environment that begin with `TONNE_`. Their values may be secrets and are never shown.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Environment(Vec<(String, OsString)>);

impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}

impl Environment {
    /// The variables of this process.
    #[must_use]
    pub fn of_process() -> Self {
        std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value))).collect()
    }
}

impl<N: Into<String>, V: Into<OsString>> FromIterator<(N, V)> for Environment {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(items: I) -> Self {
        let variables = items.into_iter().map(|(name, value)| (name.into(), value.into()));
        Self(variables.filter(|(name, _)| name.starts_with(PREFIX)).collect())
    }
}

/// The variable that a setting is read from.
pub(in crate::config) fn variable(key: &str) -> String {
    format!("{PREFIX}{}", key.replace('.', "__").to_uppercase())
}

/// The tree of what was given, and the faults found on the way.
pub(in crate::config) fn gather(
    flags: &[Flag],
    environment: &Environment,
    file: Option<&Path>,
) -> Result<(Value, Vec<String>), ConfigError> {
    let mut faults = Vec::new();
    let variables = variables(environment, &mut faults);
    let mut builder = Config::builder();
    if let Some(path) = file {
        builder = builder.add_source(readable(path)?);
    }
    builder = builder.add_source(
        config::Environment::with_prefix("TONNE").prefix_separator("_").separator("__").source(Some(variables)),
    );
    for flag in flags {
        builder = builder.set_override(flag.key, flag.value.as_str()).map_err(|error| refused(&error))?;
    }
    let tree = builder.build().map_err(|error| refused(&error))?.cache;
    Ok((tree, faults))
}

/// The file as a source, when it can be read at all: the crate's own words for a missing file say little.
fn readable(path: &Path) -> Result<File<config::FileSourceFile, FileFormat>, ConfigError> {
    match std::fs::File::open(path) {
        Ok(_) => Ok(File::from(path).format(FileFormat::Toml)),
        Err(error) => {
            Err(ConfigError(vec![format!("the file {} cannot be read: {error}; --config names it", path.display())]))
        }
    }
}

fn refused(error: &config::ConfigError) -> ConfigError {
    ConfigError(vec![error.to_string().trim_end().replace('\n', "\n  ")])
}

/// The variables that name settings. An empty one is not given. Whether there is such a setting is found out later.
fn variables(environment: &Environment, faults: &mut Vec<String>) -> HashMap<String, String> {
    let mut found = HashMap::new();
    for (name, value) in &environment.0 {
        let word = name.strip_prefix(PREFIX).unwrap_or(name);
        if OF_FLAGS.contains(&name.as_str()) || of_orchestrator(word) || value.is_empty() {
            continue;
        }
        if !names_setting(word) {
            let near = did_you_mean(name, OF_FLAGS);
            faults.push(format!("{name} is no setting: they are named TONNE_SECTION__KEY{near}"));
            continue;
        }
        match value.to_str() {
            Some(value) => drop(found.insert(name.clone(), value.to_owned())),
            None => faults.push(format!("{name} is not UTF-8")),
        }
    }
    found
}

/// Whether the word is of the form `SECTION__KEY`.
fn names_setting(word: &str) -> bool {
    let part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_uppercase())
            && !part.ends_with('_')
            && part.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
    };
    word.split_once("__").is_some_and(|(section, key)| part(section) && part(key) && !key.contains("__"))
}

/// Whether Kubernetes sets that variable in every pod beside a service that is called `tonne`.
fn of_orchestrator(word: &str) -> bool {
    let port = |rest: &str| rest.is_empty() || rest.starts_with('_');
    word.strip_prefix("SERVICE_").is_some_and(|rest| rest == "HOST" || rest.strip_prefix("PORT").is_some_and(port))
        || word.strip_prefix("PORT").is_some_and(port)
}
