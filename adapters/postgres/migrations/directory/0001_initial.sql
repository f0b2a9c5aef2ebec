-- Tenants, their credentials and users, and the installation's signing keys, with a change chain of their own.
-- These tables belong to no tenant; where tables are distributed, each node of the cluster has them whole.
-- Hashes and digests are SHA-256. `digest` is that of the row's canonical text, which leaves out when a credential was
-- last used; `version` is the number of the change that last wrote the row.

CREATE TABLE tonne_directory.head (
    one     integer PRIMARY KEY CHECK (one = 1),
    number  bigint NOT NULL,
    digest  bytea NOT NULL CHECK (length(digest) = 32)
);

INSERT INTO tonne_directory.head (one, number, digest) VALUES (1, 0, decode(repeat('00', 32), 'hex'));

CREATE TABLE tonne_directory.change (
    number  bigint PRIMARY KEY,
    at      timestamptz NOT NULL,
    actor   text NOT NULL,
    cause   text NOT NULL,
    digest  bytea NOT NULL CHECK (length(digest) = 32)
);

-- `replaced` is the canonical text of what is gone.
CREATE TABLE tonne_directory.change_item (
    change    bigint NOT NULL,
    ordinal   integer NOT NULL,
    verb      text NOT NULL, -- added, updated, removed
    kind      text NOT NULL,
    id        text NOT NULL,
    digest    bytea NOT NULL CHECK (length(digest) = 32),
    replaced  text,
    PRIMARY KEY (change, ordinal)
);

-- Text keys are compared byte by byte, whatever the database's collation is, and whatever becomes of it.
CREATE TABLE tonne_directory.tenant (
    id       uuid PRIMARY KEY,
    slug     text COLLATE "C" NOT NULL UNIQUE,
    name     text NOT NULL,
    created  timestamptz NOT NULL,
    epoch    uuid NOT NULL, -- another one after a restore
    year_start text NOT NULL, -- MM-DD
    consolidation text, -- what it states for its inventory statements, as are the next two
    reporting_company text,
    boundary text,
    digest   bytea NOT NULL CHECK (length(digest) = 32)
);

CREATE TABLE tonne_directory.client (
    id           uuid PRIMARY KEY,
    tenant       uuid NOT NULL REFERENCES tonne_directory.tenant (id),
    name         text NOT NULL,
    permissions  text NOT NULL,
    secret_hash  bytea NOT NULL CHECK (length(secret_hash) = 32),
    created      timestamptz NOT NULL,
    updated      timestamptz NOT NULL,
    expires      timestamptz,
    -- Whose it is where a partner calls with it.
    partner      uuid,
    last_used    timestamptz,
    version      bigint NOT NULL,
    digest       bytea NOT NULL CHECK (length(digest) = 32)
);

CREATE INDEX client_tenant ON tonne_directory.client (tenant, id);

CREATE TABLE tonne_directory.key (
    id           uuid PRIMARY KEY,
    tenant       uuid NOT NULL REFERENCES tonne_directory.tenant (id),
    name         text NOT NULL,
    permissions  text NOT NULL,
    prefix       text NOT NULL,
    hash         bytea NOT NULL UNIQUE CHECK (length(hash) = 32),
    created      timestamptz NOT NULL,
    updated      timestamptz NOT NULL,
    expires      timestamptz,
    last_used    timestamptz,
    version      bigint NOT NULL,
    digest       bytea NOT NULL CHECK (length(digest) = 32)
);

CREATE INDEX key_tenant ON tonne_directory.key (tenant, id);

CREATE TABLE tonne_directory.user (
    id         uuid PRIMARY KEY,
    tenant     uuid NOT NULL REFERENCES tonne_directory.tenant (id),
    name       text COLLATE "C" NOT NULL, -- what it signs in with, in lower case
    display    text NOT NULL,
    rights     text NOT NULL, -- a role, or permissions
    password   bytea CHECK (length(password) = 32), -- digest of its password's hash
    issuer     text COLLATE "C", -- who it is at a provider of sign-ins, as is the next
    subject    text COLLATE "C",
    locale     text,
    created    timestamptz NOT NULL,
    updated    timestamptz NOT NULL,
    disabled   timestamptz,
    last_used  timestamptz, -- when it was last seen
    version    bigint NOT NULL,
    digest     bytea NOT NULL CHECK (length(digest) = 32)
);

CREATE UNIQUE INDEX user_name ON tonne_directory.user (tenant, name);
CREATE UNIQUE INDEX user_identity ON tonne_directory.user (tenant, issuer, subject) WHERE issuer IS NOT NULL;

