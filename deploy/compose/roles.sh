#!/bin/sh
# Run by the image of PostgreSQL on its first start: the user that owns the tables, and the service's, which owns nothing.
set -eu

owner=$(cat "${SECRETS:-/run/secrets}/owner_password")
service=$(cat "${SECRETS:-/run/secrets}/service_password")

psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
    --set owner="$owner" --set service="$service" --set database="$POSTGRES_DB" <<'SQL'
CREATE ROLE tonne_owner LOGIN PASSWORD :'owner' CREATEROLE;
CREATE ROLE tonne_service LOGIN PASSWORD :'service';
ALTER DATABASE :"database" OWNER TO tonne_owner;
REVOKE CONNECT ON DATABASE :"database" FROM PUBLIC;
GRANT CONNECT ON DATABASE :"database" TO tonne_service;
SQL
