-- The records of all tenants, the change chains that bind them, and what their activities add up to.
-- Each table is led by the tenant that a row belongs to: it can be distributed by it, and row-level security lets a
-- transaction see the rows of the tenant alone that it names in app.tenant.
-- Digests are SHA-256, amounts decimals of 20 integer and 18 fractional digits. `version` is the change that last wrote
-- the row and `digest` that of the record's canonical text. Text keys have the "C" collation: they are compared byte by
-- byte, so that no index hangs on the collations of the operating system.
-- Verbs: 0 added, 1 updated, 2 removed. Kinds: 0 activity, 1 scope, 2 org, 3 taxonomy, 4 product, 5 factor, 6 model,
-- 7 input, 8 switch, 9 footprint, 10 closed period, 11 exclusion, 12 partner,
-- 13 sharing.

CREATE TABLE tonne.head (
    tenant_id   uuid PRIMARY KEY,
    number      bigint NOT NULL,
    digest      bytea NOT NULL CHECK (length(digest) = 32),
    epoch       uuid NOT NULL,
    catalog     bigint NOT NULL, -- the newest change that touched a node, a product, a factor or a closed period
    footprints  bigint NOT NULL, -- the highest number a footprint ever had
    seal        bytea NOT NULL CHECK (length(seal) = 32) -- digest of the columns before it
);

CREATE TABLE tonne.change (
    tenant_id  uuid NOT NULL,
    number     bigint NOT NULL,
    at         timestamptz NOT NULL,
    actor      text NOT NULL,
    cause      text NOT NULL,
    digest     bytea NOT NULL CHECK (length(digest) = 32),
    PRIMARY KEY (tenant_id, number)
);

-- What each change wrote, in order: its items, packed in parts of bounded size. In the form that `docs/ledger.md`
-- describes.
CREATE TABLE tonne.change_items (
    tenant_id  uuid NOT NULL,
    change     bigint NOT NULL,
    part       integer NOT NULL CHECK (part >= 0),
    items      bytea NOT NULL,
    PRIMARY KEY (tenant_id, change, part)
);

-- By how much each change that wrote activities changed the cells, packed.
CREATE TABLE tonne.posting (
    tenant_id  uuid NOT NULL,
    change     bigint NOT NULL,
    part       integer NOT NULL CHECK (part >= 0),
    postings   bytea NOT NULL,
    PRIMARY KEY (tenant_id, change, part)
);

-- From which lines of its file each change of an import wrote activities, packed: one for each item that left an activity.
CREATE TABLE tonne.import_lines (
    tenant_id  uuid NOT NULL,
    change     bigint NOT NULL,
    part       integer NOT NULL CHECK (part >= 0),
    lines      bytea NOT NULL,
    PRIMARY KEY (tenant_id, change, part)
);

-- The cells as they were at the change `number`, packed. One counts once its last row is there, which has no cells; its
-- `part` is how many parts stand before it. Earlier ones go then.
CREATE TABLE tonne.checkpoint (
    tenant_id  uuid NOT NULL,
    number     bigint NOT NULL CHECK (number > 0),
    part       integer NOT NULL CHECK (part >= 0),
    cells      bytea NOT NULL,
    last       boolean NOT NULL,
    PRIMARY KEY (tenant_id, number, part)
);

-- Which change removed a record: where the history of one begins that is there no more.
CREATE TABLE tonne.removed (
    tenant_id  uuid NOT NULL,
    kind       smallint NOT NULL,
    id         uuid NOT NULL,
    change     bigint NOT NULL,
    PRIMARY KEY (tenant_id, kind, id, change)
);

CREATE TABLE tonne.scope (
    tenant_id  uuid NOT NULL,
    id         uuid NOT NULL,
    sync_id    text COLLATE "C",
    name       text NOT NULL,
    parent     uuid,
    kind       text NOT NULL,
    category   smallint,
    created    timestamptz NOT NULL,
    updated    timestamptz NOT NULL,
    version    bigint NOT NULL,
    digest     bytea NOT NULL CHECK (length(digest) = 32),
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, sync_id),
    FOREIGN KEY (tenant_id, parent) REFERENCES tonne.scope (tenant_id, id)
);

CREATE INDEX scope_parent ON tonne.scope (tenant_id, parent);

