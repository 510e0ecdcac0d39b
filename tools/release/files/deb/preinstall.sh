#!/bin/sh
set -e
version=@VERSION@
settings=/etc/corral/corral.env
# An older release that cannot run on the database is refused while the newer one is in place and runs.
if [ -r "$settings" ]; then data=$(sed -n 's/^CORRAL_DATA_DIR=//p' "$settings" | tail -n 1 | tr -d "'\""); fi
file=${data:-/var/lib/corral}/oldest-release
# The user of the hub owns the file and can replace it by anything: root does not open it, and believes nothing but a version.
oldest=$(timeout 5 setpriv --reuid=corral --regid=corral --init-groups -- head -c 20 "$file" 2>/dev/null | grep -aExm 1 '[0-9]+(\.[0-9]+){2}' || :)
if [ -n "$oldest" ] && [ "$version" != "$oldest" ] && [ "$(printf '%s\n' "$version" "$oldest" | sort -V | head -n 1)" = "$version" ]; then
  echo "The database was upgraded for Corral $oldest and newer, as $file says, and this is $version: keep the installed release. The way back: stop the hub, move its data folder away, install this one, and restore the backup from before the upgrade." >&2
  exit 1
fi
# deb says install or upgrade, rpm 1 or 2.
case $1 in
  install | 1) touch /run/corral-hub.installed ;;
  upgrade | 2) # The files are replaced next, which must not change under the running hub.
    if [ -d /run/systemd/system ]; then
      # One that systemd starts again and again counts as running.
      case $(systemctl is-active corral-hub) in active | activating) touch /run/corral-hub.upgraded ;; esac
      systemctl stop corral-hub
    fi ;;
esac
