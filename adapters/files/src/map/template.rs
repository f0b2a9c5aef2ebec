//! Templates: fixed text with columns in braces, such as `{Neighborhood} / {OSEBuildingID}`.

use super::row::Row;

/// A text with columns in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Template(Vec<Part>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Column(String),
}

/// Why a text is no template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum TemplateError {
    #[error("is empty; leave the key out to leave the value out")]
    Empty,
    #[error("has a {{ without its }}; a brace that is meant as such is doubled: {{{{")]
    Open,
    #[error("has a }} without its {{; a brace that is meant as such is doubled: }}}}")]
    Close,
    #[error("has braces with no column between them")]
    NoColumn,
}

impl Template {
    pub(super) fn parse(text: &str) -> Result<Self, TemplateError> {
        if text.is_empty() {
            return Err(TemplateError::Empty);
        }
        let mut parts = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            plain.push_str(&rest[..at]);
            let brace = &rest[at..=at];
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix(brace) {
                plain.push_str(brace);
                rest = after;
                continue;
            }
            if brace == "}" {
                return Err(TemplateError::Close);
            }
            let (column, after) = rest.split_once('}').ok_or(TemplateError::Open)?;
            if column.trim().is_empty() {
                return Err(TemplateError::NoColumn);
            }
            if !plain.is_empty() {
                parts.push(Part::Text(std::mem::take(&mut plain)));
            }
            parts.push(Part::Column(column.trim().to_owned()));
            rest = after;
        }
        plain.push_str(rest);
        if !plain.is_empty() {
            parts.push(Part::Text(plain));
        }
        Ok(Self(parts))
    }

    /// The columns in it.
    pub(super) fn columns(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|part| match part {
            Part::Column(column) => Some(column.as_str()),
            Part::Text(_) => None,
        })
    }

    /// The column that it is nothing but.
    pub(super) fn column(&self) -> Option<&str> {
        match self.0.as_slice() {
            [Part::Column(column)] => Some(column),
            _ => None,
        }
    }

    /// Its text, where no column is in it.
    pub(super) fn constant(&self) -> Option<String> {
        let plain = |part: &Part| match part {
            Part::Text(plain) => Some(plain.clone()),
            Part::Column(_) => None,
        };
        self.0.iter().map(plain).collect()
    }

    /// The text of a row; `None` when a column in it is empty there.
    pub(super) fn text(&self, row: &Row<'_>) -> Option<String> {
        let mut text = String::new();
        for part in &self.0 {
            text.push_str(match part {
                Part::Text(plain) => plain,
                Part::Column(column) => row.cell(column)?,
            });
        }
        Some(text)
    }

    /// Where its text comes from, in words that follow the text.
    pub(super) fn origin(&self) -> String {
        let columns: Vec<String> = self.columns().map(|column| format!("{column:?}")).collect();
        match columns.as_slice() {
            [] => "in the map".to_owned(),
            [one] => format!("in column {one}"),
            many => format!("in columns {}", many.join(" and ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_hold_columns_and_doubled_ones_are_braces() {
        let template = Template::parse("{{{ A(b) } / {C}}}").unwrap();
        assert_eq!(template.columns().collect::<Vec<_>>(), ["A(b)", "C"]);
        assert_eq!(Template::parse("{A}").unwrap().column(), Some("A"));
        assert_eq!(Template::parse("x{A}").unwrap().column(), None);
        for (text, error) in [
            ("", TemplateError::Empty),
            ("{A", TemplateError::Open),
            ("A}", TemplateError::Close),
            ("{ }", TemplateError::NoColumn),
        ] {
            assert_eq!(Template::parse(text), Err(error), "{text}");
        }
    }
}
