//! Imports as batches that have a name: listed, looked at, undone.

use actix_web::{HttpResponse, web};
use files::Json;
use ports::import_batch::{ImportBatch, ImportState};
use ports::inbound::UndoPatience;
use ports::{ImportId, Permission};

use crate::answer;
use crate::answer_value::{number, or_null, text, text_or_null};
use crate::caller::Caller;
use crate::media::Accepted;
use crate::operation::{Answer, Operation, SchemaOf};
use crate::page_or_table::{Collection, OFFERS, PageOrTable, answer_list, listed};
use crate::path::PathId;
use crate::problem::{Kind as Problems, Problem};
use crate::query::{InQuery, NoQuery};
use crate::request_part::Ask;
use crate::schema::Kind;
use crate::service::Service;
use crate::shape::{Member, Shape};

/// The operations on imports.
pub(crate) fn operations() -> Vec<Operation> {
    let page = |components: &mut _| answer::page_schema(&IMPORT, components);
    let list = Operation::get(Permission::ActivityRead, "/v1/import", list_imports)
        .named("list_imports", "Imports")
        .does("Lists the imports of activities, the newest first.")
        .noting("As a table all of them are given, unless a page is asked for.")
        .offering(OFFERS)
        .answers(listed(SchemaOf::Made(page)))
        .refused_with(Problems::Invalid);
    let get = Operation::get(Permission::ActivityRead, "/v1/import/{uuid}", get_import)
        .named("get_import", "Imports")
        .does("An import: who, what, when, and what became of its rows.")
        .answers_with(&IMPORT)
        .refused_with(Problems::NotFound);
    let mut begun = Answer::json(202, SchemaOf::Named(&IMPORT));
    begun.doc = String::from("A large one is undone batch by batch: ask for it until its state is undone.");
    let undo = Operation::delete(Permission::ActivityWrite, "/v1/import/{uuid}", undo_import)
        .named("undo_import", "Imports")
        .does("Undoes an import: what it created goes, what it changed gets its earlier content.")
        .noting(
            "One of at most `limits.atomic_rows` records is undone in one change. A larger one reads as `undoing` until it \
             is undone; the same request goes on with one whose undoing was broken off. One that is undone already stays \
             so. 409 while it is running, where somebody has edited its activities since, and where what they were before \
             refers to what is gone: `detail` names some. Orgs and taxonomies that were made on the way go too, \
             with catalog:write, unless others use them.",
        )
        .answers_with(&IMPORT)
        .answers(begun)
        .refused_with(Problems::NotFound)
        .refused_with(Problems::Conflict);
    vec![list, get, undo]
}

fn states() -> Vec<&'static str> {
    ImportState::ALL.map(ImportState::as_str).to_vec()
}

type Shown = Member<ImportBatch, ()>;

/// Of what an import consists.
static IMPORT: Shape<ImportBatch, ()> = Shape {
    name: "Import",
    doc: "An import of activities.",
    members: &[
        Shown::new("uuid", Kind::Uuid, "Identifies it; the cause of each change that it made names it.")
            .shown(|batch| text(batch.id)),
        Shown::new("name", Kind::Text(1, 10_000), "The name of the file, or what it was called.")
            .shown(|batch| text(&batch.name)),
        Shown::new("actor", Kind::Text(1, 255), "Who imported.").shown(|batch| text(&batch.actor)),
        Shown::new("created", Kind::Time, "When it began.").shown(|batch| text(batch.begun)),
        Shown::new("updated", Kind::Time, "When it was last heard of.").shown(|batch| text(batch.updated)),
        Shown::new("sha256", Kind::Text(64, 64), "The SHA-256 of the file, in hexadecimal; null while it is not known.")
            .shown_or_null(|batch| text_or_null(batch.hash)),
        Shown::new(
            "state",
            Kind::Word(states),
            "How far it is. One that is brokenOff ended early: what it wrote is there, and sending the same rows again goes \
             on with it where they have a syncId.",
        )
        .shown(|batch| text(batch.state.as_str())),
        Shown::new("counts", Kind::Object(&COUNTS), "What became of its rows.").shown(|batch| COUNTS.show(batch)),
        Shown::new("changes", Kind::Object(&CHANGES), "Its first and its last change; null without any.")
            .shown_or_null(|batch| or_null(batch.changes, |changes| CHANGES.show(&changes))),
        Shown::new(
            "kept",
            Kind::Integer(0, i64::MAX),
            "How many of its records stayed when it was undone, since somebody had edited or uses them.",
        )
        .shown(|batch| number(batch.kept)),
        Shown::new("undoneBy", Kind::Text(1, 255), "Who undid it, at `updated`; null while it is not undone.")
            .shown_or_null(|batch| text_or_null(batch.undone_by.as_ref())),
    ],
};

