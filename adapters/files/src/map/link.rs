//! What a row's activity refers to: records that are there, or nodes that are made on the way.

use domain::{Faults, Name, SyncId};
use ports::inbound::{NodeStep, Reference};

use super::row::Row;
use super::template::Template;
use crate::json::{Json, Members, Reader, Wrong};

/// How the map names another record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Link {
    /// By a word: uuid, syncId, its one matching name, or a taxonomy's path.
    Word(Template),
    /// By its syncId alone.
    SyncId(Template),
    /// From a root of the tree down, each node found or made.
    Path(Vec<Step>),
}

/// A node of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    name: Template,
    sync_id: Option<Template>,
}

/// Whether nodes can be made on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Making {
    Nodes,
    Nothing,
}

impl Link {
    pub(super) fn read(json: &Json, at: &str, making: Making, faults: &mut Faults) -> Option<Self> {
        match (json, making) {
            (Json::Text(text), _) => faults.check(at, Template::parse(text)).map(Self::Word),
            (Json::Array(steps), Making::Nodes) => {
                if steps.is_empty() {
                    faults.add(at, "must have at least one node, from the root down");
                    return None;
                }
                let read = |(index, step)| Step::read(step, &format!("{at}/{index}"), faults);
                let steps: Vec<_> = steps.iter().enumerate().map(read).collect();
                steps.into_iter().collect::<Option<_>>().map(Self::Path)
            }
            (Json::Object(_), _) => {
                let mut reader = Reader::at(json, at, Members::Given).ok()?;
                let sync_id = reader.text("syncId", Template::parse);
                reader.require("syncId", &sync_id);
                faults.extend(reader.finish());
                sync_id.into_option().map(Self::SyncId)
            }
            (Json::Array(_) | Json::Null | Json::Bool(_) | Json::Number(_), _) => {
                let expected = match making {
                    Making::Nodes => "a text, an array of nodes from the root down, or { syncId = ... }",
                    Making::Nothing => "a text or { syncId = ... }",
                };
                faults.add(at, Wrong::kind(expected, json).to_string());
                None
            }
        }
    }

    pub(super) fn columns(&self) -> impl Iterator<Item = &str> {
        let templates: Vec<&Template> = match self {
            Self::Word(template) | Self::SyncId(template) => vec![template],
            Self::Path(steps) => {
                steps.iter().flat_map(|step| [Some(&step.name), step.sync_id.as_ref()]).flatten().collect()
            }
        };
        templates.into_iter().flat_map(Template::columns)
    }

    /// Nothing where all names of the path are empty in the row; a path with some of them would be another node.
    fn unless_partly_empty(&self, row: &Row<'_>) -> Result<Option<Reference>, String> {
        let Self::Path(steps) = self else { return Ok(None) };
        let is_said = |step: &&Step| step.name.constant().is_none() && step.name.text(row).is_some();
        let Some(said) = steps.iter().find(is_said) else { return Ok(None) };
        let empty: Vec<String> =
            steps.iter().filter(|step| step.name.text(row).is_none()).map(|step| step.name.origin()).collect();
        Err(format!(
            "is a path of which a name is empty {}, beside {:?}: fill it in, or leave all of it empty",
            empty.join(" and "),
            said.name.text(row).unwrap_or_default()
        ))
    }

    /// The reference of a row; `Ok(None)` when a column of it is empty there.
    pub(super) fn reference(&self, row: &Row<'_>) -> Result<Option<Reference>, String> {
        match self {
            Self::Word(template) => Ok(template.text(row).map(Reference::Word)),
            Self::SyncId(template) => parsed(template, row, SyncId::parse).map(|id| id.map(Reference::SyncId)),
            Self::Path(steps) => {
                let mut path = Vec::with_capacity(steps.len());
                for step in steps {
                    let Some(name) = parsed(&step.name, row, Name::parse)? else {
                        return self.unless_partly_empty(row);
                    };
                    let sync_id = match &step.sync_id {
                        None => None,
                        Some(template) => {
                            let Some(sync_id) = parsed(template, row, SyncId::parse)? else { return Ok(None) };
                            Some(sync_id)
                        }
                    };
                    path.push(NodeStep { name, sync_id });
                }
                Ok(Some(Reference::Path(path)))
            }
        }
    }
}

impl Step {
    fn read(json: &Json, at: &str, faults: &mut Faults) -> Option<Self> {
        if let Json::Text(text) = json {
            return faults.check(at, Template::parse(text)).map(|name| Self { name, sync_id: None });
        }
        let Ok(mut reader) = Reader::at(json, at, Members::Given) else {
            faults.add(at, Wrong::kind("a text or { name = ..., syncId = ... }", json).to_string());
            return None;
        };
        let name = reader.text("name", Template::parse);
        let sync_id = reader.text("syncId", Template::parse);
        reader.require("name", &name);
        faults.extend(reader.finish());
        name.into_option().map(|name| Self { name, sync_id: sync_id.into_option() })
    }
}

/// A template's text, read; the fault names what it came from.
pub(super) fn parsed<T, E: std::fmt::Display>(
    template: &Template,
    row: &Row<'_>,
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> Result<Option<T>, String> {
    let Some(text) = template.text(row) else { return Ok(None) };
    parse(&text).map(Some).map_err(|error| format!("{error}: {text:?} {}", template.origin()))
}
