//! The store on PostgreSQL: the contract of all stores, and what is asked of this one alone.

#![cfg(test)]

mod answer;
mod bulk;
mod citus_script;
mod contract;
mod damage;
mod database_users;
mod directory;
mod dropped_caller;
mod footprint;
mod format_change;
mod harness;
mod history;
mod idle_connection;
mod isolation;
mod isolation_run;
mod isolation_stress;
mod load;
mod lost_commit;
mod migration;
mod model;
mod nodes;
mod pooler;
mod rebuild;
mod restart;
mod role;
mod schema;
mod silent_node;
mod temporary_server;