CREATE TABLE tonne.org (
    tenant_id  uuid NOT NULL,
    id         uuid NOT NULL,
    sync_id    text COLLATE "C",
    name       text NOT NULL,
    parent     uuid,
    region     text,
    created    timestamptz NOT NULL,
    updated    timestamptz NOT NULL,
    version    bigint NOT NULL,
    digest     bytea NOT NULL CHECK (length(digest) = 32),
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, sync_id),
    FOREIGN KEY (tenant_id, parent) REFERENCES tonne.org (tenant_id, id)
);

CREATE INDEX org_parent ON tonne.org (tenant_id, parent);

CREATE TABLE tonne.taxonomy (
    tenant_id  uuid NOT NULL,
    id         uuid NOT NULL,
    sync_id    text COLLATE "C",
    name       text NOT NULL,
    parent     uuid,
    slug       text COLLATE "C" NOT NULL,
    created    timestamptz NOT NULL,
    updated    timestamptz NOT NULL,
    version    bigint NOT NULL,
    digest     bytea NOT NULL CHECK (length(digest) = 32),
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, sync_id),
    FOREIGN KEY (tenant_id, parent) REFERENCES tonne.taxonomy (tenant_id, id)
);

CREATE INDEX taxonomy_parent ON tonne.taxonomy (tenant_id, parent);
-- Roots are siblings of each other, and NULL is not equal to NULL in a unique index.
CREATE UNIQUE INDEX taxonomy_slug
    ON tonne.taxonomy (tenant_id, coalesce(parent, '00000000-0000-0000-0000-000000000000'), slug);

CREATE TABLE tonne.product (
    tenant_id  uuid NOT NULL,
    id         uuid NOT NULL,
    sync_id    text COLLATE "C",
    name       text NOT NULL,
    unit       text NOT NULL,
    rule       text, -- the canonical text of the rule by which its factors are chosen
    created    timestamptz NOT NULL,
    updated    timestamptz NOT NULL,
    version    bigint NOT NULL,
    digest     bytea NOT NULL CHECK (length(digest) = 32),
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, sync_id)
);

CREATE TABLE tonne.factor (
    tenant_id   uuid NOT NULL,
    id          uuid NOT NULL,
    product     uuid NOT NULL,
    unit        text NOT NULL,
    upstream    numeric(38, 18),
    downstream  numeric(38, 18),
    valid_from  date NOT NULL,
    valid_to    date,
    source      text NOT NULL,
    gwp         text,
    basis       text NOT NULL, -- location or residualMix
    origin      text, -- the canonical text of the published factor that it is a copy of
    choice      text, -- the canonical text of why the product's rule chose it
    supplier    text, -- the canonical text of the supplier's footprint that it was made of
    corrects    uuid, -- the wrong one that it stands in the place of
    created     timestamptz NOT NULL,
    updated     timestamptz NOT NULL,
    version     bigint NOT NULL,
    digest      bytea NOT NULL CHECK (length(digest) = 32),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, product) REFERENCES tonne.product (tenant_id, id),
    FOREIGN KEY (tenant_id, corrects) REFERENCES tonne.factor (tenant_id, id)
);

CREATE INDEX factor_product ON tonne.factor (tenant_id, product, valid_from);

CREATE TABLE tonne.model (
    tenant_id       uuid NOT NULL,
    id              uuid NOT NULL,
    sync_id         text COLLATE "C",
    name            text NOT NULL,
    unit            text NOT NULL,
    amount          numeric(38, 18) NOT NULL,
    reference_date  date NOT NULL,
    created         timestamptz NOT NULL,
    updated         timestamptz NOT NULL,
    version         bigint NOT NULL,
    digest          bytea NOT NULL CHECK (length(digest) = 32),
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, sync_id)
);

CREATE TABLE tonne.block (
    tenant_id  uuid NOT NULL,
    model      uuid NOT NULL,
    ordinal    integer NOT NULL,
    id         uuid NOT NULL,
    name       text NOT NULL,
    PRIMARY KEY (tenant_id, model, ordinal),
    FOREIGN KEY (tenant_id, model) REFERENCES tonne.model (tenant_id, id)
);