-- What `password` of a user is the digest of: in no text of the chain, so that it is gone when it is replaced.
CREATE TABLE tonne_directory.user_password (
    user_id  uuid PRIMARY KEY REFERENCES tonne_directory.user (id),
    hash     text NOT NULL
);

-- Users who are signed in.
CREATE TABLE tonne_directory.session (
    id            uuid PRIMARY KEY,
    hash          bytea NOT NULL UNIQUE CHECK (length(hash) = 32),
    user_id       uuid NOT NULL REFERENCES tonne_directory.user (id),
    tenant        uuid NOT NULL,
    signed_in_by  text NOT NULL, -- password, link, provider
    created       timestamptz NOT NULL,
    last_seen     timestamptz NOT NULL,
    expires       timestamptz NOT NULL,
    agent         text NOT NULL
);

CREATE INDEX session_user_id ON tonne_directory.session (user_id);

-- Links that sign in once.
CREATE TABLE tonne_directory.once_link (
    hash     bytea PRIMARY KEY CHECK (length(hash) = 32),
    user_id  uuid NOT NULL REFERENCES tonne_directory.user (id),
    tenant   uuid NOT NULL,
    created  timestamptz NOT NULL,
    expires  timestamptz NOT NULL,
    used     timestamptz
);

CREATE INDEX once_link_user_id ON tonne_directory.once_link (user_id);

CREATE TABLE tonne_directory.signing_key (
    ordinal  integer PRIMARY KEY, -- in the order they were added
    kid      text COLLATE "C" NOT NULL UNIQUE,
    public   bytea NOT NULL,
    sealed   bytea NOT NULL,
    created  timestamptz NOT NULL,
    retired  timestamptz,
    digest   bytea NOT NULL CHECK (length(digest) = 32)
);

CREATE TABLE tonne_directory.refresh (
    hash     bytea PRIMARY KEY CHECK (length(hash) = 32),
    family   uuid NOT NULL,
    client   uuid NOT NULL,
    tenant   uuid NOT NULL,
    scope    text NOT NULL,
    jti      uuid NOT NULL,
    created  timestamptz NOT NULL,
    expires  timestamptz NOT NULL,
    used     timestamptz,
    revoked  timestamptz
);

CREATE INDEX refresh_family ON tonne_directory.refresh (family);
CREATE INDEX refresh_client ON tonne_directory.refresh (client);
CREATE INDEX refresh_tenant ON tonne_directory.refresh (tenant);

-- Families of refresh tokens that were revoked.
CREATE TABLE tonne_directory.revoked_family (
    family  uuid PRIMARY KEY,
    at      timestamptz NOT NULL
);

-- Access tokens that were revoked before they ran out.
CREATE TABLE tonne_directory.revoked_token (
    jti      uuid PRIMARY KEY,
    expires  timestamptz NOT NULL
);

-- What sweeps have seen of the time: one row once there was a sweep. They forget what ran out a day ago and more, by a clock
-- that went evenly all that day.
CREATE TABLE tonne_directory.sweep (
    one        integer PRIMARY KEY CHECK (one = 1),
    latest     timestamptz NOT NULL,
    mark       timestamptz NOT NULL,
    steady_ms  bigint NOT NULL
);

-- What requests with an Idempotency-Key made in the last day whose answer holds a secret, so that none is answered again.
CREATE TABLE tonne_directory.shown_once (
    tenant   uuid NOT NULL,
    request  bytea NOT NULL CHECK (length(request) = 32), -- digest of who asked, where and under which key
    content  bytea NOT NULL CHECK (length(content) = 32), -- digest of what was asked
    at       timestamptz NOT NULL,
    kind     text NOT NULL, -- client, key
    id       uuid NOT NULL,
    PRIMARY KEY (tenant, request)
);

-- Sets of published factors, of the installation. `text` is the canonical text of what is known of a set.
CREATE TABLE tonne_directory.factor_set (
    id      bytea PRIMARY KEY CHECK (length(id) = 32), -- SHA-256 of the file
    text    text NOT NULL,
    digest  bytea NOT NULL CHECK (length(digest) = 32)
);

-- Their factors, with the rows of the file that each was read from.
CREATE TABLE tonne_directory.published_factor (
    factor_set  bytea NOT NULL REFERENCES tonne_directory.factor_set (id),
    cell        text COLLATE "C" NOT NULL,
    text        text NOT NULL,
    digest      bytea NOT NULL CHECK (length(digest) = 32),
    PRIMARY KEY (factor_set, cell)
);
