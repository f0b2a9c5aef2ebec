//! Exclusions: what a company leaves out of its inventory on purpose, and why.

use std::fmt::Display;

use domain::{Category, ExclusionId, Faults, Reason, SyncId};
use ports::inbound::{Done, Error, ExclusionDraft, ExclusionView, Field, Once};
use ports::repo::{Listing, Page};
use ports::{Permission, Version};

use crate::answer_value::{REFERENCE, number, or_null, reference, text};
use crate::operation::Operation;
use crate::path::{PathId, Root};
use crate::resource::{self, Added, Asking, Changes, Labels, Lists, Resource, shape};
use crate::schema::Kind;
use crate::shape::{self, Shape};

/// The operations on exclusions.
pub(crate) fn operations() -> Vec<Operation> {
    vec![
        resource::list::<Exclusion>(),
        resource::create::<Exclusion>()
            .does("Adds an exclusion: a scope, or a category of scope 3, that is left out in some years, and why.")
            .noting("No figure changes: activities that are recorded nevertheless count as ever."),
        resource::get::<Exclusion>(),
        resource::update::<Exclusion>(),
        resource::remove::<Exclusion>().does("Removes an exclusion. What it said stays in the history."),
    ]
}

/// Exclusions as a resource.
pub(crate) struct Exclusion;

type Member = shape::Member<ExclusionView, ExclusionDraft>;

/// Of what an exclusion consists.
pub(crate) static SHAPE: Shape<ExclusionView, ExclusionDraft> = Shape {
    name: "Exclusion",
    doc: "What is left out of the inventory on purpose, and why.",
    members: &[
        Member::new("uuid", Kind::Uuid, "Identifies it.").shown(|view| text(view.exclusion.value.id)),
        Member::new(
            "scope",
            Kind::Object(&REFERENCE),
            "The scope that is left out, with all below it; this or `category` is required.",
        )
        .shown_or_null(|view| or_null(view.scope.as_ref(), reference))
        .optional(|draft, reader, name| draft.scope = reader.reference(name)),
        Member::new(
            "scopePath",
            Kind::Text(1, 100_000),
            "The names from the root to that scope; not there without one.",
        )
        .shown_at_times(|view| view.scope_path.as_ref().map(text))
        .in_tables(),
        Member::new("category", Kind::Integer(1, 15), "The category of scope 3 that is left out.")
            .shown_or_null(|view| or_null(view.exclusion.value.category(), |category| number(category.number())))
            .optional(|draft, reader, name| {
                draft.category = narrowed(&reader.integer(name, 1..=15), |number| Category::new(number).ok());
            })
            .example("14"),
        Member::new(
            "org",
            Kind::Object(&REFERENCE),
            "The org that it is left out for, with all below it; null: the whole company.",
        )
        .shown_or_null(|view| or_null(view.org.as_ref(), reference))
        .optional(|draft, reader, name| draft.org = reader.reference(name)),
        Member::new("orgPath", Kind::Text(1, 100_000), "The names from the root to that org; not there without one.")
            .shown_at_times(|view| view.org_path.as_ref().map(text))
            .in_tables(),
        Member::new("firstYear", Kind::Integer(1, 9_999), "The first year that it holds for.")
            .shown(|view| number(view.exclusion.value.years().first()))
            .required(|draft, reader, name| draft.first_year = narrowed(&reader.integer(name, 1..=9_999), Some))
            .example("2024"),
        Member::new("lastYear", Kind::Integer(1, 9_999), "The last year, included; the first unless given.")
            .shown(|view| number(view.exclusion.value.years().last()))
            .optional(|draft, reader, name| draft.last_year = narrowed(&reader.integer(name, 1..=9_999), Some))
            .example("2025"),
        Member::new("reason", Kind::Text(1, 1_000), "Why it is left out.")
            .shown(|view| text(&view.exclusion.value.reason))
            .required(|draft, reader, name| draft.reason = reader.text(name, Reason::parse))
            .example(r#""There are no franchises""#),
        Member::new("created", Kind::Time, "When it was added.").shown(|view| text(view.exclusion.created)),
        Member::new("updated", Kind::Time, "When it was last changed.").shown(|view| text(view.exclusion.updated)),
    ],
};

/// A number within a range as what it stands for.
fn narrowed<N: TryFrom<i64>, T>(field: &Field<i64>, make: fn(N) -> Option<T>) -> Field<T> {
    match field {
        Field::Given(number) => N::try_from(*number).ok().and_then(make).map_or(Field::Faulty, Field::Given),
        Field::Absent => Field::Absent,
        Field::Null => Field::Null,
        Field::Faulty => Field::Faulty,
    }
}

impl Resource for Exclusion {
    type In = Root;
    type At = PathId<ExclusionId>;
    type View = ExclusionView;
    type Draft = ExclusionDraft;

    const LABELS: Labels = Labels {
        collection: "/v1/exclusion",
        record: "/v1/exclusion/{uuid}",
        one: "exclusion",
        many: "exclusions",
        tag: "Exclusions",
        reads: Permission::CatalogRead,
        writes: Permission::CatalogWrite,
    };
    const HAS_SYNC_ID: bool = false;

    shape!(SHAPE);

    fn identity(view: &ExclusionView) -> (impl Display, Version) {
        (view.exclusion.value.id, view.exclusion.version)
    }

    fn blame(draft: &mut ExclusionDraft, faults: Faults) {
        draft.faults = faults;
    }

    async fn get(by: Asking<'_>, PathId(id): Self::At) -> Result<ExclusionView, Error> {
        by.areas.exclusions.get(by.caller, id).await
    }

    async fn add(
        by: Asking<'_>,
        _: Root,
        draft: ExclusionDraft,
        once: Option<Once<ExclusionView>>,
    ) -> Result<Done<Added<ExclusionView>>, Error> {
        Ok(by.areas.exclusions.add_once(by.caller, draft, once).await?.map(Added::from))
    }

    async fn remove(by: Asking<'_>, PathId(id): Self::At, seen: Option<Version>) -> Result<(), Error> {
        by.areas.exclusions.remove(by.caller, id, seen).await
    }
}

impl Lists for Exclusion {
    fn columns() -> Vec<(&'static str, Kind)> {
        SHAPE.columns()
    }

    async fn list(by: Asking<'_>, _: Root, _: Option<SyncId>, page: Page) -> Result<Listing<ExclusionView>, Error> {
        by.areas.exclusions.list(by.caller, page).await
    }
}

impl Changes for Exclusion {
    async fn update(
        by: Asking<'_>,
        PathId(id): Self::At,
        seen: Option<Version>,
        draft: ExclusionDraft,
    ) -> Result<ExclusionView, Error> {
        by.areas.exclusions.update(by.caller, id, seen, draft).await
    }
}