CREATE TABLE tonne.input (
    tenant_id  uuid NOT NULL,
    id         uuid NOT NULL,
    model      uuid NOT NULL,
    sync_id    text COLLATE "C",
    name       text NOT NULL,
    material   uuid NOT NULL,
    block      uuid,
    stage      text,
    quantity   numeric(38, 18) NOT NULL,
    unit       text NOT NULL,
    position   bigint NOT NULL,
    co2e       numeric(38, 18),
    factor     uuid,
    reason     text,
    created    timestamptz NOT NULL,
    updated    timestamptz NOT NULL,
    version    bigint NOT NULL,
    digest     bytea NOT NULL CHECK (length(digest) = 32),
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, sync_id),
    FOREIGN KEY (tenant_id, model) REFERENCES tonne.model (tenant_id, id),
    FOREIGN KEY (tenant_id, material) REFERENCES tonne.product (tenant_id, id),
    FOREIGN KEY (tenant_id, factor) REFERENCES tonne.factor (tenant_id, id)
);

CREATE INDEX input_model ON tonne.input (tenant_id, model, position, id);
CREATE INDEX input_material ON tonne.input (tenant_id, material);
CREATE INDEX input_factor ON tonne.input (tenant_id, factor);

CREATE TABLE tonne.switch (
    tenant_id  uuid NOT NULL,
    id         uuid NOT NULL,
    sync_id    text COLLATE "C",
    name       text NOT NULL,
    unit       text,
    image      text,
    created    timestamptz NOT NULL,
    updated    timestamptz NOT NULL,
    version    bigint NOT NULL,
    digest     bytea NOT NULL CHECK (length(digest) = 32),
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, sync_id)
);

CREATE TABLE tonne.switch_source (
    tenant_id  uuid NOT NULL,
    switch     uuid NOT NULL,
    ordinal    integer NOT NULL,
    model      uuid NOT NULL,
    PRIMARY KEY (tenant_id, switch, ordinal),
    FOREIGN KEY (tenant_id, switch) REFERENCES tonne.switch (tenant_id, id),
    FOREIGN KEY (tenant_id, model) REFERENCES tonne.model (tenant_id, id)
);

CREATE INDEX switch_source_model ON tonne.switch_source (tenant_id, model);

CREATE TABLE tonne.footprint (
    tenant_id   uuid NOT NULL,
    id          uuid NOT NULL,
    number      bigint NOT NULL CHECK (number > 0),
    recorded    timestamptz NOT NULL,
    amended     timestamptz,
    amendments  bigint NOT NULL,
    fields      text NOT NULL, -- in canonical form
    place_us    bigint NOT NULL, -- when its owner created it, in microseconds since 1970
    rules       bigint NOT NULL, -- the number of the rules that the verdict was made by
    shown_v2    boolean NOT NULL,
    shown_v3    boolean NOT NULL,
    valid       boolean NOT NULL,
    verdict     text NOT NULL, -- in canonical form; follows from the record, as the five before it, and is no part of its digest
    model       uuid, -- what it was made of, which may be gone
    from_model  text, -- in canonical form; there with the model
    created     timestamptz NOT NULL,
    updated     timestamptz NOT NULL,
    version     bigint NOT NULL,
    digest      bytea NOT NULL CHECK (length(digest) = 32),
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, number)
);

CREATE INDEX footprint_place ON tonne.footprint (tenant_id, place_us, number);
CREATE INDEX footprint_rules ON tonne.footprint (tenant_id, rules);
CREATE INDEX footprint_model ON tonne.footprint (tenant_id, model, number) WHERE model IS NOT NULL;

-- The product ids of footprints in lower case, to find footprints by. The key has a digest of the id, which may be longer than
-- an entry of an index.
CREATE TABLE tonne.footprint_product (
    tenant_id  uuid NOT NULL,
    product    bytea NOT NULL CHECK (length(product) = 32), -- the SHA-256 of the id
    footprint  uuid NOT NULL,
    PRIMARY KEY (tenant_id, product, footprint),
    FOREIGN KEY (tenant_id, footprint) REFERENCES tonne.footprint (tenant_id, id)
);

CREATE INDEX footprint_product_footprint ON tonne.footprint_product (tenant_id, footprint);

