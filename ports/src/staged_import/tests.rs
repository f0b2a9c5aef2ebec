//! Staged imports read back from their texts, and their states at a moment.

use domain::Canonical as _;

use super::*;

fn bare() -> StagedImport {
    let at = Timestamp::parse("2025-01-02T03:04:05.678Z").unwrap();
    StagedImport::begin(uuid::Uuid::nil().into(), "a \"file\".csv".to_owned(), "user:ann".to_owned(), at)
}

#[test]
fn a_staged_import_reads_back_from_its_text() {
    let counts = ImportCounts { created: 1, updated: 2, unchanged: 3, rejected: 4, warnings: 5 };
    let told = ToldRow { line: 3, field: String::new(), detail: "is\nwrong".to_owned() };
    let preview = Preview {
        counts,
        without_sync_id: 6,
        already_recorded: 7,
        incomplete: 8,
        skipped: 9,
        years: vec![YearEffect { year: 2025, before: Total::default(), after: Total::parse("-1.5").unwrap() }],
        changed: vec![ChangedRow {
            line: 2,
            name: "Van".to_owned(),
            fields: vec![ChangedField { field: "unit".to_owned(), before: String::new(), after: "kg".to_owned() }],
        }],
        faults: vec![told.clone()],
        warnings: vec![told.clone(), told],
    };
    for state in StagedState::ALL {
        let filled = StagedImport {
            bytes: 1 << 30,
            hash: Some(Digest::of(b"file")),
            state,
            reading: Some(StagedReading { sheet: Some("a".to_owned()), map: Some("[table]\n".to_owned()) }),
            rows: 10,
            read: Some(1 << 20),
            started: Some(bare().begun),
            checked: Some(preview.clone()),
            import: Some(uuid::Uuid::max().into()),
            outcome: Some(counts),
            failure: Some("ended".to_owned()),
            ..bare()
        };
        for staged in [bare(), filled] {
            assert_eq!(StagedImport::from_canonical((), &staged.canonical()).unwrap(), staged);
        }
    }
}

#[test]
fn a_silent_run_was_interrupted_and_a_file_that_waits_was_not() {
    let later = |ms: i64| Timestamp::from_millis(bare().updated.millis() + ms).unwrap();
    let of = |state| StagedImport { state, ..bare() };
    for (state, silent) in [
        (StagedState::Checking, StagedState::CheckFailed),
        (StagedState::Running, StagedState::RunFailed),
        (StagedState::Checked, StagedState::Checked),
        (StagedState::Done, StagedState::Done),
    ] {
        assert_eq!(of(state).state_at(later(SILENT_MS)), state);
        assert_eq!(of(state).state_at(later(SILENT_MS + 1)), silent);
    }
    assert!(!bare().is_over(later(KEPT_MS)));
    assert!(bare().is_over(later(KEPT_MS + 1)));
}
