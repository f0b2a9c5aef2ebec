//! Inputs of models: what goes into them, in their order.

mod block_and_stage;

use std::fmt::Display;

use domain::{Faults, InputId, ModelId, Name, Quantity, SyncId, Unit};
use ports::inbound::{Done, Error, Field, InputDraft, InputView, Once};
use ports::repo::{Listing, Page};
use ports::{Permission, Version};

use crate::answer_value::{REFERENCE, number, or_null, reference, text, text_or_null};
use crate::operation::Operation;
use crate::path::{PathId, PathIds};
use crate::resource::{self, Added, Asking, Changes, Labels, Lists, Resource, shape};
use crate::schema::Kind;
use crate::shape::{self, Shape};
use block_and_stage::{BLOCK, STAGE, taken};

/// The operations on inputs.
pub(crate) fn operations() -> Vec<Operation> {
    vec![
        resource::list::<Input>().does("The inputs of a model, page by page, in the order of `order`."),
        resource::create::<Input>().does("Adds an input to a model."),
        resource::get::<Input>().does("One input of a model."),
        resource::update::<Input>(),
        resource::remove::<Input>().does("Removes an input from a model."),
    ]
}

/// Inputs as a resource.
pub(crate) struct Input;

type Member = shape::Member<InputView, InputDraft>;

static SHAPE: Shape<InputView, InputDraft> = Shape {
    name: "ModelInput",
    doc: "How much of a material goes into a model.",
    members: &[
        Member::new("uuid", Kind::Uuid, "Identifies it.").shown(|view| text(view.input.value.id)),
        Member::new("name", Kind::Text(1, 255), "What it is called.")
            .shown(|view| text(&view.input.value.name))
            .required(|draft, reader, name| draft.name = reader.text(name, Name::parse))
            .example(r#""Fuel""#),
        Member::new("syncId", Kind::Text(1, 255), "What another system calls it: unique.")
            .shown_or_null(|view| text_or_null(view.input.value.sync_id.as_ref()))
            .optional(|draft, reader, name| draft.sync_id = reader.text(name, SyncId::parse)),
        Member::new("quantity", Kind::Number, "How much, for the model's whole amount.")
            .shown(|view| number(view.input.value.quantity))
            .required(|draft, reader, name| draft.quantity = reader.amount(name, Quantity::parse))
            .example(r#""3""#),
        Member::new("unit", Kind::Text(1, 64), "The code of the quantity's unit; of the material's dimension.")
            .shown(|view| text(view.input.value.unit.code()))
            .required(|draft, reader, name| draft.unit = reader.text(name, Unit::parse))
            .example(r#""kWh""#),
        Member::new(
            "order",
            Kind::Integer(i32::MIN as i64, i32::MAX as i64),
            "Its place among the inputs; behind the last unless given.",
        )
        .shown(|view| number(view.input.value.order))
        .optional(|draft, reader, name| {
            draft.order = match reader.integer(name, i64::from(i32::MIN)..=i64::from(i32::MAX)) {
                Field::Given(order) => i32::try_from(order).map_or(Field::Faulty, Field::Given),
                Field::Absent => Field::Absent,
                Field::Null => Field::Null,
                Field::Faulty => Field::Faulty,
            };
        }),
        Member::new("material", Kind::Object(&REFERENCE), "The product it consists of.")
            .shown(|view| reference(&view.material))
            .required(|draft, reader, name| draft.material = reader.reference(name))
            .example(r#"{ "syncId": "natural-gas" }"#),
        Member::new("block", Kind::Object(&REFERENCE), "The block of the model it stands in; made once per model.")
            .shown_or_null(|view| or_null(view.block.as_ref(), reference))
            .read_as(Kind::Object(&BLOCK))
            .optional(|draft, reader, name| draft.block = taken(&BLOCK, reader, name))
            .example(r#"{ "name": "Moulding" }"#),
        Member::new("lifecycleStage", Kind::Object(&STAGE), "The life-cycle stage it belongs to.")
            .shown_or_null(|view| or_null(view.input.value.stage, |stage| STAGE.show(&stage)))
            .optional(|draft, reader, name| draft.stage = taken(&STAGE, reader, name))
            .example(r#"{ "code": "A3" }"#),
        Member::new("created", Kind::Time, "When it was added.").shown(|view| text(view.input.created)),
        Member::new("updated", Kind::Time, "When it was last changed.").shown(|view| text(view.input.updated)),
        Member::new("CO2e", Kind::Amount, "kg of CO2 equivalent; null when it could not be computed.")
            .shown_or_null(|view| text_or_null(view.co2e)),
    ],
};

impl Resource for Input {
    type In = PathId<ModelId>;
    type At = PathIds<ModelId, InputId>;
    type View = InputView;
    type Draft = InputDraft;

    const LABELS: Labels = Labels {
        collection: "/v1/model/{uuid}/input",
        record: "/v1/model/{uuid}/input/{id}",
        one: "input",
        many: "inputs",
        tag: "Models",
        reads: Permission::ModelRead,
        writes: Permission::ModelWrite,
    };

    shape!(SHAPE);

    fn identity(view: &InputView) -> (impl Display, Version) {
        (view.input.value.id, view.input.version)
    }

    fn blame(draft: &mut InputDraft, faults: Faults) {
        draft.faults = faults;
    }

    async fn get(by: Asking<'_>, PathIds(model, id): Self::At) -> Result<InputView, Error> {
        by.areas.models.get_input(by.caller, model, id).await
    }

    async fn add(
        by: Asking<'_>,
        PathId(model): Self::In,
        draft: InputDraft,
        once: Option<Once<InputView>>,
    ) -> Result<Done<Added<InputView>>, Error> {
        Ok(by.areas.models.add_input_once(by.caller, model, draft, once).await?.map(Added::from))
    }

    async fn remove(by: Asking<'_>, PathIds(model, id): Self::At, seen: Option<Version>) -> Result<(), Error> {
        by.areas.models.remove_input(by.caller, model, id, seen).await
    }
}

impl Lists for Input {
    fn columns() -> Vec<(&'static str, Kind)> {
        SHAPE.columns()
    }

    async fn list(
        by: Asking<'_>,
        PathId(model): Self::In,
        sync_id: Option<SyncId>,
        page: Page,
    ) -> Result<Listing<InputView>, Error> {
        by.areas.models.list_inputs(by.caller, model, sync_id, page).await
    }
}

impl Changes for Input {
    async fn update(
        by: Asking<'_>,
        PathIds(model, id): Self::At,
        seen: Option<Version>,
        draft: InputDraft,
    ) -> Result<InputView, Error> {
        by.areas.models.update_input(by.caller, model, id, seen, draft).await
    }
}