-- Periods that are closed, or were: the org is beside the content to be looked up before it is removed, and what is closed to be
-- read by every writer without the report.
CREATE TABLE tonne.period (
    tenant_id  uuid NOT NULL,
    id         uuid NOT NULL,
    org        uuid,
    span       text, -- what it is closed for, in canonical form; NULL once it was opened again
    content    text NOT NULL, -- in canonical form, with the frozen report
    created    timestamptz NOT NULL,
    updated    timestamptz NOT NULL,
    version    bigint NOT NULL,
    digest     bytea NOT NULL CHECK (length(digest) = 32),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, org) REFERENCES tonne.org (tenant_id, id)
);

CREATE INDEX period_org ON tonne.period (tenant_id, org);

-- What is left out of the inventory: the nodes are beside the content to be looked up before they are removed.
CREATE TABLE tonne.exclusion (
    tenant_id  uuid NOT NULL,
    id         uuid NOT NULL,
    scope      uuid,
    org        uuid,
    content    text NOT NULL, -- in canonical form
    created    timestamptz NOT NULL,
    updated    timestamptz NOT NULL,
    version    bigint NOT NULL,
    digest     bytea NOT NULL CHECK (length(digest) = 32),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, scope) REFERENCES tonne.scope (tenant_id, id),
    FOREIGN KEY (tenant_id, org) REFERENCES tonne.org (tenant_id, id)
);

CREATE INDEX exclusion_scope ON tonne.exclusion (tenant_id, scope);
CREATE INDEX exclusion_org ON tonne.exclusion (tenant_id, org);

-- Companies that footprints are exchanged with. No secret stands here.
CREATE TABLE tonne.partner (
    tenant_id  uuid NOT NULL,
    id         uuid NOT NULL,
    content    text NOT NULL, -- in canonical form
    created    timestamptz NOT NULL,
    updated    timestamptz NOT NULL,
    version    bigint NOT NULL,
    digest     bytea NOT NULL CHECK (length(digest) = 32),
    PRIMARY KEY (tenant_id, id)
);

-- The clients that partners call us with, each in every partner that names it.
CREATE TABLE tonne.partner_client (
    tenant_id  uuid NOT NULL,
    client     uuid NOT NULL,
    partner    uuid NOT NULL,
    PRIMARY KEY (tenant_id, client, partner),
    FOREIGN KEY (tenant_id, partner) REFERENCES tonne.partner (tenant_id, id)
);

CREATE INDEX partner_client_partner ON tonne.partner_client (tenant_id, partner);

-- With whom footprints are shared; the id is that of the footprint.
CREATE TABLE tonne.sharing (
    tenant_id  uuid NOT NULL,
    id         uuid NOT NULL,
    content    text NOT NULL, -- in canonical form
    created    timestamptz NOT NULL,
    updated    timestamptz NOT NULL,
    version    bigint NOT NULL,
    digest     bytea NOT NULL CHECK (length(digest) = 32),
    PRIMARY KEY (tenant_id, id)
);

-- Which footprints each partner may read, in the order of the lists that partners read; the nil UUID is every partner.
CREATE TABLE tonne.sharing_partner (
    tenant_id  uuid NOT NULL,
    partner    uuid NOT NULL,
    place_us   bigint NOT NULL, -- as the footprint has it
    number     bigint NOT NULL, -- as the footprint has it; 0 while there is none
    footprint  uuid NOT NULL,
    PRIMARY KEY (tenant_id, partner, place_us, number, footprint),
    FOREIGN KEY (tenant_id, footprint) REFERENCES tonne.sharing (tenant_id, id)
);

CREATE INDEX sharing_partner_footprint ON tonne.sharing_partner (tenant_id, footprint, partner);

-- The combinations of scope, org and taxonomy that activities carry or once carried; the nil UUID is none. They stay
-- when their nodes are gone, so they have no foreign keys.
CREATE TABLE tonne.series (
    tenant_id  uuid NOT NULL,
    key        integer NOT NULL CHECK (key >= 0),
    scope      uuid NOT NULL,
    org        uuid NOT NULL,
    taxonomy   uuid NOT NULL,
    digest     bytea NOT NULL CHECK (length(digest) = 32),
    PRIMARY KEY (tenant_id, key),
    UNIQUE (tenant_id, scope, org, taxonomy)
);

