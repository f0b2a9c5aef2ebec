//! Who the service connects as: a migrator that owns the tables, and a user that owns nothing.

use std::sync::atomic::{AtomicU64, Ordering};

use postgres::testing::{Fresh, server};

use super::{Node, bare, bearer, soon, sql};

/// An empty database with users of its own.
struct TestDatabase {
    fresh: Option<Fresh>,
    users: Vec<String>,
}

impl TestDatabase {
    fn new() -> Self {
        Self { fresh: Some(bare()), users: Vec::new() }
    }

    /// The address by which a superuser connects.
    fn url(&self) -> String {
        self.fresh.as_ref().unwrap().url()
    }

    /// A new user with those attributes, and its address.
    fn user(&mut self, attributes: &str) -> (String, String) {
        static COUNT: AtomicU64 = AtomicU64::new(1);
        let name = format!("tonne_test_{}_served_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        sql(&server(), &format!("CREATE ROLE {name} LOGIN {attributes}"));
        self.users.push(name.clone());
        let url = self.url();
        let (scheme, rest) = url.split_once("://").unwrap();
        let place = rest.split_once('@').unwrap().1;
        (name.clone(), format!("{scheme}://{name}@{place}"))
    }

    /// A new user that owns the database and may make roles.
    fn migrator(&mut self) -> (String, String) {
        let (name, url) = self.user("CREATEROLE");
        let [database] = &sql(&self.url(), "SELECT current_database()::text")[..] else { panic!("one row") };
        sql(&self.url(), &format!("ALTER DATABASE {database} OWNER TO {name}"));
        (name, url)
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        // Users that own or may do something in it cannot be dropped before it.
        drop(self.fresh.take());
        for user in &self.users {
            sql(&server(), &format!("DROP ROLE {user}"));
        }
    }
}

/// A node with both addresses.
fn node(url: &str, migrator: &str) -> Node {
    Node::with(url, &format!("database.migrator_url = {migrator:?}"))
}

#[test]
fn a_migrator_makes_the_tables_and_the_service_works_without_owning_any() {
    let mut database = TestDatabase::new();
    let ((owner, migrator), (user, url)) = (database.migrator(), database.user(""));
    let node = node(&url, &migrator);
    let served = node.serve();
    let key = bearer(&node.key("admin", &[]));
    soon("the new key", || served.get("/v1/scope", &[&key]).0 == 200);
    node.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    assert!(served.get("/v1/scope", &[&key]).1.contains("\"count\":21"));
    let owners = "SELECT DISTINCT tableowner::text FROM pg_tables WHERE schemaname IN ('tonne', 'tonne_directory')";
    assert_eq!(sql(&database.url(), owners), [owner.as_str()]);
    let connected = "SELECT DISTINCT usename::text FROM pg_stat_activity \
                     WHERE datname = current_database() AND application_name = 'tonne'";
    assert_eq!(sql(&database.url(), connected), [user.as_str()], "the migrator's connection is closed");

    // From then on a node needs no migrator.
    let alone = Node::new(&url);
    let second = alone.serve();
    assert_eq!(second.get("/v1/scope", &[&key]).0, 200);
    assert!(alone.ok(&["verify"]).starts_with("OK: "));
}

#[test]
fn a_superuser_does_not_serve_beside_a_migrator() {
    let mut database = TestDatabase::new();
    let ((_, migrator), (user, url)) = (database.migrator(), database.user("SUPERUSER"));
    let node = node(&url, &migrator);
    let expected = format!(
        "error: the role {user} is a superuser, or can become one; give database.url a user that owns nothing and is \
         bound by row-level security"
    );
    node.run(&["migrate"]);
    assert_eq!(node.refusal(), expected);
}

#[cfg(unix)]
#[test]
fn a_service_that_works_as_a_superuser_warns_at_each_start_and_no_other_does() {
    let mut database = TestDatabase::new();
    let ((_, migrator), (_, url)) = (database.migrator(), database.user(""));
    let warning = "the user of database.url is a superuser";
    let logged = node(&url, &migrator).serve().log();
    assert!(!logged.contains(warning), "{logged}");
    let superuser = Node::new(&database.url());
    for _ in 0..2 {
        let logged = superuser.serve().log();
        assert!(logged.contains(warning), "{logged}");
    }
}

#[test]
fn a_table_whose_policy_is_gone_is_named_and_nothing_is_served() {
    let mut database = TestDatabase::new();
    let ((_, migrator), (_, url)) = (database.migrator(), database.user(""));
    let node = node(&url, &migrator);
    node.ok(&["migrate"]);
    for (table, change) in [
        ("activity", "DROP POLICY tenant ON tonne.activity"),
        ("activity, change", "ALTER TABLE tonne.change NO FORCE ROW LEVEL SECURITY"),
    ] {
        sql(&database.url(), change);
        let told = node.refusal();
        assert!(told.starts_with(&format!("error: row-level security does not protect {table};")), "{told}");
        for arguments in [&["report"][..], &["verify"], &["key", "list"]] {
            let ended = node.run(arguments);
            assert_eq!(ended.status, 1, "{arguments:?}: {}", ended.stderr);
            assert!(ended.stderr.contains("row-level security does not protect"), "{}", ended.stderr);
        }
    }
}

#[test]
fn a_user_that_may_nothing_is_told_what_is_missing() {
    let mut database = TestDatabase::new();
    let ((_, migrator), (user, url)) = (database.migrator(), database.user(""));
    node(&migrator, &migrator).run(&["migrate"]);
    let told = Node::new(&url).refusal();
    assert!(told.contains(&format!("GRANT tonne_app, tonne_directory TO \"{user}\"")), "{told}");
}
