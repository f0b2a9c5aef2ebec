-- Distributes the tables of Tonne over a cluster (Citus 12 or later), by company.
--
-- Run it as a superuser on the coordinator, in the database, after `tonne migrate`, while no node of Tonne runs; and
-- again after a migration that adds tables, and after a worker was added. What is right already stays as it is; rows of
-- companies that were written before are moved to the workers.
--
--     psql --no-psqlrc --file deploy/citus.sql tonne
--
-- docs/citus.md tells how a cluster is set up.

\set ON_ERROR_STOP on
\set QUIET on
SET client_min_messages = warning;

-- Transactions work under this role on the workers too.
ALTER ROLE tonne_app LOGIN;
SELECT format('GRANT CONNECT ON DATABASE %I TO tonne_app', current_database()) \gexec

BEGIN;

SET LOCAL citus.multi_shard_modify_mode = 'sequential';

-- The directory is whole on the coordinator: a key is looked up and a token is given while workers are away.
DO $$
DECLARE
    subject regclass;
BEGIN
    LOOP
        SELECT logicalrelid INTO subject
        FROM pg_dist_partition JOIN pg_class ON pg_class.oid = logicalrelid
        WHERE relnamespace = 'tonne_directory'::regnamespace
        LIMIT 1;
        EXIT WHEN NOT FOUND;
        PERFORM undistribute_table(subject, cascade_via_foreign_keys => true);
    END LOOP;
END $$;

-- A table comes behind those that it refers to.
DO $$
DECLARE
    subject regclass;
BEGIN
    LOOP
        SELECT pg_class.oid INTO subject
        FROM pg_class
        WHERE relnamespace = 'tonne'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
            AND NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = pg_class.oid)
            AND EXISTS (
                SELECT FROM pg_attribute WHERE attrelid = pg_class.oid AND attname = 'tenant_id' AND NOT attisdropped
            )
            AND NOT EXISTS (
                SELECT FROM pg_constraint
                WHERE conrelid = pg_class.oid AND contype = 'f' AND confrelid <> conrelid
                    AND NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = confrelid)
            )
        ORDER BY pg_class.oid <> 'tonne.head'::regclass, relname
        LIMIT 1;
        EXIT WHEN NOT FOUND;
        IF subject = 'tonne.head'::regclass THEN
            PERFORM create_distributed_table(subject, 'tenant_id', colocate_with => 'none');
        ELSE
            PERFORM create_distributed_table(subject, 'tenant_id', colocate_with => 'tonne.head');
        END IF;
    END LOOP;
END $$;

COMMIT;

-- The rows that were on the coordinator are on the workers; what is left of them here is in nobody's sight and grows old.
SELECT truncate_local_data_after_distributing_table(logicalrelid)
FROM pg_dist_partition JOIN pg_class ON pg_class.oid = logicalrelid
WHERE relnamespace = 'tonne'::regnamespace
ORDER BY logicalrelid = 'tonne.head'::regclass, relname \g /dev/null

-- What `tonne migrate` granted before the schema was on the workers is granted there too.
GRANT USAGE ON SCHEMA tonne TO tonne_app;

DO $$
DECLARE
    without text;
BEGIN
    SELECT string_agg(format('%s:%s (%s)', nodename, nodeport, result), ', ') INTO without
    FROM run_command_on_workers(format(
        'SELECT has_database_privilege(%L, %L, %L) AND has_schema_privilege(%L, %L, %L)',
        'tonne_app', current_database(), 'CONNECT', 'tonne_app', 'tonne', 'USAGE'
    ))
    WHERE NOT success OR result <> 't';
    IF without IS NOT NULL THEN
        RAISE 'tonne_app may not use the tables on %', without;
    END IF;
END $$;
\set QUIET off

-- Each table and what it is: those of companies are distributed, those of the directory are here alone.
SELECT format('%I.%I', nspname, relname) AS "table",
    CASE partmethod WHEN 'h' THEN 'distributed' WHEN 'n' THEN 'not as it should be' ELSE 'on the coordinator' END AS "is"
FROM pg_class
    JOIN pg_namespace ON pg_namespace.oid = relnamespace
    LEFT JOIN pg_dist_partition ON logicalrelid = pg_class.oid
WHERE nspname IN ('tonne', 'tonne_directory') AND relkind IN ('r', 'p') AND NOT relispartition
ORDER BY nspname, relname;
