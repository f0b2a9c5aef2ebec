#!/bin/sh
# Runs a static program as deploy/Containerfile has it run, without an engine of containers: in a root that holds the program,
# the certificates of authorities, a data folder and /tmp, read-only but for those two, as the user 10001. Serves, asks for
# its health, makes a key, imports and verifies. Prints what happened; ends with 1 at the first thing that is wrong.
#
#   cargo build --release --locked --package tonne --target x86_64-unknown-linux-musl
#   deploy/container-trial.sh target/x86_64-unknown-linux-musl/release/tonne
#
# Needs root, for chroot and a mount namespace, and the port 18080 of 127.0.0.1.
set -eu
[ $# -eq 1 ] || [ "${2-}" = mounted ] || { sed -n '2,9p' "$0" >&2; exit 2; }
[ "$(id -u)" -eq 0 ] || { echo "chroot needs root" >&2; exit 2; }
wrong() { echo "WRONG: $*" >&2; exit 1; }

if [ $# -eq 1 ]; then
    ldd "$1" 2>&1 | grep -qE 'statically linked|not a dynamic executable' || wrong "$1 is not static"
    TRIAL=$(mktemp -d)
    trap 'rm -rf "$TRIAL"' EXIT
    IMAGE=$TRIAL/image
    install -D "$1" "$IMAGE/usr/bin/tonne"
    install -D -m 0644 /etc/ssl/certs/ca-certificates.crt "$IMAGE/etc/ssl/certs/ca-certificates.crt"
    install -d -o 10001 -g 10001 -m 0700 "$IMAGE/var/lib/tonne" "$TRIAL/data"
    install -d -m 1777 "$IMAGE/tmp" "$TRIAL/tmp"
    # What an engine mounts in every container.
    install -d "$IMAGE/proc" "$IMAGE/dev"
    # Not exec: what is left behind is removed by the trap. The mounts end with the namespace.
    unshare --mount "$0" "$TRIAL" mounted
    exit
fi

TRIAL=$1
IMAGE=$TRIAL/image
SERVICE=
trap '[ -z "$SERVICE" ] || kill "$SERVICE"' EXIT
mount --bind "$IMAGE" "$IMAGE"
mount --bind "$TRIAL/data" "$IMAGE/var/lib/tonne"
mount --bind "$TRIAL/tmp" "$IMAGE/tmp"
mount --bind /proc "$IMAGE/proc"
mount --bind /dev "$IMAGE/dev"
mount -o remount,bind,ro "$IMAGE"
! touch "$IMAGE/usr/bin/other" 2> "$TRIAL/log" || wrong "the root can be written"
CHROOT=$(command -v chroot)

# In the place of this shell: call it in a subshell.
image() {
    exec env -i TONNE_SERVER__LISTEN=127.0.0.1:18080 TONNE_STORE__DATA_DIR=/var/lib/tonne \
        MIMALLOC_PURGE_DELAY=0 MIMALLOC_ARENA_EAGER_COMMIT=0 \
        "$CHROOT" --userspec=10001:10001 "$IMAGE" /usr/bin/tonne "$@"
}

echo "== serve"
(image --version)
# The process itself, not a shell around it: it is what is asked to end.
(image serve > "$TRIAL/out" 2> "$TRIAL/log") &
SERVICE=$!
tries=0
until (image health) 2> /dev/null; do
    tries=$((tries + 1))
    [ $tries -lt 200 ] && kill -0 "$SERVICE" || { cat "$TRIAL/log" >&2; wrong "the service did not start"; }
    sleep 0.3
done

echo "== a key, an import and a report beside it"
(image key create --name trial --permissions admin) | grep -q tonne_ || wrong "no key was made"
(image import catalog --standard ghg-protocol)
printf 'syncId,name,startDate,scope,DownstreamCO2e\na,Diesel,2025-03-01,scope1,12.5\n' > "$TRIAL/tmp/activities.csv"
(image import activities /tmp/activities.csv)
(image report --date 2025) | grep -q 12.5 || wrong "the report lacks what was imported"
(image verify) || wrong "the data is damaged"

echo "== end"
kill "$SERVICE"
wait "$SERVICE" || wrong "the service ended with $?"
SERVICE=
(image verify) || wrong "the data is damaged after the end"
echo "OK: the program serves in a read-only root as the user 10001"