-- start_at and end_at are text in RFC 3339: timestamptz would lose their offset.
-- Activities come in by the hundred thousand, and what their table costs a row is what counts. Their references have no
-- foreign keys, which would be looked up row by row: a writer holds the tenant's head locked, looks up each record that
-- a batch refers to once, and nothing that is in use is removed.
CREATE TABLE tonne.activity (
    tenant_id            uuid NOT NULL,
    id                   uuid NOT NULL,
    day                  date NOT NULL, -- the first one
    last                 date NOT NULL,
    series               integer NOT NULL,
    sync_id              text COLLATE "C",
    name                 text NOT NULL,
    description          text,
    quantity             numeric(38, 18),
    unit                 text,
    supplied_upstream    numeric(38, 18),
    supplied_downstream  numeric(38, 18),
    product              uuid,
    start_at             text NOT NULL,
    end_at               text,
    upstream             numeric(38, 18),
    downstream           numeric(38, 18),
    stated               text, -- what was stated of other measures as a JSON object; NULL is nothing
    measures             text, -- those besides CO2e as a JSON object; NULL is none
    factor               uuid,
    incomplete           text,
    created              timestamptz NOT NULL,
    updated              timestamptz NOT NULL,
    version              bigint NOT NULL,
    digest               bytea NOT NULL CHECK (length(digest) = 32),
    PRIMARY KEY (tenant_id, id)
);

CREATE INDEX activity_day ON tonne.activity (tenant_id, day, id);
-- Those without CO2e are few, and are looked for when a factor comes.
CREATE INDEX activity_incomplete ON tonne.activity (tenant_id, day, id) WHERE upstream IS NULL AND downstream IS NULL;
CREATE UNIQUE INDEX activity_sync_id ON tonne.activity (tenant_id, sync_id) WHERE sync_id IS NOT NULL;

-- How many activities refer to a scope (1), an org (2), a taxonomy (3), a product (4) or a factor (5): to be counted when
-- it is removed, each activity would need an entry of one more index. A count that has come back to zero stays.
CREATE TABLE tonne.activity_use (
    tenant_id   uuid NOT NULL,
    kind        smallint NOT NULL,
    id          uuid NOT NULL,
    activities  bigint NOT NULL,
    PRIMARY KEY (tenant_id, kind, id)
);

-- What requests with an Idempotency-Key were answered first, for a day. No record: no change lists it.
CREATE TABLE tonne.answer (
    tenant_id  uuid NOT NULL,
    key        bytea NOT NULL CHECK (length(key) = 32), -- digest of who asked, where and under which key
    content    bytea NOT NULL CHECK (length(content) = 32), -- digest of what was asked
    at         timestamptz NOT NULL,
    status     integer NOT NULL,
    location   text,
    etag       text,
    body       bytea NOT NULL,
    PRIMARY KEY (tenant_id, key)
);

CREATE INDEX answer_at ON tonne.answer (tenant_id, at);

-- Imports by name, with what became of their rows. No record: no change lists them, the changes they made name them.
CREATE TABLE tonne.import (
    tenant_id uuid NOT NULL,
    id        uuid NOT NULL,
    hash      bytea CHECK (length(hash) = 32), -- SHA-256 of the file; NULL until it is known
    content   text NOT NULL, -- canonical text of all of it
    PRIMARY KEY (tenant_id, id)
);

CREATE INDEX import_hash ON tonne.import (tenant_id, hash) WHERE hash IS NOT NULL;

-- What is kept of the exchange with partners beside records: sealed secrets, events taken, events to send, and requests
-- made. No record: no change lists them, and nothing is exported of them.
CREATE TABLE tonne.exchange (
    tenant_id uuid NOT NULL,
    kind      text COLLATE "C" NOT NULL, -- what it is
    id        text COLLATE "C" NOT NULL, -- unique within the kind
    partner   uuid NOT NULL,
    at        bigint NOT NULL, -- when it was written first, in milliseconds
    due       bigint, -- when it is next worked at, in milliseconds; NULL when nothing is left to do
    content   text NOT NULL, -- canonical text
    PRIMARY KEY (tenant_id, kind, id)
);

CREATE INDEX exchange_partner ON tonne.exchange (tenant_id, kind, partner, at, id);
CREATE INDEX exchange_due ON tonne.exchange (tenant_id, partner, due, id) WHERE due IS NOT NULL;

-- Files that wait to be imported. No records: no change lists them, and nothing is exported of them.
CREATE TABLE tonne.staged (
    tenant_id uuid NOT NULL,
    id        uuid NOT NULL,
    version   bigint NOT NULL CHECK (version > 0),
    content   text NOT NULL, -- canonical text
    PRIMARY KEY (tenant_id, id)
);

