#!/bin/sh
# Tries the Debian package as root in a clean system: installs an older one, starts it, upgrades beside the running service,
# starts the newer one, removes, purges and installs again. Prints what happened; ends with 1 at the first thing that is wrong.
#
#   debootstrap --variant=minbase bookworm /srv/trial
#   deploy/package-trial.sh /srv/trial old/tonne_0.1.0-1_amd64.deb target/deb/tonne_0.1.1-1_amd64.deb
#
# The first argument is the folder of that system, which is changed and can be removed afterwards.
set -eu
[ $# -eq 3 ] || { sed -n '2,8p' "$0" >&2; exit 2; }
[ "$(id -u)" -eq 0 ] || { echo "chroot needs root" >&2; exit 2; }
ROOT=$1
cp "$2" "$ROOT/tmp/old.deb"
cp "$3" "$ROOT/tmp/new.deb"
cp /etc/resolv.conf "$ROOT/etc/resolv.conf"
SERVICE=

in_root() { chroot "$ROOT" env DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C "$@"; }
as_tonne() {
    chroot "$ROOT" env -i PATH=/usr/bin:/bin TONNE_CONFIG=/etc/tonne/tonne.toml \
        setpriv --reuid=tonne --regid=tonne --init-groups env -C /var/lib/tonne "$@"
}
wrong() { echo "WRONG: $*" >&2; exit 1; }
stop() { [ -z "$SERVICE" ] || { kill "$SERVICE"; wait "$SERVICE" || wrong "the service ended with $?"; SERVICE=; }; }
trap '[ -z "$SERVICE" ] || kill "$SERVICE"' EXIT

start() {
    : > "$ROOT/tmp/out"
    # The process itself, not a shell around it: it is what is asked to end.
    chroot "$ROOT" env -i PATH=/usr/bin:/bin TONNE_CONFIG=/etc/tonne/tonne.toml \
        setpriv --reuid=tonne --regid=tonne --init-groups env -C /var/lib/tonne tonne serve \
        > "$ROOT/tmp/out" 2>> "$ROOT/tmp/log" &
    SERVICE=$!
    tries=0
    until grep -q http "$ROOT/tmp/out"; do
        tries=$((tries + 1))
        [ $tries -lt 300 ] && kill -0 "$SERVICE" || { cat "$ROOT/tmp/log" >&2; wrong "the service did not start"; }
        sleep 0.3
    done
    as_tonne tonne health || wrong "the service is not healthy"
}

echo "== install the older package"
in_root apt-get -qq update
in_root apt-get -y -qq --no-install-recommends install /tmp/old.deb
in_root getent passwd tonne || wrong "there is no account tonne"
as_tonne tonne --version
start
as_tonne tonne key create --name trial --permissions admin > "$ROOT/tmp/key"
as_tonne tonne import catalog --standard ghg-protocol
sed -i 's/^listen = .*/listen = "127.0.0.1:8081"/' "$ROOT/etc/tonne/tonne.toml"

echo "== upgrade beside the running service"
in_root dpkg -i /tmp/new.deb
grep -q 8081 "$ROOT/etc/tonne/tonne.toml" || wrong "the upgrade replaced the configuration"
stop
start
as_tonne tonne verify || wrong "the data is damaged after the upgrade"
as_tonne tonne history | grep -q "import catalog" || wrong "the history is gone"
stop

echo "== remove and purge"
in_root dpkg -r tonne
[ -d "$ROOT/var/lib/tonne" ] || wrong "removing the package removed the data"
in_root dpkg -P tonne
[ ! -e "$ROOT/etc/tonne" ] || wrong "purging left the configuration"

echo "== install the newer package anew"
in_root dpkg -i /tmp/new.deb
start
as_tonne tonne verify || wrong "the data is damaged"
stop
in_root dpkg -P tonne
echo "OK: installed, upgraded, removed, purged and installed anew"
