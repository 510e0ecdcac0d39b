#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
if [ "$1" = purge ]; then
  rm -rf /var/cache/corral
  if [ -d /var/lib/corral ]; then echo 'The data of the hub stays in /var/lib/corral: delete it yourself when nobody needs it.'; fi
fi
