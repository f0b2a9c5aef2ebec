#!/bin/sh
# Makes the secrets of deploy/compose.yaml, once; those that are there stay.
set -eu
cd "$(dirname "$0")"

# The folder keeps others of this machine out. The files are mounted into containers with owner and mode: run as root this
# gives the service's to its user there, 10001. Otherwise they are open to every user in the container, and the service warns.
mkdir -p -m 0700 secrets
umask 022

make() {
    if [ ! -e "secrets/$1" ]; then
        printf '%s' "$2" >"secrets/$1"
    fi
}

for_service() {
    make "$1" "$2"
    if [ "$(id -u)" -eq 0 ]; then
        chown 10001:10001 "secrets/$1"
        chmod 0400 "secrets/$1"
    fi
}

random() {
    od -An -N32 -tx1 /dev/urandom | tr -d ' \n'
}

make postgres_password "$(random)"
make owner_password "$(random)"
make service_password "$(random)"
for_service secret_key "$(head -c 32 /dev/urandom | base64 | tr -d '\n')"
for_service database_url "postgres://tonne_service:$(cat secrets/service_password)@db/tonne"
for_service migrator_url "postgres://tonne_owner:$(cat secrets/owner_password)@db/tonne"