-- What is kept of them, in chunks.
CREATE TABLE tonne.staged_chunk (
    tenant_id uuid NOT NULL,
    staged    uuid NOT NULL,
    part      text COLLATE "C" NOT NULL, -- what it is of
    number    integer NOT NULL CHECK (number >= 0),
    bytes     bytea NOT NULL,
    PRIMARY KEY (tenant_id, staged, part, number),
    FOREIGN KEY (tenant_id, staged) REFERENCES tonne.staged (tenant_id, id) ON DELETE CASCADE
);

-- Files are compressed mostly, or read once.
ALTER TABLE tonne.staged_chunk ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- FORCE binds the tables' owner too. Without a tenant in the transaction no row is seen and none can be written.
ALTER TABLE tonne.head ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE tonne.change ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE tonne.change_items ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE tonne.import_lines ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE tonne.posting ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE tonne.checkpoint ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE tonne.removed ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE tonne.scope ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE tonne.org ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE tonne.taxonomy ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE tonne.product ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE tonne.factor ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE tonne.model ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE tonne.block ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE tonne.input ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE tonne.switch ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE tonne.switch_source ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE tonne.footprint_product ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE tonne.footprint ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE tonne.period ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE tonne.exclusion ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE tonne.series ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE tonne.activity ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE tonne.activity_use ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE tonne.answer ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE tonne.import ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE tonne.partner_client ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE tonne.partner ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE tonne.sharing_partner ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE tonne.sharing ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE tonne.exchange ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE tonne.staged ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE tonne.staged_chunk ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

CREATE POLICY tenant ON tonne.head USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
CREATE POLICY tenant ON tonne.change USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
CREATE POLICY tenant ON tonne.change_items USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
CREATE POLICY tenant ON tonne.import_lines USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
CREATE POLICY tenant ON tonne.posting USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
CREATE POLICY tenant ON tonne.checkpoint USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
CREATE POLICY tenant ON tonne.removed USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
CREATE POLICY tenant ON tonne.scope USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
CREATE POLICY tenant ON tonne.org USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
CREATE POLICY tenant ON tonne.taxonomy USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
CREATE POLICY tenant ON tonne.product USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
CREATE POLICY tenant ON tonne.factor USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
CREATE POLICY tenant ON tonne.model USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
CREATE POLICY tenant ON tonne.block USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
CREATE POLICY tenant ON tonne.input USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
CREATE POLICY tenant ON tonne.switch USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
CREATE POLICY tenant ON tonne.switch_source USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
CREATE POLICY tenant ON tonne.footprint_product USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
CREATE POLICY tenant ON tonne.footprint USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
CREATE POLICY tenant ON tonne.period USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
CREATE POLICY tenant ON tonne.exclusion USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
CREATE POLICY tenant ON tonne.series USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
CREATE POLICY tenant ON tonne.activity USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
CREATE POLICY tenant ON tonne.activity_use USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
CREATE POLICY tenant ON tonne.answer USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
CREATE POLICY tenant ON tonne.import USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
CREATE POLICY tenant ON tonne.partner_client USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
CREATE POLICY tenant ON tonne.partner USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
CREATE POLICY tenant ON tonne.sharing_partner USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
CREATE POLICY tenant ON tonne.sharing USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
CREATE POLICY tenant ON tonne.exchange USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
CREATE POLICY tenant ON tonne.staged USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
CREATE POLICY tenant ON tonne.staged_chunk USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);

