//! The steps of the format, in order.

/// One step of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its number, from 1.
    pub number: i32,
    /// Its name, such as `tenant/0001_initial`.
    pub name: &'static str,
    /// The step that a node must know to work with the database after this one.
    pub needs: i32,
    /// What it runs.
    pub sql: Sql,
}

/// What a step runs, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sql {
    /// Statements in the transaction that notes the step. They do not end it.
    Together(&'static str),
    /// Statements that are each a transaction of their own, or none, such as `CREATE INDEX CONCURRENTLY`. Where one is broken
    /// off, all are run again from the first, so each has to bear what was left: an index is dropped if it is there, since
    /// a broken off one stays invalid.
    Each(&'static [&'static str]),
}

/// Every step, in order. Released ones never change.
pub const STEPS: &[Step] = &[
    Step {
        number: 1,
        name: "directory/0001_initial",
        needs: 1,
        sql: Sql::Together(include_str!("../../migrations/directory/0001_initial.sql")),
    },
    Step {
        number: 2,
        name: "tenant/0001_initial",
        needs: 2,
        sql: Sql::Together(include_str!("../../migrations/tenant/0001_initial.sql")),
    },
];
