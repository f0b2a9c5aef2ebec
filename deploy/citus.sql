-- Distributes the tables of Tonne over a cluster (Citus 12 or later), by company.
--
-- Run it as a superuser on the coordinator, in the database, after `tonne migrate`, and again after a migration that
-- adds tables: what is distributed already stays as it is.
--
--     psql --no-psqlrc --file deploy/citus.sql postgres://postgres@coordinator/tonne
--
-- The workers must let tonne_app and tonne_directory in when the coordinator connects as them (pg_hba.conf, and
-- pg_dist_authinfo or a password file where they need a password). Keep the rows of companies on the workers: on a coordinator with shards of its own,
-- PostgreSQL does not ask the policies for rows that come in by COPY.

\set ON_ERROR_STOP on

BEGIN;

SET LOCAL citus.multi_shard_modify_mode = 'sequential';

-- Transactions work under these roles on the workers too.
ALTER ROLE tonne_app LOGIN;
ALTER ROLE tonne_directory LOGIN;

-- A table comes behind those that it refers to.
DO $$
DECLARE
    subject regclass;
    space   text;
BEGIN
    LOOP
        SELECT pg_class.oid, nspname INTO subject, space
        FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
        WHERE nspname IN ('tonne', 'tonne_directory') AND relkind IN ('r', 'p') AND NOT relispartition
            AND NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = pg_class.oid)
            AND NOT EXISTS (
                SELECT FROM pg_constraint
                WHERE conrelid = pg_class.oid AND contype = 'f' AND confrelid <> conrelid
                    AND NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = confrelid)
            )
        ORDER BY pg_class.oid <> 'tonne.head'::regclass, nspname, relname
        LIMIT 1;
        EXIT WHEN NOT FOUND;
        IF space = 'tonne_directory' THEN
            PERFORM create_reference_table(subject);
        ELSIF subject = 'tonne.head'::regclass THEN
            PERFORM create_distributed_table(subject, 'tenant_id', colocate_with => 'none');
        ELSE
            PERFORM create_distributed_table(subject, 'tenant_id', colocate_with => 'tonne.head');
        END IF;
    END LOOP;
END $$;

COMMIT;

-- Each table, and on how many nodes it is whole or in parts; nothing of Tonne is missing here.
SELECT logicalrelid AS "table", CASE partmethod WHEN 'n' THEN 'reference' ELSE 'distributed' END AS "is"
FROM pg_dist_partition
WHERE logicalrelid::text LIKE 'tonne%'
ORDER BY logicalrelid::text;
