-- A tenant's records, the change chain that binds them, and what its activities add up to.
-- Inside, rows refer to each other by integer keys; identifiers are 16 bytes, digests 32, amounts plain decimals in
-- text, days Julian day numbers, times milliseconds since 1970. `version` is the change that last wrote the row and
-- `digest` that of the row's canonical text. No CHECK bounds a code or a word of which there may be more one day: one
-- cannot be altered.

CREATE TABLE head (
    one         INTEGER PRIMARY KEY CHECK (one = 1),
    tenant      BLOB NOT NULL CHECK (length(tenant) = 16), -- whose records these are, as the directory knows it
    number      INTEGER NOT NULL,
    digest      BLOB NOT NULL CHECK (length(digest) = 32),
    epoch       BLOB NOT NULL CHECK (length(epoch) = 16),
    catalog     INTEGER NOT NULL, -- the newest change that touched a node, a product, a factor or a closed period
    footprints  INTEGER NOT NULL, -- the highest number a footprint ever had
    seal        BLOB NOT NULL CHECK (length(seal) = 32) -- digest of the columns before it
) STRICT;

CREATE TABLE change (
    number  INTEGER PRIMARY KEY,
    at      INTEGER NOT NULL,
    actor   TEXT NOT NULL,
    cause   TEXT NOT NULL,
    digest  BLOB NOT NULL CHECK (length(digest) = 32)
) STRICT;

-- What each change wrote, in order: its items, packed in parts of bounded size. In the form that `docs/ledger.md`
-- describes.
CREATE TABLE change_items (
    change  INTEGER NOT NULL,
    part    INTEGER NOT NULL CHECK (part >= 0),
    items   BLOB NOT NULL,
    PRIMARY KEY (change, part)
) STRICT;

-- By how much each change that wrote activities changed the cells, packed.
CREATE TABLE posting (
    change    INTEGER NOT NULL,
    part      INTEGER NOT NULL CHECK (part >= 0),
    postings  BLOB NOT NULL,
    PRIMARY KEY (change, part)
) STRICT;

-- From which lines of its file each change of an import wrote activities, packed: one for each item that left an activity.
CREATE TABLE import_lines (
    change  INTEGER NOT NULL,
    part    INTEGER NOT NULL CHECK (part >= 0),
    lines   BLOB NOT NULL,
    PRIMARY KEY (change, part)
) STRICT;

-- The cells as they were at the change `number`, packed. One counts once its last row is there, which has no cells; its
-- `part` is how many parts stand before it. Earlier ones go then.
CREATE TABLE checkpoint (
    number  INTEGER NOT NULL CHECK (number > 0),
    part    INTEGER NOT NULL CHECK (part >= 0),
    cells   BLOB NOT NULL,
    last    INTEGER NOT NULL CHECK (last IN (0, 1)),
    PRIMARY KEY (number, part)
) STRICT;

-- Which change removed a record: where the history of one begins that is there no more. Kinds: 0 activity, 1 scope,
-- 2 org, 3 taxonomy, 4 product, 5 factor, 6 model, 7 input, 8 switch, 9 footprint, 10 closed period,
-- 11 exclusion, 12 partner, 13 sharing.
CREATE TABLE removed (
    kind    INTEGER NOT NULL,
    id      BLOB NOT NULL CHECK (length(id) = 16),
    change  INTEGER NOT NULL,
    PRIMARY KEY (kind, id, change)
) STRICT, WITHOUT ROWID;

CREATE TABLE scope (
    key       INTEGER PRIMARY KEY,
    id        BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    sync_id   TEXT UNIQUE,
    name      TEXT NOT NULL,
    parent    INTEGER REFERENCES scope (key),
    kind      TEXT NOT NULL,
    category  INTEGER,
    created   INTEGER NOT NULL,
    updated   INTEGER NOT NULL,
    version   INTEGER NOT NULL,
    digest    BLOB NOT NULL CHECK (length(digest) = 32)
) STRICT;

CREATE INDEX scope_parent ON scope (parent);

CREATE TABLE org (
    key      INTEGER PRIMARY KEY,
    id       BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    sync_id  TEXT UNIQUE,
    name     TEXT NOT NULL,
    parent   INTEGER REFERENCES org (key),
    region   TEXT,
    created  INTEGER NOT NULL,
    updated  INTEGER NOT NULL,
    version  INTEGER NOT NULL,
    digest   BLOB NOT NULL CHECK (length(digest) = 32)
) STRICT;

CREATE INDEX org_parent ON org (parent);

