//! What the form of the columns says: selects and texts beside a map that can be mended in the same form, taken together.

use files::{ColumnMap, Map, is_said};
use ports::inbound::SniffedTable;

use super::columns;
use super::faults::MapFaults;
use crate::form::Fields;

/// What was sent.
pub(super) struct Sent {
    /// The map that selects and texts were shown of, as a text; `None` where there were none.
    pub(super) base: Option<String>,
    /// The map as somebody left it in the form.
    typed: Option<String>,
}

/// What it comes to.
pub(super) struct Taken {
    /// The map, as a text.
    pub(super) map: String,
    /// What the form still has to hold where it cannot be taken together.
    pub(super) apart: Option<Apart>,
}

/// Choices and a text that do not go together: both are shown as they were sent.
pub(super) struct Apart {
    /// The map that the choices were made from, as a text.
    pub(super) base: String,
    /// The choices.
    pub(super) choices: ColumnMap,
    /// Whether the text takes no choices at all.
    pub(super) is_text_closed: bool,
}

impl Sent {
    pub(super) fn of(fields: &Fields) -> Self {
        let text = |name: &str| fields.get(name).map(|text| text.replace("\r\n", "\n"));
        Self { base: text("base"), typed: text("map") }
    }

    /// Takes both together, in a table that was shown as `sniffed`; `None` where the form was of no map.
    pub(super) fn take(self, fields: &Fields, sniffed: &SniffedTable, faults: &mut MapFaults) -> Option<Taken> {
        let whole = |map: String| Taken { map, apart: None };
        let Some(base) = self.base else { return self.typed.map(whole) };
        let before = ColumnMap::read(&base)?;
        let (chosen, decisions) = columns::chosen(fields, &base, &before, sniffed, faults);
        let typed = self.typed.filter(|typed| typed.trim_end() != base.trim_end());
        let is_chosen = chosen != before || !faults.is_empty();
        let Some(typed) = typed else {
            return Some(whole(if is_chosen { chosen.to_text() } else { base }));
        };
        if !is_chosen {
            return Some(whole(typed));
        }
        let Some(mut both) = ColumnMap::read(&typed) else {
            let apart = Apart { base, choices: chosen, is_text_closed: true };
            return Some(Taken { map: typed, apart: Some(apart) });
        };
        let text = Map::of_what_is_sound(&typed);
        for field in both.take_changes(&before, &chosen) {
            faults.of_field(
                field,
                "is chosen here, and the text below says something else: make them the same".to_owned(),
            );
        }
        for (index, way) in decisions {
            let Some(doubt) = sniffed.doubts.get(index) else { continue };
            let Some(form) = doubt.readings.get(way).map(|reading| &reading.form) else { continue };
            if text.as_ref().is_some_and(|text| is_said(text, doubt, form)) {
                continue;
            }
            if both.writes_alike(&before, &doubt.column) {
                columns::decide(&mut both, doubt, form);
            } else {
                let detail = "is decided here, and the text below says something else: make them the same";
                faults.of_column(&doubt.column, detail.to_owned());
            }
        }
        Some(if faults.is_empty() {
            whole(both.to_text())
        } else {
            Taken { map: typed, apart: Some(Apart { base, choices: chosen, is_text_closed: false }) }
        })
    }
}