-- History is added to and never changed: the role of the service may insert and read it. It goes with its tenant as a
-- whole, by this function of the tables' owner, and that only where the tenant's newest change has the number that is
-- expected; else nothing is removed and the answer is false. The tenant is that of the transaction.
CREATE FUNCTION tonne.remove_tenant(expected bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    gone   uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    newest bigint;
BEGIN
    SELECT number INTO newest FROM tonne.head WHERE tenant_id = gone FOR UPDATE;
    IF newest <> expected THEN
        RETURN false;
    END IF;
    DELETE FROM tonne.answer WHERE tenant_id = gone;
    DELETE FROM tonne.import WHERE tenant_id = gone;
    DELETE FROM tonne.exchange WHERE tenant_id = gone;
    DELETE FROM tonne.staged_chunk WHERE tenant_id = gone;
    DELETE FROM tonne.staged WHERE tenant_id = gone;
    DELETE FROM tonne.sharing_partner WHERE tenant_id = gone;
    DELETE FROM tonne.sharing WHERE tenant_id = gone;
    DELETE FROM tonne.partner_client WHERE tenant_id = gone;
    DELETE FROM tonne.partner WHERE tenant_id = gone;
    DELETE FROM tonne.activity_use WHERE tenant_id = gone;
    DELETE FROM tonne.activity WHERE tenant_id = gone;
    DELETE FROM tonne.series WHERE tenant_id = gone;
    DELETE FROM tonne.switch_source WHERE tenant_id = gone;
    DELETE FROM tonne.switch WHERE tenant_id = gone;
    DELETE FROM tonne.input WHERE tenant_id = gone;
    DELETE FROM tonne.block WHERE tenant_id = gone;
    DELETE FROM tonne.model WHERE tenant_id = gone;
    DELETE FROM tonne.factor WHERE tenant_id = gone;
    DELETE FROM tonne.product WHERE tenant_id = gone;
    DELETE FROM tonne.taxonomy WHERE tenant_id = gone;
    DELETE FROM tonne.period WHERE tenant_id = gone;
    DELETE FROM tonne.exclusion WHERE tenant_id = gone;
    DELETE FROM tonne.org WHERE tenant_id = gone;
    DELETE FROM tonne.scope WHERE tenant_id = gone;
    DELETE FROM tonne.footprint_product WHERE tenant_id = gone;
    DELETE FROM tonne.footprint WHERE tenant_id = gone;
    DELETE FROM tonne.checkpoint WHERE tenant_id = gone;
    DELETE FROM tonne.import_lines WHERE tenant_id = gone;
    DELETE FROM tonne.posting WHERE tenant_id = gone;
    DELETE FROM tonne.removed WHERE tenant_id = gone;
    DELETE FROM tonne.change_items WHERE tenant_id = gone;
    DELETE FROM tonne.change WHERE tenant_id = gone;
    DELETE FROM tonne.head WHERE tenant_id = gone;
    RETURN true;
END;
$$;

REVOKE ALL ON FUNCTION tonne.remove_tenant(bigint) FROM PUBLIC;

-- The one other way into the history: the text of a replaced version is blanked, by this function of the tables' owner. It
-- takes away what stands between two bytes of a part of packed items, and leaves all else: and that only where it is a byte 1,
-- the length of a text, and the text whose SHA-256 stands in the 32 bytes before. So it can take away texts and nothing else,
-- and never a digest. Else nothing is written and the answer is false. That a text was blanked is an item of a change; verify
-- finds one that is gone without. The tenant is that of the transaction.
CREATE FUNCTION tonne.blank_text(of_change bigint, of_part integer, first integer, behind integer) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    of_tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    packed    bytea;
    place     integer := first + 1;
    shift     integer := 0;
    size      bigint := 0;
    byte      integer;
BEGIN
    SELECT items INTO packed FROM tonne.change_items
        WHERE tenant_id = of_tenant AND change = of_change AND part = of_part FOR UPDATE;
    IF (first >= 32 AND behind > first AND behind <= octet_length(packed)) IS NOT TRUE THEN
        RETURN false;
    END IF;
    IF get_byte(packed, first) <> 1 THEN
        RETURN false;
    END IF;
    LOOP
        IF place >= behind OR shift > 28 THEN
            RETURN false;
        END IF;
        byte := get_byte(packed, place);
        size := size | ((byte & 127)::bigint << shift);
        place := place + 1;
        shift := shift + 7;
        EXIT WHEN byte < 128;
    END LOOP;
    IF place + size <> behind
        OR substring(packed FROM first - 31 FOR 32) <> sha256(substring(packed FROM place + 1 FOR size::integer)) THEN
        RETURN false;
    END IF;
    UPDATE tonne.change_items
        SET items = substring(packed FROM 1 FOR first) || '\x00'::bytea || substring(packed FROM behind + 1)
        WHERE tenant_id = of_tenant AND change = of_change AND part = of_part;
    RETURN true;
END;
$$;

REVOKE ALL ON FUNCTION tonne.blank_text(bigint, integer, integer, integer) FROM PUBLIC;
