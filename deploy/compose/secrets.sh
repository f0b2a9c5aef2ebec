#!/bin/sh
# Makes the secrets of deploy/compose.yaml, once; those that are there stay.
set -eu
cd "$(dirname "$0")"

# The folder keeps others of this machine out. The files are mounted into containers with their mode, where users of other
# numbers read them.
mkdir -p -m 0700 secrets
umask 022

make() {
    if [ ! -e "secrets/$1" ]; then
        printf '%s' "$2" >"secrets/$1"
    fi
}

random() {
    od -An -N32 -tx1 /dev/urandom | tr -d ' \n'
}

make postgres_password "$(random)"
make owner_password "$(random)"
make service_password "$(random)"
make secret_key "$(head -c 32 /dev/urandom | base64 | tr -d '\n')"
make database_url "postgres://tonne_service:$(cat secrets/service_password)@db/tonne"
make migrator_url "postgres://tonne_owner:$(cat secrets/owner_password)@db/tonne"
