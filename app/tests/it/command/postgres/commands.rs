//! Commands on a database, beside a service that runs.

use super::{Node, bare, bearer, soon, sql};
use crate::command::run::{Ended, Place};

/// What a migration would change: steps, tables with their owners and rights, policies, functions.
fn shape(url: &str) -> Vec<String> {
    let steps = "SELECT concat_ws(' ', number, name, needs, applied) AS line FROM tonne_directory.migration";
    let tables = "SELECT concat_ws(' ', oid, xmin, relname, relowner, relacl) FROM pg_class \
                  WHERE relnamespace IN (SELECT oid FROM pg_namespace WHERE nspname LIKE 'tonne%')";
    let policies = "SELECT concat_ws(' ', oid, xmin, polname) FROM pg_policy";
    sql(
        url,
        &format!("SELECT line::text FROM ({steps} UNION ALL {tables} UNION ALL {policies}) AS all_of_it ORDER BY 1"),
    )
}

#[test]
fn a_second_migration_changes_nothing() {
    let fresh = bare();
    let node = Node::new(&fresh.url());
    let told = node.ok(&["migrate"]);
    assert_eq!(told, "The database has the latest format.\n");
    let before = shape(&fresh.url());
    assert!(before.len() > 20, "{before:?}");
    assert_eq!(node.ok(&["migrate"]), told);
    let _served = node.serve();
    assert_eq!(node.ok(&["migrate"]), told);
    assert_eq!(shape(&fresh.url()), before);
}

#[test]
fn the_script_that_is_printed_makes_what_the_migration_makes() {
    let (by_hand, by_command) = (bare(), bare());
    let printed = Place::new().ok(&["migrate", "--print-sql"]);
    sql(&by_hand.url(), &printed);
    let node = Node::new(&by_hand.url());
    let before = shape(&by_hand.url());
    node.ok(&["migrate"]);
    assert_eq!(shape(&by_hand.url()), before, "nothing is left to do");
    Node::new(&by_command.url()).ok(&["migrate"]);
    let columns = "SELECT concat_ws(' ', table_schema, table_name, ordinal_position, column_name, data_type, \
                   is_nullable, column_default) FROM information_schema.columns WHERE table_schema LIKE 'tonne%' ORDER BY 1";
    assert_eq!(sql(&by_hand.url(), columns), sql(&by_command.url(), columns));
    let served = node.serve();
    let key = bearer(&node.key("admin", &[]));
    soon("the new key", || served.get("/v1/scope", &[&key]).0 == 200);
}

#[test]
fn commands_work_by_the_address_alone_beside_a_service() {
    let fresh = bare();
    let node = Node::new(&fresh.url());
    let served = node.serve();
    let desk = Place::new();
    desk.file(
        "rows.csv",
        "syncId,name,startDate,UpstreamCO2e,scope\na,Gas,2025-01-31,1000.5,scope1\nb,Oil,2025-02-01,2,\n",
    );
    let url = fresh.url();
    let with = |arguments: &[&str]| desk.run(&[arguments, &["--database-url", &url]].concat());
    let ok = |arguments: &[&str]| {
        let Ended { status, stdout, stderr } = with(arguments);
        assert_eq!(status, 0, "{arguments:?}: {stderr}");
        stdout
    };
    ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    ok(&["import", "activities", "rows.csv"]);
    let key = bearer(ok(&["key", "create", "--name", "k", "--permissions", "activity:read"]).trim());
    soon("the new key", || served.get("/v1/activity", &[&key]).0 == 200);
    assert!(served.get("/v1/activity", &[&key]).1.contains("\"CO2e\":\"1000.5\""));
    let report: serde_json::Value = serde_json::from_str(&ok(&["report", "--json"])).unwrap();
    assert_eq!((&report["CO2e"], &report["uncategorizedCO2e"]), (&"1000.5".into(), &"2".into()));
    assert_eq!(ok(&["report", "--json"]), node.ok(&["report", "--json"]));
    assert!(ok(&["client", "create", "--name", "c", "--permissions", "admin"]).starts_with("client_id"));
    let lists = [ok(&["client", "list", "--json"]), ok(&["key", "list", "--json"]), ok(&["tenant", "list", "--json"])];
    for list in lists {
        assert_eq!(serde_json::from_str::<serde_json::Value>(&list).unwrap().as_array().unwrap().len(), 1, "{list}");
    }
    assert!(ok(&["verify"]).starts_with("OK: "));
    assert_eq!(ok(&["export", "--to", "-"]), node.ok(&["export", "--to", "-"]));
    let again = ok(&["import", "activities", "rows.csv", "--again"]);
    assert!(again.contains('2'), "{again}");
}

#[test]
fn a_database_that_was_never_migrated_is_made_by_no_command_that_only_reads() {
    let fresh = bare();
    let node = Node::new(&fresh.url());
    node.0.file("rows.csv", "name,startDate\nA,2025-01-31\n");
    for arguments in [
        &["verify"][..],
        &["export", "--to", "x.tonne"],
        &["report"],
        &["key", "list"],
        &["tenant", "list"],
        &["signing-key", "rotate"],
        &["import", "activities", "rows.csv", "--dry-run"],
    ] {
        let ended = node.run(arguments);
        assert_eq!((ended.status, ended.stdout.as_str()), (1, ""), "{}", ended.stderr);
        assert!(ended.stderr.starts_with("error: the database lacks the tables of Tonne;"), "{}", ended.stderr);
    }
    assert_eq!(sql(&fresh.url(), "SELECT nspname::text FROM pg_namespace WHERE nspname LIKE 'tonne%'"), [""; 0]);
    let made = node.run(&["import", "activities", "rows.csv"]);
    assert_eq!((made.status, made.stderr.as_str()), (0, "made a new store in the database\n"));
    assert_eq!(node.json(&["report"])["count"], 1);
}
