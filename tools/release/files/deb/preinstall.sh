#!/bin/sh
set -e
version=@VERSION@
oldest=/var/lib/corral/oldest-release
# deb says install or upgrade, rpm 1 or 2. An older release that cannot run on the database is refused while the newer one is still in place.
if [ "$1" = upgrade ] && [ -r "$oldest" ] && dpkg --compare-versions "$version" lt "$(cat "$oldest")"; then
  echo "The database was upgraded for Corral $(cat "$oldest") and newer, and this is $version: keep the installed release, or restore the backup from before the upgrade." >&2
  exit 1
fi
case $1 in
  install | 1) touch /run/corral-hub.installed ;;
  2) # rpm replaces the files next, which must not change under the running hub.
    if [ -d /run/systemd/system ] && systemctl --quiet is-active corral-hub; then
      touch /run/corral-hub.upgraded
      systemctl stop corral-hub
    fi ;;
esac