CREATE TABLE taxonomy (
    key      INTEGER PRIMARY KEY,
    id       BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    sync_id  TEXT UNIQUE,
    name     TEXT NOT NULL,
    parent   INTEGER REFERENCES taxonomy (key),
    slug     TEXT NOT NULL,
    created  INTEGER NOT NULL,
    updated  INTEGER NOT NULL,
    version  INTEGER NOT NULL,
    digest   BLOB NOT NULL CHECK (length(digest) = 32)
) STRICT;

CREATE INDEX taxonomy_parent ON taxonomy (parent);
-- Roots are siblings of each other, and NULL is not equal to NULL in a unique index.
CREATE UNIQUE INDEX taxonomy_slug ON taxonomy (ifnull(parent, 0), slug);

CREATE TABLE product (
    key      INTEGER PRIMARY KEY,
    id       BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    sync_id  TEXT UNIQUE,
    name     TEXT NOT NULL,
    unit     TEXT NOT NULL,
    rule     TEXT, -- the canonical text of the rule by which its factors are chosen
    created  INTEGER NOT NULL,
    updated  INTEGER NOT NULL,
    version  INTEGER NOT NULL,
    digest   BLOB NOT NULL CHECK (length(digest) = 32)
) STRICT;

CREATE TABLE factor (
    key         INTEGER PRIMARY KEY,
    id          BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    product     INTEGER NOT NULL REFERENCES product (key),
    unit        TEXT NOT NULL,
    upstream    TEXT,
    downstream  TEXT,
    valid_from  INTEGER NOT NULL,
    valid_to    INTEGER,
    source      TEXT NOT NULL,
    gwp         TEXT,
    basis       TEXT NOT NULL, -- location or residualMix
    origin      TEXT, -- the canonical text of the published factor that it is a copy of
    choice      TEXT, -- the canonical text of why the product's rule chose it
    supplier    TEXT, -- the canonical text of the supplier's footprint that it was made of
    corrects    INTEGER REFERENCES factor (key), -- the wrong one that it stands in the place of
    created     INTEGER NOT NULL,
    updated     INTEGER NOT NULL,
    version     INTEGER NOT NULL,
    digest      BLOB NOT NULL CHECK (length(digest) = 32)
) STRICT;

CREATE INDEX factor_product ON factor (product, valid_from);

CREATE TABLE model (
    key             INTEGER PRIMARY KEY,
    id              BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    sync_id         TEXT UNIQUE,
    name            TEXT NOT NULL,
    unit            TEXT NOT NULL,
    amount          TEXT NOT NULL,
    reference_date  INTEGER NOT NULL,
    created         INTEGER NOT NULL,
    updated         INTEGER NOT NULL,
    version         INTEGER NOT NULL,
    digest          BLOB NOT NULL CHECK (length(digest) = 32)
) STRICT;

