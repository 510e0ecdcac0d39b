#!/bin/sh
# Runs a command of the hub, such as `corral-hub doctor`, as the user of the service and with its settings; without one, the hub itself.
umask 0077
set -- /usr/lib/corral-hub/node/bin/node --env-file=/usr/lib/corral-hub/defaults.env --env-file-if-exists=/etc/corral/corral.env --max-semi-space-size=8 /usr/lib/corral-hub/hub/src/main.js "$@"
case $(id -un) in
  corral) exec "$@" ;;
  root) exec setpriv --reuid=corral --regid=corral --init-groups -- "$@" ;;
esac
echo 'corral-hub runs as root or as the user corral: use sudo.' >&2
exit 1