static COUNTS: Shape<ImportBatch, ()> = Shape {
    name: "ImportCounts",
    doc: "What became of the rows of an import.",
    members: &[
        Shown::new("created", Kind::Integer(0, i64::MAX), "Activities that were added.")
            .shown(|batch| number(batch.counts.created)),
        Shown::new("updated", Kind::Integer(0, i64::MAX), "Activities that were changed.")
            .shown(|batch| number(batch.counts.updated)),
        Shown::new("unchanged", Kind::Integer(0, i64::MAX), "Rows that changed nothing.")
            .shown(|batch| number(batch.counts.unchanged)),
        Shown::new("rejected", Kind::Integer(0, i64::MAX), "Rows with faults, which were left out.")
            .shown(|batch| number(batch.counts.rejected)),
        Shown::new("warnings", Kind::Integer(0, i64::MAX), "Warnings about rows that were taken.")
            .shown(|batch| number(batch.counts.warnings)),
    ],
};

static CHANGES: Shape<(u64, u64), ()> = Shape {
    name: "ImportChanges",
    doc: "The first and the last change of an import; changes between may be others'.",
    members: &[
        Member::<(u64, u64), ()>::new("first", Kind::Integer(1, i64::MAX), "The number of the first.")
            .shown(|changes| number(changes.0)),
        Member::<(u64, u64), ()>::new("last", Kind::Integer(1, i64::MAX), "The number of the last.")
            .shown(|changes| number(changes.1)),
    ],
};

fn shown(batch: &ImportBatch) -> Json {
    IMPORT.show(batch)
}

/// Handles GET of the imports.
async fn list_imports(
    caller: Caller,
    Ask((InQuery(asked),), _): Ask<(InQuery<PageOrTable>,)>,
    accepted: Accepted,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let (imports, of) = (&service.areas().imports, Collection { name: "imports", shape: &IMPORT });
    let (asking, key) = ((service.get_ref(), &caller), |batch: &ImportBatch| batch.id);
    answer_list(asked, accepted, asking, of, key, |page| imports.list(&caller, page)).await
}

/// Handles GET of an import.
async fn get_import(
    caller: Caller,
    Ask((PathId(id), NoQuery), _): Ask<(PathId<ImportId>, NoQuery)>,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    answer::ok(&shown(&service.areas().imports.find(&caller, id).await?))
}

/// Handles DELETE of an import.
async fn undo_import(
    caller: Caller,
    Ask((PathId(id), NoQuery), _): Ask<(PathId<ImportId>, NoQuery)>,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let batch = service.areas().imports.undo(&caller, id, UndoPatience::Begun).await?;
    let body = answer::written(&shown(&batch))?;
    let mut answer = match batch.state {
        ImportState::Undoing => HttpResponse::Accepted(),
        ImportState::Running | ImportState::Done | ImportState::BrokenOff | ImportState::Undone => HttpResponse::Ok(),
    };
    Ok(answer.content_type(crate::media::JSON).body(body))
}
