//! The rows of a report as a table of two dimensions: rows in a tree, columns beside each other.

use std::collections::HashMap;

use domain::Totals;
use ports::inbound::{Breakdown, BreakdownRow, Label, Named};
use uuid::Uuid;

/// What a row or a column is about, as a key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Record(Uuid),
    Word(String),
    Without,
}

impl Key {
    pub(super) fn of(label: &Label) -> Self {
        match label {
            Label::Record { id, .. } => Self::Record(*id),
            Label::Without => Self::Without,
            Label::Time(_) | Label::Gas(_) | Label::Quality(_) => Self::Word(label.key()),
        }
    }
}

/// What a cell comes to, and what that was in the period that it is compared with.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cell {
    pub(super) totals: Totals,
    pub(super) compared: Option<Totals>,
}

impl Cell {
    fn add(&mut self, other: &Self) {
        self.totals += other.totals;
        if let Some(compared) = other.compared {
            *self.compared.get_or_insert_default() += compared;
        }
    }

    fn of(row: &BreakdownRow) -> Self {
        Self { totals: row.totals, compared: row.compared }
    }
}

/// A row: by column what it comes to, with everything below, and what it comes to by itself.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) key: Key,
    pub(super) name: String,
    /// Its level, from 1.
    pub(super) level: usize,
    /// The row of the report that is this one's own; `None` of a node that has none.
    pub(super) label: Option<Label>,
    /// Everything, this and below.
    pub(super) cells: HashMap<Key, Cell>,
    pub(super) all: Cell,
    /// What is its own alone.
    pub(super) own: HashMap<Key, Cell>,
    pub(super) own_all: Option<Cell>,
    pub(super) below: Vec<Row>,
}

/// A column.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) label: Label,
    /// Whether it is a node's own alone, others below it being columns of their own.
    pub(super) is_own: bool,
}

/// A table of two dimensions; of one it has no columns.
#[derive(Debug)]
pub(super) struct Pivot {
    pub(super) rows: Vec<Row>,
    pub(super) columns: Vec<Column>,
    pub(super) sums: HashMap<Key, Cell>,
}

impl Pivot {
    /// The rows of the report, from the nodes on that the filter names; columns at that many levels.
    pub(super) fn of(found: &Breakdown, [row_root, column_root]: [Option<Uuid>; 2], depth: usize) -> Self {
        let mut pivot = Self { rows: Vec::new(), columns: Vec::new(), sums: HashMap::new() };
        for one in &found.rows {
            let Some(label) = one.labels.first() else { continue };
            let column = one.labels.get(1).map(|column| at_level(column, column_root, depth));
            let cell = Cell::of(one);
            if let Some(column) = &column {
                let key = Key::of(column);
                if !pivot.columns.iter().any(|known| Key::of(&known.label) == key) {
                    pivot.columns.push(Column { label: column.clone(), is_own: false });
                }
                pivot.sums.entry(key).or_default().add(&cell);
            }
            let above = below(above_of(label), row_root);
            add(&mut pivot.rows, 1, (label, above), column.as_ref().map(Key::of), &cell);
        }
        if pivot.columns.iter().any(|column| matches!(column.label, Label::Time(_))) {
            pivot.columns.sort_by_key(|column| column.label.key());
        }
        let parents: Vec<Uuid> =
            pivot.columns.iter().flat_map(|column| above_of(&column.label)).map(|above| above.id).collect();
        for column in &mut pivot.columns {
            column.is_own = matches!(&column.label, Label::Record { id, .. } if parents.contains(id));
        }
        pivot
    }
}

/// The nodes above what a label names, from the root down.
fn above_of(label: &Label) -> &[Named] {
    match label {
        Label::Record { above, .. } => above,
        Label::Time(_) | Label::Gas(_) | Label::Quality(_) | Label::Without => &[],
    }
}

/// Those from the filter's node on; none of them where it is the label itself.
fn below(above: &[Named], root: Option<Uuid>) -> &[Named] {
    let Some(root) = root else { return above };
    above.iter().position(|one| one.id == root).and_then(|at| above.get(at..)).unwrap_or_default()
}

/// The label, or the node above it that is at that level below the filter's node.
fn at_level(label: &Label, root: Option<Uuid>, level: usize) -> Label {
    let above = above_of(label);
    let shown = below(above, root);
    let Some(node) = shown.get(level - 1) else { return label.clone() };
    let hidden = above.len() - shown.len();
    let above: Vec<Named> = above.iter().take(hidden + level - 1).cloned().collect();
    let path = above.iter().chain([node]).map(|one| one.name.to_string()).collect::<Vec<_>>().join(" / ");
    Label::Record { id: node.id, name: node.name.to_string(), path, above, kind: None }
}

/// Adds a cell to the row of its label, and to each above it.
fn add(rows: &mut Vec<Row>, level: usize, of: (&Label, &[Named]), column: Option<Key>, cell: &Cell) {
    let (label, above) = of;
    let next = above.get(level - 1);
    let (key, name) = match next {
        Some(above) => (Key::Record(above.id), above.name.to_string()),
        None => (Key::of(label), name(label)),
    };
    let at = rows.iter().position(|row| row.key == key).unwrap_or_else(|| {
        rows.push(Row {
            key,
            name,
            level,
            label: None,
            cells: HashMap::new(),
            all: Cell::default(),
            own: HashMap::new(),
            own_all: None,
            below: Vec::new(),
        });
        rows.len() - 1
    });
    let Some(row) = rows.get_mut(at) else { return };
    row.all.add(cell);
    if let Some(column) = &column {
        row.cells.entry(column.clone()).or_default().add(cell);
    }
    if next.is_some() {
        add(&mut row.below, level + 1, of, column, cell);
        return;
    }
    row.label = Some(label.clone());
    row.own_all.get_or_insert_default().add(cell);
    if let Some(column) = column {
        row.own.entry(column).or_default().add(cell);
    }
}

/// What a row or a column is called.
pub(super) fn name(label: &Label) -> String {
    match label {
        Label::Time(name) | Label::Record { name, .. } => name.clone(),
        Label::Gas(gas) => gas.title().to_owned(),
        Label::Quality(quality) => quality.word().to_owned(),
        Label::Without => "none".to_owned(),
    }
}
