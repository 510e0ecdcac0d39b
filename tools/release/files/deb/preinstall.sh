#!/bin/sh
set -e
version=@VERSION@
oldest=/var/lib/corral/oldest-release
# An older release that cannot run on the database is refused while the newer one is still in place.
if [ "$1" = upgrade ] && [ -r "$oldest" ] && dpkg --compare-versions "$version" lt "$(cat "$oldest")"; then
  echo "The database was upgraded for Corral $(cat "$oldest") and newer, and this is $version: keep the installed release, or restore the backup from before the upgrade." >&2
  exit 1
fi
