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
    /// What it runs. It does not end the transaction.
    pub sql: &'static str,
}

/// Every step, in order. Released ones never change.
pub const STEPS: &[Step] = &[
    Step {
        number: 1,
        name: "directory/0001_initial",
        needs: 1,
        sql: include_str!("../../migrations/directory/0001_initial.sql"),
    },
    Step {
        number: 2,
        name: "tenant/0001_initial",
        needs: 2,
        sql: include_str!("../../migrations/tenant/0001_initial.sql"),
    },
];
