//! `[table]`: how the table seems to be written.

use domain::{Unit, UnitError};

use super::{Writer, comment, line, quoted};
use crate::suggestion::column::Content;
use crate::suggestion::groups::of_groups;
use crate::suggestion::marks::GuessedMarks;
use crate::suggestion::parted::PartedDate;
use crate::suggestion::sample::SampleForm;

impl Writer<'_> {
    pub(super) fn table(&self, text: &mut String) {
        text.push_str("[table]\n");
        match &self.sample.form {
            SampleForm::Text(encoding, delimiter) => {
                let why = match *encoding {
                    "utf-8" => "every letter that was looked at is UTF-8",
                    "windows-1252" => "some letters are no UTF-8; check that umlauts and accents come out right",
                    _ => "its bytes are pairs, or it has the mark",
                };
                line(text, "encoding", &quoted(encoding), why);
                let delimiter = char::from(*delimiter).to_string();
                line(text, "delimiter", &quoted(&delimiter), "it divides the most rows alike");
            }
            SampleForm::Sheet(name, others) => {
                let why =
                    if *others { "the sheet that was looked at; the workbook has others" } else { "its only sheet" };
                line(text, "sheet", &quoted(name), why);
            }
        }
        match self.header.lines.as_slice() {
            [only] => {
                line(text, "header", &only.to_string(), "the first row of names that is as wide as the rows below");
            }
            many => {
                let lines: Vec<String> = many.iter().map(ToString::to_string).collect();
                line(
                    text,
                    "header",
                    &format!("[{}]", lines.join(", ")),
                    "the upper row groups the columns of the lower one",
                );
            }
        }
        self.marks(text);
        self.dates(text);
        self.columns(text);
        let mut nulls: Vec<&str> = self.columns.iter().flat_map(|column| &column.nulls).map(String::as_str).collect();
        nulls.sort_unstable();
        nulls.dedup();
        if !nulls.is_empty() {
            let words: Vec<String> = nulls.into_iter().map(quoted).collect();
            line(text, "nulls", &format!("[{}]", words.join(", ")), "they stand where others have numbers");
        }
        let groups = of_groups(self.columns, self.rows());
        if !groups.is_empty() {
            let names: Vec<String> = groups.iter().map(|column| quoted(&column.name)).collect();
            let why = "their cells are empty below the name of a group; take out those whose empty cells mean nothing";
            line(text, "fill", &format!("[{}]", names.join(", ")), why);
        }
        self.units(text);
        text.push('\n');
    }

    /// The words of the column of units that mean several, for whoever knows the table to choose.
    fn units(&self, text: &mut String) {
        let Some(at) = self.roles.unit.and_then(|unit| self.columns.iter().position(|other| other.name == unit.name))
        else {
            return;
        };
        let mut words: Vec<&str> = self.rows().iter().map(|row| row.cell(at)).collect();
        words.sort_unstable();
        words.dedup();
        let (mut choices, mut whys) = (Vec::new(), Vec::new());
        for word in words {
            let meanings = Unit::meanings(word);
            if let Some((code, _)) = meanings.first() {
                let names: Vec<String> = meanings.iter().map(|(code, name)| format!("{code} is the {name}")).collect();
                choices.push(format!("{} = {}", quoted(word), quoted(code)));
                whys.push(format!("{word:?}: {}", names.join(", ")));
            } else if let Err(error @ UnitError::Ambiguous { .. }) = Unit::parse(word) {
                choices.push(format!("{} = \"...\"", quoted(word)));
                whys.push(error.to_string());
            }
        }
        if !choices.is_empty() {
            let why = format!("unsure: required, since rows with such words are rejected; {}", whys.join("; "));
            comment(text, "units", &format!("{{ {} }}", choices.join(", ")), &why);
        }
    }

    fn marks(&self, text: &mut String) {
        let GuessedMarks { marks, shown, tied, unsure, .. } = self.marks;
        let (decimal, thousands) = (quoted(&marks.decimal.to_string()), marks.thousands.map(|mark| mark.to_string()));
        if let Some((index, example)) = unsure.first() {
            let name = self.columns.get(*index).map(|column| column.name.as_str()).unwrap_or_default();
            let why = format!("unsure: {example:?} in {name:?} can be read in two ways; keep what is right");
            comment(text, "decimal", &decimal, &why);
            if let Some(thousands) = thousands {
                comment(text, "thousands", &quoted(&thousands), "unsure: it may be the decimal mark");
            }
            return;
        }
        if !*shown {
            let why = "no number that was looked at has a mark; say which one it is where others have";
            comment(text, "decimal", &decimal, why);
            return;
        }
        if *tied {
            let why = "unsure: as many numbers have a decimal point as have a decimal comma; keep what is right";
            comment(text, "decimal", &decimal, why);
            return;
        }
        line(text, "decimal", &decimal, "numbers show it");
        if let Some(thousands) = thousands {
            line(text, "thousands", &quoted(&thousands), "numbers show it");
        }
    }

    fn dates(&self, text: &mut String) {
        let mut sure: Vec<&str> = Vec::new();
        let mut unsure: Vec<(&str, &[&str])> = Vec::new();
        let start = self.roles.start.filter(|_| self.roles.parted.is_none());
        sure.extend(self.roles.parted.as_ref().map(PartedDate::form));
        let of_columns = if self.has_dates_by_column() { [None, None] } else { [start, self.roles.end] };
        for column in of_columns.into_iter().flatten() {
            match &column.content {
                Content::Dates(forms) if forms.len() == 1 => sure.extend(forms),
                Content::Dates(forms) if forms.len() > 1 => unsure.push((&column.name, forms)),
                Content::Dates(_) | Content::Empty | Content::Numbers | Content::Units | Content::Texts => {}
            }
        }
        if self.roles.months.iter().any(|column| column.month.is_some()) {
            sure.push("YYYY-MM");
        }
        sure.sort_unstable();
        sure.dedup();
        if !sure.is_empty() {
            let forms: Vec<String> = sure.iter().map(|form| quoted(form)).collect();
            line(text, "dates", &format!("[{}]", forms.join(", ")), "every date that was looked at has this form");
        }
        for (name, forms) in unsure {
            let all = forms.iter().map(|form| quoted(form)).collect::<Vec<_>>();
            let ways = format!("unsure: {name:?} can be read as {}", all.join(" and as "));
            // One column may show what another leaves open, and need not.
            if let Some(shown) = forms.iter().find(|form| sure.contains(form)) {
                let other = forms.iter().find(|form| *form != shown).copied().unwrap_or_default();
                let value = format!("{{ {} = {{ dates = [{}] }} }}", quoted(name), quoted(other));
                comment(text, "columns", &value, &format!("{ways}; without this line it is as another column shows"));
            } else {
                let why = format!("{ways}; keep the right one");
                comment(text, "dates", &format!("[{}]", all.first().cloned().unwrap_or_default()), &why);
            }
        }
    }
}
