//! The operations of a resource, as the document and the table of operations have them.

use serde_json::Value;

use super::{Changes, Labels, Lists, Resource, handler};
use crate::answer::page_schema;
use crate::media;
use crate::operation::{Answer, Operation, SchemaOf};
use crate::problem::Kind;
use crate::schema::{Components, Named, Side, reference};

/// The schema of a record that was added: with its secret, where it has one.
struct AddedSchema<R: Resource>(std::marker::PhantomData<fn() -> R>);

impl<R: Resource> Named for AddedSchema<R> {
    fn name(&self, _: Side) -> String {
        format!("New{}", R::schema().name(Side::Answer))
    }

    fn describe(&self, _: Side, components: &mut Components) -> Value {
        let mut schema = R::schema().describe(Side::Answer, components);
        if let Some((name, doc)) = R::SECRET {
            schema["properties"][name] = serde_json::json!({ "type": "string", "description": doc });
            if let Some(required) = schema["required"].as_array_mut() {
                required.push(name.into());
            }
        }
        schema
    }
}

/// The schema of what adding answers, or another act that shows a secret.
pub(crate) fn added_schema<R: Resource>(components: &mut Components) -> Value {
    if R::SECRET.is_some() {
        reference(&AddedSchema::<R>(std::marker::PhantomData), Side::Answer, components)
    } else {
        reference(R::schema(), Side::Answer, components)
    }
}

/// The five operations that most kinds of records have.
pub(crate) fn operations<R: Lists + Changes>() -> Vec<Operation> {
    vec![list::<R>(), create::<R>(), get::<R>(), update::<R>(), remove::<R>()]
}

/// GET of the collection.
pub(crate) fn list<R: Lists>() -> Operation {
    let Labels { collection, many, tag, reads, .. } = R::LABELS;
    let page = |components: &mut Components| page_schema(R::schema(), components);
    Operation::get(reads, collection, handler::list::<R>)
        .named(format!("list_{}", snake(many)), tag)
        .offering(&[media::JSON, media::CSV, media::XLSX])
        .does(format!("The {many}, page by page."))
        .noting(
            "CSV and workbooks have all of them where no page is asked for, with a column for each member; of another record \
             that one refers to, its uuid and its name.",
        )
        .answers(
            Answer::ok(SchemaOf::Made(page))
                .or(media::CSV, SchemaOf::Text)
                .or(media::XLSX, SchemaOf::Text)
                .with_header_at_times("Content-Disposition", "The name to keep a table under."),
        )
        .refused_with(Kind::Invalid)
}

/// POST to the collection.
pub(crate) fn create<R: Resource>() -> Operation {
    let Labels { collection, one, tag, writes, .. } = R::LABELS;
    let answer = Answer::json(201, SchemaOf::Made(added_schema::<R>)).located();
    let answer = if R::SECRET.is_some() { answer } else { answer.tagged() };
    let once = if R::SECRET.is_some() { "; its secret is shown this once" } else { "" };
    Operation::post(writes, collection, handler::create::<R>)
        .named(format!("create_{}", snake(one)), tag)
        .does(format!("Adds {} {one}{once}.", article(one)))
        .answers(answer)
        .refused_with(Kind::Conflict)
}

/// GET of a record.
pub(crate) fn get<R: Resource>() -> Operation {
    let Labels { record, one, tag, reads, .. } = R::LABELS;
    Operation::get(reads, record, handler::get::<R>)
        .named(format!("get_{}", snake(one)), tag)
        .does(format!("One {one}."))
        .answers(Answer::ok(SchemaOf::Named(R::schema())).tagged())
}

/// PATCH of a record.
pub(crate) fn update<R: Changes>() -> Operation {
    let Labels { record, one, tag, writes, .. } = R::LABELS;
    Operation::patch(writes, record, handler::update::<R>)
        .named(format!("update_{}", snake(one)), tag)
        .does(format!("Changes {} {one}: members that are left out stay, null clears.", article(one)))
        .answers(Answer::ok(SchemaOf::Named(R::schema())).tagged())
        .refused_with(Kind::Conflict)
}

/// DELETE of a record.
pub(crate) fn remove<R: Resource>() -> Operation {
    let Labels { record, one, tag, writes, .. } = R::LABELS;
    Operation::delete(writes, record, handler::remove::<R>)
        .named(format!("remove_{}", snake(one)), tag)
        .does(format!("Removes {} {one} that nothing refers to.", article(one)))
        .answers(Answer::gone())
        .refused_with(Kind::Conflict)
}

fn snake(words: &str) -> String {
    words.replace([' ', '-'], "_")
}

fn article(word: &str) -> &'static str {
    if word.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" }
}
