//! What an input says of where it belongs: its block and its life-cycle stage.

use domain::{Name, Stage};
use files::Reader;
use ports::inbound::{Field, Named};

use crate::answer_value::text;
use crate::schema::{Kind, Side};
use crate::shape::{Member, Shape};

/// A block of a model, by its name.
pub(super) static BLOCK: Shape<Named, Field<Name>> = Shape {
    name: "Block",
    doc: "A block of a model, by its name.",
    members: &[
        Member::<Named, Field<Name>>::new("uuid", Kind::Uuid, "As answers show it; not read.")
            .shown(|block| text(block.id))
            .repeated(),
        Member::<Named, Field<Name>>::new("name", Kind::Text(1, 255), "What it is called.")
            .shown(|block| text(&block.name))
            .required(|draft, reader, name| *draft = reader.text(name, Name::parse)),
    ],
};

fn codes() -> Vec<&'static str> {
    Stage::all().map(Stage::code).collect()
}

/// A life-cycle stage, by its code.
pub(super) static STAGE: Shape<Stage, Field<Stage>> = Shape {
    name: "LifecycleStage",
    doc: "A life-cycle stage (EN 15804; A0 and B8 are those of whole buildings).",
    members: &[
        Member::<Stage, Field<Stage>>::new("code", Kind::Word(codes), "Its code.")
            .shown(|stage| text(stage.code()))
            .required(|draft, reader, name| *draft = reader.text(name, Stage::parse)),
        Member::<Stage, Field<Stage>>::new("name", Kind::Text(1, 255), "Its name.")
            .shown(|stage| text(stage.name()))
            .repeated(),
    ],
};

/// The one thing that an object says, in place of the object.
pub(super) fn taken<V, T>(shape: &'static Shape<V, Field<T>>, reader: &mut Reader<'_>, name: &'static str) -> Field<T> {
    match reader.object(name, |inner| shape.take(inner, Side::New)) {
        Field::Given(inner) => inner,
        Field::Absent => Field::Absent,
        Field::Null => Field::Null,
        Field::Faulty => Field::Faulty,
    }
}
