//! The schemas of footprints, from the domain's own description of every field.

use domain::footprint::{Edition, EditionVerdict, FOOTPRINT, JsonType, Layer, ObjectSchema, PCF};
use domain::{Fields, Footprint, FootprintId, Timestamp, Violation};
use files::Json;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::interface::{InterfaceValue, interface_view};
use crate::answer_value::{list, number, text};
use crate::schema::{Components, Kind, Named, Side, nullable, reference};
use crate::shape::{Member, Shape};

/// A footprint as it is stored, and as bodies give it.
pub(super) static RECORD: Record = Record;

pub(super) struct Record;

/// A footprint of the list that partners read.
pub(super) static PACT: Pact = Pact;

pub(super) struct Pact;

/// A rule that a footprint breaks.
pub(super) static RULE: Shape<Violation, ()> = Shape {
    name: "BrokenRule",
    doc: "A rule of PACT that a footprint breaks.",
    members: &[
        Member::<Violation, ()>::new("rule", Kind::Text(1, 255), "The name of the rule.")
            .shown(|broken| text(broken.rule.name())),
        Member::<Violation, ()>::new("pointer", Kind::Text(0, 10_000), "A JSON pointer to where it is broken.")
            .shown(|broken| text(&broken.pointer)),
        Member::<Violation, ()>::new("detail", Kind::Text(1, 10_000), "What is wrong there.")
            .shown(|broken| text(&broken.detail)),
    ],
};

/// What an edition finds of a footprint.
pub(super) static EDITION: Shape<(Edition, EditionVerdict), ()> = Shape {
    name: "FootprintEdition",
    doc: "A footprint as an edition of PACT finds it.",
    members: &[
        InEdition::new("edition", Kind::Text(1, 16), "The version of the edition, such as 3.0.0.")
            .shown(|found| text(found.0)),
        InEdition::new("shown", Kind::Flag, "Whether its lists show it.").shown(|found| Json::Bool(found.1.is_shown)),
        InEdition::new(
            "findings",
            Kind::List(&Kind::Object(&FINDING), 100),
            "What it finds; what hides the record comes first.",
        )
        .shown(|found| list(&found.1.findings, |finding| FINDING.show(finding))),
        InEdition::new("more", Kind::Integer(0, i64::MAX), "How many findings there are beside these.")
            .shown(|found| number(found.1.more)),
    ],
};

type InEdition = Member<(Edition, EditionVerdict), ()>;

fn layers() -> Vec<&'static str> {
    [Layer::Wire, Layer::Rule, Layer::Advice].map(Layer::name).to_vec()
}

static FINDING: Shape<Violation, ()> = Shape {
    name: "EditionFinding",
    doc: "Something that an edition finds of a footprint.",
    members: &[
        Member::<Violation, ()>::new("rule", Kind::Text(1, 255), "The name of the rule.")
            .shown(|found| text(found.rule.name())),
        Member::<Violation, ()>::new(
            "layer",
            Kind::Word(layers),
            "wire: its schema refuses the record; rule: its text does; advice: it is shown all the same.",
        )
        .shown(|found| text(found.layer().name())),
        Member::<Violation, ()>::new(
            "pointer",
            Kind::Text(0, 10_000),
            "A JSON pointer into the record as it shows it.",
        )
        .shown(|found| text(&found.pointer)),
        Member::<Violation, ()>::new("detail", Kind::Text(1, 10_000), "What is found.")
            .shown(|found| text(&found.detail)),
    ],
};

/// What is said of a model's footprint.
pub(super) static DRAFT_OF_MODEL: DraftOfModel = DraftOfModel;

pub(super) struct DraftOfModel;

impl Named for DraftOfModel {
    fn name(&self, _: Side) -> String {
        "ModelFootprintDraft".to_owned()
    }

    fn describe(&self, side: Side, _: &mut Components) -> Value {
        json!({
            "type": "object",
            "description": "What is said of a model's footprint besides what is computed, by the names of PACT 3.",
            "properties": fields(&FOOTPRINT, side),
            "additionalProperties": false,
        })
    }
}

/// A body of that side.
pub(super) fn example(side: Side) -> Option<Value> {
    match side {
        Side::New => Some(json!({
            "specVersion": "2.2.0",
            "companyName": "Example Ltd",
            "productNameCompany": "Crate",
            "comment": "Checked",
            "pcf": { "declaredUnit": "kilogram", "unitaryProductAmount": "1", "pCfExcludingBiogenic": "1.25" },
        })),
        Side::Change => Some(json!({ "statusComment": "Checked again" })),
        Side::Answer => None,
    }
}

impl Named for Record {
    fn name(&self, side: Side) -> String {
        match side {
            Side::Answer => "Footprint",
            Side::New => "FootprintDraft",
            Side::Change => "FootprintChange",
        }
        .to_owned()
    }

