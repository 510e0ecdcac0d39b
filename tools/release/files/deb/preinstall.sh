#!/bin/sh
set -e
version=@VERSION@
settings=/etc/corral/corral.env
# An older release that cannot run on the database is refused while the newer one is still in place.
if [ -r "$settings" ]; then data=$(sed -n 's/^CORRAL_DATA_DIR=//p' "$settings" | tail -n 1 | tr -d "'\""); fi
oldest=$(cat "${data:-/var/lib/corral}/oldest-release" 2>/dev/null || :)
if [ -n "$oldest" ] && [ "$version" != "$oldest" ] && [ "$(printf '%s\n' "$version" "$oldest" | sort -V | head -n 1)" = "$version" ]; then
  echo "The database was upgraded for Corral $oldest and newer, and this is $version: keep the installed release, or restore the backup from before the upgrade." >&2
  exit 1
fi
# deb says install or upgrade, rpm 1 or 2.
case $1 in
  install | 1) touch /run/corral-hub.installed ;;
  2) # rpm replaces the files next, which must not change under the running hub.
    if [ -d /run/systemd/system ] && systemctl --quiet is-active corral-hub; then
      touch /run/corral-hub.upgraded
      systemctl stop corral-hub
    fi ;;
esac