CREATE TABLE block (
    model    INTEGER NOT NULL REFERENCES model (key),
    ordinal  INTEGER NOT NULL,
    id       BLOB NOT NULL CHECK (length(id) = 16),
    name     TEXT NOT NULL,
    PRIMARY KEY (model, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE input (
    key       INTEGER PRIMARY KEY,
    id        BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    model     INTEGER NOT NULL REFERENCES model (key),
    sync_id   TEXT UNIQUE,
    name      TEXT NOT NULL,
    material  INTEGER NOT NULL REFERENCES product (key),
    block     BLOB CHECK (length(block) = 16),
    stage     TEXT,
    quantity  TEXT NOT NULL,
    unit      TEXT NOT NULL,
    position  INTEGER NOT NULL,
    co2e      TEXT,
    factor    INTEGER REFERENCES factor (key),
    reason    TEXT,
    created   INTEGER NOT NULL,
    updated   INTEGER NOT NULL,
    version   INTEGER NOT NULL,
    digest    BLOB NOT NULL CHECK (length(digest) = 32)
) STRICT;

CREATE INDEX input_model ON input (model, position, id);
CREATE INDEX input_material ON input (material);
CREATE INDEX input_factor ON input (factor);

CREATE TABLE switch (
    key      INTEGER PRIMARY KEY,
    id       BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    sync_id  TEXT UNIQUE,
    name     TEXT NOT NULL,
    unit     TEXT,
    image    TEXT,
    created  INTEGER NOT NULL,
    updated  INTEGER NOT NULL,
    version  INTEGER NOT NULL,
    digest   BLOB NOT NULL CHECK (length(digest) = 32)
) STRICT;

CREATE TABLE switch_source (
    switch   INTEGER NOT NULL REFERENCES switch (key),
    ordinal  INTEGER NOT NULL,
    model    INTEGER NOT NULL REFERENCES model (key),
    PRIMARY KEY (switch, ordinal)
) STRICT, WITHOUT ROWID;

CREATE INDEX switch_source_model ON switch_source (model);

CREATE TABLE footprint (
    key         INTEGER PRIMARY KEY,
    id          BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    number      INTEGER NOT NULL UNIQUE CHECK (number > 0),
    recorded    INTEGER NOT NULL,
    amended     INTEGER,
    amendments  INTEGER NOT NULL,
    fields      TEXT NOT NULL, -- in canonical form
    place_us    INTEGER NOT NULL, -- when its owner created it, in microseconds since 1970
    rules       INTEGER NOT NULL, -- the number of the rules that the verdict was made by
    shown_v2    INTEGER NOT NULL CHECK (shown_v2 IN (0, 1)),
    shown_v3    INTEGER NOT NULL CHECK (shown_v3 IN (0, 1)),
    valid       INTEGER NOT NULL CHECK (valid IN (0, 1)),
    verdict     TEXT NOT NULL, -- in canonical form; follows from the record, as the five before it, and is no part of its digest
    model       BLOB CHECK (length(model) = 16), -- what it was made of, which may be gone
    from_model  TEXT, -- in canonical form; there with the model
    created     INTEGER NOT NULL,
    updated     INTEGER NOT NULL,
    version     INTEGER NOT NULL,
    digest      BLOB NOT NULL CHECK (length(digest) = 32)
) STRICT;

CREATE INDEX footprint_place ON footprint (place_us, number);
CREATE INDEX footprint_rules ON footprint (rules);
CREATE INDEX footprint_model ON footprint (model, number) WHERE model IS NOT NULL;

-- The product ids of footprints in lower case, to find footprints by.
CREATE TABLE footprint_product (
    product    TEXT NOT NULL,
    footprint  INTEGER NOT NULL REFERENCES footprint (key),
    PRIMARY KEY (product, footprint)
) STRICT, WITHOUT ROWID;

CREATE INDEX footprint_product_footprint ON footprint_product (footprint);

-- Periods that are closed, or were: the org is beside the content to be looked up before it is removed, and what is closed to be
-- read by every writer without the report.
CREATE TABLE period (
    key      INTEGER PRIMARY KEY,
    id       BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    org      INTEGER REFERENCES org (key),
    span     TEXT, -- what it is closed for, in canonical form; NULL once it was opened again
    content  TEXT NOT NULL, -- in canonical form, with the frozen report
    created  INTEGER NOT NULL,
    updated  INTEGER NOT NULL,
    version  INTEGER NOT NULL,
    digest   BLOB NOT NULL CHECK (length(digest) = 32)
) STRICT;

CREATE INDEX period_org ON period (org);

-- What is left out of the inventory: the nodes are beside the content to be looked up before they are removed.
CREATE TABLE exclusion (
    key      INTEGER PRIMARY KEY,
    id       BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    scope    INTEGER REFERENCES scope (key),
    org      INTEGER REFERENCES org (key),
    content  TEXT NOT NULL, -- in canonical form
    created  INTEGER NOT NULL,
    updated  INTEGER NOT NULL,
    version  INTEGER NOT NULL,
    digest   BLOB NOT NULL CHECK (length(digest) = 32)
) STRICT;

CREATE INDEX exclusion_scope ON exclusion (scope);
CREATE INDEX exclusion_org ON exclusion (org);

-- Companies that footprints are exchanged with. No secret stands here.
CREATE TABLE partner (
    key      INTEGER PRIMARY KEY,
    id       BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    content  TEXT NOT NULL, -- in canonical form
    created  INTEGER NOT NULL,
    updated  INTEGER NOT NULL,
    version  INTEGER NOT NULL,
    digest   BLOB NOT NULL CHECK (length(digest) = 32)
) STRICT;

-- The clients that partners call us with, each in every partner that names it.
CREATE TABLE partner_client (
    client   BLOB NOT NULL CHECK (length(client) = 16),
    partner  BLOB NOT NULL CHECK (length(partner) = 16),
    PRIMARY KEY (client, partner)
) STRICT, WITHOUT ROWID;

CREATE INDEX partner_client_partner ON partner_client (partner);

-- With whom footprints are shared; the id is that of the footprint.
CREATE TABLE sharing (
    key      INTEGER PRIMARY KEY,
    id       BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    content  TEXT NOT NULL, -- in canonical form
    created  INTEGER NOT NULL,
    updated  INTEGER NOT NULL,
    version  INTEGER NOT NULL,
    digest   BLOB NOT NULL CHECK (length(digest) = 32)
) STRICT;

-- Which footprints each partner may read, in the order of the lists that partners read; the nil UUID is every partner.
CREATE TABLE sharing_partner (
    partner    BLOB NOT NULL CHECK (length(partner) = 16),
    place_us   INTEGER NOT NULL, -- as the footprint has it
    number     INTEGER NOT NULL, -- as the footprint has it; 0 while there is none
    footprint  BLOB NOT NULL CHECK (length(footprint) = 16),
    PRIMARY KEY (partner, place_us, number, footprint)
) STRICT, WITHOUT ROWID;

CREATE INDEX sharing_partner_footprint ON sharing_partner (footprint, partner);

-- The combinations of scope, org and taxonomy that activities carry or once carried; an empty blob is none. They stay
-- when their nodes are gone, so they name nodes by identifier.
CREATE TABLE series (
    key       INTEGER PRIMARY KEY CHECK (key >= 0),
    scope     BLOB NOT NULL CHECK (length(scope) IN (0, 16)),
    org       BLOB NOT NULL CHECK (length(org) IN (0, 16)),
    taxonomy  BLOB NOT NULL CHECK (length(taxonomy) IN (0, 16)),
    digest    BLOB NOT NULL CHECK (length(digest) = 32),
    UNIQUE (scope, org, taxonomy)
) STRICT;

-- Kept in the order in which activities are read: by first day, then identifier. References have no foreign keys, which
-- would be looked up row by row: a writer looks up each record that a batch refers to once, and nothing that is in use is
-- removed.
CREATE TABLE activity (
    id                   BLOB NOT NULL CHECK (length(id) = 16),
    day                  INTEGER NOT NULL, -- the first one
    last                 INTEGER NOT NULL,
    series               INTEGER NOT NULL,
    sync_id              TEXT,
    name                 TEXT NOT NULL,
    description          TEXT,
    quantity             TEXT,
    unit                 TEXT,
    supplied_upstream    TEXT,
    supplied_downstream  TEXT,
    product              INTEGER,
    start_at             TEXT NOT NULL,
    end_at               TEXT,
    upstream             TEXT,
    downstream           TEXT,
    stated               TEXT, -- what was stated of other measures as a JSON object; NULL is nothing
    measures             TEXT, -- those besides CO2e as a JSON object; NULL is none
    factor               INTEGER,
    incomplete           TEXT,
    created              INTEGER NOT NULL,
    updated              INTEGER NOT NULL,
    version              INTEGER NOT NULL,
    digest               BLOB NOT NULL CHECK (length(digest) = 32),
    PRIMARY KEY (day, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX activity_id ON activity (id);
CREATE UNIQUE INDEX activity_sync_id ON activity (sync_id) WHERE sync_id IS NOT NULL;
-- Those without CO2e are few, and are looked for when a factor comes.
CREATE INDEX activity_incomplete ON activity (day, id) WHERE upstream IS NULL AND downstream IS NULL;

-- How many activities refer to a scope (1), an org (2), a taxonomy (3), a product (4) or a factor (5): to be counted when
-- it is removed, each activity would need an entry of one more index. A count that has come back to zero stays.
CREATE TABLE activity_use (
    kind        INTEGER NOT NULL,
    id          BLOB NOT NULL CHECK (length(id) = 16),
    activities  INTEGER NOT NULL,
    PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

-- What requests with an Idempotency-Key were answered first, for a day. No record: no change lists it.
CREATE TABLE answer (
    key       BLOB NOT NULL PRIMARY KEY CHECK (length(key) = 32), -- digest of who asked, where and under which key
    content   BLOB NOT NULL CHECK (length(content) = 32), -- digest of what was asked
    at        INTEGER NOT NULL,
    status    INTEGER NOT NULL,
    location  TEXT,
    etag      TEXT,
    body      BLOB NOT NULL
) STRICT;

CREATE INDEX answer_at ON answer (at);

-- Imports by name, with what became of their rows. No record: no change lists them, the changes they made name them.
CREATE TABLE import (
    id      BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    hash    BLOB CHECK (length(hash) = 32), -- SHA-256 of the file; NULL until it is known
    content TEXT NOT NULL -- canonical text of all of it
) STRICT;

CREATE INDEX import_hash ON import (hash) WHERE hash IS NOT NULL;

-- What is kept of the exchange with partners beside records: sealed secrets, events taken, events to send, and requests
-- made. No record: no change lists them, and nothing is exported of them.
CREATE TABLE exchange (
    kind    TEXT NOT NULL, -- what it is
    id      TEXT NOT NULL, -- unique within the kind
    partner BLOB NOT NULL CHECK (length(partner) = 16),
    at      INTEGER NOT NULL, -- when it was written first, in milliseconds
    due     INTEGER, -- when it is next worked at, in milliseconds; NULL when nothing is left to do
    content TEXT NOT NULL, -- canonical text
    PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX exchange_partner ON exchange (kind, partner, at, id);
CREATE INDEX exchange_due ON exchange (partner, due, id) WHERE due IS NOT NULL;