    fn describe(&self, side: Side, components: &mut Components) -> Value {
        match side {
            Side::Answer => {
                let mut properties = fields(&FOOTPRINT, side);
                let rules = json!({ "type": "array", "items": reference(&RULE, side, components) });
                properties.insert("uuid".to_owned(), json!({ "type": "string", "format": "uuid" }));
                properties.insert("id".to_owned(), json!({ "type": "integer", "description": "Its number." }));
                properties
                    .insert("valid".to_owned(), json!({ "type": "boolean", "description": "Whether it is listed." }));
                properties.insert("brokenRules".to_owned(), rules);
                let editions = json!({
                    "type": "array",
                    "description": "What each edition of PACT finds; where one footprint is asked for.",
                    "items": reference(&EDITION, side, components),
                });
                properties.insert("editions".to_owned(), editions);
                let model = json!({ "type": "string", "format": "uuid", "description": "The model it was made of." });
                properties.insert("model".to_owned(), model);
                json!({
                    "type": "object",
                    "description": "A footprint as it was written, with the rules of PACT that it breaks.",
                    "properties": properties,
                    "required": ["uuid", "id", "valid", "brokenRules", "created", "updated", "version", "status"],
                })
            }
            Side::New => json!({
                "type": "object",
                "description": "A new footprint: every field of every version of PACT. What is missing is reported, not refused.",
                "properties": fields(&FOOTPRINT, side),
                "additionalProperties": false,
            }),
            Side::Change => json!({
                "type": "object",
                "description": "The change of a footprint; anything else is a new one that names this one in precedingPfIds.",
                "properties": {
                    "status": {
                        "type": "string",
                        "description": "Deprecated, of one that is Active.",
                        "examples": ["Deprecated"],
                    },
                    "statusComment": { "type": ["string", "null"], "description": "Why." },
                },
                "additionalProperties": false,
            }),
        }
    }
}

/// Every field of an object; null is the same as absent.
fn fields(schema: &ObjectSchema, side: Side) -> Map<String, Value> {
    schema.fields.iter().map(|spec| (spec.name.to_owned(), nullable(kind(spec.kind, side)))).collect()
}

fn kind(kind: JsonType, side: Side) -> Value {
    let closed = |schema: &ObjectSchema| {
        let properties = fields(schema, side);
        if side == Side::Answer {
            json!({ "type": "object", "properties": properties })
        } else {
            json!({ "type": "object", "properties": properties, "additionalProperties": false })
        }
    };
    let none = &mut Components::new();
    match kind {
        JsonType::Text => json!({ "type": "string" }),
        JsonType::Number => Kind::Number.schema(side, none),
        JsonType::Integer => json!({ "type": "integer" }),
        JsonType::Flag => Kind::Flag.schema(side, none),
        JsonType::Moment => Kind::Time.schema(side, none),
        JsonType::Texts => json!({ "type": "array", "items": { "type": "string" } }),
        JsonType::References => json!({ "type": "array", "items": { "type": ["integer", "string"] } }),
        JsonType::Object(inner) => closed(inner),
        JsonType::Objects(inner) => json!({ "type": "array", "items": closed(inner) }),
        JsonType::Raw => json!({}),
    }
}

impl Named for Pact {
    fn name(&self, _: Side) -> String {
        "PactFootprint".to_owned()
    }

    fn describe(&self, _: Side, _: &mut Components) -> Value {
        let Some(at) = Timestamp::from_millis(0) else { return json!({}) };
        let empty = Footprint::new(FootprintId::new(Uuid::nil()), 1, at, Fields::new(&FOOTPRINT));
        exactly(&interface_view(&empty), &FOOTPRINT)
    }
}

/// An object that has exactly the members of the value.
fn exactly(value: &InterfaceValue<'_>, schema: &ObjectSchema) -> Value {
    let InterfaceValue::Object(members) = value else { return json!({}) };
    let member = |(name, member): &(&'static str, InterfaceValue<'_>)| {
        let found = schema.fields.iter().find(|spec| spec.name == *name).map(|spec| spec.kind);
        let described = match (member, found) {
            (InterfaceValue::Object(_), _) => exactly(member, &PCF),
            (_, Some(JsonType::References | JsonType::Objects(_))) => json!({ "type": "array", "items": {} }),
            (_, Some(list @ JsonType::Texts)) => kind(list, Side::Answer),
            (_, Some(JsonType::Object(_))) => json!({ "type": ["object", "null"] }),
            (_, Some(one)) => nullable(kind(one, Side::Answer)),
            (_, None) => json!({ "type": ["integer", "null"] }),
        };
        ((*name).to_owned(), described)
    };
    let properties: Map<_, _> = members.iter().map(member).collect();
    let required: Vec<_> = members.iter().map(|(name, _)| *name).collect();
    json!({ "type": "object", "properties": properties, "required": required })
}
