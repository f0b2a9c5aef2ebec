//! The content of a footprint: its fields follow the order of the table that describes them.

use super::{Canonical, CanonicalError, CanonicalItem, CanonicalItemReader, CanonicalReader, CanonicalWriter};
use crate::amount::decimal::Decimal;
use crate::calendar::moment::Moment;
use crate::calendar::timestamp::Timestamp;
use crate::footprint::{
    FOOTPRINT, FieldSpec, FieldValue, Fields, Footprint, FromModel, JsonType, ObjectSchema, RawJson, Reference, Stamps,
};
use crate::id::{FootprintId, ModelId};

impl Canonical for Footprint {
    type Known = FootprintId;

    fn write(&self, to: &mut CanonicalWriter) {
        to.integer("number", self.number);
        to.object("stamps", |to| write_stamps(self.stamps, to));
        to.object("fields", |to| self.fields.write(to));
        to.optional_object("fromModel", self.from_model.as_deref(), FromModel::write);
    }

    fn read(id: FootprintId, from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        Ok(Self {
            id,
            number: from.integer("number")?,
            stamps: from.object("stamps", read_stamps)?,
            fields: from.object("fields", |from| Fields::read(&FOOTPRINT, from))?,
            from_model: from.optional_object("fromModel", |from| FromModel::read((), from))?.map(Box::new),
        })
    }
}

impl Canonical for FromModel {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        to.text("model", self.model);
        to.object("said", |to| self.said.write(to));
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        Ok(Self {
            model: from.text("model", str::parse::<ModelId>)?,
            said: from.object("said", |from| Fields::read(&FOOTPRINT, from))?,
        })
    }
}

fn write_stamps(stamps: Stamps, to: &mut CanonicalWriter) {
    to.text("created", stamps.created);
    to.optional("updated", stamps.updated);
    to.integer("amendments", stamps.amendments);
}

fn read_stamps(from: &mut CanonicalReader<'_>) -> Result<Stamps, CanonicalError> {
    Ok(Stamps {
        created: from.text("created", Timestamp::parse)?,
        updated: from.optional("updated", Timestamp::parse)?,
        amendments: from.integer("amendments")?,
    })
}

impl Canonical for Fields {
    /// What the object is made of.
    type Known = &'static ObjectSchema;

    /// The fields that were given, in the order of the schema.
    fn write(&self, to: &mut CanonicalWriter) {
        for spec in self.schema().fields {
            match self.find(spec.name) {
                None => {}
                Some(FieldValue::Text(text)) => to.text(spec.name, text),
                Some(FieldValue::Number(number)) => to.text(spec.name, number),
                Some(FieldValue::Integer(number)) => to.integer(spec.name, *number),
                Some(FieldValue::Flag(flag)) => to.flag(spec.name, *flag),
                Some(FieldValue::Moment(moment)) => to.text(spec.name, moment),
                Some(FieldValue::Texts(texts)) => to.texts(spec.name, texts),
                Some(FieldValue::References(references)) => to.list(spec.name, references, write_reference),
                Some(FieldValue::Object(fields)) => to.object(spec.name, |to| fields.write(to)),
                Some(FieldValue::Objects(objects)) => to.objects(spec.name, objects, Self::write),
                Some(FieldValue::Raw(json)) => to.text(spec.name, json),
            }
        }
    }

    fn read(schema: &'static ObjectSchema, from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        let mut fields = Self::new(schema);
        for spec in schema.fields {
            if let Some(value) = read_field(spec, from)? {
                fields
                    .set(spec.name, value)
                    .map_err(|error| from.wrong(format_args!("is refused: {error}")).within(spec.name))?;
            }
        }
        Ok(fields)
    }
}

fn read_field(spec: &FieldSpec, from: &mut CanonicalReader<'_>) -> Result<Option<FieldValue>, CanonicalError> {
    let name = spec.name;
    Ok(match spec.kind {
        JsonType::Text => from.optional_string(name)?.map(FieldValue::Text),
        JsonType::Number => from.optional(name, Decimal::parse)?.map(FieldValue::Number),
        JsonType::Integer => from.optional_integer(name)?.map(FieldValue::Integer),
        JsonType::Flag => from.optional_flag(name)?.map(FieldValue::Flag),
        JsonType::Moment => from.optional(name, Moment::parse)?.map(FieldValue::Moment),
        JsonType::Texts => Some(FieldValue::Texts(from.list(name, read_text)?)),
        JsonType::References => Some(FieldValue::References(from.list(name, read_reference)?)),
        JsonType::Object(schema) => {
            from.optional_object(name, |from| Fields::read(schema, from))?.map(FieldValue::Object)
        }
        JsonType::Objects(schema) => Some(FieldValue::Objects(from.objects(name, |from| Fields::read(schema, from))?)),
        JsonType::Raw => from.optional(name, RawJson::parse)?.map(FieldValue::Raw),
    })
}

fn read_text(item: CanonicalItemReader<'_, '_>) -> Result<String, CanonicalError> {
    item.string()
}

/// A footprint of ours is a number, another's a text.
fn write_reference(item: CanonicalItem<'_>, reference: &Reference) {
    match reference {
        Reference::Number(number) => item.integer(*number),
        Reference::Text(text) => item.text(text),
    }
}

fn read_reference(item: CanonicalItemReader<'_, '_>) -> Result<Reference, CanonicalError> {
    if item.is_text() { item.string().map(Reference::Text) } else { item.integer().map(Reference::Number) }
}
