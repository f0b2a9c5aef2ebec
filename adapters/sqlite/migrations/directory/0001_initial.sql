-- Tenants, their credentials and users, and the installation's signing keys, with a change chain of their own.
-- Identifiers are 16 bytes, hashes and digests 32, times milliseconds since 1970. `digest` is that of the row's
-- canonical text, which leaves out when a credential was last used. `version` is the change that last wrote the row.

CREATE TABLE head (
    one     INTEGER PRIMARY KEY CHECK (one = 1),
    number  INTEGER NOT NULL,
    digest  BLOB NOT NULL CHECK (length(digest) = 32)
) STRICT;

CREATE TABLE change (
    number  INTEGER PRIMARY KEY,
    at      INTEGER NOT NULL,
    actor   TEXT NOT NULL,
    cause   TEXT NOT NULL,
    digest  BLOB NOT NULL CHECK (length(digest) = 32)
) STRICT;

CREATE TABLE change_item (
    change    INTEGER NOT NULL,
    ordinal   INTEGER NOT NULL,
    verb      TEXT NOT NULL, -- added, updated, removed
    kind      TEXT NOT NULL,
    id        TEXT NOT NULL,
    digest    BLOB NOT NULL CHECK (length(digest) = 32),
    replaced  TEXT,
    PRIMARY KEY (change, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE tenant (
    id       BLOB PRIMARY KEY NOT NULL CHECK (length(id) = 16),
    slug     TEXT NOT NULL UNIQUE,
    name     TEXT NOT NULL,
    created  INTEGER NOT NULL,
    epoch    BLOB NOT NULL CHECK (length(epoch) = 16), -- another one after a restore
    year_start TEXT NOT NULL, -- MM-DD
    consolidation TEXT, -- what it states for its inventory statements, as are the next two
    reporting_company TEXT,
    boundary TEXT,
    digest   BLOB NOT NULL CHECK (length(digest) = 32)
) STRICT;

CREATE TABLE client (
    id           BLOB PRIMARY KEY NOT NULL CHECK (length(id) = 16),
    tenant       BLOB NOT NULL REFERENCES tenant (id),
    name         TEXT NOT NULL,
    permissions  TEXT NOT NULL,
    secret_hash  BLOB NOT NULL CHECK (length(secret_hash) = 32),
    created      INTEGER NOT NULL,
    updated      INTEGER NOT NULL,
    expires      INTEGER,
    -- Whose it is where a partner calls with it.
    partner      BLOB CHECK (length(partner) = 16),
    last_used    INTEGER,
    version      INTEGER NOT NULL,
    digest       BLOB NOT NULL CHECK (length(digest) = 32)
) STRICT;

CREATE INDEX client_tenant ON client (tenant, id);

CREATE TABLE key (
    id           BLOB PRIMARY KEY NOT NULL CHECK (length(id) = 16),
    tenant       BLOB NOT NULL REFERENCES tenant (id),
    name         TEXT NOT NULL,
    permissions  TEXT NOT NULL,
    prefix       TEXT NOT NULL,
    hash         BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    created      INTEGER NOT NULL,
    updated      INTEGER NOT NULL,
    expires      INTEGER,
    last_used    INTEGER,
    version      INTEGER NOT NULL,
    digest       BLOB NOT NULL CHECK (length(digest) = 32)
) STRICT;

CREATE INDEX key_tenant ON key (tenant, id);

CREATE TABLE user (
    id         BLOB PRIMARY KEY NOT NULL CHECK (length(id) = 16),
    tenant     BLOB NOT NULL REFERENCES tenant (id),
    name       TEXT NOT NULL, -- what it signs in with, in lower case
    display    TEXT NOT NULL,
    rights     TEXT NOT NULL, -- a role, or permissions
    password   BLOB CHECK (length(password) = 32), -- digest of its password's hash
    issuer     TEXT, -- who it is at a provider of sign-ins, as is the next
    subject    TEXT,
    locale     TEXT,
    created    INTEGER NOT NULL,
    updated    INTEGER NOT NULL,
    disabled   INTEGER,
    last_used  INTEGER, -- when it was last seen
    version    INTEGER NOT NULL,
    digest     BLOB NOT NULL CHECK (length(digest) = 32)
) STRICT;

CREATE UNIQUE INDEX user_name ON user (tenant, name);
CREATE UNIQUE INDEX user_identity ON user (tenant, issuer, subject) WHERE issuer IS NOT NULL;

-- What `password` of a user is the digest of: in no text of the chain, so that it is gone when it is replaced.
CREATE TABLE user_password (
    user_id  BLOB PRIMARY KEY NOT NULL REFERENCES user (id),
    hash     TEXT NOT NULL
) STRICT;

-- Users who are signed in.
CREATE TABLE session (
    id            BLOB PRIMARY KEY NOT NULL CHECK (length(id) = 16),
    hash          BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    user_id       BLOB NOT NULL REFERENCES user (id),
    tenant        BLOB NOT NULL CHECK (length(tenant) = 16),
    signed_in_by  TEXT NOT NULL, -- password, link, provider
    created       INTEGER NOT NULL,
    last_seen     INTEGER NOT NULL,
    expires       INTEGER NOT NULL,
    agent         TEXT NOT NULL
) STRICT;

CREATE INDEX session_user_id ON session (user_id);

-- Links that sign in once.
CREATE TABLE once_link (
    hash     BLOB PRIMARY KEY NOT NULL CHECK (length(hash) = 32),
    user_id  BLOB NOT NULL REFERENCES user (id),
    tenant   BLOB NOT NULL CHECK (length(tenant) = 16),
    created  INTEGER NOT NULL,
    expires  INTEGER NOT NULL,
    used     INTEGER
) STRICT;

CREATE INDEX once_link_user_id ON once_link (user_id);

CREATE TABLE signing_key (
    ordinal  INTEGER PRIMARY KEY,
    kid      TEXT NOT NULL UNIQUE,
    public   BLOB NOT NULL,
    sealed   BLOB NOT NULL,
    created  INTEGER NOT NULL,
    retired  INTEGER,
    digest   BLOB NOT NULL CHECK (length(digest) = 32)
) STRICT;

CREATE TABLE refresh (
    hash     BLOB PRIMARY KEY NOT NULL CHECK (length(hash) = 32),
    family   BLOB NOT NULL CHECK (length(family) = 16),
    client   BLOB NOT NULL CHECK (length(client) = 16),
    tenant   BLOB NOT NULL CHECK (length(tenant) = 16),
    scope    TEXT NOT NULL,
    jti      BLOB NOT NULL CHECK (length(jti) = 16),
    created  INTEGER NOT NULL,
    expires  INTEGER NOT NULL,
    used     INTEGER,
    revoked  INTEGER
) STRICT;

CREATE INDEX refresh_family ON refresh (family);
CREATE INDEX refresh_client ON refresh (client);

-- Families of refresh tokens that were revoked.
CREATE TABLE revoked_family (
    family   BLOB PRIMARY KEY NOT NULL CHECK (length(family) = 16),
    at       INTEGER NOT NULL
) STRICT;

-- Access tokens that were revoked before they ran out.
CREATE TABLE revoked_token (
    jti      BLOB PRIMARY KEY NOT NULL CHECK (length(jti) = 16),
    expires  INTEGER NOT NULL
) STRICT;

-- What sweeps have seen of the time: one row once there was a sweep. They forget what ran out a day ago and more, by a clock
-- that went evenly all that day.
CREATE TABLE sweep (
    one        INTEGER PRIMARY KEY CHECK (one = 1),
    latest     INTEGER NOT NULL,
    mark       INTEGER NOT NULL,
    steady_ms  INTEGER NOT NULL
) STRICT;

-- What requests with an Idempotency-Key made in the last day whose answer holds a secret, so that none is answered again.
CREATE TABLE shown_once (
    tenant   BLOB NOT NULL CHECK (length(tenant) = 16),
    request  BLOB NOT NULL CHECK (length(request) = 32), -- digest of who asked, where and under which key
    content  BLOB NOT NULL CHECK (length(content) = 32), -- digest of what was asked
    at       INTEGER NOT NULL,
    kind     TEXT NOT NULL, -- client, key
    id       BLOB NOT NULL CHECK (length(id) = 16),
    PRIMARY KEY (tenant, request)
) STRICT, WITHOUT ROWID;

-- Sets of published factors, of the installation. `text` is the canonical text of what is known of a set.
CREATE TABLE factor_set (
    ordinal  INTEGER PRIMARY KEY,
    id       BLOB NOT NULL UNIQUE CHECK (length(id) = 32), -- SHA-256 of the file
    text     TEXT NOT NULL,
    digest   BLOB NOT NULL CHECK (length(digest) = 32)
) STRICT;

-- Their factors, with the rows of the file that each was read from.
CREATE TABLE published_factor (
    factor_set  INTEGER NOT NULL REFERENCES factor_set (ordinal),
    cell        TEXT NOT NULL,
    text        TEXT NOT NULL,
    digest      BLOB NOT NULL CHECK (length(digest) = 32),
    PRIMARY KEY (factor_set, cell)
) STRICT;
