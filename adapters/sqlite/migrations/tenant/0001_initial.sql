-- A tenant's records, the change chain that binds them, and what its activities add up to.
-- Inside, rows refer to each other by integer keys; identifiers are 16 bytes, digests 32, amounts plain decimals in
-- text, days Julian day numbers, times milliseconds since 1970. `version` is the change that last wrote the row and
-- `digest` that of the row's canonical text.

CREATE TABLE head (
    one         INTEGER PRIMARY KEY CHECK (one = 1),
    tenant      BLOB NOT NULL CHECK (length(tenant) = 16), -- whose records these are, as the directory knows it
    number      INTEGER NOT NULL,
    digest      BLOB NOT NULL CHECK (length(digest) = 32),
    epoch       BLOB NOT NULL CHECK (length(epoch) = 16),
    catalog   INTEGER NOT NULL,
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

-- Verbs: 0 added, 1 updated, 2 removed. Kinds: 0 activity, 1 scope, 2 org, 3 taxonomy, 4 product, 5 factor, 6 model,
-- 7 input, 8 switch, 9 footprint. `replaced` is the canonical text of the version that is gone.
CREATE TABLE change_item (
    change    INTEGER NOT NULL,
    ordinal   INTEGER NOT NULL,
    verb      INTEGER NOT NULL CHECK (verb IN (0, 1, 2)),
    kind      INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 9),
    id        BLOB NOT NULL CHECK (length(id) = 16),
    digest    BLOB NOT NULL CHECK (length(digest) = 32),
    replaced  TEXT,
    PRIMARY KEY (change, ordinal)
) STRICT, WITHOUT ROWID;

-- The nodes of the three trees; `tree` is the kind as above.
CREATE TABLE node (
    key         INTEGER PRIMARY KEY,
    id          BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    tree        INTEGER NOT NULL CHECK (tree BETWEEN 1 AND 3),
    sync_id     TEXT,
    name        TEXT NOT NULL,
    parent      INTEGER REFERENCES node (key),
    slug        TEXT,
    scope_kind  TEXT,
    category    INTEGER,
    created     INTEGER NOT NULL,
    updated     INTEGER NOT NULL,
    version     INTEGER NOT NULL,
    digest      BLOB NOT NULL CHECK (length(digest) = 32),
    UNIQUE (tree, sync_id)
) STRICT;

CREATE INDEX node_parent ON node (parent);
-- Roots are siblings of each other, and NULL is not equal to NULL in a unique index.
CREATE UNIQUE INDEX node_slug ON node (ifnull(parent, 0), slug) WHERE slug IS NOT NULL;

CREATE TABLE product (
    key      INTEGER PRIMARY KEY,
    id       BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    sync_id  TEXT UNIQUE,
    name     TEXT NOT NULL,
    unit     TEXT NOT NULL,
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
    created     INTEGER NOT NULL,
    updated     INTEGER NOT NULL,
    version     INTEGER NOT NULL,
    digest      BLOB NOT NULL CHECK (length(digest) = 32)
) STRICT;

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

-- Kept in the order in which activities are read: by first day, then identifier.
CREATE TABLE activity (
    id                   BLOB NOT NULL CHECK (length(id) = 16),
    day                  INTEGER NOT NULL, -- the first one
    last                 INTEGER NOT NULL,
    series               INTEGER NOT NULL REFERENCES series (key),
    sync_id              TEXT,
    name                 TEXT NOT NULL,
    description          TEXT,
    quantity             TEXT,
    unit                 TEXT,
    supplied_upstream    TEXT,
    supplied_downstream  TEXT,
    product              INTEGER REFERENCES product (key),
    start_at             TEXT NOT NULL,
    end_at               TEXT,
    upstream             TEXT,
    downstream           TEXT,
    factor               INTEGER REFERENCES factor (key),
    incomplete           TEXT,
    created              INTEGER NOT NULL,
    updated              INTEGER NOT NULL,
    version              INTEGER NOT NULL,
    digest               BLOB NOT NULL CHECK (length(digest) = 32),
    PRIMARY KEY (day, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX activity_id ON activity (id);
CREATE UNIQUE INDEX activity_sync_id ON activity (sync_id) WHERE sync_id IS NOT NULL;
CREATE INDEX activity_product ON activity (product) WHERE product IS NOT NULL;
CREATE INDEX activity_factor ON activity (factor) WHERE factor IS NOT NULL;
-- Those without CO2e are few, and are looked for when a factor comes.
CREATE INDEX activity_incomplete ON activity (day, id) WHERE upstream IS NULL AND downstream IS NULL;

-- What the activities of a series add up to on a day. `version` is the change that last wrote it; one that has come
-- back to zero stays.
CREATE TABLE cell (
    day                INTEGER NOT NULL,
    series             INTEGER NOT NULL,
    starts             INTEGER NOT NULL,
    ends               INTEGER NOT NULL,
    incomplete_starts  INTEGER NOT NULL,
    incomplete_ends    INTEGER NOT NULL,
    co2e               TEXT NOT NULL,
    slope              TEXT NOT NULL,
    step               TEXT NOT NULL,
    version            INTEGER NOT NULL,
    PRIMARY KEY (day, series)
) STRICT, WITHOUT ROWID;

CREATE INDEX cell_version ON cell (version);
