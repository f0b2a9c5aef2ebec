//! What a record consists of, member by member, said once: how answers show a member and how bodies give it. The reader
//! of bodies, the writer of answers, the schemas and the examples of the document all come from here.

use std::io::{self, Write as _};

use domain::Faults;
use files::{Json, Members, Reader};
use serde_json::{Value, json};

use crate::schema::{Components, Kind, Named, Side, nullable, with};

/// Takes a member of a body into a draft.
pub(crate) type Take<D> = fn(&mut D, &mut Reader<'_>, &'static str);

/// A member of a record: shown of a `V`, taken into a `D`.
pub(crate) struct Member<V: 'static, D: 'static> {
    name: &'static str,
    kind: Kind,
    read_kind: Option<Kind>,
    doc: &'static str,
    nullable: bool,
    example: Option<&'static str>,
    shown: Shown<V>,
    is_column: bool,
    given: Given<D>,
}

/// How answers have a member.
enum Shown<V: 'static> {
    /// Answers leave the member out.
    Never,
    /// Answers have the member.
    Always(fn(&V) -> Json),
    /// Where there is something to say.
    AtTimes(fn(&V) -> Option<Json>),
    /// Answers have the member, written at once.
    Written(fn(&V, &mut Vec<u8>) -> io::Result<()>),
    /// As a writer elsewhere writes it: always, or not always.
    Elsewhere { always: bool },
}

/// How bodies give a member.
enum Given<D: 'static> {
    /// A body must not have the member.
    ReadOnly,
    /// They may repeat it; it is not read.
    Repeated,
    /// They may give it.
    Optional(Take<D>),
    /// They must give it when a record is added.
    Required(Take<D>),
}

impl<V, D> Member<V, D> {
    /// A member that is neither shown nor given.
    pub(crate) const fn new(name: &'static str, kind: Kind, doc: &'static str) -> Self {
        Self {
            name,
            kind,
            read_kind: None,
            doc,
            nullable: false,
            example: None,
            shown: Shown::Never,
            is_column: false,
            given: Given::ReadOnly,
        }
    }

    /// Shown, and never null.
    pub(crate) const fn shown(mut self, show: fn(&V) -> Json) -> Self {
        self.shown = Shown::Always(show);
        self
    }

    /// Shown, and null where it is unknown.
    pub(crate) const fn shown_or_null(mut self, show: fn(&V) -> Json) -> Self {
        self.nullable = true;
        self.shown(show)
    }

    /// Shown where there is something to say.
    pub(crate) const fn shown_at_times(mut self, show: fn(&V) -> Option<Json>) -> Self {
        self.shown = Shown::AtTimes(show);
        self
    }

    /// A column of tables, though answers have it at times alone.
    pub(crate) const fn in_tables(mut self) -> Self {
        self.is_column = true;
        self
    }

    /// Shown, never null, and long: it is written into the answer, where other members become a value first.
    pub(crate) const fn streamed(mut self, write: fn(&V, &mut Vec<u8>) -> io::Result<()>) -> Self {
        self.shown = Shown::Written(write);
        self
    }

    /// Shown, by a writer elsewhere, and never null.
    pub(crate) const fn written(mut self) -> Self {
        self.shown = Shown::Elsewhere { always: true };
        self
    }

    /// Shown, by a writer elsewhere, and null where it is unknown.
    pub(crate) const fn written_or_null(mut self) -> Self {
        self.nullable = true;
        self.written()
    }

    /// Shown, by a writer elsewhere, in some answers; null where it is unknown.
    pub(crate) const fn at_times_or_null(mut self) -> Self {
        self.nullable = true;
        self.shown = Shown::Elsewhere { always: false };
        self
    }

    /// Shown, by a writer elsewhere, in some answers; never null.
    pub(crate) const fn at_times(mut self) -> Self {
        self.shown = Shown::Elsewhere { always: false };
        self
    }

    /// Bodies may give it.
    pub(crate) const fn optional(mut self, take: Take<D>) -> Self {
        self.given = Given::Optional(take);
        self
    }

    /// Bodies that add a record must give it.
    pub(crate) const fn required(mut self, take: Take<D>) -> Self {
        self.given = Given::Required(take);
        self
    }

    /// Bodies may repeat it as an answer shows it.
    pub(crate) const fn repeated(mut self) -> Self {
        self.given = Given::Repeated;
        self
    }

    /// What it is in bodies, where it is something else there.
    pub(crate) const fn read_as(mut self, kind: Kind) -> Self {
        self.read_kind = Some(kind);
        self
    }

    /// An example of it in a body, as JSON.
    pub(crate) const fn example(mut self, json: &'static str) -> Self {
        self.example = Some(json);
        self
    }

    fn schema(&self, side: Side, components: &mut Components) -> Value {
        let (kind, is_nullable) = match side {
            Side::Answer => (self.kind, self.nullable),
            Side::New | Side::Change => {
                (self.read_kind.unwrap_or(self.kind), !matches!(self.given, Given::Required(_)))
            }
        };
        let inner = if side == Side::Change { Side::New } else { side };
        let schema = kind.schema(inner, components);
        let schema = if is_nullable { nullable(schema) } else { schema };
        let example = self.parsed_example().map(|example| ("examples", json!([example])));
        with(schema, [("description", json!(self.doc))].into_iter().chain(example.filter(|_| side != Side::Answer)))
    }

    fn parsed_example(&self) -> Option<Value> {
        serde_json::from_str(self.example?).ok()
    }

