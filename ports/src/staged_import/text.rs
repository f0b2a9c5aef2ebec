//! The canonical text of a staged import, as the spool keeps it.

use domain::{Canonical, CanonicalError, CanonicalReader, CanonicalWriter, Digest, Timestamp, Total};

use super::{ChangedField, ChangedRow, Preview, StagedImport, StagedReading, StagedState, ToldRow, YearEffect};
use crate::envelope::{read_form, write_form};
use crate::id::{ImportId, StagedId};
use crate::import_batch::ImportCounts;

impl Canonical for StagedImport {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        let Self {
            id,
            name,
            actor,
            begun,
            updated,
            bytes,
            hash,
            state,
            reading,
            rows,
            read,
            started,
            checked,
            import,
            outcome,
            failure,
        } = self;
        write_form(to);
        to.text("id", id);
        to.text("name", name);
        to.text("actor", actor);
        to.text("begun", begun);
        to.text("updated", updated);
        to.integer("bytes", *bytes);
        to.optional("hash", *hash);
        to.text("state", state.as_str());
        to.optional_object("reading", reading.as_ref(), |reading, to| {
            to.optional("sheet", reading.sheet.as_ref());
            to.optional("map", reading.map.as_ref());
        });
        to.integer("rows", *rows);
        to.optional_integer("read", *read);
        to.optional("started", *started);
        to.optional_object("checked", checked.as_ref(), Preview::write);
        to.optional("import", *import);
        to.optional_object("outcome", *outcome, write_counts);
        to.optional("failure", failure.as_ref());
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        read_form(from)?;
        Ok(Self {
            id: from.text("id", str::parse::<StagedId>)?,
            name: from.string("name")?,
            actor: from.string("actor")?,
            begun: from.text("begun", Timestamp::parse)?,
            updated: from.text("updated", Timestamp::parse)?,
            bytes: from.integer("bytes")?,
            hash: from.optional("hash", Digest::parse)?,
            state: from.word("state", StagedState::parse)?,
            reading: from.optional_object("reading", |from| {
                Ok(StagedReading { sheet: from.optional_string("sheet")?, map: from.optional_string("map")? })
            })?,
            rows: from.integer("rows")?,
            read: from.optional_integer("read")?,
            started: from.optional("started", Timestamp::parse)?,
            checked: from.optional_object("checked", Preview::read)?,
            import: from.optional("import", str::parse::<ImportId>)?,
            outcome: from.optional_object("outcome", read_counts)?,
            failure: from.optional_string("failure")?,
        })
    }
}

impl Preview {
    fn write(&self, to: &mut CanonicalWriter) {
        let Self { counts, without_sync_id, already_recorded, incomplete, skipped, years, changed, faults, warnings } =
            self;
        to.object("counts", |to| write_counts(*counts, to));
        to.integer("withoutSyncId", *without_sync_id);
        to.integer("alreadyRecorded", *already_recorded);
        to.integer("incomplete", *incomplete);
        to.integer("skipped", *skipped);
        to.objects("years", years, |effect, to| {
            to.integer("year", effect.year);
            to.text("before", effect.before);
            to.text("after", effect.after);
        });
        to.objects("changed", changed, |row, to| {
            to.integer("line", row.line);
            to.text("name", &row.name);
            to.objects("fields", &row.fields, |field, to| {
                to.text("field", &field.field);
                to.text("before", &field.before);
                to.text("after", &field.after);
            });
        });
        to.objects("faults", faults, ToldRow::write);
        to.objects("warnings", warnings, ToldRow::write);
    }

    fn read(from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        Ok(Self {
            counts: from.object("counts", read_counts)?,
            without_sync_id: from.integer("withoutSyncId")?,
            already_recorded: from.integer("alreadyRecorded")?,
            incomplete: from.integer("incomplete")?,
            skipped: from.integer("skipped")?,
            years: from.objects("years", |from| {
                Ok(YearEffect {
                    year: from.integer("year")?,
                    before: from.text("before", Total::parse)?,
                    after: from.text("after", Total::parse)?,
                })
            })?,
            changed: from.objects("changed", |from| {
                Ok(ChangedRow {
                    line: from.integer("line")?,
                    name: from.string("name")?,
                    fields: from.objects("fields", |from| {
                        Ok(ChangedField {
                            field: from.string("field")?,
                            before: from.string("before")?,
                            after: from.string("after")?,
                        })
                    })?,
                })
            })?,
            faults: from.objects("faults", ToldRow::read)?,
            warnings: from.objects("warnings", ToldRow::read)?,
        })
    }
}

impl ToldRow {
    fn write(&self, to: &mut CanonicalWriter) {
        to.integer("line", self.line);
        to.text("field", &self.field);
        to.text("detail", &self.detail);
    }

    fn read(from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        Ok(Self { line: from.integer("line")?, field: from.string("field")?, detail: from.string("detail")? })
    }
}

fn write_counts(counts: ImportCounts, to: &mut CanonicalWriter) {
    to.integer("created", counts.created);
    to.integer("updated", counts.updated);
    to.integer("unchanged", counts.unchanged);
    to.integer("rejected", counts.rejected);
    to.integer("warnings", counts.warnings);
}

fn read_counts(from: &mut CanonicalReader<'_>) -> Result<ImportCounts, CanonicalError> {
    Ok(ImportCounts {
        created: from.integer("created")?,
        updated: from.integer("updated")?,
        unchanged: from.integer("unchanged")?,
        rejected: from.integer("rejected")?,
        warnings: from.integer("warnings")?,
    })
}