    /// Whether answers have it: always, sometimes, or never.
    const fn presence(&self) -> Option<bool> {
        match self.shown {
            Shown::Never => None,
            Shown::Always(_) | Shown::Written(_) => Some(true),
            Shown::AtTimes(_) => Some(false),
            Shown::Elsewhere { always } => Some(always),
        }
    }

    const fn is_given(&self) -> bool {
        matches!(self.given, Given::Optional(_) | Given::Required(_))
    }
}

/// An object of those members.
pub(crate) struct Shape<V: 'static, D: 'static> {
    /// What its schema is called in answers; `Draft` and `Change` are added in bodies.
    pub(crate) name: &'static str,
    /// The text about the member in the document.
    pub(crate) doc: &'static str,
    /// Its members, in the order they are written in.
    pub(crate) members: &'static [Member<V, D>],
}

impl<V, D> Shape<V, D> {
    /// The members that every answer has and those that tables have besides, with what they are.
    pub(crate) fn columns(&self) -> Vec<(&'static str, Kind)> {
        let columns = self.members.iter().filter(|member| member.is_column || member.presence() == Some(true));
        columns.map(|member| (member.name, member.kind)).collect()
    }

    /// The object as it is shown.
    pub(crate) fn show(&self, view: &V) -> Json {
        let shown = self.members.iter().filter_map(|member| match member.shown {
            Shown::Always(show) => Some((member.name.to_owned(), show(view))),
            Shown::AtTimes(show) => Some((member.name.to_owned(), show(view)?)),
            Shown::Never | Shown::Written(_) | Shown::Elsewhere { .. } => None,
        });
        Json::Object(shown.collect())
    }

    /// Writes the object as it is shown, with the members that are too long for a value.
    pub(crate) fn write(&self, view: &V, out: &mut Vec<u8>) -> io::Result<()> {
        out.push(b'{');
        for member in self.members {
            let value = match member.shown {
                Shown::Always(show) => Some(show(view)),
                Shown::AtTimes(show) => show(view),
                Shown::Never | Shown::Written(_) | Shown::Elsewhere { .. } => None,
            };
            let begin = if out.last() == Some(&b'{') { "" } else { "," };
            if let Some(value) = value {
                write!(out, "{begin}\"{}\":", member.name)?;
                serde_json::to_writer(&mut *out, &value)?;
            } else if let Shown::Written(write) = member.shown {
                write!(out, "{begin}\"{}\":", member.name)?;
                write(view, out)?;
            }
        }
        out.push(b'}');
        Ok(())
    }

    /// A body that adds a record, of the examples of its members; `None` where no member has one.
    pub(crate) fn example(&self, side: Side) -> Option<Value> {
        let given = self.members.iter().filter(|member| member.is_given());
        let mut examples: Vec<_> = given.filter_map(|one| Some((one.name.to_owned(), one.parsed_example()?))).collect();
        if side == Side::Change {
            // What has no name changes in its reason.
            let changed = if examples.iter().any(|(name, _)| name == "name") { "name" } else { "reason" };
            examples.retain(|(name, _)| name == changed);
        }
        (!examples.is_empty()).then(|| Value::Object(examples.into_iter().collect()))
    }
}

impl<V, D: Default> Shape<V, D> {
    /// Takes the members of an object.
    pub(crate) fn take(&self, reader: &mut Reader<'_>, side: Side) -> D {
        let mut draft = D::default();
        for member in self.members {
            match member.given {
                Given::ReadOnly => reader.read_only(&[member.name]),
                Given::Repeated => reader.ignore(&[member.name]),
                Given::Optional(take) => take(&mut draft, reader, member.name),
                Given::Required(take) => {
                    if side == Side::New {
                        reader.must_have(member.name);
                    }
                    take(&mut draft, reader, member.name);
                }
            }
        }
        draft
    }

    /// What a body says, with everything that is wrong with it. The error is a body that is no object.
    pub(crate) fn read(&self, json: &Json, side: Side) -> Result<(D, Faults), Faults> {
        let mut reader = Reader::new(json, Members::Given)?;
        let draft = self.take(&mut reader, side);
        Ok((draft, reader.finish()))
    }
}

impl<V, D> Named for Shape<V, D> {
    fn name(&self, side: Side) -> String {
        let end = match side {
            Side::Answer => "",
            Side::New => "Draft",
            Side::Change => "Change",
        };
        format!("{}{end}", self.name)
    }

    fn describe(&self, side: Side, components: &mut Components) -> Value {
        let (mut properties, mut required) = (serde_json::Map::new(), Vec::new());
        for member in self.members {
            let stands = match side {
                Side::Answer => member.presence().is_some(),
                Side::New | Side::Change => member.is_given() || matches!(member.given, Given::Repeated),
            };
            if !stands {
                continue;
            }
            let must = match side {
                Side::Answer => member.presence() == Some(true),
                Side::New => matches!(member.given, Given::Required(_)),
                Side::Change => false,
            };
            if must {
                required.push(member.name);
            }
            properties.insert(member.name.to_owned(), member.schema(side, components));
        }
        let doc = match side {
            Side::Answer => self.doc.to_owned(),
            Side::New => format!("{} What a body says of a new one.", self.doc),
            Side::Change => format!("{} What a body changes of one: what is left out stays, null clears.", self.doc),
        };
        let schema = json!({ "type": "object", "description": doc, "properties": properties });
        let required = (!required.is_empty()).then(|| ("required", json!(required)));
        let closed = (side != Side::Answer).then_some(("additionalProperties", json!(false)));
        with(schema, required.into_iter().chain(closed))
    }
}
